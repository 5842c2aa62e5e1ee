package dev.millrace.hub.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;

/** The tree of keys of VoltageEMS, with the call that makes each; a test makes all of them. */
public final class SeedTree {
    private static final int PARTS = 5;

    private SeedTree() {}

    /**
     * A line of it.
     *
     * @param holds fields of a hash, members of a set
     * @param call empty if nothing makes it yet
     * @param example a key of it, with what changes in braces
     */
    public record Line(String key, String type, List<String> holds, String call, String example) {
        public Line {
            holds = List.copyOf(holds);
        }
    }

    public static List<Line> lines() {
        try (InputStream in = SeedTree.class.getResourceAsStream("tree.txt")) {
            return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .map(SeedTree::line)
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Line line(String text) {
        String[] parts = text.split("\\|", PARTS);
        String holds = parts[2].strip();
        String call = parts[3].strip();
        return new Line(
                parts[0].strip(),
                parts[1].strip(),
                holds.isEmpty() ? List.of() : List.of(holds.split(" ", -1)),
                call.equals("–") ? "" : call,
                parts[4].strip());
    }

    /** As a part of the key reference. */
    static String markdown() {
        StringBuilder text =
                new StringBuilder(
                        """

                        ## The tree of VoltageEMS, call by call

                        Which call makes each key of the third key description. A test makes all of them and looks at what is there.

                        | Key | Type | What is in it | Made by |
                        |---|---|---|---|
                        """);
        for (Line line : lines()) {
            text.append(
                    "| `%s` | %s | %s | %s |\n"
                            .formatted(
                                    line.key(),
                                    line.type().equals("zset") ? "sorted set" : line.type(),
                                    String.join(", ", line.holds()),
                                    line.call().isEmpty()
                                            ? "nothing yet"
                                            : line.call().startsWith("(")
                                                    ? line.call()
                                                    : "`" + line.call() + "`"));
        }
        return text.toString();
    }
}
