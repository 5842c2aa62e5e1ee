package dev.millrace.bench.live;

import dev.millrace.bench.Out;
import dev.millrace.bench.race.Child;
import dev.millrace.bench.race.Machine;
import dev.millrace.bench.race.Results;
import dev.millrace.bench.race.Scratch;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.redis.Redis;
import dev.millrace.keyspace.redis.embedded.EmbeddedServer;
import dev.millrace.keyspace.redis.options.RedisOptions;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

/** {@code ./millrace bench live}. */
@Command(
        name = "live",
        description = {
            "Many clients of server-sent events on one feed: memory for each, and the delay from a"
                    + " commit to the last of them.",
            ""
        },
        sortOptions = false)
public final class LiveBench implements Callable<Integer> {
    private static final int KIB = 1024;
    private static final int PAYLOAD = 120;

    private final Out out;

    @Option(
            names = "--clients",
            paramLabel = "N",
            defaultValue = "10000",
            description = "How many listen (default: 10000).")
    private int clients;

    @Option(
            names = "--deaf",
            paramLabel = "N",
            defaultValue = "100",
            description = "How many more ask and never read (default: 100).")
    private int deaf;

    @Option(
            names = "--facts",
            paramLabel = "N",
            defaultValue = "60",
            description = "Facts that count, after 20 for warming up (default: 60).")
    private int facts;

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

    public LiveBench(Out out) {
        this.out = out;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (clients < 1 || deaf < 0 || facts < 1) {
            throw new IllegalArgumentException(
                    "--clients and --facts are at least 1, --deaf is not negative.");
        }
        try (Scratch directory = Scratch.create();
                EmbeddedServer server =
                        EmbeddedServer.start(directory.path(), EmbeddedServer.Options.defaults())) {
            EmbeddedServer.Address at = server.address();
            String url =
                    "redis://%s:%s@%s:%d".formatted(at.user(), at.password(), at.host(), at.port());
            String text = run(url);
            out.result(text);
            if (save) {
                out.say("Saved as " + Results.save("live", text));
            }
        }
        return 0;
    }

    private String run(String url) throws IOException, InterruptedException {
        try (Redis redis = Redis.open(RedisOptions.of(url));
                Child hub = child("The hub", HubProcess.class)) {
            Keyspace keyspace = new Keyspace(redis, Keyspace.catalogue(List.of()));
            hub.tell(url);
            String port = hub.hear("ready");
            try (Child crowd =
                    child(
                            "The crowd",
                            ClientsProcess.class,
                            port,
                            Integer.toString(clients),
                            Integer.toString(deaf))) {
                long[] empty = memory(hub);
                crowd.hear("connected");
                out.say("connected");
                long[] connected = memory(hub);
                crowd.tell("listen");
                crowd.hear("listening");
                out.say("listening");
                long[] listening = memory(hub);
                List<long[]> delays = new ArrayList<>();
                for (int i = -20; i < facts; i++) {
                    long[] delay = one(keyspace, crowd);
                    if (i >= 0) {
                        delays.add(delay);
                    }
                }
                long[] after = memory(hub);
                return report(empty, connected, listening, after, delays);
            }
        }
    }

    private Child child(String name, Class<?> program, String... arguments) throws IOException {
        return new Child(
                name,
                program,
                List.of("-Dlogback.configurationFile=dev/millrace/bench/logback.xml"),
                List.of(arguments),
                Map.of(),
                out::say);
    }

    private static long[] memory(Child hub) {
        hub.tell("memory");
        String[] words = hub.hear("memory").split(" ", 2);
        return new long[] {Long.parseLong(words[0]), Long.parseLong(words[1])};
    }

    /** One fact, and when half of the clients and the last of them had it, in microseconds. */
    private static long[] one(Keyspace keyspace, Child crowd) throws InterruptedException {
        String fact =
                "{\"t\":%d,\"fill\":\"%s\"}".formatted(System.nanoTime(), "x".repeat(PAYLOAD));
        keyspace.commit("bench")
                .with(keyspace.feed(HubProcess.TOPIC).fact(fact.getBytes(StandardCharsets.UTF_8)))
                .run()
                .orThrow();
        String[] words = crowd.hear("fact").split(" ", 2);
        TimeUnit.MILLISECONDS.sleep(50);
        return new long[] {Long.parseLong(words[0]), Long.parseLong(words[1])};
    }

    private String report(
            long[] empty, long[] connected, long[] listening, long[] after, List<long[]> delays) {
        return """
        %,d clients of server-sent events on one feed, %d more that ask and never read; hub, clients and writer in three \
        processes, all on this machine. Facts of about 150 bytes, one after the other.

        - Machine: %s

        | memory of the hub for each client | heap KiB | resident KiB |
        |---|---:|---:|
        | connected, nothing asked | %s |
        | listening | %s |
        | the same after %d facts | %s |

        | from the beginning of the commit to | median ms | p90 ms | largest ms |
        |---|---:|---:|---:|
        | half of the clients | %s |
        | the last client | %s |
        """
                .formatted(
                        clients,
                        deaf,
                        Machine.about(),
                        each(empty, connected),
                        each(empty, listening),
                        facts + 20,
                        each(empty, after),
                        cells(delays, 0),
                        cells(delays, 1));
    }

    private String each(long[] before, long[] now) {
        return String.format(
                Locale.ROOT,
                "%.1f | %.1f",
                (now[0] - before[0]) / (double) KIB / clients,
                (now[1] - before[1]) / (double) KIB / clients);
    }

    private static String cells(List<long[]> delays, int which) {
        long[] sorted = delays.stream().mapToLong(delay -> delay[which]).sorted().toArray();
        return String.format(
                Locale.ROOT,
                "%.0f | %.0f | %.0f",
                sorted[sorted.length / 2] / 1000.0,
                sorted[sorted.length * 9 / 10] / 1000.0,
                sorted[sorted.length - 1] / 1000.0);
    }
}
