package dev.millrace.keyspace.store;

import org.jspecify.annotations.Nullable;

import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * How large the values behind an index were when they were read last. A plain {@code MGET} gives
 * whatever there is, however much; so it is used only where the values of this very index have just
 * been seen to be small. Otherwise a script reads them, which stops after so many bytes, and tells.
 *
 * <p>What was seen counts for a few times as many values as were seen, and for some seconds: an
 * index that is read less often than that can afford the script. Thread-safe, and of fixed size:
 * two indexes that share a place forget each other.
 */
final class Sizes {
    private static final int PLACES = 1024;
    private static final int FOR_EACH_SEEN = 4;
    private static final long FRESH_NANOS = 10_000_000_000L;

    private final AtomicReferenceArray<@Nullable Seen> places = new AtomicReferenceArray<>(PLACES);

    /**
     * What was seen of one index.
     *
     * @param count of how many values
     * @param largest of them, in bytes
     */
    private record Seen(String index, int count, long largest, long at) {
        boolean isFreshOf(String key) {
            return index.equals(key) && System.nanoTime() - at < FRESH_NANOS;
        }

        Seen and(long another) {
            return new Seen(index, count, Math.max(largest, another), at);
        }
    }

    /** How many values of the index will fit in so many bytes, by what was seen; 0 if unknown. */
    int fitting(String index, long bytes) {
        Seen seen = places.get(place(index));
        return seen == null || !seen.isFreshOf(index)
                ? 0
                : (int) Math.min((long) FOR_EACH_SEEN * seen.count, bytes / seen.largest);
    }

    /** A few values that were read after many do not make the many forgotten. */
    void saw(String index, int count, long largest) {
        if (count > 0) {
            Seen before = places.get(place(index));
            places.set(
                    place(index),
                    before != null && before.isFreshOf(index) && count < before.count
                            ? before.and(largest)
                            : new Seen(index, count, Math.max(largest, 1), System.nanoTime()));
        }
    }

    private static int place(String index) {
        int hash = index.hashCode();
        return (hash ^ hash >>> 16) & (PLACES - 1);
    }
}
