package dev.millrace.hub.mqtt;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;

/** What a topic may be. */
public final class Topics {
    /** What the protocol has room for. */
    private static final int LONGEST = 65_535;

    private static final String[] RESERVED = {"brewcast/datastore", "millrace"};

    /** Below what is ours: where others send something to the hub. */
    private static final String ARRIVING = "millrace/telemetry/";

    private Topics() {}

    /**
     * A topic that something can be sent to.
     *
     * @throws IllegalArgumentException with a sentence
     */
    public static void mustBeName(String topic) {
        if (topic.isEmpty()) {
            throw new IllegalArgumentException("A topic cannot be empty.");
        }
        if (topic.indexOf('+') >= 0 || topic.indexOf('#') >= 0) {
            throw new IllegalArgumentException(
                    "The topic '%s' contains + or #, which are for those who listen."
                            .formatted(topic));
        }
        if (topic.chars().anyMatch(each -> each < ' ' || (each >= 0x7F && each <= 0x9F))
                || !topic.equals(
                        new String(
                                topic.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8))) {
            throw new IllegalArgumentException(
                    "A topic cannot contain control characters or half a character.");
        }
        if (topic.startsWith("$")) {
            throw new IllegalArgumentException(
                    "The topic '%s' begins with $, which is for the broker's own."
                            .formatted(topic));
        }
        if (topic.getBytes(StandardCharsets.UTF_8).length > LONGEST) {
            throw new IllegalArgumentException("A topic has at most %d bytes.".formatted(LONGEST));
        }
    }

    /**
     * A topic that others than the hub itself may have something sent to: not one of those that are
     * believed to come from the hub.
     *
     * @throws IllegalArgumentException with a sentence
     */
    public static void mustNotBeOurs(String topic) {
        mustBeName(topic);
        if (isReserved(topic)) {
            throw new IllegalArgumentException(
                    "The topic '%s' is for what the hub itself has to say; choose another."
                            .formatted(topic));
        }
    }

    /** Whether guests of the embedded broker may not send there. */
    static boolean isClosedToGuests(String topic) {
        return isReserved(topic) && !topic.startsWith(ARRIVING);
    }

    static boolean isReserved(String topic) {
        for (String each : RESERVED) {
            if (topic.equals(each) || topic.startsWith(each + "/")) {
                return true;
            }
        }
        return false;
    }

    /**
     * A text as one level of a topic: what has a meaning in topics, and what no topic may contain,
     * is written as in a URL ({@code /} is {@code %2F}).
     */
    public static String level(String text) {
        StringBuilder level = new StringBuilder(text.length());
        text.codePoints()
                .forEach(
                        each -> {
                            boolean plain =
                                    "/+#%".indexOf(each) < 0
                                            && !Character.isISOControl(each)
                                            && !(each >= Character.MIN_SURROGATE
                                                    && each <= Character.MAX_SURROGATE);
                            if (plain) {
                                level.appendCodePoint(each);
                            } else {
                                escape(level, each);
                            }
                        });
        return level.toString();
    }

    private static void escape(StringBuilder level, int point) {
        for (byte each : Character.toString(point).getBytes(StandardCharsets.UTF_8)) {
            level.append('%').append(HexFormat.of().withUpperCase().toHexDigits(each));
        }
    }
}
