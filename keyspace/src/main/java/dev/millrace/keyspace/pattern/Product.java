package dev.millrace.keyspace.pattern;

import java.util.Arrays;
import java.util.Optional;

/**
 * The words that two automata have in common, as far as one needs to know: one of the shortest, or
 * that there is none.
 *
 * <p>Breadth first over pairs of states. A pair is entered when its two positions can consume the
 * same byte; the first pair in which both accept ends a shortest common word. Which byte it was is
 * decided only when the word is read back, so that it can be one that people like to read.
 */
final class Product {
    private static final int UNSEEN = -1;

    private final Automaton left;
    private final Automaton right;

    /** For each pair the pair it was reached from. */
    private final int[] from;

    private Product(Automaton left, Automaton right) {
        this.left = left;
        this.right = right;
        from = new int[left.size() * right.size()];
        Arrays.fill(from, UNSEEN);
    }

    static Optional<byte[]> shortestCommonWord(Automaton left, Automaton right) {
        return new Product(left, right).search();
    }

    private Optional<byte[]> search() {
        if (left.accepting(Automaton.START) && right.accepting(Automaton.START)) {
            return Optional.of(new byte[0]);
        }
        int[] queue = new int[from.length];
        int start = pair(Automaton.START, Automaton.START);
        from[start] = start;
        queue[0] = start;
        int size = 1;
        for (int head = 0; head < size; head++) {
            int at = queue[head];
            for (int i : left.follow(at / right.size())) {
                for (int j : right.follow(at % right.size())) {
                    int next = pair(i, j);
                    if (from[next] == UNSEEN && left.on(i).intersects(right.on(j))) {
                        from[next] = at;
                        if (left.accepting(i) && right.accepting(j)) {
                            return Optional.of(wordTo(next));
                        }
                        queue[size++] = next;
                    }
                }
            }
        }
        return Optional.empty();
    }

    private byte[] wordTo(int last) {
        int length = 0;
        for (int pair = last; from[pair] != pair; pair = from[pair]) {
            length++;
        }
        byte[] word = new byte[length];
        for (int pair = last; from[pair] != pair; pair = from[pair]) {
            ByteClass bytes = left.on(pair / right.size());
            word[--length] = bytes.readable(right.on(pair % right.size()));
        }
        return word;
    }

    private int pair(int leftState, int rightState) {
        return leftState * right.size() + rightState;
    }
}
