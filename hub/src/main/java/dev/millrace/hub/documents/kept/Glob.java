package dev.millrace.hub.documents.kept;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/**
 * A filter as Redis' KEYS would read it, byte by byte: {@code *} any run, {@code ?} one byte,
 * {@code [a-c]} one of these, {@code [^abc]} none of these, a backslash before a sign that means
 * itself. A range given backwards is turned round, and a bracket that is never closed runs to the
 * end.
 *
 * <p>Every part but the star takes exactly one byte, so going back to the last star is enough, and
 * no filter takes longer than its length times that of the key.
 */
public final class Glob {
    private static final int BYTES = 256;

    /** For each part the bytes it takes; null is the star. */
    private final List<Optional<BitSet>> parts = new ArrayList<>();

    private final String prefix;
    private final boolean plainPrefix;

    private Glob(byte[] pattern) {
        int at = 0;
        while (at < pattern.length) {
            at = part(pattern, at);
        }
        int literal = 0;
        byte[] start = new byte[parts.size()];
        while (literal < parts.size()
                && parts.get(literal).filter(bytes -> bytes.cardinality() == 1).isPresent()) {
            start[literal] = (byte) parts.get(literal).get().nextSetBit(0);
            literal++;
        }
        prefix = wholeCharacters(start, literal);
        plainPrefix =
                literal == parts.size() - 1
                        && parts.getLast().isEmpty()
                        && prefix.getBytes(StandardCharsets.UTF_8).length == literal;
    }

    public static Glob of(String pattern) {
        return new Glob(pattern.getBytes(StandardCharsets.UTF_8));
    }

    /** A class of one byte may be the first half of a character; then it is left to the filter. */
    private static String wholeCharacters(byte[] bytes, int length) {
        int end = length;
        while (end > 0) {
            String text = new String(bytes, 0, end, StandardCharsets.UTF_8);
            if (text.indexOf('\uFFFD') < 0) {
                return text;
            }
            end--;
        }
        return "";
    }

    private int part(byte[] pattern, int at) {
        return switch (pattern[at]) {
            case '*' -> {
                if (parts.isEmpty() || parts.getLast().isPresent()) {
                    parts.add(Optional.empty());
                }
                yield at + 1;
            }
            case '?' -> {
                BitSet any = new BitSet(BYTES);
                any.set(0, BYTES);
                parts.add(Optional.of(any));
                yield at + 1;
            }
            case '[' -> oneOf(pattern, at + 1);
            case '\\' -> {
                int sign = at + 1 < pattern.length ? at + 1 : at;
                literal(pattern[sign]);
                yield sign + 1;
            }
            default -> {
                literal(pattern[at]);
                yield at + 1;
            }
        };
    }

    private void literal(byte sign) {
        BitSet one = new BitSet(BYTES);
        one.set(sign & 0xFF);
        parts.add(Optional.of(one));
    }

    private int oneOf(byte[] pattern, int from) {
        int at = from;
        boolean not = at < pattern.length && pattern[at] == '^';
        if (not) {
            at++;
        }
        BitSet taken = new BitSet(BYTES);
        while (at < pattern.length && pattern[at] != ']') {
            if (pattern[at] == '\\' && at + 1 < pattern.length) {
                at++;
                taken.set(pattern[at] & 0xFF);
                at++;
            } else if (at + 2 < pattern.length && pattern[at + 1] == '-') {
                // Compared as Redis does it on most machines: from -128 to 127.
                byte last = (byte) Math.max(pattern[at], pattern[at + 2]);
                for (int each = Math.min(pattern[at], pattern[at + 2]); each <= last; each++) {
                    taken.set(each & 0xFF);
                }
                at += 3;
            } else {
                taken.set(pattern[at] & 0xFF);
                at++;
            }
        }
        if (not) {
            taken.flip(0, BYTES);
        }
        parts.add(Optional.of(taken));
        return at + 1;
    }

    /** What every key that fits begins with. */
    String prefix() {
        return prefix;
    }

    /** Whether every key that begins with {@link #prefix} fits. */
    boolean isPlainPrefix() {
        return plainPrefix;
    }

    public boolean matches(String key) {
        byte[] bytes = key.getBytes(StandardCharsets.UTF_8);
        int part = 0;
        int at = 0;
        int star = -1;
        int afterStar = 0;
        while (at < bytes.length) {
            if (part < parts.size() && parts.get(part).isEmpty()) {
                star = part++;
                afterStar = at;
            } else if (part < parts.size() && parts.get(part).get().get(bytes[at] & 0xFF)) {
                part++;
                at++;
            } else if (star >= 0) {
                part = star + 1;
                at = ++afterStar;
            } else {
                return false;
            }
        }
        while (part < parts.size() && parts.get(part).isEmpty()) {
            part++;
        }
        return part == parts.size();
    }
}
