package dev.millrace.hub.http;

/**
 * Whether bytes are text. The JSON parser is generous: it takes {@code C0 AF} for a slash, and
 * guesses other encodings from the first bytes. Whoever looks at a text before or after us would
 * see another one, so what is not exactly UTF-8 is refused.
 */
public final class Utf8 {
    private Utf8() {}

    /** Without zero bytes, which no JSON has. */
    public static boolean isText(byte[] bytes) {
        int i = 0;
        while (i < bytes.length) {
            int length = length(bytes[i] & 0xFF);
            if (length == 0 || i + length > bytes.length || !continues(bytes, i, length)) {
                return false;
            }
            i += length;
        }
        return true;
    }

    private static int length(int first) {
        if (first < 0x80) {
            return first == 0 ? 0 : 1;
        }
        if (first < 0xC2 || first > 0xF4) {
            // A byte that only continues, a longer way to write ASCII, or beyond Unicode.
            return 0;
        }
        if (first < 0xE0) {
            return 2;
        }
        return first < 0xF0 ? 3 : 4;
    }

    private static boolean continues(byte[] bytes, int from, int length) {
        for (int i = from + 1; i < from + length; i++) {
            if ((bytes[i] & 0xC0) != 0x80) {
                return false;
            }
        }
        int second = length > 2 ? bytes[from + 1] & 0xFF : 0;
        return switch (bytes[from] & 0xFF) {
            case 0xE0 -> second >= 0xA0;
            // Halves of pairs are no characters.
            case 0xED -> second < 0xA0;
            case 0xF0 -> second >= 0x90;
            case 0xF4 -> second < 0x90;
            default -> true;
        };
    }
}
