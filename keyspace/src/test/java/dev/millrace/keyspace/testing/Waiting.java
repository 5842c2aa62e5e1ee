package dev.millrace.keyspace.testing;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/** Waits by asking again and again. The cap is far away: only a hang ever reaches it. */
final class Waiting {
    private static final Duration CAP = Duration.ofSeconds(60);
    private static final Duration STEP = Duration.ofMillis(5);

    private Waiting() {}

    static void until(BooleanSupplier condition, Supplier<String> otherwise) {
        long deadline = System.nanoTime() + CAP.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                throw new IllegalStateException(otherwise.get());
            }
            try {
                Thread.sleep(STEP);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("Interrupted: " + otherwise.get(), e);
            }
        }
    }
}
