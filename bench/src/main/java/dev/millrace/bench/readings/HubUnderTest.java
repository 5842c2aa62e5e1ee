package dev.millrace.bench.readings;

import dev.millrace.bench.race.Child;
import dev.millrace.bench.race.HttpLoad;
import dev.millrace.bench.race.RaceServer;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/** A hub in a process of its own, and those who load it. */
final class HubUnderTest implements AutoCloseable {
    private static final List<String> HEAP = List.of("-Xms512m", "-Xmx512m");

    private final Child child;
    private final int port;
    private final int connections;
    private final BulkLoad bulk;
    private final boolean takesBulk;

    /**
     * Starts it.
     *
     * @param redisUrl where it keeps its things
     * @param said hears what it says besides
     */
    HubUnderTest(String redisUrl, int connections, int senders, int lot, Consumer<String> said)
            throws IOException, InterruptedException {
        this.child =
                new Child(
                        "The hub",
                        HubMain.class,
                        HEAP,
                        List.of(),
                        Map.of(HubMain.REDIS, redisUrl),
                        said);
        this.connections = connections;
        this.port = Integer.parseInt(child.hear("ready"));
        this.bulk = new BulkLoad(port, senders, lot);
        this.takesBulk = bulk.isPossible();
    }

    Child child() {
        return child;
    }

    boolean takesBulk() {
        return takesBulk;
    }

    /** Bytes of its heap, after it has cleaned up. */
    long heap() {
        child.tell("memory");
        return Long.parseLong(child.hear("memory"));
    }

    long single(long nanos) throws IOException {
        return posts("/api/v1/event", nanos, Double.POSITIVE_INFINITY);
    }

    long parse(long nanos, double perSecond) throws IOException {
        return posts(HubMain.PARSE, nanos, perSecond);
    }

    private long posts(String path, long nanos, double perSecond) throws IOException {
        List<byte[]> requests = new ArrayList<>();
        for (int i = 0; i < connections; i++) {
            requests.add(HttpLoad.post(path, Bodies.event(i)));
        }
        try (HttpLoad load = new HttpLoad(port, requests, nanosOfOne -> {})) {
            return load.run(nanos, perSecond);
        }
    }

    long bulk(long nanos) throws InterruptedException {
        return bulk.run(nanos);
    }

    /** One question again and again, on one connection. */
    long ask(String path, long nanos, LongConsumer latency) throws IOException {
        try (HttpLoad load = new HttpLoad(port, List.of(HttpLoad.get(path)), latency)) {
            return load.run(nanos);
        }
    }

    /** Stores at least so many events, each at a time of its own; gives how many. */
    long fill(int events, RaceServer redis) throws IOException, InterruptedException {
        if (takesBulk) {
            return bulk.fill(events);
        }
        while (stored(redis) < events) {
            single(200_000_000);
        }
        return stored(redis);
    }

    static long stored(RaceServer redis) {
        return redis.call("ZCARD", "event:created") instanceof Long count ? count : 0;
    }

    @Override
    public void close() {
        bulk.close();
        child.close();
    }
}
