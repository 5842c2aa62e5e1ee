package dev.millrace.bench.documents;

import dev.millrace.bench.race.Child;
import dev.millrace.bench.race.HttpLoad;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/** A hub as an operator starts it, broker and all, in a process of its own. */
final class WholeHub implements AutoCloseable {
    private static final String DATASTORE = "/history/datastore/";
    private static final long NO_TIME = 1;
    private static final long LOOK_MILLIS = 300;
    private static final long IDLE_NANOS = 30_000_000;
    private static final int MOST_LOOKS = 200;

    private final Child child;
    private final int port;
    private final int broker;
    private final int connections;

    /**
     * Starts it.
     *
     * @param said hears what it says besides
     */
    WholeHub(String redisUrl, Path data, int connections, Consumer<String> said)
            throws IOException {
        this.connections = connections;
        this.broker = freePort();
        this.child =
                new Child(
                        "The hub",
                        "dev.millrace.hub.cli.Main",
                        List.of("-Xmx512m"),
                        List.of(
                                "run",
                                "--set",
                                "http.port=0",
                                "--set",
                                "log.level=warn",
                                "--set",
                                "data.dir=" + data,
                                "--set",
                                "mqtt.embedded.port=" + broker),
                        // Not on the command line, which anybody can read.
                        Map.of("MILLRACE_REDIS_URL", redisUrl),
                        said);
        this.port = URI.create(child.hear("ready")).getPort();
    }

    private static int freePort() throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        }
    }

    Child child() {
        return child;
    }

    int port() {
        return port;
    }

    /** Where its broker listens. */
    int broker() {
        return broker;
    }

    /** Stores all documents there are. */
    void fill() throws IOException {
        for (int namespace = 0; namespace < Samples.NAMESPACES; namespace++) {
            byte[] request = HttpLoad.post(DATASTORE + "mset", Samples.all(namespace));
            try (HttpLoad load = new HttpLoad(port, List.of(request), nanos -> {})) {
                if (load.run(NO_TIME) != 1) {
                    throw new IllegalStateException("The documents to begin with are not stored.");
                }
            }
        }
    }

    /**
     * Waits until it has nothing more to do: what was set in one turn is still being announced when
     * the next one could begin.
     */
    void settle() throws InterruptedException {
        long busy = Long.MAX_VALUE;
        for (int looks = 0; busy > IDLE_NANOS && looks < MOST_LOOKS; looks++) {
            long before = child.cpuNanos();
            Thread.sleep(LOOK_MILLIS);
            busy = child.cpuNanos() - before;
        }
    }

    /** Does it for so long, each connection with one request in flight; gives how often. */
    long repeat(Deed deed, long nanos) throws IOException {
        return repeat(request(deed), nanos);
    }

    private long repeat(IntFunction<byte[]> request, long nanos) throws IOException {
        List<byte[]> requests = new ArrayList<>();
        for (int i = 0; i < connections; i++) {
            requests.add(request.apply(i));
        }
        try (HttpLoad load = new HttpLoad(port, requests, each -> {})) {
            return load.run(nanos);
        }
    }

    /** What the connection of this number sends: each is about a namespace of its own. */
    private static IntFunction<byte[]> request(Deed deed) {
        return switch (deed) {
            case PING -> i -> HttpLoad.get("/api/v1/ping");
            case GET -> i -> HttpLoad.post(DATASTORE + "get", Samples.query(i, i));
            case SET ->
                    i ->
                            HttpLoad.post(
                                    DATASTORE + "set",
                                    "{\"value\":" + Samples.document(i, i) + "}");
            case MGET -> i -> HttpLoad.post(DATASTORE + "mget", Samples.filter(i));
            case MSET -> i -> HttpLoad.post(DATASTORE + "mset", Samples.all(i));
            case RAW_GET, RAW_SET ->
                    throw new IllegalArgumentException("Not a deed of the hub: " + deed);
        };
    }

    @Override
    public void close() {
        child.close();
    }
}
