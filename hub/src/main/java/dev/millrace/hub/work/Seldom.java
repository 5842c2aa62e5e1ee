package dev.millrace.hub.work;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;

/**
 * Says now and then what others can make happen as often as they like, so that nobody can fill the
 * log. Thread-safe.
 */
public final class Seldom {
    private static final long PAUSE_NANOS = Duration.ofSeconds(10).toNanos();

    private final AtomicLong next = new AtomicLong(System.nanoTime());
    private final AtomicLong kept = new AtomicLong();

    /** It happened again; the line gets the number of times that it was not said before. */
    public void say(LongConsumer line) {
        long now = System.nanoTime();
        long due = next.get();
        if (now - due >= 0 && next.compareAndSet(due, now + PAUSE_NANOS)) {
            line.accept(kept.getAndSet(0));
        } else {
            kept.incrementAndGet();
        }
    }
}
