package dev.millrace.hub.telemetry.realtime;

import dev.millrace.keyspace.feed.Changes;
import dev.millrace.keyspace.feed.Feed;
import dev.millrace.keyspace.feed.FeedCursor;
import dev.millrace.keyspace.redis.outcome.RedisException;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * Reads one feed for all clients of this hub, from the moment at which somebody first wants it
 * until nobody has for half a minute. Thread-safe.
 */
final class Reading implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Reading.class);
    private static final int MOST_AT_ONCE = 1024;
    private static final Duration WAIT = Duration.ofMillis(500);
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final long LINGER_NANOS = Duration.ofSeconds(30).toNanos();

    private final Feed feed;
    private final BooleanSupplier wanted;
    private final Hearer hearer;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition moved = lock.newCondition();
    private final CountDownLatch closed = new CountDownLatch(1);

    // Guarded by the lock.
    private @Nullable CompletableFuture<Void> started;
    private @Nullable FeedCursor cursor;

    /** Who is told; on the thread that reads. */
    interface Hearer {
        void heard(Changes.Facts facts);

        /** Whatever was known must be read anew; the feed goes on from here. */
        void lost(String why);
    }

    /**
     * Not begun yet.
     *
     * @param wanted whether somebody listens
     */
    Reading(Feed feed, BooleanSupplier wanted, Hearer hearer) {
        this.feed = feed;
        this.wanted = wanted;
        this.hearer = hearer;
    }

    /**
     * Is at work when this returns.
     *
     * @throws RedisException if the feed cannot be read
     */
    void begin() {
        CompletableFuture<Void> beginning;
        lock.lock();
        try {
            beginning = started;
            if (beginning == null) {
                beginning = new CompletableFuture<>();
                started = beginning;
                CompletableFuture<Void> mine = beginning;
                Thread.ofVirtual().name("realtime-" + feed.topic().name()).start(() -> work(mine));
            }
        } finally {
            lock.unlock();
        }
        try {
            beginning.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : e;
        }
    }

    private void work(CompletableFuture<Void> mine) {
        try {
            moveTo(feed.now());
            mine.complete(null);
            long quietSince = System.nanoTime();
            while (closed.getCount() > 0) {
                long now = System.nanoTime();
                if (wanted.getAsBoolean()) {
                    quietSince = now;
                } else if (now - quietSince > LINGER_NANOS && ends(mine)) {
                    return;
                }
                next();
            }
        } catch (RuntimeException e) {
            ends(mine);
            mine.completeExceptionally(e);
        }
    }

    /** Whoever begins from now on starts another one; not if somebody has come meanwhile. */
    private boolean ends(CompletableFuture<Void> mine) {
        lock.lock();
        try {
            if (mine.isDone() && wanted.getAsBoolean()) {
                return false;
            }
            started = null;
            cursor = null;
            return true;
        } finally {
            lock.unlock();
        }
    }

    private void next() {
        FeedCursor from = cursor();
        try {
            int most = Math.max(1, MOST_AT_ONCE / from.numbers().size());
            switch (feed.since(from, most, WAIT)) {
                case Changes.Facts found -> {
                    if (!found.facts().isEmpty()) {
                        hearer.heard(found);
                        moveTo(found.next());
                    }
                }
                case Changes.Reload(String why) -> {
                    FeedCursor now = feed.now();
                    hearer.lost(why);
                    moveTo(now);
                }
            }
        } catch (RuntimeException e) {
            if (closed.getCount() > 0) {
                log.warn(
                        "Live clients hear nothing for now. feed={} reason={}",
                        feed.topic().name(),
                        e.toString());
                pause();
            }
        }
    }

    private void pause() {
        try {
            boolean ending = closed.await(WAIT.toMillis(), TimeUnit.MILLISECONDS);
            log.debug("A feed is tried again. feed={} ending={}", feed.topic().name(), ending);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private FeedCursor cursor() {
        lock.lock();
        try {
            return cursor == null ? feed.now() : cursor;
        } finally {
            lock.unlock();
        }
    }

    private void moveTo(FeedCursor to) {
        lock.lock();
        try {
            cursor = to;
            moved.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** The place behind the newest fact. */
    FeedCursor end() {
        return feed.now();
    }

    /**
     * Waits until everything before a place was heard.
     *
     * @return false if that cannot be: the feed has begun anew, or it takes too long
     */
    boolean hasHeard(FeedCursor place) {
        long left = PATIENCE.toNanos();
        boolean other = false;
        lock.lock();
        try {
            while (left > 0 && closed.getCount() > 0) {
                FeedCursor here = cursor;
                boolean same = here != null && here.epoch().equals(place.epoch());
                if (here != null && same && covers(here, place)) {
                    return true;
                }
                if (!same && other) {
                    return false;
                }
                other = !same;
                left = other ? moved.awaitNanos(WAIT.toNanos()) + 1 : moved.awaitNanos(left);
            }
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            lock.unlock();
        }
    }

    private static boolean covers(FeedCursor here, FeedCursor place) {
        for (int i = 0; i < place.numbers().size(); i++) {
            if (here.numbers().get(i) < place.numbers().get(i)) {
                return false;
            }
        }
        return true;
    }

    @Override
    public void close() {
        closed.countDown();
        lock.lock();
        try {
            moved.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
