package dev.millrace.bench.bus;

import dev.millrace.bench.Out;
import dev.millrace.bench.race.Figures;
import dev.millrace.bench.race.Goal;
import dev.millrace.bench.race.Machine;
import dev.millrace.bench.race.Pace;
import dev.millrace.bench.race.RaceOptions;
import dev.millrace.bench.race.RaceServer;
import dev.millrace.bench.race.Results;
import dev.millrace.bench.race.WholeHub;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** {@code ./millrace bench bus}. */
@Command(
        name = "bus",
        description = {
            "Devices that a hub reads by Modbus TCP, all their registers once a second, stored with"
                    + " their alarms' rules asked: the processor time of the hub and of its Redis,"
                    + " beside those of the same hub at rest.",
            ""
        },
        sortOptions = false)
public final class BusBench implements Callable<Integer> {
    private static final double GOAL = 0.25;
    private static final int CREATED = 201;

    private final Out out;

    @Mixin private final RaceOptions options = new RaceOptions(5, 4, 10);

    @Option(
            names = "--devices",
            paramLabel = "N",
            defaultValue = "50",
            description = "Devices, each with a connection (default: 50).")
    private int devices;

    @Option(
            names = "--registers",
            paramLabel = "N",
            defaultValue = "100",
            description = "Registers of each device, a point each (default: 100).")
    private int registers;

    @Option(
            names = "--interval",
            paramLabel = "MS",
            defaultValue = "1000",
            description = "How often a device is read (default: 1000).")
    private int interval;

    public BusBench(Out out) {
        this.out = out;
    }

    /** In one second: registers, and the cores that were busy. */
    private record Turn(double registers, double hub, double redis, double others) {}

    @Override
    public Integer call() throws Exception {
        if (devices < 1 || registers < 1 || registers > 1000 || interval < 10) {
            throw new IllegalArgumentException(
                    "--devices is at least 1, --registers 1 to 1000 and --interval at least 10.");
        }
        Pace pace = options.pace(1, 0);
        AtomicLong reads = new AtomicLong();
        List<Registers> all = new ArrayList<>();
        try (RaceServer redis = options.open();
                WholeHub hub = WholeHub.start(WholeHub.Plan.on(redis), out::say);
                HttpClient client = HttpClient.newHttpClient()) {
            hub.settle();
            Turn rest = turn(hub, redis, reads, pace);
            out.say(line("at rest", rest));
            for (int i = 1; i <= devices; i++) {
                Registers device = new Registers(reads);
                all.add(device);
                configure(client, hub, channel(i, device.port()));
            }
            List<Turn> turns = new ArrayList<>();
            for (int i = -pace.warmups(); i < pace.rounds(); i++) {
                redis.rewriteFiles();
                Turn turn = turn(hub, redis, reads, pace);
                out.say(line(i < 0 ? "warm-up" : "round " + (i + 1), turn));
                if (i >= 0) {
                    turns.add(turn);
                }
            }
            String text = text(redis, pace, rest, turns);
            out.result(text);
            if (options.save()) {
                out.say("Saved as " + Results.save("bus", text));
            }
        } finally {
            all.forEach(Registers::close);
        }
        return 0;
    }

    private static void configure(HttpClient client, WholeHub hub, String channel)
            throws IOException, InterruptedException {
        HttpRequest request =
                HttpRequest.newBuilder(hub.address().url("/api/channels"))
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofString(channel))
                        .build();
        HttpResponse<String> answer = client.send(request, BodyHandlers.ofString());
        if (answer.statusCode() != CREATED) {
            throw new IOException("a channel cannot be configured: " + answer.body());
        }
    }

    private String channel(int id, int port) {
        return """
        {"id":%d,"protocol":"modbus_tcp","points":{"T":[%s]},
         "parameters":{"host":"127.0.0.1","port":%d,"polling_interval_ms":%d}}
        """
                .formatted(
                        id,
                        IntStream.range(0, registers)
                                .mapToObj(
                                        at ->
                                                "{\"point_id\":%d,\"scale\":0.1,\"mapping\":{\"register_address\":%d}}"
                                                        .formatted(at + 1, at))
                                .collect(Collectors.joining(",")),
                        port,
                        interval);
    }

    private static Turn turn(WholeHub hub, RaceServer redis, AtomicLong reads, Pace pace)
            throws InterruptedException, IOException {
        long began = System.nanoTime();
        long readBefore = reads.get();
        long hubBefore = hub.child().cpuNanos();
        long redisBefore = redis.cpuNanos();
        long ownBefore = Machine.jvmNanos();
        long busyBefore = Machine.busyNanos();
        TimeUnit.NANOSECONDS.sleep(pace.time().toNanos());
        double nanos = System.nanoTime() - began;
        double hubTime = hub.child().cpuNanos() - hubBefore;
        double redisTime = redis.cpuNanos() - redisBefore;
        double own = Machine.jvmNanos() - ownBefore;
        return new Turn(
                (reads.get() - readBefore) / nanos * 1e9,
                hubTime / nanos,
                redisTime / nanos,
                Math.max(0, Machine.busyNanos() - busyBefore - hubTime - redisTime - own) / nanos);
    }

    private static String line(String name, Turn turn) {
        return String.format(
                Locale.ROOT,
                "%-8s %,9.0f registers a second, hub %5.1f %%, Redis %5.1f %% of a core",
                name,
                turn.registers,
                turn.hub * 100,
                turn.redis * 100);
    }

    private String text(RaceServer redis, Pace pace, Turn rest, List<Turn> turns) {
        double[] hub = figures(turns, Turn::hub);
        return """
        %,d devices with %,d registers each, read every %,d ms by Modbus TCP; a whole hub with its embedded broker.

        - Machine: %s
        - Redis: %s
        - Each register is a point with a scale and has another value every time; its value, time and status are stored, and the \
        fact for live clients; the devices are in another process
        - %d rounds of %s s after %d for warming up; median over the rounds (smallest–largest)
        - Meanwhile other processes kept %s of %d cores busy

        | | registers per second | hub, %% of a core | Redis, %% of a core | hub µs a register |
        |---|---:|---:|---:|---:|
        | read and stored | %s | %s | %s | %s |
        | at rest, without channels | – | %s | %s | – |

        %s\
        """
                .formatted(
                        devices,
                        registers,
                        interval,
                        Machine.about(),
                        redis.about(),
                        pace.rounds(),
                        Figures.number("%.1f", pace.time().toMillis() / 1000.0),
                        pace.warmups(),
                        Figures.number("%.1f", Figures.median(figures(turns, Turn::others))),
                        Machine.cores(),
                        Figures.cell("%,.0f", figures(turns, Turn::registers)),
                        Figures.cell("%.1f", figures(turns, each -> each.hub * 100)),
                        Figures.cell("%.1f", figures(turns, each -> each.redis * 100)),
                        Figures.cell(
                                "%.1f", figures(turns, each -> each.hub * 1e6 / each.registers)),
                        Figures.number("%.1f", rest.hub * 100),
                        Figures.number("%.1f", rest.redis * 100),
                        Goal.table(List.of(new Goal("hub, of a core", hub, "at most " + GOAL))));
    }

    private static double[] figures(List<Turn> turns, ToDoubleFunction<Turn> figure) {
        return turns.stream().mapToDouble(figure).toArray();
    }
}
