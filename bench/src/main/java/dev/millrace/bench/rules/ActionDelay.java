package dev.millrace.bench.rules;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.bench.race.HttpLoad;
import dev.millrace.bench.race.Latencies;
import dev.millrace.bench.race.RaceServer;
import dev.millrace.bench.race.WholeHub;
import dev.millrace.keyspace.redis.OwnConnection;
import dev.millrace.keyspace.redis.Redis;

import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

/**
 * From the sending of a value to the record of the execution that has ordered a device because of
 * it: the order is stored by then.
 */
final class ActionDelay {
    private static final int VALUES = 59_998;
    private static final int DEVICE = 59_999;
    private static final String RECORDS = "rule:execution:delay";
    private static final long LOOK_NANOS = 200_000;
    private static final long LOST_NANOS = 60_000_000_000L;

    /** A pause of up to so much before each, so that they do not keep step with anything. */
    private static final long PAUSE_NANOS = 20_000_000;

    private final WholeHub hub;
    private final RaceServer redis;
    private final Evaluations others;

    ActionDelay(WholeHub hub, RaceServer redis, Evaluations others) {
        this.hub = hub;
        this.redis = redis;
        this.others = others;
    }

    /** Its device and its rule are made here; call it first. */
    void prepare(Population rules) throws Exception {
        HttpLoad.each(
                hub.address(),
                List.of(
                        hub.address()
                                .post(
                                        "/api/channels",
                                        """
                                        {"id":%d,"protocol":"virtual","points":{"T":[{"point_id":1,"mapping":{"signal":"sine"}}],\
                                        "A":[{"point_id":1,"mapping":{"answer":"done"}}]}}\
                                        """
                                                .formatted(DEVICE))));
        rules.add(
                """
                {"id":"delay","trigger":"data_change",\
                "condition":{"source":"comsrv:%d:T","field":"1","operator":">","threshold":0},\
                "actions":[{"type":"adjustment","channel_id":%d,"point_id":1,"value":1,"queue":true}]}\
                """
                        .formatted(VALUES, DEVICE));
    }

    /** Nobody else writes meanwhile. */
    Latencies alone(int count) throws Exception {
        return measure(count);
    }

    /** Others write watched points meanwhile, so many writes a second. */
    Latencies besideOthers(int count, double writesPerSecond) throws Exception {
        // Each connection is used in each turn, before the hub gives it up.
        long turn = (long) (1e9 * Math.max(0.2, 2 * others.connections() / writesPerSecond));
        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
                HttpLoad load = others.writers(0)) {
            boolean[] ended = {false};
            Object lock = new Object();
            Future<?> writing =
                    executor.submit(
                            () -> {
                                while (true) {
                                    synchronized (lock) {
                                        if (ended[0]) {
                                            return null;
                                        }
                                    }
                                    load.run(turn, writesPerSecond);
                                }
                            });
            try {
                return measure(count);
            } finally {
                synchronized (lock) {
                    ended[0] = true;
                }
                writing.get();
            }
        }
    }

    private Latencies measure(int count) throws Exception {
        long[] latencies = new long[count];
        try (HttpClient client = HttpClient.newHttpClient();
                Redis reader = Redis.open(redis.options());
                OwnConnection connection = reader.own(0)) {
            for (int i = 0; i < count; i++) {
                LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(PAUSE_NANOS));
                String value = ThreadLocalRandom.current().nextInt(1, 1_000_000_000) + ".625";
                HttpRequest write =
                        HttpRequest.newBuilder(hub.address().url("/api/channels/" + VALUES + "/T"))
                                .header("Content-Type", "application/json")
                                .POST(BodyPublishers.ofString("{\"1\":" + value + "}"))
                                .build();
                long began = System.nanoTime();
                int status = client.send(write, BodyHandlers.discarding()).statusCode();
                while (!recorded(connection, value)) {
                    if (System.nanoTime() - began > LOST_NANOS) {
                        throw new IllegalStateException(
                                "A write of %s, answered with %d, led to nothing in a minute."
                                        .formatted(value, status));
                    }
                    LockSupport.parkNanos(LOOK_NANOS);
                }
                latencies[i] = System.nanoTime() - began;
            }
        }
        return Latencies.of(latencies);
    }

    private static boolean recorded(OwnConnection connection, String value) {
        return connection.call(Population.words("LINDEX", RECORDS, "0")) instanceof byte[] record
                && new String(record, UTF_8).contains(value);
    }
}
