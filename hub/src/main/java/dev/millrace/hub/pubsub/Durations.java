package dev.millrace.hub.pubsub;

import java.time.Duration;

final class Durations {
    private Durations() {}

    static Duration parse(String text) {
        if (text.equals("0")) return Duration.ZERO;
        if (text.endsWith("ms"))
            return Duration.ofMillis(Long.parseLong(text.substring(0, text.length() - 2)));
        if (text.endsWith("s"))
            return Duration.ofMillis(
                    (long) (1000 * Double.parseDouble(text.substring(0, text.length() - 1))));
        throw new IllegalArgumentException();
    }
}
