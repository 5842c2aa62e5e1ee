package dev.millrace.keyspace.pattern;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.BitSet;
import java.util.List;

/**
 * Takes keys of one pattern apart again.
 *
 * <p>A variable ends for certain where the literal behind it begins, if it cannot contain that
 * literal's first byte; then it can be cut off from the left. In the same way it can be cut off
 * from the right if it cannot contain the last byte of the literal before it. At most one variable,
 * the <em>hinge</em>, may be neither: it is what remains. {@code
 * idx:alarm:watch:{source}:{field:name}} is such a case: a field has no colon, so the last colon
 * divides, whatever the source is. If more than one remains, a key can have several readings and
 * none is offered.
 */
final class Splitter {
    private static final int AMBIGUOUS = -1;

    private final byte[][] literals;
    private final Grammar[] grammars;
    private final int hinge;

    Splitter(List<byte[]> literals, List<Grammar> grammars) {
        this.literals = literals.toArray(byte[][]::new);
        this.grammars = grammars.toArray(Grammar[]::new);
        hinge = findHinge();
    }

    boolean unambiguous() {
        return hinge != AMBIGUOUS;
    }

    /**
     * Where the values begin and end, by turns, or null if the key is none of this pattern. Only
     * for an unambiguous one.
     */
    int @Nullable [] split(byte[] key) {
        int[] cuts = cuts(key);
        if (cuts != null) {
            for (int i = 0; i < grammars.length; i++) {
                if (!grammars[i].matches(key, cuts[2 * i], cuts[2 * i + 1])) {
                    return null;
                }
            }
        }
        return cuts;
    }

    /** Whether the key has at least one reading in which every value has its grammar and length. */
    boolean splits(byte[] key) {
        return unambiguous() ? split(key) != null : splitsSomehow(key);
    }

    private int @Nullable [] cuts(byte[] key) {
        int variables = grammars.length;
        int from = literals[0].length;
        int to = key.length - literals[variables].length;
        if (from > to || !at(0, key, 0) || !at(variables, key, to)) {
            return null;
        }
        int[] cuts = new int[2 * variables];
        for (int i = 0; i < hinge; i++) {
            byte[] behind = literals[i + 1];
            int end = from;
            while (end < to && key[end] != behind[0]) {
                end++;
            }
            if (end + behind.length > to || !at(i + 1, key, end)) {
                return null;
            }
            cuts[2 * i] = from;
            cuts[2 * i + 1] = end;
            from = end + behind.length;
        }
        for (int i = variables - 1; i > hinge; i--) {
            byte[] before = literals[i];
            int start = to;
            while (start > from && key[start - 1] != before[before.length - 1]) {
                start--;
            }
            if (start - before.length < from || !at(i, key, start - before.length)) {
                return null;
            }
            cuts[2 * i] = start;
            cuts[2 * i + 1] = to;
            to = start - before.length;
        }
        cuts[2 * hinge] = from;
        cuts[2 * hinge + 1] = to;
        return cuts;
    }

    /** All readings at once: for each variable, every place where it may begin. */
    private boolean splitsSomehow(byte[] key) {
        if (key.length < literals[0].length || !at(0, key, 0)) {
            return false;
        }
        BitSet starts = new BitSet();
        starts.set(literals[0].length);
        for (int i = 0; i < grammars.length; i++) {
            BitSet ends = new BitSet();
            int most = grammars[i].maxBytes();
            for (int start : starts.stream().toArray()) {
                grammars[i].dfa().ends(key, start, Math.min(key.length, start + most), ends);
            }
            starts.clear();
            int literal = i + 1;
            ends.stream()
                    .filter(end -> at(literal, key, end))
                    .forEach(end -> starts.set(end + literals[literal].length));
        }
        return starts.get(key.length);
    }

    private boolean at(int literal, byte[] key, int from) {
        int to = from + literals[literal].length;
        return to <= key.length
                && Arrays.equals(key, from, to, literals[literal], 0, literals[literal].length);
    }

    private int findHinge() {
        int last = grammars.length - 1;
        int candidate = 0;
        while (candidate < last
                && !grammars[candidate].alphabet().has(literals[candidate + 1][0] & 0xFF)) {
            candidate++;
        }
        for (int i = candidate + 1; i <= last; i++) {
            byte[] before = literals[i];
            if (grammars[i].alphabet().has(before[before.length - 1] & 0xFF)) {
                return AMBIGUOUS;
            }
        }
        return candidate;
    }
}
