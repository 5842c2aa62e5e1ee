package dev.millrace.hub.settings;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * One group of a {@link Tree}, from which a feature takes what it knows; {@link #end} then tells of
 * the names that nobody asked for. After a mistake it goes on with the default, like {@link
 * Values}. For one thread.
 */
public final class Section {
    private final Map<String, Tree> members;
    private final Origin place;
    private final String path;
    private final Values values;
    private final Set<String> known = new LinkedHashSet<>();

    private Section(Map<String, Tree> members, Origin place, String path, Values values) {
        this.members = members;
        this.place = place;
        this.path = path;
        this.values = values;
    }

    /**
     * A group.
     *
     * @param path as people call it, for sentences
     */
    public static Section of(Tree tree, String path, Values values) {
        return switch (tree) {
            case Tree.Group group -> new Section(group.members(), group.place(), path, values);
            case Tree.Nothing nothing -> new Section(Map.of(), nothing.place(), path, values);
            case Tree.Items items -> noGroup(items, path, values);
            case Tree.Plain plain -> noGroup(plain, path, values);
        };
    }

    private static Section noGroup(Tree tree, String path, Values values) {
        values.problem(
                "%s: %s is a group; write its settings below it.".formatted(tree.place(), path));
        return new Section(Map.of(), tree.place(), path, values);
    }

    public Section section(String name) {
        return of(member(name), path(name), values);
    }

    /** A list of groups. */
    public List<Section> sections(String name) {
        List<Section> sections = new ArrayList<>();
        for (Tree item : items(name)) {
            String at = "%s[%d]".formatted(path(name), sections.size());
            sections.add(of(item, at, values));
        }
        return sections;
    }

    /** A group of groups: their names are the user's. */
    public Map<String, Section> namedSections(String name) {
        Map<String, Section> sections = new LinkedHashMap<>();
        Section group = section(name);
        group.members.forEach(
                (each, tree) -> sections.put(each, of(tree, group.path(each), values)));
        return sections;
    }

    /** One value; the default where there is none, or a wrong one. */
    public <T> T get(String name, T standard, Function<Tree.Plain, T> parser) {
        return switch (member(name)) {
            case Tree.Nothing nothing -> standard;
            case Tree.Plain plain -> parsed(name, plain, parser).orElse(standard);
            case Tree.Items items -> wrong(name, "takes one value, not a list.", standard);
            case Tree.Group group -> wrong(name, "takes one value, not a group.", standard);
        };
    }

    private <T> Optional<T> parsed(String name, Tree.Plain plain, Function<Tree.Plain, T> parser) {
        try {
            return Optional.of(parser.apply(plain));
        } catch (IllegalArgumentException e) {
            problem(name, String.valueOf(e.getMessage()));
            return Optional.empty();
        }
    }

    private <T> T wrong(String name, String sentence, T standard) {
        problem(name, "It " + sentence);
        return standard;
    }

    /** Any text; empty where there is none. */
    public String text(String name) {
        return get(name, "", Tree.Plain::text);
    }

    public boolean yesOrNo(String name) {
        return get(name, false, plain -> Kind.YES_OR_NO.read(List.of(plain.text())));
    }

    /** A list of plain values; those that are wrong are left out. */
    public <T> List<T> list(String name, Function<Tree.Plain, T> parser) {
        List<T> list = new ArrayList<>();
        for (Tree item : items(name)) {
            if (item instanceof Tree.Plain plain) {
                parsed(name, plain, parser).ifPresent(list::add);
            } else {
                problem(name, "It takes a list of plain values.");
            }
        }
        return List.copyOf(list);
    }

    /** The same where a single value may stand for a list of one. */
    public <T> List<T> oneOrMore(String name, Function<Tree.Plain, T> parser) {
        return member(name) instanceof Tree.Plain plain
                ? parsed(name, plain, parser).map(List::of).orElse(List.of())
                : list(name, parser);
    }

    private List<Tree> items(String name) {
        return switch (member(name)) {
            case Tree.Nothing nothing -> List.of();
            case Tree.Items list -> list.items();
            case Tree.Plain plain -> wrong(name, "takes a list.", List.of());
            case Tree.Group group -> wrong(name, "takes a list.", List.of());
        };
    }

    /** The names in it, whatever they are. */
    public Set<String> names() {
        return members.keySet();
    }

    /** Whether something stands there. */
    public boolean has(String name) {
        return !(member(name) instanceof Tree.Nothing);
    }

    /** Takes whatever stands there. */
    public void ignore(String... names) {
        known.addAll(List.of(names));
    }

    public void problem(String name, String sentence) {
        Tree member = members.get(name);
        Origin where = member == null ? place : member.place();
        values.problem("%s: %s: %s".formatted(where, path(name), sentence));
    }

    /** Everything that is known was asked for; what else is there is a mistake. */
    public void end() {
        members.forEach(
                (name, tree) -> {
                    if (!known.contains(name)) {
                        String named =
                                Spelling.isWord(name) ? "'" + path(name) + "'" : "of that name";
                        values.problem(
                                "%s: There is no setting %s%s"
                                        .formatted(tree.place(), named, meant(name)));
                    }
                });
    }

    private String meant(String name) {
        String meant = Spelling.meant(name, known);
        return meant.contains("did you mean")
                ? meant
                : "; here are known: %s.".formatted(String.join(", ", known));
    }

    private Tree member(String name) {
        known.add(name);
        Tree member = members.get(name);
        return member == null ? new Tree.Nothing(place) : member;
    }

    private String path(String name) {
        return path.isEmpty() ? name : path + "." + name;
    }
}
