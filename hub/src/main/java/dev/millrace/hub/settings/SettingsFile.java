package dev.millrace.hub.settings;

import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonToken;
import tools.jackson.dataformat.yaml.YAMLParser;

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
 * what they mean on the command line. It works on the parser's tokens and not on a tree, because
 * only those know in which line they stand.
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
            problems.add(file + " is no text in UTF-8.");
            return;
        } catch (IOException e) {
            problems.add(
                    file
                            + (Files.isDirectory(file)
                                    ? " is a directory; name the file in it."
                                    : " cannot be read; look at its owner and mode."));
            return;
        }
        try (YAMLParser parser = YamlTokens.of(text)) {
            document(parser);
        } catch (JacksonException e) {
            problem(TreeText.lineOf(e), TreeText.NO_YAML);
        }
    }

    private void document(YAMLParser parser) {
        JsonToken first = parser.nextToken();
        if (first == null || first == JsonToken.VALUE_NULL) {
            return;
        }
        if (first != JsonToken.START_OBJECT) {
            problem(line(parser), "this is no setting; write key: value.");
            return;
        }
        group(parser, "");
        if (parser.nextToken() != null) {
            problem(line(parser), "a second document begins here; one file holds one.");
        }
    }

    /** From after the beginning of a group to its end. */
    private void group(YAMLParser parser, String prefix) {
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            int line = line(parser);
            String name = prefix + parser.currentName();
            JsonToken token = parser.nextToken();
            Key<?> key = keys.holding(name);
            if (key != null && key.kind().form() == Kind.Form.TREE) {
                tree(parser, key, name, line, token);
            } else if (parser.isCurrentAlias()) {
                problem(line, "references (*name) are not understood here; write the value.");
            } else if (key != null) {
                setting(parser, key, line, token);
            } else if (!keys.isGroup(name)) {
                problem(line, Spelling.unknown(name, keys));
                parser.skipChildren();
            } else if (token == JsonToken.START_OBJECT) {
                group(parser, name + ".");
            } else if (token != JsonToken.VALUE_NULL) {
                problem(line, "%s is a group; write its settings below it.".formatted(name));
                parser.skipChildren();
            }
        }
    }

    private void tree(YAMLParser parser, Key<?> key, String name, int line, JsonToken token) {
        Integer before = lines.putIfAbsent(name, line);
        Tree tree = new TreeText(parser, this::place, this::problem).tree(token);
        if (before != null) {
            problem(line, "%s was already set in line %d.".formatted(name, before));
        } else {
            given.merge(
                    key.name(),
                    Given.of(key, name, tree, place(line)),
                    (earlier, later) -> earlier.under(key, later));
        }
    }

    private void setting(YAMLParser parser, Key<?> key, int line, JsonToken token) {
        Integer before = lines.putIfAbsent(key.name(), line);
        Kind.Form form = key.kind().form();
        List<String> items =
                switch (token) {
                    case START_ARRAY -> items(parser, form == Kind.Form.ONE, key, line);
                    case START_OBJECT -> pairs(parser, form != Kind.Form.MAP, key, line);
                    case VALUE_NULL -> List.of();
                    default -> key.kind().split(parser.getString());
                };
        if (before != null) {
            problem(line, "%s was already set in line %d.".formatted(key.name(), before));
        } else {
            given.put(key.name(), new Given(items, place(line)));
        }
    }

    private List<String> items(YAMLParser parser, boolean refused, Key<?> key, int line) {
        List<String> items = new ArrayList<>();
        boolean plain = true;
        for (JsonToken token = parser.nextToken();
                token != JsonToken.END_ARRAY;
                token = parser.nextToken()) {
            plain &= token.isScalarValue() && !parser.isCurrentAlias();
            items.add(token.isScalarValue() ? parser.getString() : "");
            parser.skipChildren();
        }
        if (refused) {
            problem(line, key.name() + " takes one value, not a list.");
        } else if (!plain) {
            problem(line, key.name() + " takes a list of plain values.");
        }
        return refused || !plain ? List.of() : items;
    }

    private List<String> pairs(YAMLParser parser, boolean refused, Key<?> key, int line) {
        List<String> pairs = new ArrayList<>();
        boolean plain = true;
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            String name = parser.currentName();
            JsonToken token = parser.nextToken();
            plain &= token.isScalarValue() && !parser.isCurrentAlias();
            pairs.add(name + "=" + (token.isScalarValue() ? parser.getString() : ""));
            parser.skipChildren();
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

    private static int line(YAMLParser parser) {
        return TreeText.line(parser);
    }

    private Origin place(int line) {
        return new Origin.File(file.toString(), line);
    }

    private void problem(int line, String sentence) {
        problems.add("%s:%d: %s".formatted(file, line, sentence));
    }
}
