package dev.millrace.hub.readings;

/**
 * Whether a text holds a conversion such as {@code %5.2f}: a percent sign, perhaps an argument
 * number with {@code $}, flags, a width, a precision, and then a letter or another percent sign.
 * One walk over the text: what stands between two percent signs is looked at twice at most, where a
 * regular expression may try again and again.
 */
final class Formatting {
    private static final String FLAGS = "-#+ 0,(<";

    private Formatting() {}

    static boolean hasConversion(String text) {
        for (int at = text.indexOf('%'); at >= 0; at = text.indexOf('%', at + 1)) {
            if (isConversion(text, at + 1)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isConversion(String text, int begin) {
        int at = digits(text, begin);
        // Digits are the number of an argument only with the sign behind them; else a width.
        at = at > begin && is(text, at, '$') ? at + 1 : begin;
        while (at < text.length() && FLAGS.indexOf(text.charAt(at)) >= 0) {
            at++;
        }
        at = digits(text, at);
        if (is(text, at, '.')) {
            int precision = at + 1;
            at = digits(text, precision);
            if (at == precision) {
                return false;
            }
        }
        // The t of a time is a letter itself, so it need not be looked for.
        return at < text.length() && (isLetter(text.charAt(at)) || is(text, at, '%'));
    }

    private static int digits(String text, int from) {
        int at = from;
        while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
            at++;
        }
        return at;
    }

    private static boolean is(String text, int at, char expected) {
        return at < text.length() && text.charAt(at) == expected;
    }

    private static boolean isLetter(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    }
}
