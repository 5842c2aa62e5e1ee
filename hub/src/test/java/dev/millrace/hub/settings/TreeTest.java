package dev.millrace.hub.settings;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Settings with a shape of their own. */
class TreeTest {
    private static final Key<String> RULES =
            Key.of("garden.rules", Kind.tree("password"), "{}", "what grows where");
    private static final Key<String> NAME =
            Key.of("garden.name", Kind.TEXT, "eden", "what it is called");
    private static final Keys KEYS =
            new Keys(List.of(new Keys.Group("The garden", List.of(RULES, NAME))));

    @TempDir private Path directory;

    private Values read(String file, Map<String, String> environment, String... set)
            throws IOException {
        Path path = directory.resolve("millrace.yaml");
        Files.writeString(path, file);
        return SettingsSources.read(KEYS, Optional.of(path), List.of(set), environment);
    }

    private String shown(String file, Map<String, String> environment, String... set)
            throws IOException {
        Values values = read(file, environment, set);
        assertThat(values.problems()).isEmpty();
        return values.shown(RULES);
    }

    @Test
    void it_is_taken_as_it_was_written() throws IOException {
        assertThat(shown("garden:\n  rules:\n    aB: [010, yes, 'x y', {c: }]\n", Map.of()))
                .isEqualTo("{aB: [010, yes, x y, {c: }]}");
        assertThat(shown("garden.rules: {aB: 1}\n", Map.of())).isEqualTo("{aB: 1}");
        assertThat(shown("garden.rules.aB: 1\ngarden: {rules.c: 2}\n", Map.of()))
                .isEqualTo("{aB: 1, c: 2}");
        assertThat(shown("", Map.of())).isEqualTo("{}");
    }

    @Test
    void groups_are_joined_and_all_else_is_replaced() throws IOException {
        assertThat(
                        shown(
                                "garden.rules: {a: {b: 1, c: [1, 2]}, d: 1}\n",
                                Map.of("MILLRACE_GARDEN_RULES", "{a: {e: 5}}"),
                                "garden.rules.a.c=[3]",
                                "garden.rules.d=",
                                "garden.rules.f.G=7"))
                .isEqualTo("{a: {b: 1, c: [3], e: 5}, d: , f: {G: 7}}");
    }

    @Test
    void where_it_comes_from_is_told() throws IOException {
        Values values = read("garden:\n  rules:\n    a: 1\n", Map.of());
        assertThat(values.origin(RULES)).hasToString(directory.resolve("millrace.yaml") + ":2");
        assertThat(read("garden.rules: {a: 1}\n", Map.of(), "garden.rules.a=2").origin(RULES))
                .hasToString("--set");
    }

    @Test
    void secrets_in_it_are_hidden() throws IOException {
        assertThat(shown("garden.rules: {password: [sesame], a: {password: sesame}}\n", Map.of()))
                .isEqualTo("{password: ***, a: {password: ***}}");
    }

    @Test
    void what_is_no_yaml_or_stands_there_twice_is_told() throws IOException {
        assertThat(read("", Map.of(), "garden.rules={a: [").problems())
                .containsExactly(
                        "--set garden.rules: this is not valid YAML; look at the indentation,"
                                + " quotes and colons around this line.");
        assertThat(read("garden.rules: {a: 1, a: 2}\n", Map.of()).problems()).hasSize(1);
        assertThat(read("garden.rules: {}\ngarden.rules: {}\n", Map.of()).problems()).hasSize(1);
    }

    @Test
    void what_has_a_name_can_be_repeated_and_merged() throws IOException {
        String file =
                """
                garden.rules:
                  tall: &tall {height: 9, leaves: many}
                  old: &old {height: 7, age: &age 100}
                  oak: {<<: *tall, height: 8}
                  ash:
                    age: 90
                    <<: [*old, *tall]
                  elm: {<<: {bark: rough}, age: *age}
                """;
        assertThat(shown(file, Map.of()))
                .isEqualTo(
                        "{tall: {height: 9, leaves: many}, old: {height: 7, age: 100},"
                                + " oak: {height: 8, leaves: many},"
                                + " ash: {age: 90, height: 7, leaves: many},"
                                + " elm: {age: 100, bark: rough}}");
        assertThat(shown("", Map.of(), "garden.rules={a: &x {b: 1}, c: {<<: *x}}"))
                .isEqualTo("{a: {b: 1}, c: {b: 1}}");
    }

    @Test
    void what_was_merged_can_be_merged_again() throws IOException {
        assertThat(
                        shown(
                                "garden.rules: {a: &a {x: 1}, b: &b {<<: *a, y: 2}, c: {<<: *b}}\n",
                                Map.of()))
                .isEqualTo("{a: {x: 1}, b: {y: 2, x: 1}, c: {y: 2, x: 1}}");
    }

    @Test
    void what_cannot_be_merged_or_repeated_is_told() throws IOException {
        String place = directory.resolve("millrace.yaml") + ":";
        assertThat(read("garden.rules:\n  a: &a 1\n  b: {<<: *a}\n", Map.of()).problems())
                .containsExactly(place + "3: << takes a group, or a list of groups: <<: *name.");
        assertThat(read("garden.rules:\n  a: &a {b: *a}\n", Map.of()).problems())
                .containsExactly(place + "2: nothing before this line has that name (&…).");
        assertThat(read("garden.rules: {b: &b {}, a: {<<: *b, <<: *b}}\n", Map.of()).problems())
                .containsExactly(place + "1: '<<' stands there twice.");
    }

    /** Nine lines that would be a billion values, in lists as well as by merging. */
    @Test
    void a_few_lines_cannot_fill_the_memory() throws IOException {
        StringBuilder lists = new StringBuilder("garden.rules:\n  n0: &n0 [lol]\n");
        StringBuilder groups = new StringBuilder("garden.rules:\n  n0: &n0 {lol: 1}\n");
        for (int i = 1; i <= 9; i++) {
            String all = ("*n" + (i - 1) + ", ").repeat(9) + "*n" + (i - 1);
            lists.append("  n%d: &n%d [%s]\n".formatted(i, i, all));
            groups.append("  n%d: &n%d {a: [%s], <<: [%s]}\n".formatted(i, i, all, all));
        }
        for (StringBuilder file : List.of(lists, groups)) {
            Values values = read(file.toString(), Map.of());
            assertThat(values.problems())
                    .isNotEmpty()
                    .first()
                    .asString()
                    .endsWith(
                            "with what this repeats there would be more than 100000 values; write"
                                    + " less.");
            assertThat(values.shown(RULES)).hasSizeLessThan(10_000_000);
        }
    }

    @Test
    void names_below_a_plain_setting_are_unknown() throws IOException {
        assertThat(read("", Map.of(), "garden.name.x=1").problems())
                .containsExactly(
                        "--set: There is no setting 'garden.name.x'; did you mean garden.name?");
        assertThat(read("", Map.of(), "garden.rule.x=1").problems()).hasSize(1);
    }

    @Test
    void a_section_gives_what_it_was_asked_for_and_tells_of_the_rest() throws IOException {
        Values values =
                read("garden.rules:\n  size: 7\n  trees: [oak, ash]\n  sise: 8\n", Map.of());
        Section section = Section.of(values.tree(RULES), "garden.rules", values);
        assertThat(section.get("size", 0, plain -> Integer.parseInt(plain.text()))).isEqualTo(7);
        assertThat(section.list("trees", Tree.Plain::text)).containsExactly("oak", "ash");
        assertThat(section.text("none")).isEmpty();
        section.end();
        assertThat(values.problems())
                .containsExactly(
                        directory.resolve("millrace.yaml")
                                + ":4: There is no setting 'garden.rules.sise'; did you mean"
                                + " size?");
    }
}
