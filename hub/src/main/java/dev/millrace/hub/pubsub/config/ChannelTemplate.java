package dev.millrace.hub.pubsub.config;

import com.google.re2j.Matcher;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.regex.Pattern;

/**
 * A text with parts of the channel's name in it: {@code https://example.com/{{.channel.room}}},
 * where {@code room} is a group of the regular expression that the name matched.
 */
record ChannelTemplate(String text, List<Part> parts) {
    private static final Pattern ACTION = Pattern.compile("\\{\\{(.*?)\\}\\}", Pattern.DOTALL);
    private static final Pattern GROUP =
            Pattern.compile("\\s*\\.channel\\.([A-Za-z0-9_]+)\\s*", Pattern.DOTALL);

    /** What it is made of. */
    sealed interface Part {
        record Literal(String text) implements Part {}

        record Group(String name) implements Part {}
    }

    ChannelTemplate {
        parts = List.copyOf(parts);
    }

    /**
     * Reads a template.
     *
     * @param groups the names that may be used
     * @throws IllegalArgumentException with a sentence that says what is wrong
     */
    static ChannelTemplate of(String text, Set<String> groups) {
        List<Part> parts = new ArrayList<>();
        java.util.regex.Matcher action = ACTION.matcher(text);
        int at = 0;
        while (action.find()) {
            java.util.regex.Matcher group = GROUP.matcher(action.group(1));
            if (!group.matches()) {
                throw new IllegalArgumentException(
                        "Only {{.channel.NAME}} is understood between braces.");
            }
            if (!groups.contains(group.group(1))) {
                throw new IllegalArgumentException(
                        "The regex has no group '%s'; write (?P<%s>…) in it."
                                .formatted(group.group(1), group.group(1)));
            }
            parts.add(new Part.Literal(text.substring(at, action.start())));
            parts.add(new Part.Group(group.group(1)));
            at = action.end();
        }
        if (text.indexOf("{{", at) >= 0) {
            throw new IllegalArgumentException("After {{ there is no }}.");
        }
        parts.add(new Part.Literal(text.substring(at)));
        return new ChannelTemplate(text, parts);
    }

    /** With the groups of a name; empty where a group took no part in the match. */
    String filled(Matcher match) {
        return filled(
                name -> {
                    String group = match.group(name);
                    return group == null ? "" : group;
                });
    }

    String filled(UnaryOperator<String> groups) {
        StringBuilder filled = new StringBuilder();
        for (Part part : parts) {
            filled.append(
                    switch (part) {
                        case Part.Literal(String literal) -> literal;
                        case Part.Group(String name) -> groups.apply(name);
                    });
        }
        return filled.toString();
    }
}
