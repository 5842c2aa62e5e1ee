package dev.millrace.bench.plant;

import dev.millrace.bench.race.HttpLoad;
import dev.millrace.bench.race.Latencies;
import dev.millrace.bench.race.WholeHub;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.LongStream;

/** How long the write of one point takes while somebody else writes a thousand at a time. */
final class BesideLarge {
    /** The most that one write takes. */
    private static final int LARGE = 1000;

    private static final int PER_SECOND = 200;
    private static final int CONNECTIONS = 16;

    /** Channels that nobody else has. */
    private static final int OWN_CHANNEL = 60_000;

    private static final long LAP_NANOS = 200_000_000;

    private final WholeHub hub;
    private final Field field;

    BesideLarge(WholeHub hub, Field field) {
        this.hub = hub;
        this.field = field;
    }

    /** Latencies at a fixed rate for so long, and how many of the large writes there were. */
    record Found(Latencies latencies, long large) {}

    Found measure(long nanos) throws Exception {
        hub.settle();
        AtomicBoolean ended = new AtomicBoolean();
        LongStream.Builder latencies = LongStream.builder();
        try (ExecutorService executor =
                        Executors.newThreadPerTaskExecutor(Thread.ofPlatform().factory());
                HttpLoad single =
                        new Clients(hub.address(), field)
                                .load(Deed.hub(1, 0), CONNECTIONS, latencies)) {
            Future<Long> large = executor.submit(() -> large(ended));
            try {
                single.atRate(nanos, PER_SECOND);
            } finally {
                ended.set(true);
            }
            return new Found(Latencies.of(latencies.build().toArray()), large.get());
        }
    }

    private long large(AtomicBoolean ended) throws IOException {
        Field wide = new Field(1, LARGE, 0);
        Clients clients = new Clients(hub.address(), wide);
        byte[] request = clients.write(OWN_CHANNEL, Field.body(1, wide.pointsOf(0, LARGE)));
        long count = 0;
        try (HttpLoad load = new HttpLoad(nanos -> {}, hub.address(), List.of(answer -> request))) {
            while (!ended.get()) {
                count += load.run(LAP_NANOS);
            }
        }
        return count;
    }
}
