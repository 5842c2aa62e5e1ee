package dev.millrace.hub.settings;

import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonToken;
import tools.jackson.dataformat.yaml.YAMLParser;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.IntFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Reads a {@link Tree} from YAML, and writes one on a line. Values keep the letters they were
 * written with: whether {@code 010} is a number, a time or a name is for whoever asked for it.
 *
 * <p>What was named ({@code &name}) can be repeated ({@code *name}) and merged into a group ({@code
 * <<: *name}, or a list of such), as YAML 1.1 has it: what the group says itself counts more, then
 * what is named first. A few lines can repeat each other into more than any memory holds, so all
 * that is repeated is counted, and bounded.
 */
public final class TreeText {
    private static final Pattern LINE = Pattern.compile("line ([0-9]+), column");
    private static final String HIDDEN = "***";
    private static final String MERGE = "<<";

    /** Values in one text with all that is repeated: more than any configuration has. */
    private static final long MOST_PARTS = 100_000;

    private final YAMLParser parser;
    private final IntFunction<Origin> place;
    private final BiConsumer<Integer, String> problems;
    private final Map<String, Named> anchors = new HashMap<>();

    /** How many values there are so far, with all that was repeated. */
    private long parts;

    /** What can be repeated, and how many values that adds. */
    private record Named(Tree tree, long parts) {}

    /**
     * For what follows in a parser.
     *
     * @param place what to call a line
     * @param problems told the line and the sentence
     */
    TreeText(YAMLParser parser, IntFunction<Origin> place, BiConsumer<Integer, String> problems) {
        this.parser = parser;
        this.place = place;
        this.problems = problems;
    }

    /** The one document of a text; nothing if it is empty, or no YAML. */
    public static Tree read(
            String text, IntFunction<Origin> place, BiConsumer<Integer, String> problems) {
        try (YAMLParser parser = YamlTokens.of(text)) {
            JsonToken first = parser.nextToken();
            if (first == null) {
                return new Tree.Nothing(place.apply(1));
            }
            Tree tree = new TreeText(parser, place, problems).tree(first);
            if (parser.nextToken() != null) {
                problems.accept(line(parser), "a second document begins here; one file holds one.");
            }
            return tree;
        } catch (JacksonException e) {
            problems.accept(lineOf(e), NO_YAML);
            return new Tree.Nothing(place.apply(lineOf(e)));
        }
    }

    static final String NO_YAML =
            "this is no YAML; look at the indentation, quotes and colons around this line.";

    /** The library's own message would show the line, and with it what is written there. */
    static int lineOf(JacksonException e) {
        // It names the beginning of what it was reading, and then where that went wrong.
        Matcher lines = LINE.matcher(String.valueOf(e.getOriginalMessage()));
        int line = Math.max(1, e.getLocation().getLineNr());
        while (lines.find()) {
            line = Integer.parseInt(lines.group(1));
        }
        return line;
    }

    static int line(YAMLParser parser) {
        return parser.currentTokenLocation().getLineNr();
    }

    /** What begins with the current token, to its end. */
    Tree tree(JsonToken token) {
        int line = line(parser);
        Origin here = place.apply(line);
        if (parser.isCurrentAlias()) {
            return repeated(parser.getString(), line, here);
        }
        Object anchor = parser.getObjectId();
        long before = parts;
        parts++;
        Tree tree =
                switch (token) {
                    case START_OBJECT -> group(here);
                    case START_ARRAY -> items(here);
                    case VALUE_NULL -> new Tree.Nothing(here);
                    case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT ->
                            new Tree.Plain(parser.getString(), true, here);
                    default -> new Tree.Plain(parser.getString(), false, here);
                };
        if (anchor != null) {
            anchors.put(anchor.toString(), new Named(tree, parts - before));
        }
        return tree;
    }

    private Tree repeated(String name, int line, Origin here) {
        Named named = anchors.get(name);
        if (named == null) {
            problems.accept(line, "nothing before this line has that name (&…).");
            return new Tree.Nothing(here);
        }
        if (parts + named.parts() > MOST_PARTS) {
            problems.accept(
                    line,
                    "with what this repeats there would be more than %d values; write less."
                            .formatted(MOST_PARTS));
            return new Tree.Nothing(here);
        }
        parts += named.parts();
        return named.tree();
    }

    private Tree group(Origin here) {
        Map<String, Tree> members = new LinkedHashMap<>();
        int mergeLine = 0;
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            int line = line(parser);
            String name = parser.currentName();
            Tree member = tree(parser.nextToken());
            if (members.put(name, member) != null) {
                problems.accept(line, "'%s' stands there twice.".formatted(name));
            }
            mergeLine = name.equals(MERGE) ? line : mergeLine;
        }
        Tree merged = members.remove(MERGE);
        if (merged != null) {
            merge(merged, members, mergeLine);
        }
        return new Tree.Group(members, here);
    }

    /** Adds what is not there yet. */
    private void merge(Tree merged, Map<String, Tree> members, int line) {
        List<Tree> sources = merged instanceof Tree.Items list ? list.items() : List.of(merged);
        for (Tree source : sources) {
            if (source instanceof Tree.Group group) {
                group.members().forEach(members::putIfAbsent);
            } else {
                problems.accept(line, "<< takes a group, or a list of groups: <<: *name.");
            }
        }
    }

    private Tree items(Origin here) {
        List<Tree> items = new ArrayList<>();
        for (JsonToken token = parser.nextToken();
                token != JsonToken.END_ARRAY;
                token = parser.nextToken()) {
            items.add(tree(token));
        }
        return new Tree.Items(items, here);
    }

    /**
     * On one line, for people.
     *
     * @param hidden names of which only the name may be shown
     */
    public static String shown(Tree tree, Set<String> hidden) {
        return switch (tree) {
            case Tree.Nothing nothing -> "";
            case Tree.Plain plain -> plain.text();
            case Tree.Items list ->
                    list.items().stream()
                            .map(item -> shown(item, hidden))
                            .collect(Collectors.joining(", ", "[", "]"));
            case Tree.Group group ->
                    group.members().entrySet().stream()
                            .map(each -> member(each.getKey(), each.getValue(), hidden))
                            .collect(Collectors.joining(", ", "{", "}"));
        };
    }

    private static String member(String name, Tree value, Set<String> hidden) {
        return name + ": " + (hidden.contains(name) ? HIDDEN : shown(value, hidden));
    }
}
