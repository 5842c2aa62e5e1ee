package dev.millrace.hub.ops;

import ch.qos.logback.classic.spi.ILoggingEvent;

import org.slf4j.event.KeyValuePair;

import java.util.List;
import java.util.Map;

/**
 * What a line says by name, beside its sentence: {@code key=value} at the end of a text, members of
 * their own in JSON. Values may come from strangers, so nothing in one can end the line, or look
 * like the next name.
 */
final class LogFields {
    private LogFields() {}

    private static List<KeyValuePair> of(ILoggingEvent event) {
        List<KeyValuePair> pairs = event.getKeyValuePairs();
        return pairs == null ? List.of() : pairs;
    }

    /** To be put behind the sentence; nothing if there are none. */
    static String text(ILoggingEvent event) {
        StringBuilder text = new StringBuilder();
        for (KeyValuePair pair : of(event)) {
            text.append(' ').append(pair.key).append('=').append(quoted(harmless(pair.value)));
        }
        return text.toString();
    }

    /** Numbers stay numbers; a member that every line has is never replaced. */
    static void addTo(Map<String, Object> members, ILoggingEvent event) {
        for (KeyValuePair pair : of(event)) {
            members.putIfAbsent(
                    pair.key, pair.value instanceof Number number ? number : harmless(pair.value));
        }
    }

    private static String quoted(String value) {
        boolean plain =
                !value.isEmpty() && value.chars().noneMatch(c -> c <= ' ' || c == '"' || c == '=');
        return plain ? value : '"' + value.replace("\"", "\\\"") + '"';
    }

    private static String harmless(Object value) {
        String text = String.valueOf(value);
        if (text.codePoints().noneMatch(LogFields::isHarmful)) {
            return text;
        }
        StringBuilder shown = new StringBuilder();
        text.codePoints()
                .forEach(
                        c -> {
                            if (isHarmful(c)) {
                                shown.append("\\u%04x".formatted(c));
                            } else {
                                shown.appendCodePoint(c);
                            }
                        });
        return shown.toString();
    }

    /** Line ends, what steers a terminal, what turns the direction of a text. */
    private static boolean isHarmful(int c) {
        return switch (Character.getType(c)) {
            case Character.CONTROL,
                    Character.FORMAT,
                    Character.LINE_SEPARATOR,
                    Character.PARAGRAPH_SEPARATOR,
                    Character.SURROGATE ->
                    true;
            default -> c == '\\';
        };
    }
}
