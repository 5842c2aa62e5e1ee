package dev.millrace.keyspace.foreign;

import dev.millrace.keyspace.commit.Ground;
import dev.millrace.keyspace.pattern.KeyPattern;
import dev.millrace.keyspace.redis.Tracking;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;

/**
 * Notices which keys of some patterns are written, deleted, renamed, given an expiry or have
 * expired, by whomever: some milliseconds later the listener is told their names.
 *
 * <p><b>A name is a hint, the value is the truth.</b> Redis says that a key was written, not what
 * and not by whom. So the listener reads the key again (many in one trip: {@code
 * keyspace.cells()}), compares with what it has seen last, and acts on a difference. Own commits
 * are told like all others; living with that is cheap if whoever commits remembers what it has
 * written: then the comparison finds nothing to do, and the price is one read of a key that was
 * written some milliseconds ago, shared by all writes of the meantime.
 *
 * <p><b>Hints may be lost.</b> While the connection is away nothing is heard, and Redis keeps
 * nothing for later. So {@linkplain Noticed#everything() everything} may have changed after each
 * connection, the first one included, when the database was emptied, and when more keys of a
 * pattern are pending than are kept. Whoever must not miss a value that stays looks at what matters
 * now and then besides.
 *
 * <p><b>Where.</b> On a single server and under sentinels; in a cluster nobody promises anything to
 * foreign writers. Why it is done in this way: {@code
 * docs/decisions/0026-noticing-foreign-writes.md}.
 *
 * <p>Thread-safe. The listener is called on a thread of its own, one call at a time, and may wait
 * for Redis. What it throws is logged, and it is told the same again after a pause.
 */
public final class ForeignWrites implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ForeignWrites.class);

    /** So many names of one pattern wait for the listener; of more it is told "everything". */
    static final int MOST_PENDING = 10_000;

    /** The keys of so long are told together: a burst of writes to one key is one hint. */
    private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private static final long FIRST_PAUSE_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long LONGEST_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(5);

    /**
     * What may have changed.
     *
     * @param keys by their pattern; a pattern of which anything may have changed is not among them
     * @param everything patterns of which any key may have changed, be it gone or new
     */
    public record Noticed(Map<KeyPattern, Set<String>> keys, Set<KeyPattern> everything) {

        /** The keys of this pattern, none if {@link #everythingOf} it may have changed. */
        public Set<String> keysOf(KeyPattern pattern) {
            return keys.getOrDefault(pattern, Set.of());
        }

        public boolean everythingOf(KeyPattern pattern) {
            return everything.contains(pattern);
        }
    }

    private final List<KeyPattern> patterns;
    private final Consumer<Noticed> listener;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition news = lock.newCondition();
    private Map<KeyPattern, Set<String>> keys = new HashMap<>();
    private Set<KeyPattern> everything = new HashSet<>();
    private boolean ended;
    private final Tracking tracking;

    /**
     * Begins to listen.
     *
     * @param patterns those of declared layouts and cells; each begins with some text of its own
     */
    public ForeignWrites(
            Ground ground, Collection<KeyPattern> patterns, Consumer<Noticed> listener) {
        if (ground.shards().cluster()) {
            throw new IllegalStateException(
                    "Writes of others are noticed on a single server and under sentinels, not in a"
                            + " cluster.");
        }
        for (KeyPattern pattern : patterns) {
            if (pattern.head().isEmpty()) {
                throw new IllegalArgumentException(
                        pattern + " may be any key; what is watched begins with some text.");
            }
        }
        this.patterns = List.copyOf(patterns);
        this.listener = listener;
        Thread.ofVirtual().name("foreign-writes").start(this::tellAll);
        this.tracking =
                ground.redis()
                        .track(this.patterns.stream().map(KeyPattern::head).toList(), heard());
    }

    /** Whether it hears anything now: while it does not, only what is looked at is noticed. */
    public boolean connected() {
        return tracking.connected();
    }

    // ---------------------------------------------------------------- hearing

    private Tracking.Listener heard() {
        return new Tracking.Listener() {
            @Override
            public void changed(List<String> names) {
                locked(() -> names.forEach(ForeignWrites.this::add));
            }

            @Override
            public void everything() {
                locked(() -> patterns.forEach(ForeignWrites.this::addAll));
            }

            @Override
            public void ended() {
                locked(() -> ended = true);
            }
        };
    }

    private void locked(Runnable change) {
        lock.lock();
        try {
            change.run();
            if (ended || !keys.isEmpty() || !everything.isEmpty()) {
                news.signal();
            }
        } finally {
            lock.unlock();
        }
    }

    private void add(String key) {
        for (KeyPattern pattern : patterns) {
            if (key.startsWith(pattern.head())
                    && !everything.contains(pattern)
                    && pattern.matches(key)) {
                Set<String> pending = keys.computeIfAbsent(pattern, each -> new HashSet<>());
                if (pending.size() < MOST_PENDING) {
                    pending.add(key);
                } else if (!pending.contains(key)) {
                    addAll(pattern);
                }
            }
        }
    }

    private void addAll(KeyPattern pattern) {
        keys.remove(pattern);
        everything.add(pattern);
    }

    // ---------------------------------------------------------------- telling

    private void tellAll() {
        long pause = FIRST_PAUSE_NANOS;
        for (Noticed next = next(); next != null; next = next()) {
            try {
                listener.accept(next);
                pause = FIRST_PAUSE_NANOS;
                LockSupport.parkNanos(TICK_NANOS);
            } catch (RuntimeException e) {
                if (isEnded()) {
                    return; // whoever closes this closes what the listener needs, too
                }
                LOG.warn("What others have written could not be looked at; once more soon.", e);
                putBack(next);
                LockSupport.parkNanos(pause);
                pause = Math.min(pause * 2, LONGEST_PAUSE_NANOS);
            }
        }
    }

    private boolean isEnded() {
        lock.lock();
        try {
            return ended;
        } finally {
            lock.unlock();
        }
    }

    /** Waits for something to tell; null when nothing more will come. */
    private @Nullable Noticed next() {
        lock.lock();
        try {
            while (keys.isEmpty() && everything.isEmpty() && !ended) {
                news.awaitUninterruptibly();
            }
            if (ended) {
                return null;
            }
            Noticed noticed = new Noticed(keys, everything);
            keys = new HashMap<>();
            everything = new HashSet<>();
            return noticed;
        } finally {
            lock.unlock();
        }
    }

    private void putBack(Noticed untold) {
        locked(
                () -> {
                    untold.everything().forEach(this::addAll);
                    untold.keys().values().forEach(some -> some.forEach(this::add));
                });
    }

    /** Nothing is told any more, except what is being told at this moment. */
    @Override
    public void close() {
        tracking.close();
        locked(() -> ended = true);
    }
}
