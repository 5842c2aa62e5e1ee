package dev.millrace.hub.telemetry.kept;

/** Numbers of channels and points as they stand in keys, fields and paths. */
public final class PointIds {
    public static final int LARGEST_CHANNEL = 65_535;
    private static final long LARGEST_POINT = 4_294_967_295L;
    private static final int LONGEST = 10;

    private PointIds() {}

    /** The channel that is meant; 0 if it is not one. */
    public static int channel(String text) {
        long number = number(text);
        return number <= LARGEST_CHANNEL ? (int) number : 0;
    }

    /** The point that is meant; 0 if it is not one. */
    public static long point(String text) {
        long number = number(text);
        return number <= LARGEST_POINT ? number : 0;
    }

    /** From 1, without zeros in front; 0 for anything else. */
    private static long number(String text) {
        int length = text.length();
        if (length == 0 || length > LONGEST || text.charAt(0) == '0') {
            return 0;
        }
        long number = 0;
        for (int i = 0; i < length; i++) {
            char c = text.charAt(i);
            if (c < '0' || c > '9') {
                return 0;
            }
            number = number * 10 + c - '0';
        }
        return number;
    }
}
