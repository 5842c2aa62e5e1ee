package dev.millrace.bench.race;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/** A hub as an operator starts it, broker and all, in a process of its own. */
public final class WholeHub implements AutoCloseable {
    /** As the launcher has them; and as much memory on every machine. */
    private static final List<String> FLAGS = List.of("-Xms32m", "-Xmx512m");

    private static final List<String> COLLECTOR =
            List.of("-XX:+UseG1GC", "-XX:G1PeriodicGCInterval=60000");

    private static final long LOOK_MILLIS = 300;
    private static final long IDLE_NANOS = 30_000_000;
    private static final int MOST_LOOKS = 200;

    private final Child child;
    private final Scratch data;
    private final int port;
    private final int broker;

    /**
     * How to start one.
     *
     * @param flags of the JVM, besides those of every hub
     * @param settings each as {@code key=value}; the last one counts
     */
    public record Plan(
            String mainClass,
            List<String> flags,
            Optional<String> redisUrl,
            List<String> settings) {

        /** With a Redis of its own. */
        public static Plan embedded() {
            return new Plan(WholeHubMain.class.getName(), List.of(), Optional.empty(), List.of());
        }

        /** On this Redis. */
        public static Plan on(RaceServer redis) {
            return new Plan(
                    WholeHubMain.class.getName(), List.of(), Optional.of(redis.url()), List.of());
        }

        public Plan with(String... more) {
            return new Plan(
                    mainClass,
                    flags,
                    redisUrl,
                    Stream.concat(settings.stream(), Stream.of(more)).toList());
        }

        /** With further flags of the JVM. */
        public Plan flagged(List<String> more) {
            return new Plan(
                    mainClass,
                    Stream.concat(flags.stream(), more.stream()).toList(),
                    redisUrl,
                    settings);
        }

        /** By a program that does something of its own before it becomes the hub. */
        public Plan by(Class<?> main, String... moreFlags) {
            return new Plan(main.getName(), List.of(moreFlags), redisUrl, settings);
        }
    }

    private WholeHub(Child child, Scratch data, int port, int broker) {
        this.child = child;
        this.data = data;
        this.port = port;
        this.broker = broker;
    }

    /**
     * Starts it and waits until it is ready.
     *
     * @param said hears what it says besides
     */
    public static WholeHub start(Plan plan, Consumer<String> said) throws IOException {
        Scratch data = Scratch.create();
        int broker = freePort();
        List<String> arguments = new ArrayList<>(List.of("run"));
        Stream<String> usual =
                Stream.of(
                        "http.port=0",
                        "log.level=warn",
                        "data.dir=" + data.path(),
                        "mqtt.embedded.port=" + broker);
        Stream.concat(usual, plan.settings.stream())
                .forEach(each -> arguments.addAll(List.of("--set", each)));
        Child child =
                new Child(
                        "The hub",
                        plan.mainClass,
                        flags(plan.flags),
                        arguments,
                        // Not on the command line, which anybody can read.
                        plan.redisUrl
                                .map(url -> Map.of("MILLRACE_REDIS_URL", url))
                                .orElse(Map.of()),
                        said);
        try {
            return new WholeHub(child, data, URI.create(child.hear("ready")).getPort(), broker);
        } catch (RuntimeException e) {
            child.end();
            data.close();
            throw e;
        }
    }

    /** All flags of the JVM of a hub that is started with these: it has one garbage collector. */
    public static List<String> flags(List<String> own) {
        boolean another =
                own.stream().anyMatch(each -> each.startsWith("-XX:+Use") && each.endsWith("GC"));
        return Stream.of(another ? List.<String>of() : COLLECTOR, FLAGS, own)
                .flatMap(List::stream)
                .toList();
    }

    /** A port that nobody has at the moment. */
    public static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    public Child child() {
        return child;
    }

    public Address address() {
        return Address.local(port);
    }

    /** Where its broker listens. */
    public int broker() {
        return broker;
    }

    /** Bytes of its heap, after it has cleaned up. */
    public long heap() {
        child.tell("memory");
        return Long.parseLong(child.hear("memory"));
    }

    /**
     * Waits until it has nothing more to do: what was stored in one turn is still being announced
     * when the next one could begin.
     */
    public void settle() throws InterruptedException {
        settle(child::cpuNanos);
    }

    /**
     * The same of other processes.
     *
     * @param cpuNanos their processor time so far
     */
    public static void settle(LongSupplier cpuNanos) throws InterruptedException {
        long busy = Long.MAX_VALUE;
        for (int looks = 0; busy > IDLE_NANOS && looks < MOST_LOOKS; looks++) {
            long before = cpuNanos.getAsLong();
            Thread.sleep(LOOK_MILLIS);
            busy = cpuNanos.getAsLong() - before;
        }
    }

    @Override
    public void close() {
        child.end();
        data.close();
    }
}
