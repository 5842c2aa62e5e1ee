package dev.millrace.hub.pubsub.config;

import dev.millrace.hub.settings.Key;
import dev.millrace.hub.settings.Origin;
import dev.millrace.hub.settings.Tree;
import dev.millrace.hub.settings.TreeText;
import dev.millrace.hub.settings.Values;

import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** A configuration file that was written for the reference. */
final class ReferenceFile {
    private ReferenceFile() {}

    /** What stands in it; nothing if it cannot be read, which the values are told. */
    static Tree read(Path file, Key<?> key, Values values) {
        String text;
        try {
            text = Files.readString(file);
        } catch (NoSuchFileException e) {
            return wrong(file, key, values, "does not exist");
        } catch (CharacterCodingException e) {
            return wrong(file, key, values, "is not valid UTF-8 text");
        } catch (IOException e) {
            return wrong(file, key, values, "cannot be read");
        }
        long tab = text.lines().takeWhile(line -> line.indexOf('\t') < 0).count();
        if (text.indexOf('\t') >= 0) {
            values.problem("%s:%d: here is a TAB; use blanks.".formatted(file, tab + 1));
        }
        return TreeText.read(
                text,
                line -> new Origin.File(file.toString(), line),
                (line, sentence) -> values.problem("%s:%d: %s".formatted(file, line, sentence)));
    }

    private static Tree wrong(Path file, Key<?> key, Values values, String what) {
        values.problem(key, "'%s' %s.".formatted(file, what));
        return new Tree.Nothing(values.origin(key));
    }
}
