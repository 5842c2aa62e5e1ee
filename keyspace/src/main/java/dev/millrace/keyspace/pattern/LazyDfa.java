package dev.millrace.keyspace.pattern;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.BitSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Runs any number of automata over a text at once, one array access per byte.
 *
 * <p>All automata are followed together as one set of states. Each set that was ever reached
 * becomes a node, and each step from it is remembered there, so keys that look alike run along a
 * path that is already laid: a hundred patterns cost no more than one. Sets are made only when a
 * text asks for them, because making all of them in advance can take exponential time and memory.
 *
 * <p>The nodes are bounded: when a generation of them has become too heavy it is dropped and a new
 * one grows from what is asked then (as RE2 does). A stream of keys made to reach ever new sets
 * thus costs time, a few microseconds a key, and never more memory.
 *
 * <p>Thread-safe without a lock on the way: a node's fields are final, so a thread that sees a node
 * through the plain array {@code next} sees it whole, and one that does not see it yet makes it
 * once more and finds the first one in the map.
 */
final class LazyDfa {
    /**
     * Heaviest generation for one automaton and for a crowd of them, in ints: 128 KiB and 8 MiB.
     */
    static final int FOR_ONE = 1 << 15;

    static final int FOR_MANY = 1 << 21;

    /** What a node costs beside its arrays' elements: headers, map entry. */
    private static final int NODE_WEIGHT = 32;

    private static final int UNNUMBERED = -1;

    private static final int[] NOTHING = {};

    private final List<Automaton> automata;
    private final int heaviest;

    /** The first state of each automaton when the states of all are numbered through. */
    private final int[] base;

    private final int[] automatonOf;

    /** Bytes that no class tells apart share a column; this keeps the nodes small. */
    private final byte[] columns;

    /** One byte of each column. */
    private final int[] samples;

    private volatile Generation current;

    LazyDfa(List<Automaton> automata, int heaviest) {
        this.automata = List.copyOf(automata);
        this.heaviest = heaviest;
        base = new int[automata.size()];
        int states = 0;
        for (int i = 0; i < base.length; i++) {
            base[i] = states;
            states += automata.get(i).size();
        }
        automatonOf = new int[states];
        for (int i = 0; i < base.length; i++) {
            Arrays.fill(automatonOf, base[i], base[i] + automata.get(i).size(), i);
        }
        columns = new byte[256];
        samples = distinguish(automata, columns);
        current = new Generation();
    }

    LazyDfa(Automaton automaton) {
        this(List.of(automaton), FOR_ONE);
    }

    /**
     * The numbers of the automata that accept this part of the text, ascending. Do not change it.
     */
    int[] accepting(byte[] text, int from, int to) {
        Generation generation = current;
        Node node = generation.start;
        for (int i = from; i < to; i++) {
            node = generation.step(node, columns[text[i] & 0xFF] & 0xFF);
            if (node.states.length == 0) {
                return NOTHING;
            }
        }
        return node.accepting;
    }

    boolean accepts(byte[] text, int from, int to) {
        return accepting(text, from, to).length > 0;
    }

    /** Adds every place up to {@code to} where a word that starts at {@code from} may end. */
    void ends(byte[] text, int from, int to, BitSet ends) {
        Generation generation = current;
        Node node = generation.start;
        for (int i = from; node.states.length > 0; i++) {
            if (node.accepting.length > 0) {
                ends.set(i);
            }
            if (i >= to) {
                return;
            }
            node = generation.step(node, columns[text[i] & 0xFF] & 0xFF);
        }
    }

    /** What is remembered now, in ints. */
    int weight() {
        return current.weight.get();
    }

    /** Fills in the column of each byte and returns one byte of each column. */
    private static int[] distinguish(List<Automaton> automata, byte[] columns) {
        Set<ByteClass> classes = new LinkedHashSet<>();
        for (Automaton automaton : automata) {
            for (int position = 1; position < automaton.size(); position++) {
                classes.add(automaton.on(position));
            }
        }
        int[] column = new int[256];
        int count = 1;
        for (ByteClass bytes : classes) {
            // Each class splits every column into those of its bytes that it has and those it has
            // not.
            int[] renumbered = new int[2 * count];
            Arrays.fill(renumbered, UNNUMBERED);
            count = 0;
            for (int value = 0; value < 256; value++) {
                int half = 2 * column[value] + (bytes.has(value) ? 1 : 0);
                if (renumbered[half] == UNNUMBERED) {
                    renumbered[half] = count++;
                }
                column[value] = renumbered[half];
            }
        }
        int[] samples = new int[count];
        for (int value = 0; value < 256; value++) {
            columns[value] = (byte) column[value];
            samples[column[value]] = value;
        }
        return samples;
    }

    /** The nodes made since the last time they became too heavy. */
    private final class Generation {
        final Map<States, Node> nodes = new ConcurrentHashMap<>();
        final AtomicInteger weight = new AtomicInteger();
        final Node start = node(new States(base));

        Node step(Node from, int column) {
            Node known = from.next[column];
            return known != null ? known : explore(from, column);
        }

        private Node explore(Node from, int column) {
            States reached = reached(from.states, samples[column]);
            if (weight.get() >= heaviest) {
                retire();
                // Not linked: this text is walked to its end outside of what is remembered.
                Node known = nodes.get(reached);
                return known != null ? known : node(reached);
            }
            Node next = nodes.computeIfAbsent(reached, this::weighed);
            from.next[column] = next;
            return next;
        }

        private void retire() {
            if (current == this) {
                current = new Generation();
            }
        }

        private Node weighed(States states) {
            weight.addAndGet(NODE_WEIGHT + samples.length + states.numbers.length);
            return node(states);
        }

        private Node node(States states) {
            return new Node(states.numbers, accepted(states.numbers), new Node[samples.length]);
        }
    }

    private States reached(int[] states, int value) {
        BitSet reached = new BitSet(automatonOf.length);
        for (int state : states) {
            int which = automatonOf[state];
            Automaton automaton = automata.get(which);
            for (int position : automaton.follow(state - base[which])) {
                if (automaton.on(position).has(value)) {
                    reached.set(base[which] + position);
                }
            }
        }
        return new States(reached.stream().toArray());
    }

    private int[] accepted(int[] states) {
        BitSet accepted = new BitSet();
        for (int state : states) {
            int which = automatonOf[state];
            if (automata.get(which).accepting(state - base[which])) {
                accepted.set(which);
            }
        }
        return accepted.stream().toArray();
    }

    private static final class Node {
        final int[] states;
        final int[] accepting;

        /** By column; filled in by whoever comes first, see the class comment. */
        final @Nullable Node[] next;

        Node(int[] states, int[] accepting, @Nullable Node[] next) {
            this.states = states;
            this.accepting = accepting;
            this.next = next;
        }
    }

    /** A set of states, ascending, as the key of a map. */
    private static final class States {
        final int[] numbers;

        States(int[] numbers) {
            this.numbers = numbers;
        }

        @Override
        public boolean equals(Object other) {
            return other instanceof States that && Arrays.equals(numbers, that.numbers);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(numbers);
        }
    }
}
