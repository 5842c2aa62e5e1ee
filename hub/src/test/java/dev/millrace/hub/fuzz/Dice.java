package dev.millrace.hub.fuzz;

import java.util.List;
import java.util.Random;

/**
 * The chances of one step. Each step has dice of its own, made of the seed, the kind, the client
 * and the number of the step, so that any of them can be thrown again without those before it.
 */
final class Dice {
    private final Random random;

    Dice(long seed, Kind kind, int client, int step) {
        long mixed = seed;
        for (long part : new long[] {kind.salt, client, step}) {
            mixed = (mixed ^ part) * 0x9E3779B97F4A7C15L;
            mixed ^= mixed >>> 29;
        }
        this.random = new Random(mixed);
    }

    /** From 0 up to, and without, the bound. */
    int below(int bound) {
        return random.nextInt(bound);
    }

    int from(int least, int most) {
        return least + below(most - least + 1);
    }

    boolean percent(int chance) {
        return below(100) < chance;
    }

    <T> T of(List<T> all) {
        return all.get(below(all.size()));
    }

    @SafeVarargs
    @SuppressWarnings("varargs") // The array is only read.
    final <T> T of(T... all) {
        return all[below(all.length)];
    }

    byte[] bytes(int count) {
        byte[] bytes = new byte[count];
        random.nextBytes(bytes);
        return bytes;
    }

    /** The same bytes with some of their bits turned over. */
    byte[] flipped(byte[] bytes) {
        byte[] changed = bytes.clone();
        if (changed.length > 0) {
            for (int i = from(1, 4); i > 0; i--) {
                changed[below(changed.length)] ^= (byte) (1 << below(8));
            }
        }
        return changed;
    }

    /** Only the beginning. */
    byte[] cut(byte[] bytes) {
        byte[] start = new byte[below(bytes.length + 1)];
        System.arraycopy(bytes, 0, start, 0, start.length);
        return start;
    }
}
