package dev.millrace.bench.history;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.bench.race.Child;
import dev.millrace.bench.race.HubTurn;
import dev.millrace.bench.race.RaceServer;
import dev.millrace.keyspace.redis.OwnConnection;
import dev.millrace.keyspace.redis.Redis;

import java.io.IOException;
import java.net.http.HttpClient;
import java.util.ArrayList;
import java.util.List;

/**
 * Values that are written to the hub and recorded by it, and the least that a client would have to
 * send to Redis for the same: the values into their hash, and each as a member of its hour.
 */
final class Recording {
    private static final long LOOK_MILLIS = 20;
    private static final long STUCK_NANOS = 120_000_000_000L;

    private final RaceServer redis;
    private final Child hub;
    private final Plant plant;

    /** So that no member is there already. */
    private long rawTurn;

    Recording(RaceServer redis, Child hub, Plant plant) {
        this.redis = redis;
        this.hub = hub;
        this.plant = plant;
    }

    /**
     * What was done with points.
     *
     * @param raw by commands of a raw client
     * @param recorded from the first write until the last value is a sample
     * @param written a second, as the hub answered those who wrote
     */
    record Turn(HubTurn raw, HubTurn recorded, double written) {}

    Turn turn(long nanos) throws Exception {
        HubTurn raw = HubTurn.of(hub, redis, () -> raw(nanos));
        double[] written = {0};
        HubTurn recorded = HubTurn.of(hub, redis, () -> record(nanos, written));
        return new Turn(raw, recorded, written[0]);
    }

    private long record(long nanos, double[] perSecond) throws IOException, InterruptedException {
        try (HttpClient client = HttpClient.newHttpClient()) {
            long before = plant.recorded(client);
            long began = System.nanoTime();
            long written = plant.write(nanos, Double.POSITIVE_INFINITY) * plant.points();
            perSecond[0] = written * 1e9 / (System.nanoTime() - began);
            long deadline = System.nanoTime() + STUCK_NANOS;
            while (plant.recorded(client) - before < written) {
                if (System.nanoTime() - deadline > 0) {
                    throw new IllegalStateException(
                            "Of %,d values only %,d were recorded."
                                    .formatted(written, plant.recorded(client) - before));
                }
                Thread.sleep(LOOK_MILLIS);
            }
            return written;
        }
    }

    /** As many writes in one pipeline as writers of the hub have in flight. */
    private long raw(long nanos) {
        long points = 0;
        try (Redis client = Redis.open(redis.options());
                OwnConnection connection = client.own(0)) {
            long began = System.nanoTime();
            do {
                List<byte[][]> pipeline = new ArrayList<>();
                for (int i = 0; i < Plant.WRITERS; i++) {
                    write(pipeline, rawTurn++);
                    points += plant.points();
                }
                connection.pipeline(pipeline);
            } while (System.nanoTime() - began < nanos);
        }
        return points;
    }

    private void write(List<byte[][]> pipeline, long turn) {
        long channel = 1 + turn % plant.channels();
        long at = 1_754_568_000_000L + turn;
        List<String> values = new ArrayList<>(List.of("HSET", "raw:" + channel + ":T"));
        for (int point = 1; point <= plant.points(); point++) {
            String value = Plant.value(point, turn / plant.channels());
            values.add(Integer.toString(point));
            values.add(value);
            pipeline.add(
                    words(
                            List.of(
                                    "ZADD",
                                    "raw:history:" + channel + ":" + point + ":2025080712",
                                    Double.toString(at / 1000.0),
                                    value + ":" + at)));
        }
        pipeline.add(words(values));
    }

    private static byte[][] words(List<String> words) {
        return words.stream().map(word -> word.getBytes(UTF_8)).toArray(byte[][]::new);
    }
}
