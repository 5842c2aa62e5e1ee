package dev.millrace.hub.settings;

import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A size. People write {@code 512}, {@code 64kb}, {@code 1MiB}, {@code 4GB}: the case does not
 * matter, and {@code kb}, {@code mb}, {@code gb} are the same as {@code KiB}, {@code MiB}, {@code
 * GiB}, 1024 and its powers. That is how Redis counts them, and the sizes here are sizes of memory,
 * which comes in powers of two. A single letter is refused, because Redis takes {@code k} for 1000.
 */
public record Bytes(long count) {
    /** Far more than any machine has, and far from an overflow. */
    private static final long MOST = 1L << 50;

    private static final Pattern FORM = Pattern.compile("([0-9]{1,16})(b?|ki?b|mi?b|gi?b)");

    public Bytes {
        if (count < 0 || count > MOST) {
            throw new IllegalArgumentException("A size is 0 to %d bytes.".formatted(MOST));
        }
    }

    /**
     * Reads a size.
     *
     * @throws IllegalArgumentException with a sentence that says how to write one
     */
    public static Bytes of(String text) {
        Matcher form = FORM.matcher(text.toLowerCase(Locale.ROOT));
        if (form.matches()) {
            long number = Long.parseLong(form.group(1));
            long unit =
                    switch (form.group(2)) {
                        case "kb", "kib" -> 1L << 10;
                        case "mb", "mib" -> 1L << 20;
                        case "gb", "gib" -> 1L << 30;
                        default -> 1;
                    };
            if (number <= MOST / unit) {
                return new Bytes(number * unit);
            }
        }
        throw new IllegalArgumentException(
                "'%s' is not a valid size; write 16KiB, 512MiB or 4GiB.".formatted(text));
    }

    /** For those who count in {@code int}: what is larger is the largest. */
    public int toInt() {
        return (int) Math.min(count, Integer.MAX_VALUE);
    }

    @Override
    public String toString() {
        String[] units = {"GiB", "MiB", "KiB"};
        for (int i = 0; i < units.length; i++) {
            long unit = 1L << (30 - 10 * i);
            if (count >= unit && count % unit == 0) {
                return count / unit + units[i];
            }
        }
        return Long.toString(count);
    }
}
