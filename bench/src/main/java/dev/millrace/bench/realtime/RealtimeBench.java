package dev.millrace.bench.realtime;

import dev.millrace.bench.Out;
import dev.millrace.bench.race.Address;
import dev.millrace.bench.race.Child;
import dev.millrace.bench.race.Latencies;
import dev.millrace.bench.race.Machine;
import dev.millrace.bench.race.OpenLoop;
import dev.millrace.bench.race.Results;
import dev.millrace.bench.race.WholeHub;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** {@code ./millrace bench realtime}. */
@Command(
        name = "realtime",
        description = {
            "Clients of live values by WebSocket while a plant writes at a fixed rate: from the"
                    + " beginning of a write to its message, and the memory of each client.",
            ""
        },
        sortOptions = false)
public final class RealtimeBench implements Callable<Integer> {
    private static final double KIB = 1024;
    private static final int WARM_UP = 10;
    private static final int MOST_LOOKS = 600;

    private final Out out;

    @Option(
            names = "--clients",
            paramLabel = "N",
            defaultValue = "1000",
            description = "How many listen, each to one channel (default: 1000).")
    private int clients;

    @Option(
            names = "--deaf",
            paramLabel = "N",
            defaultValue = "20",
            description = "How many more subscribe and never read (default: 20).")
    private int deaf;

    @Option(
            names = "--channels",
            paramLabel = "N",
            defaultValue = "100",
            description = "How many channels there are (default: 100).")
    private int channels;

    @Option(
            names = "--points",
            paramLabel = "N",
            defaultValue = "100",
            description = "Points of a channel, written together (default: 100).")
    private int points;

    @Option(
            names = "--rate",
            paramLabel = "N",
            defaultValue = "10000",
            description = "Points written in a second, over all channels (default: 10000).")
    private int rate;

    @Option(
            names = "--seconds",
            paramLabel = "N",
            defaultValue = "20",
            description =
                    "How long it is measured, after at most 10 s for warming up (default: 20).")
    private int seconds;

    @Option(
            names = "--save",
            description = "Writes a page with the figures and today's date to bench/results too.")
    private boolean save;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Prints this.")
    @SuppressWarnings("UnusedVariable") // picocli sets it and acts on it
    private boolean help;

    public RealtimeBench(Out out) {
        this.out = out;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (clients < 1 || deaf < 0 || channels < 1 || points < 1 || rate < points || seconds < 1) {
            throw new IllegalArgumentException(
                    "--clients, --channels, --points and --seconds are at least 1, --rate at least"
                            + " --points, --deaf is not negative.");
        }
        try (WholeHub hub = WholeHub.start(WholeHub.Plan.embedded(), out::say)) {
            String text = run(hub);
            out.result(text);
            if (save) {
                out.say("Saved as " + Results.save("realtime", text));
            }
        }
        return 0;
    }

    private String run(WholeHub hub) throws IOException, InterruptedException {
        try (HttpClient http = HttpClient.newHttpClient()) {
            for (int i = 1; i <= channels; i++) {
                write(http, hub.address(), i, 0);
            }
            long empty = hub.heap();
            try (Child crowd =
                    new Child(
                            "The crowd",
                            Listeners.class,
                            List.of(),
                            List.of(
                                    Integer.toString(hub.address().socket().getPort()),
                                    Integer.toString(clients),
                                    Integer.toString(channels),
                                    Integer.toString(deaf)),
                            Map.of(),
                            out::say)) {
                crowd.hear("connected");
                crowd.tell("subscribe");
                crowd.hear("listening");
                out.say("listening");
                long listening = hub.heap();
                Duration warmUp = Duration.ofSeconds(Math.min(WARM_UP, seconds));
                go(http, hub.address(), warmUp);
                report(crowd, warmUp);
                long cpu = hub.child().cpuNanos();
                Latencies writes = go(http, hub.address(), Duration.ofSeconds(seconds));
                cpu = hub.child().cpuNanos() - cpu;
                String[] heard = report(crowd, Duration.ofSeconds(seconds));
                return report(heard, writes, cpu, empty, listening, hub.heap());
            }
        }
    }

    /** What was heard, when all of it has come, or after a minute. */
    private String[] report(Child crowd, Duration time) throws InterruptedException {
        long count = 0;
        for (int looks = 0; looks < MOST_LOOKS && count < expected(time); looks++) {
            Thread.sleep(100);
            crowd.tell("count");
            count = Long.parseLong(crowd.hear("count"));
        }
        crowd.tell("report");
        return crowd.hear("report").split(" ", 4);
    }

    private long expected(Duration time) {
        return rate / points * time.toSeconds() * clients / channels;
    }

    private Latencies go(HttpClient http, Address hub, Duration time) {
        AtomicInteger turn = new AtomicInteger();
        int perSecond = rate / points;
        return new OpenLoop(
                        perSecond,
                        () ->
                                write(
                                        http,
                                        hub,
                                        turn.getAndIncrement() % channels + 1,
                                        System.nanoTime() / 1000))
                .run(time);
    }

    /** Point 1 says when the write began, in microseconds; the others change with it. */
    private void write(HttpClient http, Address hub, int channel, long micros) {
        String body =
                IntStream.rangeClosed(1, points)
                        .mapToObj(
                                point ->
                                        "\"%d\":%d"
                                                .formatted(
                                                        point,
                                                        point == 1
                                                                ? micros
                                                                : micros % 1000 + point))
                        .collect(Collectors.joining(",", "{", "}"));
        try {
            int status =
                    http.send(
                                    HttpRequest.newBuilder(
                                                    hub.url(
                                                            "/api/channels/%d/T"
                                                                    .formatted(channel)))
                                            .POST(HttpRequest.BodyPublishers.ofString(body))
                                            .build(),
                                    HttpResponse.BodyHandlers.discarding())
                            .statusCode();
            if (status != 200) {
                throw new IllegalStateException("A write was answered with " + status);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private String report(
            String[] heard, Latencies writes, long cpu, long empty, long listening, long after) {
        return """
        %,d clients of live values by WebSocket, each to one of %d channels, every change; %d more that never read. %,d points a \
        second, %d in each write, over HTTP. Hub with its Redis, clients and writer in processes of their own, all on this machine.

        - Machine: %s
        - Messages: %s of %,d that were to come; processor time of the hub: %.0f %% of one core

        | from the beginning of a write to | median ms | p99 ms | largest ms |
        |---|---:|---:|---:|
        | its message | %s |
        | its answer | %s |

        | heap of the hub for each client | KiB |
        |---|---:|
        | subscribed | %.1f |
        | after %d s | %.1f |
        """
                .formatted(
                        clients,
                        channels,
                        deaf,
                        rate,
                        points,
                        Machine.about(),
                        heard[0],
                        expected(Duration.ofSeconds(seconds)),
                        cpu / (seconds * 1e9) * 100,
                        String.format(
                                Locale.ROOT,
                                "%.1f | %.1f | %.1f",
                                Long.parseLong(heard[1]) / 1e3,
                                Long.parseLong(heard[2]) / 1e3,
                                Long.parseLong(heard[3]) / 1e3),
                        String.format(
                                Locale.ROOT,
                                "%.1f | %.1f | %.1f",
                                writes.millis(50),
                                writes.millis(99),
                                writes.millis(100)),
                        (listening - empty) / KIB / clients,
                        seconds,
                        (after - empty) / KIB / clients);
    }
}
