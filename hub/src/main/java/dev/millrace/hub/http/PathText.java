package dev.millrace.hub.http;

import org.jspecify.annotations.Nullable;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;

/**
 * Takes percent-encoding away, once. A plus sign stays one in a path, and is a blank in a query.
 */
public final class PathText {
    private PathText() {}

    /**
     * The text meant.
     *
     * @return null if it is not percent-encoded UTF-8, or has characters that no address has
     */
    public static @Nullable String decode(String raw, boolean query) {
        int length = raw.length();
        int first = 0;
        while (first < length && isPlain(raw.charAt(first), query)) {
            first++;
        }
        if (first == length) {
            return raw;
        }
        ByteBuffer bytes = ByteBuffer.allocate(length);
        for (int i = 0; i < length; i++) {
            char c = raw.charAt(i);
            if (c > 0x7F) {
                // Raw bytes arrive as Latin-1 characters.
                if (c > 0xFF) {
                    return null;
                }
                bytes.put((byte) c);
            } else if (c == '%') {
                boolean whole = i + 2 < length;
                int high = whole ? digit(raw.charAt(i + 1)) : -1;
                int low = whole ? digit(raw.charAt(i + 2)) : -1;
                if (high < 0 || low < 0) {
                    return null;
                }
                bytes.put((byte) (high << 4 | low));
                i += 2;
            } else if (c <= ' ' || c == 0x7F) {
                return null;
            } else {
                bytes.put((byte) (c == '+' && query ? ' ' : c));
            }
        }
        try {
            return StandardCharsets.UTF_8.newDecoder().decode(bytes.flip()).toString();
        } catch (CharacterCodingException e) {
            return null;
        }
    }

    /** Java knows digits of many scripts; addresses know these. */
    private static int digit(char c) {
        return c < 0x80 ? Character.digit(c, 16) : -1;
    }

    private static boolean isPlain(char c, boolean query) {
        return c != '%' && c > ' ' && c < 0x7F && !(query && c == '+');
    }
}
