package dev.millrace.hub.shop.pages;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Copies of pages in this process, for those that are asked for most. What is purged leaves at
 * once, here and by news at other hubs; now and then a copy is compared with Redis, so that what
 * another program removed there is gone here soon too. Thread-safe.
 */
final class Near {
    /** How long a copy is believed without a look at Redis. */
    private static final long BELIEVED_NANOS = Duration.ofSeconds(2).toNanos();

    private static final int LEAST_WEIGHT = 512;

    private final Cache<String, Copy> copies;

    /** Counts purges: what was asked for before one may be what was purged. */
    private final AtomicLong purges = new AtomicLong();

    /** What is known under a hash. */
    static final class Copy {
        final Known known;
        final @Nullable Page page;

        /** As it stands in Redis; empty if it does not yet. */
        final byte[] stored;

        private final AtomicLong looked = new AtomicLong(System.nanoTime());

        /**
         * After a failed refresh the application is left alone until then, by the system's clock.
         */
        private volatile long quietUntil = System.nanoTime();

        Copy(Known known, @Nullable Page page, byte[] stored) {
            this.known = known;
            this.page = page;
            this.stored = stored;
        }

        /** Whether somebody should look at Redis now; one of all who ask is told so. */
        boolean shouldLook() {
            long last = looked.get();
            long now = System.nanoTime();
            return now - last > BELIEVED_NANOS && looked.compareAndSet(last, now);
        }

        boolean old() {
            return System.nanoTime() - looked.get() > BELIEVED_NANOS;
        }

        void quiet(Duration time) {
            quietUntil = System.nanoTime() + time.toNanos();
        }

        boolean quiet() {
            return quietUntil - System.nanoTime() > 0;
        }

        private int weight() {
            return LEAST_WEIGHT + stored.length + (page == null ? 0 : page.weight());
        }

        private boolean belongsTo(String group) {
            return Groups.of(known).contains(group);
        }
    }

    Near(long bytes) {
        copies =
                Caffeine.newBuilder()
                        .maximumWeight(bytes)
                        .weigher((String hash, Copy copy) -> copy.weight())
                        .executor(Runnable::run)
                        .build();
    }

    @Nullable Copy find(String hash) {
        return copies.getIfPresent(hash);
    }

    long purges() {
        return purges.get();
    }

    /**
     * Takes it.
     *
     * @param since how many purges there had been when it was asked for
     */
    void put(String hash, Copy copy, long since) {
        copies.put(hash, copy);
        if (purges.get() != since) {
            copies.invalidate(hash);
        }
    }

    void drop(String hash) {
        copies.invalidate(hash);
    }

    /** The same, if it is this one; false if somebody else has done it. */
    boolean drop(String hash, Copy copy) {
        return copies.asMap().remove(hash, copy);
    }

    void purge(String group) {
        purges.incrementAndGet();
        if (group.equals(Groups.ALL)) {
            copies.invalidateAll();
            return;
        }
        List<String> hashes =
                copies.asMap().entrySet().stream()
                        .filter(each -> each.getValue().belongsTo(group))
                        .map(Map.Entry::getKey)
                        .toList();
        copies.invalidateAll(hashes);
    }

    /** What it holds, for the figures. */
    long count() {
        return copies.estimatedSize();
    }
}
