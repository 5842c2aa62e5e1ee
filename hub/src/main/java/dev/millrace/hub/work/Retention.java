package dev.millrace.hub.work;

import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.redis.walk.Pace;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Keeps what grows within its limits ({@link Keep}), the oldest going first. One hub of the site
 * does it ({@link Duty}): it measures, and if there is too much it removes a little, rests as long
 * as that took, and removes a little more, so that Redis is never held up and those who write go
 * first. Only when it is far behind it does not rest.
 *
 * <p>Sizes are estimates from samples; what is removed on their account is measured again before
 * more goes, so an estimate that was wrong corrects itself. Between two looks there may be more
 * than the limits allow; so leave some room above them.
 */
public final class Retention implements AutoCloseable {
    private static final int STEP = 500;
    private static final Duration CALM = Duration.ofSeconds(15);
    private static final long NOTE_NANOS = TimeUnit.MINUTES.toNanos(1);
    private static final Logger log = LoggerFactory.getLogger(Retention.class);

    private final String name;
    private final Keep keep;
    private final Shelf shelf;
    private final Keyspace keyspace;
    private final InstantSource clock;
    private final Duration calm;
    private final Counter removed;
    private volatile Keep.Holdings held = new Keep.Holdings(0, 0);
    private Keep.Cut left = Keep.Cut.NOTHING;
    private Optional<Long> lookedAs = Optional.empty();
    private long sinceLook;
    private long sinceNote;
    private long noted = System.nanoTime() - NOTE_NANOS;
    private final Duty duty;

    private Retention(
            Keyspace keyspace,
            String name,
            Keep keep,
            Shelf shelf,
            MeterRegistry figures,
            InstantSource clock,
            Duration leaseTime,
            Duration calm) {
        this.keyspace = keyspace;
        this.name = name;
        this.keep = keep;
        this.shelf = shelf;
        this.clock = clock;
        this.calm = calm;
        Tags tags = Tags.of("room", name);
        this.removed =
                Counter.builder("millrace.retention.removed")
                        .tags(tags)
                        .description("Things removed because there were too many or too old ones.")
                        .register(figures);
        Gauge.builder("millrace.retention.count", this, each -> each.held.count())
                .tags(tags)
                .description("Things there were at the last look of this hub.")
                .register(figures);
        Gauge.builder("millrace.retention.bytes", this, each -> each.held.bytes())
                .tags(tags)
                .description("Bytes they took at the last look of this hub, by estimate.")
                .register(figures);
        this.duty = Duty.start(keyspace, "retention-" + name, leaseTime, figures, this::step);
    }

    /**
     * Begins to look after something.
     *
     * @param name of the room
     */
    public static Retention start(
            Keyspace keyspace,
            String name,
            Keep keep,
            Shelf shelf,
            MeterRegistry figures,
            InstantSource clock) {
        return start(keyspace, name, keep, shelf, figures, clock, Duty.LEASE_TIME, CALM);
    }

    /** The same with other times; a test does not wait so long. */
    public static Retention start(
            Keyspace keyspace,
            String name,
            Keep keep,
            Shelf shelf,
            MeterRegistry figures,
            InstantSource clock,
            Duration leaseTime,
            Duration calm) {
        return new Retention(keyspace, name, keep, shelf, figures, clock, leaseTime, calm);
    }

    /** Whether it is this hub that does it. */
    public boolean held() {
        return duty.held();
    }

    private Duration step(Duty.Turn turn) {
        if (left.nothing() || !turn.lease().fence().equals(lookedAs)) {
            look(turn); // another hub may have worked since
        }
        if (left.nothing() || !turn.mine()) {
            note(true);
            return calm;
        }
        long began = System.nanoTime();
        long gone = remove();
        long worked = System.nanoTime() - began;
        if (gone == 0) {
            left = Keep.Cut.NOTHING;
            note(true);
            // What came meanwhile is seen at once; what cannot be removed, after a while again.
            return sinceLook == 0 ? calm : Duration.ZERO;
        }
        removed.increment((double) gone);
        sinceLook += gone;
        sinceNote += gone;
        note(false);
        boolean farBehind = left.surplus() > held.count() / 10;
        return Duration.ofNanos((farBehind ? Pace.FULL : Pace.GENTLE).restAfter(worked));
    }

    private void look(Duty.Turn turn) {
        lookedAs = turn.lease().fence();
        held = shelf.holdings();
        // How much Redis may use is asked only where it matters.
        long memoryLimit = keep.bytes().isPresent() ? 0 : keyspace.memoryLimit();
        left = keep.cut(held, memoryLimit, clock.millis());
        sinceLook = 0;
    }

    /** First what is too old, then what is too much. */
    private long remove() {
        long gone = 0;
        if (left.olderThan() != Long.MIN_VALUE) {
            gone = shelf.removeOldest(STEP, left.olderThan());
        }
        if (gone == 0 && left.surplus() > 0) {
            int most = (int) Math.min(STEP, left.surplus());
            gone = shelf.removeOldest(most, Long.MAX_VALUE);
        }
        left = new Keep.Cut(Math.max(0, left.surplus() - gone), left.olderThan());
        return gone;
    }

    /** A line when it is done, and now and then while it goes on. */
    private void note(boolean done) {
        long now = System.nanoTime();
        if (sinceNote > 0 && (done || now - noted >= NOTE_NANOS)) {
            log.info(
                    "Old things were removed, to keep what the settings allow. room={} removed={}"
                            + " done={}",
                    name,
                    sinceNote,
                    done);
            sinceNote = 0;
            noted = now;
        }
    }

    @Override
    public void close() {
        duty.close();
    }
}
