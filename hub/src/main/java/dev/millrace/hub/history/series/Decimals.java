package dev.millrace.hub.history.series;

import dev.millrace.hub.ems.JsonText;
import dev.millrace.hub.ems.NumberText;

/** Numbers as samples have them. */
public final class Decimals {
    /** So many digits make a whole number that a double has exactly. */
    private static final int SURE_DIGITS = 15;

    private static final int LONGEST = 64;
    private static final double[] POWERS = new double[SURE_DIGITS + 1];

    static {
        POWERS[0] = 1;
        for (int i = 1; i < POWERS.length; i++) {
            POWERS[i] = POWERS[i - 1] * 10;
        }
    }

    private Decimals() {}

    /** The number that a text stands for; NaN if it is none, or none that is finite. */
    public static double parse(String text) {
        int length = text.length();
        if (length == 0 || length > LONGEST) {
            return Double.NaN;
        }
        int i = text.charAt(0) == '-' ? 1 : 0;
        long digits = 0;
        int count = 0;
        int fraction = -1;
        for (; i < length; i++) {
            char c = text.charAt(i);
            if (c >= '0' && c <= '9') {
                digits = digits * 10 + c - '0';
                count++;
            } else if (c == '.' && fraction < 0) {
                fraction = count;
            } else {
                return slowly(text);
            }
            if (count > SURE_DIGITS) {
                return slowly(text);
            }
        }
        if (count == 0) {
            return Double.NaN;
        }
        // Both are exact, so the quotient is the nearest double.
        double number = fraction < 0 ? digits : digits / POWERS[count - fraction];
        return text.charAt(0) == '-' ? -number : number;
    }

    private static double slowly(String text) {
        for (int i = 0; i < text.length(); i++) {
            if ("0123456789+-.eE".indexOf(text.charAt(i)) < 0) {
                return Double.NaN;
            }
        }
        try {
            double number = Double.parseDouble(text);
            return Double.isFinite(number) ? number : Double.NaN;
        } catch (NumberFormatException e) {
            return Double.NaN;
        }
    }

    /** The sample's value as JSON: a number, or a text in quotes. */
    public static void appendJson(StringBuilder out, Sample sample) {
        if (!sample.isNumber()) {
            JsonText.append(out, sample.text());
        } else if (isPlain(sample.text())) {
            out.append(sample.text());
        } else {
            out.append(NumberText.shortest(sample.number()));
        }
    }

    /** Whether it stands for itself in JSON too; that of some others is not seen does no harm. */
    private static boolean isPlain(String text) {
        int start = text.charAt(0) == '-' ? 1 : 0;
        int length = text.length();
        if (length == start || text.charAt(start) < '1' || text.charAt(start) > '9') {
            return length == start + 1 && text.charAt(start) == '0';
        }
        int point = -1;
        for (int i = start; i < length; i++) {
            char c = text.charAt(i);
            if (c == '.' && point < 0) {
                point = i;
            } else if (c < '0' || c > '9') {
                return false;
            }
        }
        return point != length - 1;
    }
}
