package dev.millrace.hub.telemetry.bus;

import dev.millrace.hub.telemetry.kept.PointType;
import dev.millrace.keyspace.commit.Addition;

import java.time.Duration;

/**
 * A channel that this hub holds: it alone talks to the device, from a {@link Holding#begin} to the
 * {@link Holding#end} after it. Thread-safe.
 *
 * <p>A hub that dies is replaced within five seconds; until then nobody holds the channel. A hub
 * that merely stood still finds out by {@link #held}, and what it wanted to commit is refused by
 * {@link #fence}. So whoever works through orders asks {@code held} before each, and puts {@code
 * fence} into every commit that says what has become of one:
 *
 * <pre>{@code
 * commit.with(channel.fence()) … run()          // taken: pending becomes executing
 * switch (channel.write(PointType.C, "201", 1, Duration.ofSeconds(30))) {
 *     case Ordered.Done done -> …               // completed; done.actual() is what was read back
 *     case Ordered.Refused no -> …              // failed, REJECTED_BY_DEVICE
 *     case Ordered.NotSent not -> …             // failed, by not.cause(); to try again is safe
 *     case Ordered.Unknown unknown -> …         // failed, TIMEOUT; the device may have done it
 * }
 * }</pre>
 *
 * <p>Several threads may order at once; the device is asked one thing at a time, in the order in
 * which they came, between two requests of a poll. One thread for each channel keeps the order of
 * its orders.
 */
public interface HeldChannel {
    int channel();

    /**
     * Whether it is held now. A hub that stood still for a while finds out here, by its own clock,
     * before another hub can hold the channel.
     */
    boolean held();

    /**
     * What makes a commit happen only while this hub holds the channel ({@code Commit.with}): a
     * later holder has a larger fence, and the shard refuses this one from then on. The commit of
     * one who holds it no more is refused as a conflict.
     */
    Addition fence();

    /**
     * Orders something of the device and waits for what becomes of it, see {@link Device#write}.
     * What is not held any more is {@link Ordered.NotSent}, and so is what the configuration does
     * not allow: a point that is not there, a value outside its limits.
     *
     * @param type C or A
     * @param value as people read it; the actual value that comes back is that too
     */
    Ordered write(PointType type, String point, double value, Duration atMost)
            throws InterruptedException;
}
