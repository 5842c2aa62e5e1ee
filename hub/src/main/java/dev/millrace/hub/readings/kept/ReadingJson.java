package dev.millrace.hub.readings.kept;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.millrace.keyspace.layout.Codec;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;

/**
 * Readings as JSON. Nearly all that are stored look the same: we wrote them, and they have nothing
 * in them that would need care. Such a one is understood in one pass over its bytes, and they are
 * just what a client is sent. Everything else, of whoever has written it, goes the long way.
 *
 * <p>The usual form is narrow on purpose: the members of a {@link Reading} in their order, without
 * blanks; texts of printable ASCII without quotes and backslashes, and not empty; whole numbers
 * that are not 0, and that nobody could take for larger than a long.
 */
public final class ReadingJson implements Codec.Text<Reading> {
    private static final Codec.Text<Reading> ANY = Codec.ofRecord(Reading.class);

    private static final byte[][] NAMES = {
        name("id"),
        name("pushed"),
        name("created"),
        name("origin"),
        name("modified"),
        name("device"),
        name("name"),
        name("value"),
        name("valueType"),
        name("floatEncoding"),
        name("mediaType")
    };

    /** The members from this one to that one are numbers. */
    private static final int FIRST_NUMBER = 1;

    private static final int LAST_NUMBER = 4;

    /** As many as the largest long has, which begins with a 9. */
    private static final int MOST_DIGITS = 19;

    /** Others have bounds of their own for what is larger. */
    private static final int MOST_BYTES = 1 << 20;

    private static final int NOTHING = -1;

    /** Characters that a text may have without anybody writing them in another way. */
    private static final boolean[] PLAIN = new boolean[128];

    static {
        Arrays.fill(PLAIN, ' ', '~' + 1, true);
        PLAIN['"'] = false;
        PLAIN['\\'] = false;
    }

    private static byte[] name(String name) {
        return ('"' + name + "\":").getBytes(US_ASCII);
    }

    @Override
    public byte[] encode(Reading reading, byte @Nullable [] before) {
        return ANY.encode(reading, before);
    }

    @Override
    public Reading decode(byte[] value) {
        int[] spans = new int[2 * NAMES.length];
        return isUsual(value, spans) ? usual(value, spans) : ANY.decode(value);
    }

    /** Whether a stored value is byte for byte what a client is sent for it. */
    public static boolean isAsSent(byte[] value) {
        return isUsual(value, new int[2 * NAMES.length]);
    }

    private static Reading usual(byte[] json, int[] spans) {
        return new Reading(
                text(json, spans, 0),
                number(json, spans, 1),
                number(json, spans, 2),
                number(json, spans, 3),
                number(json, spans, 4),
                text(json, spans, 5),
                text(json, spans, 6),
                text(json, spans, 7),
                text(json, spans, 8),
                text(json, spans, 9),
                text(json, spans, 10));
    }

    private static String text(byte[] json, int[] spans, int member) {
        int from = spans[2 * member];
        return from == 0 ? "" : new String(json, from, spans[2 * member + 1] - from, ISO_8859_1);
    }

    private static long number(byte[] json, int[] spans, int member) {
        int from = spans[2 * member];
        boolean negative = json[from] == '-';
        long number = 0;
        for (int i = negative ? from + 1 : from; i < spans[2 * member + 1]; i++) {
            number = 10 * number + json[i] - '0';
        }
        return negative ? -number : number;
    }

    /**
     * Whether a value has the usual form.
     *
     * @param spans filled in: where the content of each member begins and ends; 0 if it is missing
     */
    private static boolean isUsual(byte[] json, int[] spans) {
        int at = 0;
        int next = 0;
        if (json.length < 2
                || json.length > MOST_BYTES
                || json[0] != '{'
                || json[json.length - 1] != '}') {
            return false;
        }
        do {
            at++;
            int member = member(json, at, next);
            if (member == NOTHING) {
                return false;
            }
            next = member + 1;
            boolean number = member >= FIRST_NUMBER && member <= LAST_NUMBER;
            int from = at + NAMES[member].length + (number ? 0 : 1);
            int to = number ? endOfNumber(json, from) : endOfText(json, from);
            if (to == NOTHING) {
                return false;
            }
            spans[2 * member] = from;
            spans[2 * member + 1] = to;
            at = number ? to : to + 1;
        } while (json[at] == ',');
        return at == json.length - 1;
    }

    /** Which member is named here, of those that may follow. */
    private static int member(byte[] json, int at, int first) {
        for (int i = first; i < NAMES.length; i++) {
            byte[] name = NAMES[i];
            int end = at + name.length;
            if (end < json.length
                    && json[at + 1] == name[1]
                    && Arrays.equals(json, at, end, name, 0, name.length)) {
                return i;
            }
        }
        return NOTHING;
    }

    /** Where the text ends that begins behind a quote; there is always one more byte behind it. */
    private static int endOfText(byte[] json, int from) {
        if (json[from - 1] != '"') {
            return NOTHING;
        }
        for (int i = from; i < json.length - 1; i++) {
            byte each = json[i];
            if (each == '"') {
                return i > from ? i : NOTHING;
            }
            if (each < 0 || !PLAIN[each]) {
                return NOTHING;
            }
        }
        return NOTHING;
    }

    private static int endOfNumber(byte[] json, int from) {
        int first = json[from] == '-' ? from + 1 : from;
        int end = first;
        while (json[end] >= '0' && json[end] <= '9') {
            end++;
        }
        int digits = end - first;
        boolean fits = digits < MOST_DIGITS || (digits == MOST_DIGITS && json[first] < '9');
        return digits > 0 && fits && json[first] != '0' ? end : NOTHING;
    }
}
