package dev.millrace.hub.alarms.kept;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.hub.alarms.logic.Timer;
import dev.millrace.hub.work.Beat;
import dev.millrace.hub.work.Bell;
import dev.millrace.keyspace.redis.outcome.RedisException;
import dev.millrace.keyspace.schedule.Schedule;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.concurrent.CountDownLatch;

/**
 * Does what is due: delays that are over, shelvings that end, data that did not come. Timers lie in
 * Redis, put there by the commit that made them necessary; every hub looks, and whichever claims
 * one first does it. So they outlive any hub, and the time in between counts.
 */
final class Timers implements AutoCloseable {
    static final String NAME = "alarms";

    private static final Logger log = LoggerFactory.getLogger(Timers.class);
    private static final int AT_ONCE = 200;

    /** If the hub dies with a claim, another one does it after this time. */
    private static final Duration LEASE = Duration.ofSeconds(5);

    /** For timers that another hub has set, and did not live to see. */
    private static final Duration LOOK = Duration.ofSeconds(5);

    /** The server's clock may be a little behind ours. */
    private static final long LEAST_MILLIS = 20;

    private final Schedule schedule;
    private final Work work;
    private final InstantSource clock;
    private final Bell bell = new Bell();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread worker = Thread.ofVirtual().name("alarm-timers").unstarted(this::run);

    /** What is done when a timer is due. */
    @FunctionalInterface
    interface Work {
        void due(Timer timer, String ruleId, String home, Schedule.Claim claim);
    }

    Timers(Schedule schedule, Work work, InstantSource clock) {
        this.schedule = schedule;
        this.work = work;
        this.clock = clock;
    }

    static String id(Timer timer, String ruleId) {
        return timer.name().toLowerCase(Locale.ROOT) + ":" + ruleId;
    }

    void start() {
        worker.start();
    }

    /** A timer was set: there is something to do then. */
    void expect(long due) {
        bell.ringIn(Duration.ofMillis(Math.max(0, due - clock.millis())));
    }

    private void run() {
        boolean failing = false;
        try {
            while (closed.getCount() > 0) {
                try {
                    boolean more = step();
                    failing = false;
                    if (!more) {
                        bell.await(untilNext());
                    }
                } catch (RedisException e) {
                    if (!failing) {
                        log.warn("Timers of alarms wait for Redis. reason={}", e.getMessage());
                    }
                    failing = true;
                    bell.await(LOOK);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private Duration untilNext() {
        OptionalLong first = schedule.firstDue();
        Duration look = Beat.within(LOOK);
        long left = first.orElse(Long.MAX_VALUE) - clock.millis();
        return left < look.toMillis() ? Duration.ofMillis(Math.max(left, LEAST_MILLIS)) : look;
    }

    private boolean step() {
        List<Schedule.Claim> claims = schedule.claim(AT_ONCE, LEASE);
        for (Schedule.Claim claim : claims) {
            int colon = claim.id().indexOf(':');
            String home = new String(claim.body(), UTF_8);
            try {
                Timer timer =
                        Timer.valueOf(claim.id().substring(0, colon).toUpperCase(Locale.ROOT));
                work.due(timer, claim.id().substring(colon + 1), home, claim);
            } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
                log.warn("Dropped a timer that is not one of ours. id={}", claim.id());
                claim.commit().with(claim.done()).run();
            }
        }
        return claims.size() >= AT_ONCE;
    }

    @Override
    public void close() {
        closed.countDown();
        bell.ring();
    }
}
