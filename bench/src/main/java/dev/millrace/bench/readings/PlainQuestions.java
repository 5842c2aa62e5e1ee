package dev.millrace.bench.readings;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.bench.race.Latencies;
import dev.millrace.bench.race.RaceServer;
import dev.millrace.keyspace.redis.OwnConnection;
import dev.millrace.keyspace.redis.Redis;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;

/**
 * The newest readings of a device, asked for with the two commands that it takes and no more: the
 * ids from the index, and then the values. One connection for each who asks.
 */
final class PlainQuestions {
    private final RaceServer redis;
    private final int most;

    PlainQuestions(RaceServer redis, int most) {
        this.redis = redis;
        this.most = most;
    }

    /** How long each took, by so many who ask for so long. */
    Latencies ask(int connections, long nanos) throws InterruptedException, ExecutionException {
        List<Future<Latencies>> going = new ArrayList<>();
        try (Redis client = Redis.open(redis.options());
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < connections; i++) {
                String device = Bodies.device(i);
                going.add(
                        threads.submit(
                                () -> {
                                    try (OwnConnection connection = client.own(0)) {
                                        return ask(connection, device, nanos);
                                    }
                                }));
            }
            List<Latencies> all = new ArrayList<>();
            for (Future<Latencies> each : going) {
                all.add(each.get());
            }
            return Latencies.of(all);
        }
    }

    private Latencies ask(OwnConnection connection, String device, long nanos) {
        byte[][] ids =
                PlainEvents.words(
                        "ZRANGE",
                        "reading:device:" + device,
                        "0",
                        Integer.toString(most - 1),
                        "REV");
        LongStream.Builder took = LongStream.builder();
        long began = System.nanoTime();
        for (long now = began; now - began < nanos; ) {
            List<byte[]> values = new ArrayList<>(List.of("MGET".getBytes(UTF_8)));
            if (connection.call(ids) instanceof List<?> found) {
                found.forEach(id -> values.add((byte[]) id));
            }
            connection.call(values.toArray(byte[][]::new));
            long then = System.nanoTime();
            took.add(then - now);
            now = then;
        }
        return Latencies.of(took.build().toArray());
    }
}
