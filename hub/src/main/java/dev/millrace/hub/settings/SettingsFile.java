package dev.millrace.hub.settings;

import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.MappingStartEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.events.SequenceStartEvent;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads {@code millrace.yaml}: groups of settings inside each other, or names with dots, which is
 * the same. Values are taken as they are written, so that {@code off} and {@code 010} mean here
 * what they mean on the command line.
 *
 * <p>No sentence repeats a value: it may be a password that got into the wrong line.
 */
final class SettingsFile {
    private final Keys keys;
    private final Path file;
    private final Map<String, Given> given;
    private final List<String> problems;
    private final Map<String, Integer> lines = new HashMap<>();

    SettingsFile(Keys keys, Path file, Map<String, Given> given, List<String> problems) {
        this.keys = keys;
        this.file = file;
        this.given = given;
        this.problems = problems;
    }

    void read() {
        String text;
        try {
            text = Files.readString(file);
        } catch (NoSuchFileException e) {
            problems.add(file + " does not exist; correct --config or MILLRACE_CONFIG.");
            return;
        } catch (CharacterCodingException e) {
            problems.add(file + " is not valid UTF-8 text.");
            return;
        } catch (IOException e) {
            problems.add(
                    file
                            + (Files.isDirectory(file)
                                    ? " is a directory; name the file in it."
                                    : " cannot be read; look at its owner and mode."));
            return;
        }
        try {
            document(new YamlEvents(text));
        } catch (YamlEngineException e) {
            problem(YamlEvents.lineOf(e), YamlEvents.NOT_YAML);
        }
    }

    private void document(YamlEvents yaml) {
        Event first = yaml.next();
        if (first == null
                || (first instanceof ScalarEvent scalar && YamlEvents.isNothing(scalar))) {
            return;
        }
        if (!(first instanceof MappingStartEvent)) {
            problem(line(first), "this is not a setting; write key: value.");
            return;
        }
        group(yaml, "");
        Event second = yaml.next();
        if (second != null) {
            problem(line(second), "a second document begins here; one file holds one.");
        }
    }

    /** From after the beginning of a group to its end. */
    private void group(YamlEvents yaml, String prefix) {
        for (ScalarEvent each = yaml.name(); each != null; each = yaml.name()) {
            int line = line(each);
            String name = prefix + each.getValue();
            Event value = yaml.value();
            Key<?> key = keys.holding(name);
            if (key != null && key.kind().form() == Kind.Form.TREE) {
                tree(yaml, key, name, line, value);
            } else if (value instanceof AliasEvent) {
                problem(line, "references (*name) are not understood here; write the value.");
            } else if (key != null) {
                setting(yaml, key, line, value);
            } else if (!keys.isGroup(name)) {
                problem(line, Spelling.unknown(name, keys));
                yaml.skip(value);
            } else if (value instanceof MappingStartEvent) {
                group(yaml, name + ".");
            } else if (!(value instanceof ScalarEvent scalar && YamlEvents.isNothing(scalar))) {
                problem(line, "%s is a group; write its settings below it.".formatted(name));
                yaml.skip(value);
            }
        }
    }

    private void tree(YamlEvents yaml, Key<?> key, String name, int line, Event value) {
        Integer before = lines.putIfAbsent(name, line);
        Tree tree = new TreeText(yaml, this::place, this::problem).tree(value);
        if (before != null) {
            problem(line, "%s was already set in line %d.".formatted(name, before));
        } else {
            given.merge(
                    key.name(),
                    Given.of(key, name, tree, place(line)),
                    (earlier, later) -> earlier.under(key, later));
        }
    }

    private void setting(YamlEvents yaml, Key<?> key, int line, Event value) {
        Integer before = lines.putIfAbsent(key.name(), line);
        Kind.Form form = key.kind().form();
        List<String> items =
                switch (value) {
                    case SequenceStartEvent list -> items(yaml, form == Kind.Form.ONE, key, line);
                    case MappingStartEvent group -> pairs(yaml, form != Kind.Form.MAP, key, line);
                    case ScalarEvent scalar when !YamlEvents.isNothing(scalar) ->
                            key.kind().split(scalar.getValue());
                    default -> List.of();
                };
        if (before != null) {
            problem(line, "%s was already set in line %d.".formatted(key.name(), before));
        } else {
            given.put(key.name(), new Given(items, place(line)));
        }
    }

    private List<String> items(YamlEvents yaml, boolean refused, Key<?> key, int line) {
        List<String> items = new ArrayList<>();
        boolean plain = true;
        for (Event item = yaml.inside(); item != null; item = yaml.inside()) {
            plain &= item instanceof ScalarEvent;
            items.add(item instanceof ScalarEvent scalar ? scalar.getValue() : "");
            yaml.skip(item);
        }
        if (refused) {
            problem(line, key.name() + " takes one value, not a list.");
        } else if (!plain) {
            problem(line, key.name() + " takes a list of plain values.");
        }
        return refused || !plain ? List.of() : items;
    }

    private List<String> pairs(YamlEvents yaml, boolean refused, Key<?> key, int line) {
        List<String> pairs = new ArrayList<>();
        boolean plain = true;
        for (ScalarEvent name = yaml.name(); name != null; name = yaml.name()) {
            Event value = yaml.value();
            plain &= value instanceof ScalarEvent;
            pairs.add(
                    name.getValue()
                            + "="
                            + (value instanceof ScalarEvent scalar ? scalar.getValue() : ""));
            yaml.skip(value);
        }
        if (refused) {
            problem(
                    line,
                    key.name()
                            + (key.kind().form() == Kind.Form.LIST
                                    ? " takes a list, not names with values."
                                    : " takes one value; there are no settings below it."));
        } else if (!plain) {
            problem(line, key.name() + " takes names with plain values.");
        }
        return refused || !plain ? List.of() : pairs;
    }

    private static int line(Event event) {
        return YamlEvents.line(event);
    }

    private Origin place(int line) {
        return new Origin.File(file.toString(), line);
    }

    private void problem(int line, String sentence) {
        problems.add("%s:%d: %s".formatted(file, line, sentence));
    }
}
