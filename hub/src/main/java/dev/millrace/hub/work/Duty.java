package dev.millrace.hub.work;

import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.redis.outcome.RedisException;
import dev.millrace.keyspace.schedule.Lease;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Work that one hub of a site does alone, whichever holds its lease: step, pause, step. The others
 * wait for the lease and go on within its time when the holder dies, at once when it is closed.
 *
 * <p>Two threads: the keeper takes the lease and renews it every third of its time, so that a step
 * may take long; the worker does the steps. A hub that lost the lease, or was stopped for a while
 * and does not know yet, makes no further step; what a step writes is safe from it if it commits
 * with {@link Turn#lease} ({@code Commit.fenced}). Thread-safe.
 */
public final class Duty implements AutoCloseable {
    /** As long as a hub may be silent before another one does its work. */
    public static final Duration LEASE_TIME = Duration.ofSeconds(15);

    private static final Duration PATIENCE = Duration.ofSeconds(5);

    /** Who gets the lease is rung for; but one that was lost by the clock alone comes silently. */
    private static final Duration LOOK = Duration.ofSeconds(1);

    private static final BackOff BACK_OFF =
            BackOff.doubling(Duration.ofSeconds(1), Duration.ofSeconds(30));
    private static final Logger log = LoggerFactory.getLogger(Duty.class);

    private final String name;
    private final Duration leaseTime;
    private final Step step;
    private final Lease lease;
    private final Counter steps;
    private final Counter failures;

    /** Rung for the worker: there is something to do, or the right to do it, or no more time. */
    private final Bell bell = new Bell();

    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread keeper;
    private final Thread worker;

    /** Of the keeper alone. */
    private boolean held;

    /** Of the keeper alone, until it has ended. */
    private String lastTrouble = "";

    /** Of the worker alone. */
    private int failed;

    /** One small step of the work. */
    @FunctionalInterface
    public interface Step {
        /**
         * Does it, and says how long to wait before the next; {@link Duty#wake} ends the wait. One
         * that takes more than a moment looks at {@link Turn#mine} in between.
         */
        Duration run(Turn turn);
    }

    /** The right to do a step. */
    public static final class Turn {
        private final Duty duty;

        private Turn(Duty duty) {
            this.duty = duty;
        }

        /** Whether to go on: this hub still holds the lease and is not closing. */
        public boolean mine() {
            return !duty.closed() && duty.lease.held();
        }

        /** For commits that only the holder may make. */
        public Lease lease() {
            return duty.lease;
        }
    }

    private Duty(Keyspace keyspace, String name, Duration time, MeterRegistry figures, Step step) {
        this.name = name;
        this.leaseTime = time;
        this.step = step;
        this.lease = keyspace.lease(name, UUID.randomUUID().toString(), time);
        Tags tags = Tags.of("duty", name);
        Gauge.builder("millrace.duty.held", lease, each -> each.held() ? 1 : 0)
                .tags(tags)
                .description("1 in the hub that does this work alone, 0 in the others.")
                .register(figures);
        this.steps =
                Counter.builder("millrace.duty.steps")
                        .tags(tags)
                        .description("Steps of this work that were done.")
                        .register(figures);
        this.failures =
                Counter.builder("millrace.duty.failures")
                        .tags(tags)
                        .description("Steps of this work that failed; they are tried again.")
                        .register(figures);
        this.keeper = Thread.ofVirtual().name(name + "-lease").unstarted(this::keepLease);
        this.worker = Thread.ofVirtual().name(name).unstarted(this::work);
    }

    /**
     * Begins to want the lease, and to work while it is held.
     *
     * @param name of the work, and of the lease
     */
    public static Duty start(Keyspace keyspace, String name, MeterRegistry figures, Step step) {
        return start(keyspace, name, LEASE_TIME, figures, step);
    }

    /** The same with a lease of another time; a test does not wait so long. */
    public static Duty start(
            Keyspace keyspace, String name, Duration time, MeterRegistry figures, Step step) {
        Duty duty = new Duty(keyspace, name, time, figures, step);
        duty.keeper.start();
        duty.worker.start();
        return duty;
    }

    /** Whether it is this hub that works. */
    public boolean held() {
        return lease.held();
    }

    /** There is something to do: the next step need not wait. */
    public void wake() {
        bell.ring();
    }

    private boolean closed() {
        return closed.getCount() == 0;
    }

    // ---------------------------------------------------------------- the lease

    private void keepLease() {
        try {
            do {
                String trouble = "";
                try {
                    lease.take();
                } catch (RedisException e) {
                    trouble = String.valueOf(e.getMessage());
                }
                tell(lease.held(), trouble);
            } while (!closed.await(
                    Beat.within(leaseTime.dividedBy(3)).toNanos(), TimeUnit.NANOSECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void tell(boolean now, String trouble) {
        if (now && !held) {
            log.info("Took over a duty. duty={}", name);
            bell.ring();
        } else if (!now && held) {
            log.warn("Lost a duty, because its lease ended. duty={}", name);
        }
        held = now;
        if (!trouble.isEmpty() && !trouble.equals(lastTrouble)) {
            log.warn("The lease cannot be renewed. duty={} reason={}", name, trouble);
        }
        lastTrouble = trouble;
    }

    // ---------------------------------------------------------------- the work

    private void work() {
        Turn turn = new Turn(this);
        try {
            while (!closed()) {
                bell.await(Beat.within(lease.held() ? oneStep(turn) : LOOK));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Duration oneStep(Turn turn) {
        try {
            Duration rest = step.run(turn);
            failed = 0;
            steps.increment();
            return rest;
        } catch (RuntimeException e) {
            failures.increment();
            failed++;
            if (failed == 1) {
                // A Redis that is away is known by its sentence; anything else by where it came
                // from.
                Throwable known = e instanceof RedisException ? null : e;
                log.warn(
                        "A duty failed and will be tried again. duty={} reason={}",
                        name,
                        e.getMessage(),
                        known);
            }
            return BACK_OFF.after(failed - 1);
        }
    }

    /** Ends both threads and gives the lease back, so that another hub goes on at once. */
    @Override
    public void close() {
        closed.countDown();
        bell.ring();
        try {
            // With a Redis that hangs they are left behind; a late write is refused by its fence.
            boolean ended = keeper.join(PATIENCE) && worker.join(PATIENCE);
            if (!ended) {
                log.warn("A duty did not end in time and was left behind. duty={}", name);
            } else if (lastTrouble.isEmpty()) {
                lease.release();
            }
            // Else Redis could not be reached just now, and the lease ends by itself.
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RedisException e) {
            log.warn(
                    "The lease could not be given back and ends by itself. duty={} reason={}",
                    name,
                    e.getMessage());
        }
    }
}
