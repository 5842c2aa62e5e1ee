package dev.millrace.hub.history.series;

/**
 * How a sample stands in the sorted set of its hour. As {@code value:time_ms}, for a member is in a
 * sorted set once: as the value alone, the second sample of a constant signal would move the first.
 * Others may write the value alone; then the score says the time.
 */
public final class Members {
    private static final int MOST_DIGITS = 15;
    private static final double MILLIS = 1000.0;

    private Members() {}

    /** The score of a time. */
    public static double score(long at) {
        return at / MILLIS;
    }

    /** A sample of ours. */
    public static String of(String value, long at) {
        return escaped(value) + ":" + at;
    }

    /** A text may have colons; numbers, which nearly all are, pass as they are. */
    private static String escaped(String value) {
        return value.indexOf(':') < 0 && value.indexOf('%') < 0
                ? value
                : value.replace("%", "%25").replace(":", "%3A");
    }

    /** Whether the member says its time itself. */
    public static boolean saysTime(String member) {
        int colon = member.lastIndexOf(':');
        int digits = member.length() - colon - 1;
        if (colon < 0 || digits < 1 || digits > MOST_DIGITS) {
            return false;
        }
        for (int i = colon + 1; i < member.length(); i++) {
            char c = member.charAt(i);
            if (c < '0' || c > '9') {
                return false;
            }
        }
        return true;
    }

    /** What a member says that {@linkplain #saysTime says its time}. */
    public static Sample read(String member) {
        int colon = member.lastIndexOf(':');
        long at = Long.parseLong(member, colon + 1, member.length(), 10);
        return Sample.of(at, plain(member.substring(0, colon)));
    }

    /** What any member says. */
    public static Sample read(String member, double score) {
        return saysTime(member)
                ? read(member)
                : Sample.of(Math.round(score * MILLIS), plain(member));
    }

    private static String plain(String value) {
        return value.indexOf('%') < 0
                ? value
                : value.replace("%3A", ":").replace("%3a", ":").replace("%25", "%");
    }
}
