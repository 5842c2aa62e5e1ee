package dev.millrace.keyspace.feed;

import static dev.millrace.keyspace.redis.Words.text;

import dev.millrace.keyspace.commit.Ground;
import dev.millrace.keyspace.commit.Place;
import dev.millrace.keyspace.redis.OwnConnection;
import dev.millrace.keyspace.redis.Replies;
import dev.millrace.keyspace.redis.Request;
import dev.millrace.keyspace.redis.outcome.RedisException;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Wakes the readers of one feed in this process when something new is in it. On a single server one
 * connection waits in XREAD for all of them; in a cluster the shards' sequence numbers are asked
 * for every 50 ms, and own commits wake at once. It works while somebody waits, and some seconds
 * longer: a reader that is busy with what it got will be back.
 */
final class FeedWatch {
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final Duration BLOCK = Duration.ofSeconds(5);
    private static final long LINGER_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final Ground ground;
    private final Topic topic;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition news = lock.newCondition();
    private long version;
    private int waiting;
    private long lastWait;
    private boolean running;

    FeedWatch(Ground ground, Topic topic) {
        this.ground = ground;
        this.topic = topic;
    }

    /**
     * Grows whenever there may be something new. Taken before reading, handed to {@link #await}.
     */
    long version() {
        lock.lock();
        try {
            return version;
        } finally {
            lock.unlock();
        }
    }

    void wake() {
        lock.lock();
        try {
            version++;
            news.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /** Returns when the version is another one, or after so long; whether it is another one. */
    boolean await(long seen, long nanos) {
        lock.lock();
        try {
            waiting++;
            if (!running) {
                running = true;
                Thread.ofVirtual().name("feed-watch-" + topic.name()).start(this::run);
            }
            long left = nanos;
            while (version == seen && left > 0) {
                left = news.awaitNanos(left);
            }
            return version != seen;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        } finally {
            waiting--;
            lastWait = System.nanoTime();
            lock.unlock();
        }
    }

    private boolean wanted() {
        lock.lock();
        try {
            running = waiting > 0 || System.nanoTime() - lastWait < LINGER_NANOS;
            return running;
        } finally {
            lock.unlock();
        }
    }

    private void run() {
        if (ground.shards().cluster()) {
            poll();
        } else {
            block();
        }
    }

    private void block() {
        Place place = ground.shards().all().getFirst();
        @Nullable OwnConnection connection = null;
        String last = "$";
        while (wanted()) {
            try {
                if (connection == null) {
                    connection = ground.redis().own(place.slot());
                    last = lastId(connection, place);
                    wake(); // something may have come before this connection listened
                }
                Object reply =
                        connection.block(
                                BLOCK,
                                text("XREAD"),
                                text("COUNT"),
                                text("1"),
                                text("BLOCK"),
                                text(Long.toString(BLOCK.toMillis())),
                                text("STREAMS"),
                                place.key(topic.stream()),
                                text(last));
                if (reply != null) {
                    last = lastId(connection, place);
                    wake();
                }
            } catch (RedisException e) {
                if (connection != null) {
                    connection.close();
                    connection = null;
                }
                pause();
            }
        }
        if (connection != null) {
            connection.close();
        }
    }

    private String lastId(OwnConnection connection, Place place) {
        List<?> newest =
                Replies.list(
                        connection.call(
                                text("XREVRANGE"),
                                place.key(topic.stream()),
                                text("+"),
                                text("-"),
                                text("COUNT"),
                                text("1")));
        return newest.isEmpty()
                ? "0-0"
                : Replies.textOrEmpty(Replies.list(newest.getFirst()).getFirst());
    }

    private void poll() {
        List<Object> before = List.of();
        while (wanted()) {
            List<Request> requests = new ArrayList<>();
            for (Place place : ground.shards().all()) {
                requests.add(
                        Request.reading(
                                place.order(),
                                place.slot(),
                                text("HGET"),
                                place.key(topic.state()),
                                text("seq")));
            }
            try {
                List<Object> now = new ArrayList<>();
                for (Object reply : ground.redis().callAll(requests)) {
                    now.add(Replies.textOrEmpty(reply));
                }
                if (!now.equals(before)) {
                    before = now;
                    wake();
                }
            } catch (RedisException e) {
                // not reached: the readers find out by themselves
            }
            pause();
        }
    }

    /** Until the next look, or until an own commit wakes. */
    @SuppressWarnings("WaitNotInLoop") // a look too early does no harm
    private void pause() {
        lock.lock();
        try {
            news.awaitNanos(POLL_NANOS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            lock.unlock();
        }
    }
}
