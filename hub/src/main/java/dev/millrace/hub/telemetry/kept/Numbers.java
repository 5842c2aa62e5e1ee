package dev.millrace.hub.telemetry.kept;

import dev.millrace.hub.ems.JsonText;
import dev.millrace.hub.ems.NumberText;

/**
 * Numbers as they are stored. A number of ours has the shortest form that reads back to the same
 * double; a text that somebody sent stays as it was sent, as long as it is a decimal number.
 */
public final class Numbers {
    /** So many digits are the shortest form of the double that they make, whatever they are. */
    private static final int SURE_DIGITS = 15;

    private Numbers() {}

    /** The stored form of a number that came as a JSON number and is finite. */
    static String ofJson(String json, double number) {
        return isShortest(json) ? json : NumberText.shortest(number);
    }

    /** Whether it is plain to see that nothing can be left out of it. */
    private static boolean isShortest(String json) {
        int start = json.charAt(0) == '-' ? 1 : 0;
        int length = json.length();
        if (length - start > SURE_DIGITS) {
            return false;
        }
        boolean fraction = false;
        for (int i = start; i < length; i++) {
            char c = json.charAt(i);
            if (c == '.') {
                fraction = true;
            } else if (c < '0' || c > '9') {
                return false;
            }
        }
        if (!fraction) {
            return start == 0 || json.charAt(1) != '0';
        }
        // 0.00000x may need an exponent, and 0.000 is 0.
        return json.charAt(length - 1) != '0' && !json.startsWith("0.0000", start);
    }

    /**
     * What a stored or sent text says.
     *
     * @return NaN if it is not a decimal number; infinite if it is too large for a double
     */
    public static double parse(String text) {
        return isDecimal(text) ? Double.parseDouble(text) : Double.NaN;
    }

    /** Digits with an optional sign, fraction and exponent, and nothing around them. */
    private static boolean isDecimal(String text) {
        int end = text.length();
        int i = 0;
        if (i < end && (text.charAt(i) == '-' || text.charAt(i) == '+')) {
            i++;
        }
        int digits = i;
        i = digitsFrom(text, i);
        int count = i - digits;
        if (i < end && text.charAt(i) == '.') {
            int after = digitsFrom(text, i + 1);
            count += after - i - 1;
            i = after;
        }
        if (count == 0) {
            return false;
        }
        if (i < end && (text.charAt(i) == 'e' || text.charAt(i) == 'E')) {
            i++;
            if (i < end && (text.charAt(i) == '-' || text.charAt(i) == '+')) {
                i++;
            }
            int before = i;
            i = digitsFrom(text, i);
            if (i == before) {
                return false;
            }
        }
        return i == end;
    }

    private static int digitsFrom(String text, int from) {
        int i = from;
        while (i < text.length() && text.charAt(i) >= '0' && text.charAt(i) <= '9') {
            i++;
        }
        return i;
    }

    /** The text as a JSON number, or as a JSON text if it is not a number. */
    public static void appendJson(StringBuilder out, String text, double number) {
        if (!Double.isFinite(number)) {
            JsonText.append(out, text);
        } else if (isJson(text)) {
            out.append(text);
        } else {
            out.append(NumberText.shortest(number));
        }
    }

    /** Of a decimal number: JSON wants a digit on both sides of the point, and no zero before. */
    private static boolean isJson(String decimal) {
        int start = decimal.charAt(0) == '-' ? 1 : 0;
        char first = decimal.charAt(start);
        if (first < '0' || first > '9') {
            return false;
        }
        if (first == '0' && decimal.length() > start + 1) {
            char second = decimal.charAt(start + 1);
            if (second >= '0' && second <= '9') {
                return false;
            }
        }
        int point = decimal.indexOf('.');
        if (point < 0) {
            return true;
        }
        char after = point + 1 < decimal.length() ? decimal.charAt(point + 1) : ' ';
        return after >= '0' && after <= '9';
    }
}
