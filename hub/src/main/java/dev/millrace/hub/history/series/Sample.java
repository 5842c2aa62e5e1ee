package dev.millrace.hub.history.series;

/**
 * A value at a time.
 *
 * @param at milliseconds since 1970
 * @param text as it is stored
 * @param number what the text says; NaN if it is not a number
 */
public record Sample(long at, String text, double number) {
    /** Characters; a longer text is not kept. */
    public static final int LONGEST = 1024;

    public static Sample of(long at, String text) {
        return new Sample(at, text, Decimals.parse(text));
    }

    public boolean isNumber() {
        return !Double.isNaN(number);
    }
}
