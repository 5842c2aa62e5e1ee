package dev.millrace.hub.pubsub.config;

import dev.millrace.hub.settings.Tree;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;

/**
 * Times as files and clients of the reference write them: {@code 1h30m}, {@code 1.5s}, {@code
 * -2ms}; {@code 0} needs no unit. Exact to the nanosecond; what is smaller is dropped.
 */
public final class TimeText {
    private static final int LONGEST = 128;
    private static final BigDecimal NANOS = BigDecimal.valueOf(1_000_000_000);

    /** No longer time fits into nanoseconds, which the reference counts in. */
    private static final double MOST_SECONDS = 9e9;

    private final String text;
    private int at;

    private TimeText(String text) {
        this.text = text;
    }

    /**
     * Reads a time.
     *
     * @throws IllegalArgumentException with a sentence that says how to write one
     */
    public static Duration parse(String text) {
        if (text.length() > LONGEST) {
            throw new IllegalArgumentException("This is too long to be a time; write 1h30m.");
        }
        try {
            return new TimeText(text).whole();
        } catch (ArithmeticException e) {
            throw new IllegalArgumentException(
                    "'%s' is longer than any time can be.".formatted(text), e);
        }
    }

    /** The same in a file, where a bare number is seconds. */
    public static Duration parse(Tree.Plain plain) {
        if (!plain.number()) {
            return parse(plain.text());
        }
        double seconds = Double.parseDouble(plain.text().replace("_", ""));
        if (Math.abs(seconds) < MOST_SECONDS) {
            BigDecimal exact = new BigDecimal(plain.text().replace("_", ""));
            return Duration.ofNanos(
                    exact.multiply(NANOS).setScale(0, RoundingMode.DOWN).longValueExact());
        }
        throw new IllegalArgumentException(
                "'%s' is longer than any time can be.".formatted(plain.text()));
    }

    private Duration whole() {
        boolean negative = text.startsWith("-");
        at = negative || text.startsWith("+") ? 1 : 0;
        if (text.substring(at).equals("0")) {
            return Duration.ZERO;
        }
        if (at == text.length()) {
            throw wrong();
        }
        long nanos = 0;
        while (at < text.length()) {
            nanos = Math.addExact(nanos, part());
        }
        return Duration.ofNanos(negative ? -nanos : nanos);
    }

    /** One number with its unit. */
    private long part() {
        int begin = at;
        int wholeEnd = digits();
        int fractionEnd = wholeEnd;
        if (at < text.length() && text.charAt(at) == '.') {
            at++;
            fractionEnd = digits();
        }
        if (wholeEnd == begin && fractionEnd <= wholeEnd + 1) {
            throw wrong();
        }
        String number = text.substring(begin, at);
        BigDecimal value =
                new BigDecimal(number.endsWith(".") ? number + "0" : number)
                        .multiply(BigDecimal.valueOf(unit()));
        return value.setScale(0, RoundingMode.DOWN).longValueExact();
    }

    private int digits() {
        while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9') {
            at++;
        }
        return at;
    }

    private long unit() {
        int begin = at;
        while (at < text.length() && text.charAt(at) != '.' && !isDigit(text.charAt(at))) {
            at++;
        }
        return switch (text.substring(begin, at)) {
            case "ns" -> 1;
            // Both letters that look like this one.
            case "us", "\u00b5s", "\u03bcs" -> 1_000;
            case "ms" -> 1_000_000;
            case "s" -> 1_000_000_000;
            case "m" -> 60_000_000_000L;
            case "h" -> 3_600_000_000_000L;
            default -> throw wrong();
        };
    }

    private static boolean isDigit(char letter) {
        return letter >= '0' && letter <= '9';
    }

    private IllegalArgumentException wrong() {
        return new IllegalArgumentException(
                "'%s' is not a valid time; write 500ms, 30s, 1h30m.".formatted(text));
    }
}
