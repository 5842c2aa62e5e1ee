package dev.millrace.bench.race;

import java.time.Duration;
import java.util.Arrays;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/**
 * Work that comes at a fixed rate whether the earlier has been done or not, as from devices that do
 * not know of each other. A latency counts from the moment at which the work should have begun: one
 * that had to wait because everything stood still has been slow, too.
 */
public final class OpenLoop {
    private final int perSecond;
    private final Runnable work;

    public OpenLoop(int perSecond, Runnable work) {
        this.perSecond = perSecond;
        this.work = work;
    }

    /**
     * Goes on for so long.
     *
     * @throws RuntimeException of the first piece of work that failed
     */
    public Latencies run(Duration time) {
        return run(time, () -> false);
    }

    /**
     * Goes on until something has ended, and at most so long.
     *
     * @throws RuntimeException of the first piece of work that failed
     */
    public Latencies run(Duration most, BooleanSupplier ended) {
        long interval = 1_000_000_000L / perSecond;
        int count = Math.toIntExact(most.toNanos() / interval);
        long[] latencies = new long[count];
        Queue<RuntimeException> failures = new ConcurrentLinkedQueue<>();
        int begun = 0;
        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            long start = System.nanoTime();
            while (begun < count && !ended.getAsBoolean()) {
                int number = begun++;
                long due = start + number * interval;
                for (long left = due - System.nanoTime();
                        left > 0;
                        left = due - System.nanoTime()) {
                    LockSupport.parkNanos(left);
                }
                executor.execute(
                        () -> {
                            try {
                                work.run();
                            } catch (RuntimeException e) {
                                failures.add(e);
                            }
                            latencies[number] = System.nanoTime() - due;
                        });
            }
        }
        for (RuntimeException failure : failures) {
            throw failure;
        }
        return Latencies.of(Arrays.copyOf(latencies, begun));
    }
}
