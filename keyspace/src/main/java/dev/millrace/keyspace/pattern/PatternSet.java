package dev.millrace.keyspace.pattern;

import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;

/**
 * Many patterns at once: which of them does this key belong to?
 *
 * <p>All patterns run over the key together, in one {@link LazyDfa}, so the answer takes some tens
 * of nanoseconds whether there are ten patterns or two hundred. What it remembers to be that quick
 * is bounded, whatever keys it is asked about.
 *
 * <p>Immutable but for that memory; thread-safe.
 */
public final class PatternSet {
    private final List<KeyPattern> patterns;
    private final LazyDfa dfa;

    private PatternSet(List<KeyPattern> patterns, int heaviest) {
        this.patterns = patterns;
        dfa = new LazyDfa(patterns.stream().map(KeyPattern::automaton).toList(), heaviest);
    }

    /** A pattern that occurs more than once, as layouts may share one, counts once. */
    public static PatternSet of(Collection<KeyPattern> patterns) {
        return of(patterns, LazyDfa.FOR_MANY);
    }

    static PatternSet of(Collection<KeyPattern> patterns, int heaviest) {
        return new PatternSet(List.copyOf(new LinkedHashSet<>(patterns)), heaviest);
    }

    /** In the order in which they were given. */
    public List<KeyPattern> patterns() {
        return patterns;
    }

    /** The patterns that match the key, in the order in which they were given. */
    public List<KeyPattern> matching(String key) {
        byte[] bytes = Utf8.bytes(key);
        return bytes == null ? List.of() : matching(bytes);
    }

    /** The same for a key as Redis holds it, which need not be UTF-8. */
    public List<KeyPattern> matching(byte[] key) {
        int[] found = dfa.accepting(key, 0, key.length);
        if (found.length == 0) {
            return List.of();
        }
        List<KeyPattern> matching = new ArrayList<>(found.length);
        for (int number : found) {
            KeyPattern pattern = patterns.get(number);
            if (pattern.lengthsFit(key)) {
                matching.add(pattern);
            }
        }
        return List.copyOf(matching);
    }

    /** Every pair of patterns that is not proved disjoint, with a key that both match. */
    public List<Meeting> meetings() {
        List<Meeting> meetings = new ArrayList<>();
        for (int i = 0; i < patterns.size(); i++) {
            KeyPattern first = patterns.get(i);
            for (KeyPattern second : patterns.subList(i + 1, patterns.size())) {
                first.meet(second).ifPresent(key -> meetings.add(new Meeting(first, second, key)));
            }
        }
        return List.copyOf(meetings);
    }
}
