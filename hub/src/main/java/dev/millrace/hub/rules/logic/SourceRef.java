package dev.millrace.hub.rules.logic;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Where a value is: a key, and the field in it.
 *
 * @param key such as {@code comsrv:1:T} or {@code model:tr_1:measurement}
 */
public record SourceRef(String key, String field) {
    private static final Pattern POINTS = Pattern.compile("comsrv:([1-9][0-9]{0,4}):([TSCA])");
    private static final Pattern POINT = Pattern.compile("[1-9][0-9]{0,9}");
    private static final Pattern MODEL =
            Pattern.compile("model:([A-Za-z0-9][A-Za-z0-9_.-]{0,127}):(measurement|action)");
    private static final Pattern SHORT =
            Pattern.compile("([A-Za-z0-9][A-Za-z0-9_-]{0,127})\\.([^\\s.{}$]{1,128})");
    private static final int LAST_CHANNEL = 65_535;

    /**
     * Reads one.
     *
     * @param source joined with its field, or not
     * @param field empty if the source says it
     * @param member of the rule, for whoever made a mistake
     */
    static SourceRef parse(String source, String field, String member) throws RuleFault {
        Matcher points = POINTS.matcher(source);
        if (points.matches()) {
            return point(source, field, member);
        }
        int colon = source.lastIndexOf(':');
        if (colon > 0 && field.isEmpty() && POINTS.matcher(source.substring(0, colon)).matches()) {
            return point(source.substring(0, colon), source.substring(colon + 1), member);
        }
        Matcher model = MODEL.matcher(source);
        if (model.matches() && !field.isEmpty()) {
            return new SourceRef(source, field);
        }
        Matcher named = SHORT.matcher(source);
        if (field.isEmpty() && named.matches()) {
            return new SourceRef("model:" + named.group(1) + ":measurement", named.group(2));
        }
        throw RuleFault.condition(
                member,
                "'%s' with field '%s' is not a source; write comsrv:1:T and a point, comsrv:1:T:101,"
                                .formatted(shortened(source), shortened(field))
                        + " model:ID:measurement and a name, or ID.name.");
    }

    private static SourceRef point(String key, String field, String member) throws RuleFault {
        SourceRef source = new SourceRef(key, field);
        if (!POINT.matcher(field).matches() || source.channel().orElse(0) > LAST_CHANNEL) {
            throw RuleFault.condition(
                    member, "'%s' is not a point of a channel.".formatted(shortened(field)));
        }
        return source;
    }

    /** The device channel, if it is a point of one. */
    public Optional<Integer> channel() {
        Matcher points = POINTS.matcher(key);
        return points.matches() ? Optional.of(Integer.parseInt(points.group(1))) : Optional.empty();
    }

    /** T, S, C or A, if it is a point of a device channel. */
    public Optional<String> type() {
        Matcher points = POINTS.matcher(key);
        return points.matches() ? Optional.of(points.group(2)) : Optional.empty();
    }

    public String text() {
        return key + ":" + field;
    }

    static String shortened(String text) {
        return text.length() > 64 ? text.substring(0, 64) + "…" : text;
    }
}
