package dev.millrace.keyspace.pattern;

import java.util.Arrays;

/**
 * A regular language over bytes, as a position automaton (Glushkov, 1961).
 *
 * <p>State 0 is the start; every other state is a <em>position</em>, one place in the expression
 * that consumes a byte. To enter a position the byte must be in its class, so a step from p to q is
 * allowed when q follows p, and no step is free of charge. That makes each combinator a few lines,
 * and the product of two automata a walk over pairs: no epsilon moves, no closure to compute. There
 * are no counters either: {@code times} copies positions, and is meant for the 36 characters of a
 * UUID. "At most 255 bytes" is a number beside the automaton, see {@link Grammar}.
 *
 * <p>Immutable.
 */
final class Automaton {
    static final int START = 0;

    /** Whoever needs more than this unrolls a length; the bound keeps products of two small. */
    private static final int MOST_STATES = 2_048;

    /** The empty word. */
    static final Automaton EMPTY =
            new Automaton(new ByteClass[] {ByteClass.NONE}, new int[1][0], new boolean[] {true});

    /** What each position consumes; nothing enters the start. */
    private final ByteClass[] classes;

    private final int[][] follow;
    private final boolean[] accepting;

    private Automaton(ByteClass[] classes, int[][] follow, boolean[] accepting) {
        this.classes = classes;
        this.follow = follow;
        this.accepting = accepting;
    }

    /** Exactly one byte. */
    static Automaton one(ByteClass bytes) {
        return new Automaton(
                new ByteClass[] {ByteClass.NONE, bytes},
                new int[][] {{1}, {}},
                new boolean[] {false, true});
    }

    static Automaton literal(byte[] text) {
        int states = checked(text.length + 1);
        ByteClass[] classes = new ByteClass[states];
        int[][] follow = new int[states][];
        boolean[] accepting = new boolean[states];
        classes[START] = ByteClass.NONE;
        for (int i = 0; i < text.length; i++) {
            classes[i + 1] = ByteClass.single(text[i] & 0xFF);
            follow[i] = new int[] {i + 1};
        }
        follow[text.length] = new int[0];
        accepting[text.length] = true;
        return new Automaton(classes, follow, accepting);
    }

    Automaton then(Automaton next) {
        Automaton joined = beside(next);
        for (int state = 0; state < size(); state++) {
            if (accepting[state]) {
                joined.follow[state] = union(joined.follow[state], next.first(size() - 1));
                joined.accepting[state] = next.accepting[START];
            }
        }
        return joined;
    }

    Automaton or(Automaton other) {
        Automaton joined = beside(other);
        joined.follow[START] = union(joined.follow[START], other.first(size() - 1));
        joined.accepting[START] = accepting[START] || other.accepting[START];
        return joined;
    }

    /** One or more. */
    Automaton repeated() {
        int[][] looped = follow.clone();
        for (int state = 1; state < size(); state++) {
            if (accepting[state]) {
                looped[state] = union(looped[state], follow[START]);
            }
        }
        return new Automaton(classes, looped, accepting);
    }

    /** None or one. */
    Automaton optional() {
        boolean[] accepted = accepting.clone();
        accepted[START] = true;
        return new Automaton(classes, follow, accepted);
    }

    Automaton times(int count) {
        Automaton all = EMPTY;
        for (int i = 0; i < count; i++) {
            all = all.then(this);
        }
        return all;
    }

    int size() {
        return classes.length;
    }

    /** What the position consumes when it is entered. */
    ByteClass on(int position) {
        return classes[position];
    }

    int[] follow(int state) {
        return follow[state];
    }

    boolean accepting(int state) {
        return accepting[state];
    }

    /** All bytes that occur in any word. */
    ByteClass alphabet() {
        ByteClass alphabet = ByteClass.NONE;
        for (ByteClass bytes : classes) {
            alphabet = alphabet.or(bytes);
        }
        return alphabet;
    }

    /**
     * Whether this is nothing but one or more bytes of its alphabet, so that a loop can match it.
     */
    boolean plain() {
        int[] itself = {1};
        return size() == 2
                && Arrays.equals(follow[START], itself)
                && Arrays.equals(follow[1], itself)
                && accepting[1]
                && !accepting[START];
    }

    /** Both sets of positions in one automaton, the other's renumbered and not reachable yet. */
    private Automaton beside(Automaton other) {
        int own = size();
        int states = checked(own + other.size() - 1);
        ByteClass[] bothClasses = Arrays.copyOf(classes, states);
        int[][] bothFollow = Arrays.copyOf(follow, states);
        boolean[] bothAccepting = Arrays.copyOf(accepting, states);
        for (int position = 1; position < other.size(); position++) {
            bothClasses[own + position - 1] = other.classes[position];
            bothFollow[own + position - 1] = shifted(other.follow[position], own - 1);
            bothAccepting[own + position - 1] = other.accepting[position];
        }
        return new Automaton(bothClasses, bothFollow, bothAccepting);
    }

    private int[] first(int shift) {
        return shifted(follow[START], shift);
    }

    private static int checked(int states) {
        if (states > MOST_STATES) {
            throw new IllegalArgumentException(
                    "An automaton of %d states is too large; bound a length with atMost"
                            .formatted(states));
        }
        return states;
    }

    private static int[] shifted(int[] states, int by) {
        int[] shifted = new int[states.length];
        for (int i = 0; i < states.length; i++) {
            shifted[i] = states[i] + by;
        }
        return shifted;
    }

    private static int[] union(int[] states, int[] more) {
        int[] union = Arrays.copyOf(states, states.length + more.length);
        int size = states.length;
        for (int state : more) {
            if (!contains(states, state)) {
                union[size++] = state;
            }
        }
        return Arrays.copyOf(union, size);
    }

    private static boolean contains(int[] states, int wanted) {
        for (int state : states) {
            if (state == wanted) {
                return true;
            }
        }
        return false;
    }
}
