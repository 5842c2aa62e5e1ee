package dev.millrace.hub.history.timeseries;

import dev.millrace.hub.history.series.SeriesName;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The names of Brewblox, {@code {key}/{path}} with whatever characters somebody has given to a
 * sensor, and the series that stand for them. The key becomes the id, the path the field; what
 * those do not allow is written as a code, and read back from it.
 */
final class Metric {
    private static final Pattern PLAIN_ID = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_-]{0,127}");
    private static final Pattern RESERVED = Pattern.compile("(.*)\\.(1m|15m|1h|1d)");
    private static final String BEGINS_ODDLY = "0..";
    private static final char CODE_IN_ID = '.';
    private static final char CODE_IN_FIELD = '%';

    private Metric() {}

    /** The series of a name; empty if it is too long, or has no path. */
    static Optional<SeriesName> series(String metric) {
        int slash = metric.indexOf('/');
        if (slash < 1 || slash == metric.length() - 1) {
            return Optional.empty();
        }
        String id = id(metric.substring(0, slash));
        String field = field(metric.substring(slash + 1));
        return SeriesName.fault(SeriesName.SERVICE, id, field).isPresent()
                ? Optional.empty()
                : Optional.of(new SeriesName(SeriesName.SERVICE, id, field));
    }

    /** The name of a series; empty if it is none of Brewblox. */
    static Optional<String> name(SeriesName series) {
        if (!series.source().equals(SeriesName.SERVICE)) {
            return Optional.empty();
        }
        String id = series.id();
        String begin = id.startsWith(BEGINS_ODDLY) ? id.substring(BEGINS_ODDLY.length()) : id;
        return Optional.of(
                decoded(begin, CODE_IN_ID) + "/" + decoded(series.field(), CODE_IN_FIELD));
    }

    private static String id(String key) {
        if (PLAIN_ID.matcher(key).matches()) {
            return key;
        }
        StringBuilder out = new StringBuilder();
        for (byte each : key.getBytes(StandardCharsets.UTF_8)) {
            char c = (char) (each & 0xFF);
            boolean plain =
                    (c >= 'a' && c <= 'z')
                            || (c >= 'A' && c <= 'Z')
                            || (c >= '0' && c <= '9')
                            || c == '_'
                            || c == '-';
            append(out, c, plain, CODE_IN_ID);
        }
        char first = out.charAt(0);
        boolean fits = Character.isLetterOrDigit(first);
        return fits ? out.toString() : BEGINS_ODDLY + out;
    }

    private static String field(String path) {
        StringBuilder out = new StringBuilder();
        for (int i = 0; i < path.length(); i++) {
            char c = path.charAt(i);
            boolean code = c == ':' || c == CODE_IN_FIELD || c < ' ' || c == 0x7F;
            append(out, c, !code, CODE_IN_FIELD);
        }
        String field = out.toString();
        if (field.equals("statistics")) {
            return "%73tatistics";
        }
        var reserved = RESERVED.matcher(field);
        return reserved.matches() ? reserved.group(1) + "%2E" + reserved.group(2) : field;
    }

    private static void append(StringBuilder out, char c, boolean plain, char code) {
        if (plain) {
            out.append(c);
        } else {
            out.append(code).append("%02X".formatted((int) c).toUpperCase(Locale.ROOT));
        }
    }

    private static String decoded(String text, char code) {
        if (text.indexOf(code) < 0) {
            return text;
        }
        byte[] in = text.getBytes(StandardCharsets.UTF_8);
        ByteBuffer out = ByteBuffer.allocate(in.length);
        for (int i = 0; i < in.length; i++) {
            int high = i + 2 < in.length ? Character.digit(in[i + 1], 16) : -1;
            int low = high < 0 ? -1 : Character.digit(in[i + 2], 16);
            if (in[i] == code && low >= 0) {
                out.put((byte) (high * 16 + low));
                i += 2;
            } else {
                out.put(in[i]);
            }
        }
        out.flip();
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(out).toString();
        } catch (CharacterCodingException e) {
            return text;
        }
    }
}
