package dev.millrace.keyspace.pattern;

/**
 * Two patterns that are not disjoint.
 *
 * @param witness a key that both match; see {@link KeyPattern#meet} for what it leaves out
 */
public record Meeting(KeyPattern first, KeyPattern second, String witness) {
    @Override
    public String toString() {
        return "%s and %s meet in %s".formatted(first, second, witness);
    }
}
