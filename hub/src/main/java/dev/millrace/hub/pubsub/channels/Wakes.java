package dev.millrace.hub.pubsub.channels;

import dev.millrace.hub.work.Seldom;
import dev.millrace.keyspace.redis.Redis;
import dev.millrace.keyspace.redis.Subscription;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Who waits for news of which channel. All of them share one connection to Redis, which listens
 * only to channels that somebody waits for, so a wait costs nothing until its channel wakes.
 *
 * <p>No wake-up is lost: whoever waits is registered before its first look, and looks again as soon
 * as Redis confirms that this hub listens to the channel, the first time and after every break.
 * While there is no connection, everybody looks now and then by himself. Thread-safe.
 */
public final class Wakes implements AutoCloseable, Subscription.Listener {
    /** How long a channel is listened to after the last one who waited. */
    private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(20);

    /** How often everybody looks while nothing is heard; {@link #soon} is added. */
    private static final long DEAF_NANOS = TimeUnit.SECONDS.toNanos(2);

    private static final long TICK_MILLIS = 1000;
    private static final Logger log = LoggerFactory.getLogger(Wakes.class);
    private static final Seldom FAILURES = new Seldom();

    /** Somebody who waits. */
    public interface Waiting {
        /** There may be something new: look, without waiting here. */
        void wake();

        /** The hub stops: say what there is to say, and end. */
        void stop();

        /** Whether it does not wait any more; from then on, and before it is forgotten. */
        boolean over();
    }

    private static final class Crowd {
        final Set<Waiting> waiting = ConcurrentHashMap.newKeySet();
        volatile long idleSince = System.nanoTime();
    }

    private final Map<String, Crowd> crowds = new ConcurrentHashMap<>();
    private final Subscription subscription;
    private final ScheduledThreadPoolExecutor timer;
    private long lookedNanos = System.nanoTime();

    /** Whether it looks every second: as long as a channel is listened to. */
    private final AtomicBoolean ticking = new AtomicBoolean();

    private volatile boolean stopping;

    public Wakes(Redis redis) {
        timer =
                new ScheduledThreadPoolExecutor(
                        1, Thread.ofPlatform().daemon().name("pubsub-timer").factory());
        timer.setRemoveOnCancelPolicy(true);
        subscription = redis.subscribe(List.of(), this);
    }

    /**
     * From now on it is woken; it should look once after this. One that is over is not kept: then
     * it was forgotten before it came.
     */
    public void register(String channel, Waiting one) {
        String wakeUp = PubsubStore.wakeUp(channel);
        crowds.compute(
                wakeUp,
                (name, crowd) -> {
                    Crowd there = crowd;
                    if (there == null) {
                        there = new Crowd();
                        subscription.listen(name);
                    }
                    there.waiting.add(one);
                    if (one.over()) {
                        there.waiting.remove(one);
                    }
                    return there;
                });
        if (ticking.compareAndSet(false, true)) {
            later(TICK_MILLIS, this::tick);
        }
        if (stopping) {
            // Those who were there have been told.
            tell(one::stop);
        }
    }

    public void forget(String channel, Waiting one) {
        crowds.computeIfPresent(
                PubsubStore.wakeUp(channel),
                (name, crowd) -> {
                    crowd.waiting.remove(one);
                    crowd.idleSince = System.nanoTime();
                    return crowd;
                });
    }

    /** How many wait. */
    public int waiting() {
        return crowds.values().stream().mapToInt(crowd -> crowd.waiting.size()).sum();
    }

    /** Does something later, on a thread that must not be kept. */
    public void later(long millis, Runnable what) {
        var _ = alarm(millis, what);
    }

    /** The same, if nobody cancels it before. */
    ScheduledFuture<?> alarm(long millis, Runnable what) {
        return timer.schedule(what, millis, TimeUnit.MILLISECONDS);
    }

    /** As long as somebody waits who does not want to come together with all others. */
    public static long soon() {
        return ThreadLocalRandom.current().nextLong(1000, 3000);
    }

    @Override
    public void message(String wakeUp, byte[] body) {
        wake(wakeUp);
    }

    @Override
    public void listening(String wakeUp) {
        wake(wakeUp);
    }

    private void wake(String wakeUp) {
        Crowd crowd = crowds.get(wakeUp);
        if (crowd != null) {
            crowd.waiting.forEach(one -> tell(one::wake));
        }
    }

    /** Nobody waits any more, because the hub stops. */
    public void stop() {
        stopping = true;
        crowds.values().forEach(crowd -> crowd.waiting.forEach(one -> tell(one::stop)));
    }

    boolean stopping() {
        return stopping;
    }

    private static void tell(Runnable what) {
        try {
            what.run();
        } catch (RuntimeException e) {
            FAILURES.say(
                    before -> log.error("Could not wake a waiting poll. before={}", before, e));
        }
    }

    private void tick() {
        tell(this::look);
        ticking.set(false);
        // A crowd that came before that did not begin anew.
        if (!crowds.isEmpty() && ticking.compareAndSet(false, true)) {
            later(TICK_MILLIS, this::tick);
        }
    }

    private void look() {
        long now = System.nanoTime();
        boolean deaf = !subscription.connected();
        if (deaf && now - lookedNanos > DEAF_NANOS) {
            lookedNanos = now;
            crowds.values()
                    .forEach(
                            crowd ->
                                    crowd.waiting.forEach(
                                            one -> later(soon(), () -> tell(one::wake))));
        }
        for (String wakeUp : crowds.keySet()) {
            crowds.computeIfPresent(
                    wakeUp,
                    (name, crowd) -> {
                        if (crowd.waiting.isEmpty() && now - crowd.idleSince > IDLE_NANOS) {
                            subscription.leave(name);
                            return null;
                        }
                        return crowd;
                    });
        }
    }

    @Override
    public void close() {
        subscription.close();
        timer.shutdownNow();
    }

    /**
     * One look at a time, and none too few: a wake-up that comes during a look makes another one
     * follow, because the look may have been too early for it. Thread-safe.
     */
    public static final class Looks {
        private static final int NONE = 0;
        private static final int ONE = 1;
        private static final int ONE_MORE = 2;

        private final AtomicInteger wanted = new AtomicInteger();

        /** A look is wanted; true if whoever asks is to begin it now. */
        public boolean begin() {
            return wanted.getAndUpdate(before -> before == NONE ? ONE : ONE_MORE) == NONE;
        }

        /** A look has ended; true if another one is to follow at once. */
        public boolean again() {
            return wanted.getAndUpdate(before -> before == ONE_MORE ? ONE : NONE) == ONE_MORE;
        }
    }
}
