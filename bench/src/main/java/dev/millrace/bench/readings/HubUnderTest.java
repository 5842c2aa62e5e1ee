package dev.millrace.bench.readings;

import dev.millrace.bench.race.Address;
import dev.millrace.bench.race.HttpLoad;
import dev.millrace.bench.race.RaceServer;
import dev.millrace.bench.race.WholeHub;

import java.io.IOException;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;

/** A whole hub in a process of its own, and those who load it. */
final class HubUnderTest implements AutoCloseable {
    private final WholeHub hub;
    private final Address parser;
    private final int connections;
    private final BulkLoad bulk;

    /**
     * Who loads it.
     *
     * @param connections of those who send one event a request
     * @param senders of those who send many
     * @param lot how many these send at once
     */
    record Crowd(int connections, int senders, int lot) {}

    /**
     * Starts it.
     *
     * @param said hears what it says besides
     * @param settings as {@code key=value}
     */
    HubUnderTest(RaceServer redis, Crowd crowd, Consumer<String> said, String... settings)
            throws IOException {
        int port = WholeHub.freePort();
        this.hub =
                WholeHub.start(
                        WholeHub.Plan.on(redis)
                                .by(HubMain.class, "-D" + HubMain.PORT + "=" + port)
                                // Nothing may go while it is measured.
                                .with("readings.keep-count=off", "readings.keep-bytes=off")
                                .with(settings),
                        said);
        this.parser = Address.local(port);
        this.connections = crowd.connections;
        this.bulk = new BulkLoad(hub.address(), crowd.senders, crowd.lot);
    }

    WholeHub whole() {
        return hub;
    }

    /**
     * Lets it take so many events one by one. That is the slowest of all that is measured: by time
     * alone it would still be compiled when the rest has long been.
     */
    void warmUp(long events) throws IOException, InterruptedException {
        for (long done = 0; done < events; ) {
            done += single(1_000_000_000L, events - done);
        }
        hub.settle();
    }

    long single(long nanos) throws IOException {
        return single(nanos, Long.MAX_VALUE);
    }

    /** At most so many. */
    long single(long nanos, long most) throws IOException {
        return posts(hub.address(), "/api/v1/event", nanos, Double.POSITIVE_INFINITY, most);
    }

    long parse(long nanos, double perSecond) throws IOException {
        return posts(parser, HubMain.PARSE, nanos, perSecond, Long.MAX_VALUE);
    }

    private long posts(Address server, String path, long nanos, double perSecond, long most)
            throws IOException {
        List<byte[]> requests =
                IntStream.range(0, connections)
                        .mapToObj(i -> server.post(path, Bodies.event(i)))
                        .toList();
        try (HttpLoad load = new HttpLoad(server, requests, nanosOfOne -> {})) {
            return load.run(nanos, perSecond, most);
        }
    }

    long bulk(long nanos) throws InterruptedException {
        return bulk.run(nanos);
    }

    /** One path on each connection, again and again. */
    long ask(List<String> paths, long nanos, LongConsumer latency) throws IOException {
        Address server = hub.address();
        try (HttpLoad load =
                new HttpLoad(server, paths.stream().map(server::get).toList(), latency)) {
            return load.run(nanos);
        }
    }

    /** Stores events, each at a time of its own, until there are at least so many. */
    long fill(long events, RaceServer redis) throws InterruptedException {
        for (long stored = stored(redis); stored < events; stored = stored(redis)) {
            bulk.fill(stored, events - stored);
        }
        return stored(redis);
    }

    static long stored(RaceServer redis) {
        return redis.call("ZCARD", "event:created") instanceof Long count ? count : 0;
    }

    @Override
    public void close() {
        bulk.close();
        hub.close();
    }
}
