package dev.millrace.hub.alarms.logic;

import org.jspecify.annotations.Nullable;

import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Titles and descriptions with placeholders: {@code {value}}, or {@code ${value}}. */
public final class Titles {
    private static final Pattern PLACEHOLDER = Pattern.compile("\\$?\\{([a-z_]{1,32})}");

    private Titles() {}

    /**
     * What is known about the point beside the rule; null what is not.
     *
     * @param deviceName the name of its channel
     */
    public record Point(@Nullable String unit, @Nullable String deviceName) {
        public static final Point UNKNOWN = new Point(null, null);
    }

    /** The text with what its placeholders stand for; unknown ones stay as they are written. */
    public static String rendered(
            String text, AlarmRule rule, @Nullable String value, Point point) {
        if (text.indexOf('{') < 0) {
            return text;
        }
        return replaced(text, name -> meaning(name, rule, value, point));
    }

    private static @Nullable String meaning(
            String name, AlarmRule rule, @Nullable String value, Point point) {
        String source = String.valueOf(rule.sourceKey());
        return switch (name) {
            case "value" -> value;
            case "threshold" -> rule.text(AlarmRule.THRESHOLD);
            case "operator" -> rule.operatorWord();
            case "source", "source_key" -> rule.sourceKey();
            case "field" -> rule.field();
            case "channel_id" -> source.startsWith("comsrv:") ? Sources.home(source) : null;
            case "point_id" -> source.startsWith("comsrv:") ? rule.field() : null;
            case "unit" -> point.unit;
            case "device_name" -> point.deviceName;
            default -> null;
        };
    }

    private static String replaced(String text, Function<String, @Nullable String> meaning) {
        Matcher matcher = PLACEHOLDER.matcher(text);
        StringBuilder out = new StringBuilder();
        while (matcher.find()) {
            String value = meaning.apply(matcher.group(1));
            matcher.appendReplacement(
                    out, Matcher.quoteReplacement(value == null ? matcher.group() : value));
        }
        return matcher.appendTail(out).toString();
    }
}
