package dev.millrace.keyspace.commit;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/**
 * What the sorted entries of a commit have named so far. The entries of an entity all name its id,
 * and those of the parts of a whole go to the same keys with the same score; what was named before
 * is not sent again, but pointed at by a byte of the commit's word. The script remembers the same
 * things in the same order.
 */
final class Entries {
    static final char NEW = '!';
    private static final char SAME = '"';
    private static final char FIRST = '#';

    /** So many are remembered of each: a byte has to do, and all of them are looked at. */
    private static final int MOST = 64;

    final Named keys = new Named();
    final Named scores = new Named();
    final Named members = new Named();

    /** Words of one sort. */
    static final class Named {
        private final List<Object> known = new ArrayList<>();
        private @Nullable Object last;

        /** How to name this; if {@link #NEW}, it has to be sent. */
        char refer(Object word) {
            if (word.equals(last)) {
                return SAME;
            }
            last = word;
            int at = known.indexOf(word);
            if (at >= 0) {
                return (char) (FIRST + at);
            }
            if (known.size() < MOST) {
                known.add(word);
            }
            return NEW;
        }
    }

    /** The number of the key that an entry names, among those that were sent for entries. */
    static int keyOf(char reference, int before, int sent) {
        return switch (reference) {
            case NEW -> sent;
            case SAME -> before;
            default -> reference - FIRST;
        };
    }
}
