package dev.millrace.hub.site.sync;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A source pattern: each * is one segment of a key, and can be named in the target. */
final class Wildcard {
    private static final Pattern REFERENCE =
            Pattern.compile("\\$(?:\\{([A-Za-z0-9_]+)}|([A-Za-z0-9_]+))");

    private final Pattern pattern;
    private final String text;

    Wildcard(String text) {
        this.text = text;
        StringBuilder regex = new StringBuilder();
        for (String part : text.split("\\*", -1)) {
            regex.append(regex.isEmpty() ? "" : "([^:]+)").append(Pattern.quote(part));
        }
        this.pattern = Pattern.compile(regex.toString());
    }

    /** What stood for each *; empty if the key does not fit. */
    Optional<List<String>> captured(String key) {
        Matcher matcher = pattern.matcher(key);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        List<String> parts = new ArrayList<>();
        for (int i = 1; i <= matcher.groupCount(); i++) {
            parts.add(matcher.group(i));
        }
        return Optional.of(parts);
    }

    /** Before the first *. */
    String head() {
        int star = text.indexOf('*');
        return star < 0 ? text : text.substring(0, star);
    }

    /** Names that a target may use beside $1, $2 …; of the same captures. */
    static Map<String, String> names(String key, List<String> captured, long seconds) {
        String first = captured.isEmpty() ? "" : captured.getFirst();
        boolean model = key.startsWith("model:");
        return Map.of(
                "channel",
                model ? "" : first,
                "model_id",
                model ? first : "",
                "timestamp",
                Long.toString(seconds));
    }

    /**
     * The target with all references replaced.
     *
     * @throws IllegalArgumentException naming one that means nothing here
     */
    static String filled(String target, List<String> captured, Map<String, String> names) {
        Matcher matcher = REFERENCE.matcher(target);
        StringBuilder out = new StringBuilder();
        while (matcher.find()) {
            String name = matcher.group(1) == null ? matcher.group(2) : matcher.group(1);
            matcher.appendReplacement(out, Matcher.quoteReplacement(value(name, captured, names)));
        }
        return matcher.appendTail(out).toString();
    }

    private static String value(String name, List<String> captured, Map<String, String> names) {
        if (name.matches("[1-9][0-9]?")) {
            int index = Integer.parseInt(name);
            if (index <= captured.size()) {
                return captured.get(index - 1);
            }
        }
        String known = names.getOrDefault(name, "");
        if (known.isEmpty()) {
            throw new IllegalArgumentException("$" + name + " means nothing for this source.");
        }
        return known;
    }

    int stars() {
        return (int) text.chars().filter(each -> each == '*').count();
    }

    /** The names that a target refers to. */
    static List<String> references(String target) {
        Matcher matcher = REFERENCE.matcher(target);
        List<String> names = new ArrayList<>();
        while (matcher.find()) {
            names.add(matcher.group(1) == null ? matcher.group(2) : matcher.group(1));
        }
        return names;
    }
}
