package dev.millrace.keyspace.pattern;

import java.util.Arrays;

/** A set of bytes; what one step of an {@link Automaton} may consume. Immutable. */
final class ByteClass {
    static final ByteClass NONE = new ByteClass(new long[4]);
    static final ByteClass ALL = new ByteClass(new long[] {-1, -1, -1, -1});

    /** All bytes, the ones that read best in a sentence first. */
    private static final int[] BY_READABILITY = byReadability();

    private final long[] bits;

    private ByteClass(long[] bits) {
        this.bits = bits;
    }

    static ByteClass single(int value) {
        long[] bits = new long[4];
        add(bits, value);
        return new ByteClass(bits);
    }

    /**
     * Reads a list of ASCII characters and ranges, {@code a-z0-9_.~-}. A minus sign at either end
     * is itself.
     */
    static ByteClass of(String characters) {
        if (characters.isEmpty()) {
            throw new IllegalArgumentException("A list of characters must not be empty");
        }
        long[] bits = new long[4];
        int at = 0;
        while (at < characters.length()) {
            boolean range = at + 2 < characters.length() && characters.charAt(at + 1) == '-';
            int first = ascii(characters, at);
            int last = range ? ascii(characters, at + 2) : first;
            if (last < first) {
                throw new IllegalArgumentException(
                        "In the list of characters %s the range at %d runs backwards"
                                .formatted(characters, at));
            }
            for (int value = first; value <= last; value++) {
                add(bits, value);
            }
            at += range ? 3 : 1;
        }
        return new ByteClass(bits);
    }

    boolean has(int value) {
        return (bits[value >>> 6] >>> value & 1) != 0;
    }

    boolean intersects(ByteClass other) {
        return (bits[0] & other.bits[0]) != 0
                || (bits[1] & other.bits[1]) != 0
                || (bits[2] & other.bits[2]) != 0
                || (bits[3] & other.bits[3]) != 0;
    }

    ByteClass or(ByteClass other) {
        long[] both = bits.clone();
        for (int i = 0; i < both.length; i++) {
            both[i] |= other.bits[i];
        }
        return new ByteClass(both);
    }

    ByteClass without(ByteClass other) {
        long[] rest = bits.clone();
        for (int i = 0; i < rest.length; i++) {
            rest[i] &= ~other.bits[i];
        }
        return new ByteClass(rest);
    }

    /** The byte in both sets that reads best. There must be one. */
    byte readable(ByteClass other) {
        for (int value : BY_READABILITY) {
            if (has(value) && other.has(value)) {
                return (byte) value;
            }
        }
        throw new IllegalArgumentException("The two sets share no byte");
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof ByteClass that && Arrays.equals(bits, that.bits);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bits);
    }

    private static void add(long[] bits, int value) {
        bits[value >>> 6] |= 1L << value;
    }

    private static int ascii(String characters, int at) {
        char c = characters.charAt(at);
        if (c >= 0x80) {
            throw new IllegalArgumentException(
                    "In the list of characters %s the one at %d is not ASCII"
                            .formatted(characters, at));
        }
        return c;
    }

    private static int[] byReadability() {
        ByteClass seen = NONE;
        int[] order = new int[256];
        int size = 0;
        for (String characters : new String[] {"a-z", "1-9", "0", "A-Z", "!-~", "\0-\177"}) {
            ByteClass next = of(characters).without(seen);
            for (int value = 0; value < 128; value++) {
                if (next.has(value)) {
                    order[size++] = value;
                }
            }
            seen = seen.or(next);
        }
        for (int value = 128; value < 256; value++) {
            order[size++] = value;
        }
        return order;
    }
}
