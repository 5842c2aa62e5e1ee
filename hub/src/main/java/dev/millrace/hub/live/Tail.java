package dev.millrace.hub.live;

import dev.millrace.keyspace.feed.Changes;
import dev.millrace.keyspace.feed.Fact;
import dev.millrace.keyspace.feed.Feed;
import dev.millrace.keyspace.feed.FeedCursor;
import dev.millrace.keyspace.redis.outcome.RedisException;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * The one reader of a feed in this hub, at work while somebody listens and half a minute longer. It
 * reads each fact once, puts it into the {@link RecentFrames} and wakes each event loop once
 * ({@link Branch}), however many clients there are. When it begins it reads some of the past too:
 * after a restart of the hub all clients come back with nearly the same cursor, and find what they
 * missed in the ring instead of asking Redis one by one.
 *
 * <p>When the feed itself cannot go on (another epoch, facts dropped), everybody is told to reload:
 * that is a frame like any other, the first of a ring begun anew. Thread-safe.
 */
final class Tail {
    private static final Logger log = LoggerFactory.getLogger(Tail.class);

    private static final long RING_BYTES = 8L << 20;
    private static final int PAST = 1024;
    private static final int MOST_AT_ONCE = 512;
    private static final int PAGE = 128;
    private static final Duration WAIT = Duration.ofMillis(500);
    private static final long LINGER_NANOS = Duration.ofSeconds(30).toNanos();
    private static final long SNAPSHOT_NANOS = Duration.ofSeconds(1).toNanos();
    private static final int MARK_EVERY = 16;

    private final LiveFeed feed;
    private final Supplier<Feed> source;
    private final RecentFrames ring;
    private final Semaphore catchingUp;
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Map<Executor, Branch> branches = new ConcurrentHashMap<>();
    private final ReentrantLock lock = new ReentrantLock();

    // Guarded by the lock.
    private int listeners;
    private long quietSince;
    private @Nullable Run run;

    /** Whether the last attempt went well; of the reading thread only. */
    private boolean reading = true;

    private final ReentrantLock snapshots = new ReentrantLock();
    private @Nullable Beginning latest; // guarded by snapshots

    /** One time of being at work. */
    private record Run(CompletableFuture<Void> started, CompletableFuture<Void> ended) {}

    /** Where a client without a cursor begins: the state, and the place from which changes come. */
    record Beginning(RecentFrames.Here from, Optional<byte[]> state, long takenAt) {}

    /** What somebody missed who is no longer, or not yet, in the ring. */
    sealed interface Missed {
        /** Some of it. */
        record Frames(List<Frame> frames, Mark mark) implements Missed {}

        /** It is lost. */
        record Lost(String why) implements Missed {}
    }

    Tail(LiveFeed feed, Supplier<Feed> source, int recentFacts, Semaphore catchingUp) {
        this.feed = feed;
        this.source = source;
        this.ring = new RecentFrames(recentFacts, RING_BYTES);
        this.catchingUp = catchingUp;
    }

    LiveFeed feed() {
        return feed;
    }

    RecentFrames ring() {
        return ring;
    }

    Branch branch(Executor loop) {
        return branches.computeIfAbsent(loop, each -> new Branch(this, each));
    }

    // ------------------------------------------------------------------ being listened to

    /**
     * Somebody listens from now on, until {@link #leave}. Returns when the ring is filled.
     *
     * @throws RedisException if the feed cannot be read; then nobody has joined
     */
    void join() {
        Run joined;
        lock.lock();
        try {
            listeners++;
            Run running = run;
            if (running == null) {
                running = new Run(new CompletableFuture<>(), new CompletableFuture<>());
                run = running;
                Run begun = running;
                Thread.ofVirtual().name("live-" + feed.name()).start(() -> work(begun));
            }
            joined = running;
        } finally {
            lock.unlock();
        }
        try {
            joined.started.join();
        } catch (CompletionException e) {
            leave();
            throw e.getCause() instanceof RuntimeException cause ? cause : e;
        }
    }

    void leave() {
        lock.lock();
        try {
            listeners--;
            quietSince = System.nanoTime();
        } finally {
            lock.unlock();
        }
    }

    void close() {
        closed.countDown();
        Run running;
        lock.lock();
        try {
            running = run;
        } finally {
            lock.unlock();
        }
        if (running != null) {
            running.ended.join();
        }
    }

    private boolean wanted(Run mine) {
        lock.lock();
        try {
            boolean wanted =
                    closed.getCount() > 0
                            && (listeners > 0 || System.nanoTime() - quietSince < LINGER_NANOS);
            if (!wanted && mine.equals(run)) {
                run = null;
            }
            return wanted;
        } finally {
            lock.unlock();
        }
    }

    // ------------------------------------------------------------------ reading

    private void work(Run mine) {
        try {
            FeedCursor cursor = begin();
            mine.started.complete(null);
            while (wanted(mine)) {
                cursor = next(cursor);
            }
        } catch (RuntimeException e) {
            lock.lock();
            try {
                run = null;
            } finally {
                lock.unlock();
            }
            mine.started.completeExceptionally(e);
        } finally {
            mine.ended.complete(null);
        }
    }

    private FeedCursor begin() {
        FeedCursor now = source.get().now();
        int shards = now.numbers().size();
        for (int past = PAST / shards; past > 0; past /= 4) {
            int each = past;
            FeedCursor from =
                    new FeedCursor(
                            now.epoch(),
                            now.numbers().stream().map(last -> Math.max(0, last - each)).toList());
            if (source.get().since(from, past) instanceof Changes.Facts found) {
                ring.reset(Mark.of(feed.name(), from));
                add(from, found);
                return found.next();
            }
        }
        ring.reset(Mark.of(feed.name(), now));
        return now;
    }

    private FeedCursor next(FeedCursor cursor) {
        try {
            int most = Math.max(1, MOST_AT_ONCE / cursor.numbers().size());
            Changes changes = source.get().since(cursor, most, WAIT);
            reading = true;
            return switch (changes) {
                case Changes.Facts found -> {
                    add(cursor, found);
                    yield found.next();
                }
                case Changes.Reload(String why) -> beginAnew(why);
            };
        } catch (RuntimeException e) {
            if (reading) {
                reading = false;
                log.warn("A live feed waits. feed={} reason={}", feed.name(), e.toString());
            }
        }
        pause();
        return cursor;
    }

    private void pause() {
        try {
            boolean ending = closed.await(WAIT.toMillis(), TimeUnit.MILLISECONDS);
            log.debug("A live feed tries again. feed={} ending={}", feed.name(), ending);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void add(FeedCursor from, Changes.Facts found) {
        if (!found.facts().isEmpty()) {
            ring.add(frames(from, found));
            branches.values().forEach(Branch::wake);
        }
    }

    private FeedCursor beginAnew(String why) {
        log.warn("Listeners must reload. feed={} reason={}", feed.name(), why);
        FeedCursor now = source.get().now();
        Mark mark = Mark.of(feed.name(), now);
        List<Frame> frames = new ArrayList<>();
        frames.add(Frame.reload(feed.name(), why, mark));
        feed.snapshot()
                .ifPresent(state -> frames.add(Frame.snapshot(feed.name(), state.get(), mark)));
        ring.reset(mark);
        ring.add(frames);
        branches.values().forEach(Branch::wake);
        return now;
    }

    private List<Frame> frames(FeedCursor from, Changes.Facts found) {
        List<Fact> facts = found.facts();
        List<Long> numbers = new ArrayList<>(from.numbers());
        boolean single = numbers.size() == 1;
        List<Frame> frames = new ArrayList<>(facts.size());
        for (int i = 0; i < facts.size(); i++) {
            Fact fact = facts.get(i);
            int shard = single ? 0 : fact.shard();
            numbers.set(shard, fact.number());
            boolean marked = single || i % MARK_EVERY == MARK_EVERY - 1 || i == facts.size() - 1;
            frames.add(
                    Frame.fact(
                            feed.name(),
                            text(fact),
                            shard,
                            fact.number(),
                            feed.key().map(key -> key.apply(fact)).orElse(null),
                            marked
                                    ? Mark.of(feed.name(), new FeedCursor(from.epoch(), numbers))
                                    : null));
        }
        return frames;
    }

    private byte[] text(Fact fact) {
        try {
            return feed.text().apply(fact);
        } catch (RuntimeException e) {
            // One fact that its room does not understand must not end the feed for everybody.
            log.error("A fact has no text. feed={} number={}", feed.name(), fact.number(), e);
            return FactText.plain(fact);
        }
    }

    // ------------------------------------------------------------------ for single clients

    /** Reads from Redis for a client that the ring has nothing for. Blocks. */
    Missed missed(FeedCursor cursor) throws InterruptedException {
        catchingUp.acquire();
        try {
            int most = Math.max(1, PAGE / Math.max(1, cursor.numbers().size()));
            return switch (source.get().since(cursor, most)) {
                case Changes.Facts found ->
                        new Missed.Frames(
                                frames(cursor, found), Mark.of(feed.name(), found.next()));
                case Changes.Reload(String why) -> new Missed.Lost(why);
            };
        } finally {
            catchingUp.release();
        }
    }

    /**
     * Where to begin without a cursor. The place is taken before the state, so that no change is
     * missing; those who come at nearly the same time share one state. Blocks.
     */
    Beginning beginning() {
        if (feed.snapshot().isEmpty()) {
            return new Beginning(ring.here(), Optional.empty(), 0);
        }
        snapshots.lock();
        try {
            Beginning last = latest;
            long now = System.nanoTime();
            if (last == null
                    || now - last.takenAt > SNAPSHOT_NANOS
                    || ring.enter(last.from.mark().cursor()).isEmpty()) {
                RecentFrames.Here from = ring.here();
                last = new Beginning(from, feed.snapshot().map(state -> state.get()), now);
                latest = last;
            }
            return last;
        } finally {
            snapshots.unlock();
        }
    }
}
