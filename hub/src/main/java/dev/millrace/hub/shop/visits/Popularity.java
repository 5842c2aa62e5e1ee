package dev.millrace.hub.shop.visits;

import dev.millrace.keyspace.redis.outcome.RedisException;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicReference;

/**
 * Which items are worth caching their pages. The first ranks are kept in the process, because every
 * request of a page asks for one: an answer is at most five seconds old, and after two seconds it
 * is read anew while the old one still serves. Nothing is read while nobody asks. If Redis is away
 * the last ranks hold. Thread-safe.
 */
public final class Popularity {
    private static final long FRESH_NANOS = Duration.ofSeconds(2).toNanos();
    private static final long STALE_NANOS = Duration.ofSeconds(5).toNanos();

    private final PopularStore store;
    private final int most;
    private volatile Ranks ranks =
            new Ranks(Map.of(), ConcurrentHashMap.newKeySet(), System.nanoTime() - STALE_NANOS);
    private final AtomicReference<@Nullable CompletableFuture<Ranks>> reading =
            new AtomicReference<>();

    /**
     * What was read.
     *
     * @param added items that this hub has counted since, where there is room for all
     */
    private record Ranks(Map<String, Integer> byItem, Set<String> added, long read) {
        private long age() {
            return System.nanoTime() - read;
        }
    }

    Popularity(PopularStore store, ViewSettings settings) {
        this.store = store;
        this.most = settings.cacheable();
    }

    /** Whether the item is among the most popular ones. */
    public boolean cacheable(String item) {
        Ranks now = current();
        return now.byItem.containsKey(item) || now.added.contains(item);
    }

    /**
     * The same for event loops: empty if it has to be read first, which {@link #cacheable} waits
     * for.
     */
    public Optional<Boolean> cacheableAtOnce(String item) {
        Ranks now = ranks;
        long age = now.age();
        if (age >= STALE_NANOS) {
            return Optional.empty();
        }
        if (age >= FRESH_NANOS) {
            var _ = readOnce();
        }
        return Optional.of(now.byItem.containsKey(item) || now.added.contains(item));
    }

    /** Its place among the most popular ones, 0 being the first; empty if it is not among them. */
    public OptionalInt rank(String item) {
        Integer rank = current().byItem.get(item);
        return rank == null ? OptionalInt.empty() : OptionalInt.of(rank);
    }

    /** An item was counted here; where not all ranks are taken, it has one now. */
    void counted(String item) {
        Ranks now = ranks;
        if (now.byItem.size() + now.added.size() < most) {
            now.added.add(item);
        }
    }

    private Ranks current() {
        Ranks now = ranks;
        long age = now.age();
        if (age < FRESH_NANOS) {
            return now;
        }
        CompletableFuture<Ranks> next = readOnce();
        if (age < STALE_NANOS) {
            return now;
        }
        try {
            return next.join();
        } catch (CompletionException e) {
            return ranks;
        }
    }

    /** One reads, however many ask. */
    private CompletableFuture<Ranks> readOnce() {
        CompletableFuture<Ranks> mine = new CompletableFuture<>();
        CompletableFuture<Ranks> other = reading.compareAndExchange(null, mine);
        if (other != null) {
            return other;
        }
        Thread.ofVirtual().name("popularity").start(() -> read(mine));
        return mine;
    }

    private void read(CompletableFuture<Ranks> mine) {
        long began = System.nanoTime();
        try {
            List<Ranking.Place> top = store.top(0, most);
            Map<String, Integer> byItem = HashMap.newHashMap(top.size());
            for (int i = 0; i < top.size(); i++) {
                byItem.put(top.get(i).item(), i);
            }
            ranks = new Ranks(byItem, ConcurrentHashMap.newKeySet(), began);
            reading.set(null);
            mine.complete(ranks);
        } catch (RedisException e) {
            // The old ones hold for another while, so that nobody waits for a Redis that is away.
            ranks = new Ranks(ranks.byItem, ranks.added, System.nanoTime());
            reading.set(null);
            mine.completeExceptionally(e);
        }
    }
}
