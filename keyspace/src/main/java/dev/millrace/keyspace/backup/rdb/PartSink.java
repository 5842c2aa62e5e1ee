package dev.millrace.keyspace.backup.rdb;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Collects the elements of one collection and hands them over in parts of a bounded size, so that
 * an index with millions of members takes no more memory than one with hundreds.
 */
final class PartSink<T> {
    private static final int MOST_ELEMENTS = 1024;
    private static final int MOST_BYTES = 256 * 1024;

    private final byte[] key;
    private final long expireAt;
    private final Function<List<T>, Body> body;
    private final Consumer<Part> target;
    private List<T> elements = new ArrayList<>();
    private int bytes;

    PartSink(byte[] key, long expireAt, Function<List<T>, Body> body, Consumer<Part> target) {
        this.key = key;
        this.expireAt = expireAt;
        this.body = body;
        this.target = target;
    }

    /** Adds one; {@code size} is how many bytes it has. */
    void add(T element, int size) {
        if (elements.size() >= MOST_ELEMENTS || bytes >= MOST_BYTES) {
            hand(false);
        }
        elements.add(element);
        bytes += size;
    }

    void end(boolean last) {
        if (last || !elements.isEmpty()) {
            hand(last);
        }
    }

    private void hand(boolean last) {
        target.accept(new Part(key, expireAt, body.apply(elements), last));
        elements = new ArrayList<>();
        bytes = 0;
    }
}
