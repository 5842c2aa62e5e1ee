package dev.millrace.bench.history;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.bench.race.HttpLoad;
import dev.millrace.bench.race.Latencies;
import dev.millrace.bench.race.RaceServer;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.LongStream;

/**
 * How long after it was sent a value is a sample, while others come at a rate. A channel of its own
 * is written among them, and Redis is asked until its statistics have the value.
 */
final class Lag {
    private static final int CHANNEL = 60_000;
    private static final String STATISTICS = "history:statistics:comsrv:" + CHANNEL;
    private static final long PAUSE_MILLIS = 20;
    private static final long STUCK_NANOS = 120_000_000_000L;

    private final RaceServer redis;
    private final Plant plant;

    Lag(RaceServer redis, Plant plant) {
        this.redis = redis;
        this.plant = plant;
    }

    Latencies measure(long nanos, int pointsPerSecond) throws Exception {
        AtomicBoolean writing = new AtomicBoolean(true);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Latencies> looking = threads.submit(() -> look(writing));
            try {
                plant.write(nanos, (double) pointsPerSecond / plant.points());
            } finally {
                writing.set(false);
            }
            return looking.get();
        }
    }

    private Latencies look(AtomicBoolean writing) throws IOException, InterruptedException {
        LongStream.Builder lags = LongStream.builder();
        int value = 0;
        do {
            String text = Integer.toString(++value);
            long began = System.nanoTime();
            HttpLoad.each(
                    plant.hub(),
                    List.of(
                            plant.hub()
                                    .post(
                                            "/api/channels/" + CHANNEL + "/T",
                                            "{\"1\":" + text + "}")));
            while (!text.equals(last())) {
                if (System.nanoTime() - began > STUCK_NANOS) {
                    throw new IllegalStateException("A value was not recorded in two minutes.");
                }
                Thread.sleep(1);
            }
            lags.add(System.nanoTime() - began);
            Thread.sleep(PAUSE_MILLIS);
        } while (writing.get());
        return Latencies.of(lags.build().toArray());
    }

    private String last() {
        return redis.call("HGET", STATISTICS, "1.last") instanceof byte[] text
                ? new String(text, UTF_8)
                : "";
    }
}
