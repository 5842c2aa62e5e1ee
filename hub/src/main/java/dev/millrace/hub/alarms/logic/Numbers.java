package dev.millrace.hub.alarms.logic;

/** Decimal numbers as they are stored. */
public final class Numbers {
    /** Longer texts are never numbers of a plant. */
    private static final int LONGEST = 64;

    private Numbers() {}

    /** The number that a text stands for; NaN if it is none, or none that is finite. */
    public static double of(String text) {
        if (text.isEmpty() || text.length() > LONGEST || !isDecimal(text)) {
            return Double.NaN;
        }
        try {
            double number = Double.parseDouble(text);
            return Double.isFinite(number) ? number : Double.NaN;
        } catch (NumberFormatException e) {
            return Double.NaN;
        }
    }

    /** Java would also read 0x1p3, 1d and surrounding blanks. */
    private static boolean isDecimal(String text) {
        for (int i = 0; i < text.length(); i++) {
            char each = text.charAt(i);
            boolean fits =
                    (each >= '0' && each <= '9')
                            || each == '.'
                            || each == '-'
                            || each == '+'
                            || each == 'e'
                            || each == 'E';
            if (!fits) {
                return false;
            }
        }
        return true;
    }
}
