package dev.millrace.bench.plant;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.bench.race.HttpLoad;
import dev.millrace.bench.race.Latencies;
import dev.millrace.bench.race.RaceServer;
import dev.millrace.bench.race.WholeHub;
import dev.millrace.keyspace.redis.OwnConnection;
import dev.millrace.keyspace.redis.Redis;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/** From a HSET by somebody who knows no hub to the entry in the list of events. */
final class ForeignDelay {
    private static final int CHANNEL = 59_999;
    private static final String KEY = "comsrv:" + CHANNEL + ":T";
    private static final String EVENTS = "alarm:events";

    private static final long LOOK_NANOS = 200_000;
    private static final long LOST_NANOS = 60_000_000_000L;

    /** A pause of up to so much before each, so that they do not keep step with anything. */
    private static final long PAUSE_NANOS = 20_000_000;

    /** How many of another's HSETs are on their way at once, where there is another. */
    private static final int OTHERS = 20;

    private static final long OTHERS_PAUSE_NANOS = 10_000_000;

    private final RaceServer redis;
    private final WholeHub hub;
    private final Field field;

    ForeignDelay(RaceServer redis, WholeHub hub, Field field) {
        this.redis = redis;
        this.hub = hub;
        this.field = field;
    }

    /** Its rule is made here; call it first. */
    void prepare() throws IOException {
        byte[] rule = hub.address().put("/api/alarm-rules/foreign", Field.ruleOf(CHANNEL, 1, 100));
        HttpLoad.each(hub.address(), List.of(rule));
    }

    /** Nobody else writes meanwhile. */
    Latencies alone(int crossings) {
        return measure(crossings);
    }

    /** Somebody else writes watched points of other channels meanwhile, two thousand a second. */
    Latencies besideOthers(int crossings) throws Exception {
        AtomicBoolean ended = new AtomicBoolean();
        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<?> others = executor.submit(() -> others(ended));
            try {
                return measure(crossings);
            } finally {
                ended.set(true);
                others.get();
            }
        }
    }

    private void others(AtomicBoolean ended) {
        List<Integer> channels = field.channelsWith(Field.SOME);
        try (Redis client = Redis.open(redis.options());
                OwnConnection connection = client.own(0)) {
            for (int turn = 0; !ended.get(); turn++) {
                int from = turn;
                connection.pipeline(
                        IntStream.range(0, OTHERS)
                                .mapToObj(
                                        i ->
                                                words(
                                                        "HSET",
                                                        "comsrv:%d:T"
                                                                .formatted(
                                                                        channels.get(
                                                                                (from + i)
                                                                                        % channels
                                                                                                .size())),
                                                        Integer.toString(from % field.points() + 1),
                                                        Field.value(from, i)))
                                .toList());
                LockSupport.parkNanos(OTHERS_PAUSE_NANOS);
            }
        }
    }

    private Latencies measure(int crossings) {
        long[] latencies = new long[crossings];
        try (Redis client = Redis.open(redis.options());
                OwnConnection connection = client.own(0)) {
            for (int i = 0; i < crossings; i++) {
                LockSupport.parkNanos(ThreadLocalRandom.current().nextLong(PAUSE_NANOS));
                // Never the same number twice, and a fraction that no other event has.
                String value = i % 2 == 0 ? 200 + i + ".625" : "-" + (1 + i) + ".625";
                long began = System.nanoTime();
                connection.call(words("HSET", KEY, "1", value));
                while (!told(connection, value)) {
                    if (System.nanoTime() - began > LOST_NANOS) {
                        throw new IllegalStateException(
                                "A HSET of %s was not told in a minute.".formatted(value));
                    }
                    LockSupport.parkNanos(LOOK_NANOS);
                }
                latencies[i] = System.nanoTime() - began;
            }
        }
        return Latencies.of(latencies);
    }

    private static boolean told(OwnConnection connection, String value) {
        return connection.call(words("LINDEX", EVENTS, "0")) instanceof byte[] event
                && new String(event, UTF_8).contains(value);
    }

    private static byte[][] words(String... words) {
        byte[][] bytes = new byte[words.length][];
        for (int i = 0; i < words.length; i++) {
            bytes[i] = words[i].getBytes(UTF_8);
        }
        return bytes;
    }
}
