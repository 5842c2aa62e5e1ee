package dev.millrace.hub.settings;

import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.MappingStartEvent;
import org.snakeyaml.engine.v2.events.NodeEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.events.SequenceStartEvent;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.IntFunction;
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
    private static final String HIDDEN = "***";
    private static final String MERGE = "<<";

    /** Values in one text with all that is repeated: more than any configuration has. */
    private static final long MOST_PARTS = 100_000;

    private final YamlEvents yaml;
    private final IntFunction<Origin> place;
    private final BiConsumer<Integer, String> problems;
    private final Map<String, Named> anchors = new HashMap<>();

    /** How many values there are so far, with all that was repeated. */
    private long parts;

    /** What can be repeated, and how many values that adds. */
    private record Named(Tree tree, long parts) {}

    /**
     * For what follows in a text.
     *
     * @param place what to call a line
     * @param problems told the line and the sentence
     */
    TreeText(YamlEvents yaml, IntFunction<Origin> place, BiConsumer<Integer, String> problems) {
        this.yaml = yaml;
        this.place = place;
        this.problems = problems;
    }

    /** The one document of a text; nothing if it is empty, or not YAML. */
    public static Tree read(
            String text, IntFunction<Origin> place, BiConsumer<Integer, String> problems) {
        try {
            YamlEvents yaml = new YamlEvents(text);
            Event first = yaml.next();
            if (first == null) {
                return new Tree.Nothing(place.apply(1));
            }
            Tree tree = new TreeText(yaml, place, problems).tree(first);
            Event second = yaml.next();
            if (second != null) {
                problems.accept(
                        YamlEvents.line(second),
                        "a second document begins here; one file holds one.");
            }
            return tree;
        } catch (YamlEngineException e) {
            int line = YamlEvents.lineOf(e);
            problems.accept(line, YamlEvents.NOT_YAML);
            return new Tree.Nothing(place.apply(line));
        }
    }

    /** What begins with an event, to its end. */
    Tree tree(Event event) {
        int line = YamlEvents.line(event);
        Origin here = place.apply(line);
        if (event instanceof AliasEvent alias) {
            return repeated(alias.getAlias().getValue(), line, here);
        }
        long before = parts;
        parts++;
        Tree tree =
                switch (event) {
                    case MappingStartEvent group -> group(here);
                    case SequenceStartEvent list -> items(here);
                    case ScalarEvent scalar when YamlEvents.isNothing(scalar) ->
                            new Tree.Nothing(here);
                    case ScalarEvent scalar ->
                            new Tree.Plain(scalar.getValue(), YamlEvents.isNumber(scalar), here);
                    default -> throw new IllegalStateException(event.toString());
                };
        if (event instanceof NodeEvent node) {
            node.getAnchor()
                    .ifPresent(
                            anchor ->
                                    anchors.put(
                                            anchor.getValue(), new Named(tree, parts - before)));
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
        for (ScalarEvent each = yaml.name(); each != null; each = yaml.name()) {
            int line = YamlEvents.line(each);
            String name = each.getValue();
            Tree member = tree(yaml.value());
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
        for (Event item = yaml.inside(); item != null; item = yaml.inside()) {
            items.add(tree(item));
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
