package dev.millrace.hub.work;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * How long to wait after a failure: longer each time, up to a bound, and by chance a little more or
 * less, so that what failed together does not come back together.
 *
 * @param first the wait after the first failure
 * @param factor of the wait, from one to the next
 * @param less by which part it may be shorter
 * @param more by which part it may be longer
 * @param jitter how much shorter or longer it may be besides
 */
public record BackOff(
        Duration first,
        Duration longest,
        double factor,
        double less,
        double more,
        Duration jitter) {

    /** Beyond everything that is waited for; more would leave the range of numbers. */
    private static final Duration FOR_EVER = Duration.ofDays(10_000);

    /** Twice as long each time. */
    public static BackOff doubling(Duration first, Duration longest) {
        return new BackOff(first, longest, 2, 0, 0, Duration.ZERO);
    }

    /** Longer by this factor each time, without a bound. */
    public static BackOff growing(Duration first, double factor) {
        return new BackOff(first, FOR_EVER, factor, 0, 0, Duration.ZERO);
    }

    /** The same, but by these parts shorter or longer at most. */
    public BackOff spread(double shorter, double longer) {
        return new BackOff(first, longest, factor, shorter, longer, jitter);
    }

    /** The same, but so much shorter or longer at most. */
    public BackOff giveOrTake(Duration most) {
        return new BackOff(first, longest, factor, less, more, most);
    }

    /** The wait after a failure that so many others came before. */
    public Duration after(int failures) {
        double plain =
                Math.min(
                        (double) longest.toMillis(), first.toMillis() * Math.pow(factor, failures));
        double spread = plain * between(-less, more) + jitter.toMillis() * between(-1, 1);
        return Duration.ofMillis(Math.round(Math.max(0, plain + spread)));
    }

    private static double between(double least, double most) {
        return least + (most - least) * ThreadLocalRandom.current().nextDouble();
    }
}
