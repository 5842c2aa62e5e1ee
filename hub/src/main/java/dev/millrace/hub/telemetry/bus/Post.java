package dev.millrace.hub.telemetry.bus;

import dev.millrace.hub.telemetry.kept.ChannelConfiguration;
import dev.millrace.hub.work.Bell;
import dev.millrace.keyspace.redis.outcome.RedisException;
import dev.millrace.keyspace.schedule.Lease;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * One channel as this hub sees it: it wants the channel's lease, keeps it while it has it, and has
 * a {@link Driver} meanwhile. All of that on one thread, so that what begins and what ends never
 * overlap.
 */
final class Post {
    /** Another hub holds the channel this long after the last sign of this one at the latest. */
    static final Duration LEASE_TIME = Duration.ofMillis(3500);

    private static final Duration RENEW = Duration.ofSeconds(1);
    private static final Duration TRY = Duration.ofMillis(500);
    private static final Logger log = LoggerFactory.getLogger(Post.class);

    private final int channel;
    private final Lease lease;
    private final Journal journal;
    private final List<Holding> holdings;
    private final InstantSource clock;

    /** Whether it may end now: nobody has wanted it again. Asked under the lock of the others. */
    private final Predicate<Post> end;

    private final Bell bell = new Bell();
    private final Thread thread;
    private volatile Optional<Wanted> wanted = Optional.empty();
    private volatile boolean closing;
    private volatile @Nullable Driver driver;

    /** What the driver was made for; of this thread alone, like what follows. */
    private @Nullable Wanted driven;

    private boolean troubled;

    /** That the channel is to be driven, and how. */
    record Wanted(Protocol protocol, ChannelConfiguration configuration, long turn) {
        /** Whether a driver can go on with it that was made for the other. */
        boolean continues(Wanted other) {
            return turn == other.turn
                    && protocol.name().equals(other.protocol.name())
                    && protocol.mistake(configuration).isEmpty()
                    && protocol.mistake(other.configuration).isEmpty()
                    && protocol.connection(configuration)
                            .equals(protocol.connection(other.configuration));
        }
    }

    Post(
            int channel,
            Lease lease,
            Journal journal,
            List<Holding> holdings,
            InstantSource clock,
            Predicate<Post> end) {
        this.channel = channel;
        this.lease = lease;
        this.journal = journal;
        this.holdings = holdings;
        this.clock = clock;
        this.end = end;
        this.thread = Thread.ofVirtual().name("channel-" + channel + "-lease").unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    int channel() {
        return channel;
    }

    boolean isWanted() {
        return wanted.isPresent();
    }

    /** Whether this hub talks to the device now. */
    boolean isDriven() {
        Driver now = driver;
        return now != null && now.held();
    }

    void want(Optional<Wanted> now) {
        if (!now.equals(wanted)) {
            wanted = now;
            bell.ring();
        }
    }

    // ---------------------------------------------------------------- its thread

    private void run() {
        try {
            do {
                while (wanted.isPresent() && !closing) {
                    bell.await(step());
                }
                leave();
            } while (!closing && !end.test(this));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            finish();
        }
    }

    private Duration step() {
        boolean mine = take();
        Driver now = driver;
        if (now != null && (!now.held() || now.isOver())) {
            // Lost by its own clock, also if it is held again by now.
            finish();
        }
        Optional<Wanted> goal = wanted;
        if (mine && goal.isPresent()) {
            follow(goal.get());
        }
        return mine ? RENEW : TRY;
    }

    private boolean take() {
        try {
            lease.take();
            troubled = false;
        } catch (RedisException e) {
            if (!troubled && driver != null) {
                log.warn(
                        "A channel's lease cannot be renewed. channel={} reason={}",
                        channel,
                        e.getMessage());
            }
            troubled = true;
        }
        return !troubled && lease.held();
    }

    private void follow(Wanted goal) {
        Wanted before = driven;
        Driver now = driver;
        if (now != null && before != null) {
            if (goal.equals(before)) {
                return;
            }
            if (goal.continues(before)) {
                driven = goal;
                now.configure(goal.configuration());
                return;
            }
            finish();
        }
        Driver next = new Driver(goal.protocol(), goal.configuration(), lease, journal, clock);
        driver = next;
        driven = goal;
        next.start();
        for (Holding each : holdings) {
            try {
                each.begin(next);
            } catch (RuntimeException e) {
                log.error("What belongs to a channel does not begin. channel={}", channel, e);
            }
        }
    }

    /** The driver ends, if there is one. */
    private void finish() {
        Driver last = driver;
        if (last == null) {
            return;
        }
        last.stopPolling();
        for (Holding each : holdings) {
            try {
                each.end(last);
            } catch (RuntimeException e) {
                log.error("What belongs to a channel does not end. channel={}", channel, e);
            }
        }
        last.end();
        if (wanted.isEmpty() && !closing) {
            last.tellStopped();
        }
        journal.released(channel);
        driver = null;
        driven = null;
    }

    /** Gives the channel back, so that another hub need not wait. */
    private void leave() {
        finish();
        try {
            lease.release();
        } catch (RedisException e) {
            log.debug("A channel's lease ends by itself. channel={}", channel, e);
        }
    }

    // ---------------------------------------------------------------- ending

    /** The hub ends. */
    void close() {
        closing = true;
        bell.ring();
    }

    void join(Duration atMost) throws InterruptedException {
        if (!thread.join(atMost)) {
            log.warn("A channel did not end in time and was left behind. channel={}", channel);
        }
    }
}
