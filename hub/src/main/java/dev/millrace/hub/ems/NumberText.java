package dev.millrace.hub.ems;

import java.math.BigDecimal;

/** Numbers of ours as they are stored and told. */
public final class NumberText {
    private static final double SMALLEST_PLAIN = 1e-6;
    private static final double LARGEST_PLAIN = 1e15;

    private NumberText() {}

    /**
     * The shortest form that reads back to the same double, without an exponent from a millionth to
     * 10<sup>15</sup>.
     *
     * @param number finite
     */
    public static String shortest(double number) {
        double size = Math.abs(number);
        if (size < LARGEST_PLAIN && number == Math.rint(number)) {
            return Long.toString((long) number);
        }
        String text = Double.toString(number);
        if (text.indexOf('E') < 0) {
            return text;
        }
        if (size >= SMALLEST_PLAIN && size <= LARGEST_PLAIN) {
            return new BigDecimal(text).stripTrailingZeros().toPlainString();
        }
        return text.replace(".0E", "e").replace('E', 'e');
    }
}
