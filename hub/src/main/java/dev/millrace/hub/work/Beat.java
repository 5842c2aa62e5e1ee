package dev.millrace.hub.work;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * The moments at which this process looks whether there is something to do. Whoever looks every
 * second or every five does it together with all others: a machine at rest then wakes once for all
 * of them, and what they ask Redis travels together.
 */
public final class Beat {
    private static final long ORIGIN = System.nanoTime();
    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final long FIVE = TimeUnit.SECONDS.toNanos(5);

    private Beat() {}

    /**
     * How long to wait instead: never longer than that, and less by up to a second, or by up to
     * five of five and more. A pause below a second stays as it is.
     */
    public static Duration within(Duration pause) {
        return Duration.ofNanos(within(System.nanoTime() - ORIGIN, pause.toNanos()));
    }

    static long within(long now, long pause) {
        long step = pause >= FIVE ? FIVE : SECOND;
        return pause < SECOND ? pause : (now + pause) / step * step - now;
    }
}
