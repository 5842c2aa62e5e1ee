package dev.millrace.hub.roles;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * Who does what by which way, as it is kept in {@code roles-by-effect.txt} and shown to people in
 * {@code docs/roles.md}. A test that finds something else writes what it found below {@code
 * target}, to be compared, and copied if it was meant.
 */
final class Table {
    private static final String KEPT = "roles-by-effect.txt";
    private static final String SEPARATOR = " | ";

    private Table() {}

    /**
     * One line.
     *
     * @param way {@code HTTP}, {@code WebSocket} or {@code MQTT}
     */
    record Row(String way, String action, Map<Who, Cell> cells, String about) {

        String line() {
            return String.join(
                    SEPARATOR,
                    way,
                    action,
                    Arrays.stream(Who.values())
                            .map(who -> Objects.requireNonNull(cells.get(who)).word())
                            .collect(Collectors.joining(" ")),
                    about);
        }
    }

    /** The lines that are kept of one way. */
    static List<String> kept(String way) {
        return kept().stream().filter(line -> line.startsWith(way + SEPARATOR)).toList();
    }

    private static List<String> kept() {
        try (InputStream in = Table.class.getResourceAsStream(KEPT)) {
            return in == null ? List.of() : new String(in.readAllBytes(), UTF_8).lines().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** All rows of one way are those that are kept. */
    static void mustBeKept(String way, List<Row> rows) {
        List<String> lines = rows.stream().map(Row::line).toList();
        if (!lines.equals(kept(way))) {
            write("target/roles-by-effect-%s.txt".formatted(way), lines);
        }
        assertThat(lines)
                .as("hub/target/roles-by-effect-%s.txt has what was found", way)
                .isEqualTo(kept(way));
    }

    private static void write(String file, List<String> lines) {
        try {
            Files.createDirectories(Path.of("target"));
            Files.write(Path.of(file), lines);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    // ---------------------------------------------------------------- for people

    private static final String HEAD =
            """
            # Who may do what, by effect

            What each role can do by each way into the hub. It is not what the code says but what was seen: a test sends every
            request with every role and compares everything in Redis, the levels of the log and what other clients heard before
            and after (`hub/src/test/java/dev/millrace/hub/roles`; this page is made from its table, and the test fails if they
            differ).

            - **–** is refused, and nothing has changed.
            - **reads** gets an answer, and nothing has changed. Reading by somebody who may only look leaves no trace that others
              could notice: it renews nothing and moves nothing.
            - **changes** has an effect on what is stored or on others. What somebody has for itself only, such as its own session
              at the MQTT broker, is not counted.

            *nobody* has no token, in mode `token` and from a network without a role. In mode `open` everybody on this machine is
            an admin. A token that is limited to rooms or namespaces has its role only there. A channel with a JWT rule of its own
            keeps that rule instead of roles (docs/decisions/0017-pubsub-access.md).
            """;

    /** {@code docs/roles.md}, as it follows from what is kept. */
    static List<String> page() {
        List<String> page = new ArrayList<>(HEAD.lines().toList());
        String way = "";
        for (String line : kept()) {
            String[] parts = line.split(" \\| ", 4);
            if (!parts[0].equals(way)) {
                way = parts[0];
                page.addAll(
                        List.of(
                                "",
                                "## " + way,
                                "",
                                "| what | nobody | viewer | operator | engineer | admin | effect |",
                                "|---|---|---|---|---|---|---|"));
            }
            page.add(
                    "| `%s` | %s | %s |"
                            .formatted(
                                    parts[1].replaceAll(":(any|digits|slashed)}", "}"),
                                    parts[2].replace(" ", SEPARATOR),
                                    parts[3]));
        }
        return page;
    }

    /** The page is the one that follows from what is kept. */
    static void pageMustBeCurrent() {
        List<String> page = page();
        try {
            List<String> there = Files.readAllLines(Path.of("../docs/roles.md"));
            if (!there.equals(page)) {
                write("target/roles.md", page);
            }
            assertThat(there).as("hub/target/roles.md is what it should be").isEqualTo(page);
        } catch (IOException e) {
            write("target/roles.md", page);
            throw new UncheckedIOException(e);
        }
    }
}
