package dev.millrace.hub.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** File, environment and command line, on a few settings of no feature. */
class SettingsSourcesTest {
    private static final Key<Integer> PORT = Key.of("door.port", Kind.PORT, "80", "a port");
    private static final Key<String> NAME = Key.of("door.name", Kind.TEXT, "oak", "a name");
    private static final Key<Optional<String>> WORD =
            Key.optional("door.pass-word", Kind.TEXT, "none", "a secret").secret();
    private static final Key<Optional<Integer>> SECRET_PORT =
            Key.optional("door.secret-port", Kind.PORT, "none", "a secret").secret();
    private static final Key<Optional<Integer>> BELL =
            Key.optional("bell", Kind.PORT, "none", "an address").address();
    private static final Key<List<Integer>> PORTS =
            Key.none("house.ports", Kind.list(Kind.PORT), "none", "ports");
    private static final Key<Map<String, Integer>> FLOORS =
            Key.none("house.floors", Kind.map(Kind.TEXT, Kind.PORT), "none", "floors");

    private static final Keys KEYS =
            new Keys(
                    List.of(
                            new Keys.Group("Doors", List.of(PORT, NAME, WORD, SECRET_PORT)),
                            new Keys.Group("Houses", List.of(BELL, PORTS, FLOORS))));

    @TempDir private Path directory;

    private Path file() {
        return directory.resolve("my.yaml");
    }

    private Values file(String text) throws IOException {
        Files.writeString(file(), text);
        return SettingsSources.read(KEYS, Optional.of(file()), List.of(), Map.of());
    }

    private static Values set(String... texts) {
        return SettingsSources.read(KEYS, Optional.empty(), List.of(texts), Map.of());
    }

    private static Values variables(Map<String, String> environment) {
        return SettingsSources.read(KEYS, Optional.empty(), List.of(), environment);
    }

    private void problems(String text, String... sentences) throws IOException {
        Values values = file(text);
        KEYS.all().forEach(values::get);
        assertThat(values.problems().stream().map(each -> each.replace(directory + "/", "")))
                .containsExactly(sentences);
    }

    @Test
    void the_later_source_counts_more_and_is_named() throws IOException {
        Files.writeString(file(), "door:\n  port: 81\n  name: ash\n");
        Values none = set();
        assertThat(none.get(PORT)).isEqualTo(80);
        assertThat(none.origin(PORT)).hasToString("default");

        Values values = SettingsSources.read(KEYS, Optional.of(file()), List.of(), Map.of());
        assertThat(values.get(PORT)).isEqualTo(81);
        assertThat(values.origin(PORT)).hasToString(file() + ":2");

        Map<String, String> environment = Map.of("MILLRACE_DOOR_PORT", "82");
        values = SettingsSources.read(KEYS, Optional.of(file()), List.of(), environment);
        assertThat(values.get(PORT)).isEqualTo(82);
        assertThat(values.origin(PORT)).hasToString("MILLRACE_DOOR_PORT");
        assertThat(values.get(NAME)).isEqualTo("ash");

        List<String> flags = List.of("door.port=83", "door.port=84");
        values = SettingsSources.read(KEYS, Optional.of(file()), flags, environment);
        assertThat(values.get(PORT)).isEqualTo(84);
        assertThat(values.origin(PORT)).hasToString("--set");
        assertThat(values.problems()).isEmpty();
    }

    @Test
    void an_empty_value_is_the_default_also_over_an_earlier_source() throws IOException {
        Files.writeString(file(), "door: {port: 81, name: }\n");
        Values values =
                SettingsSources.read(
                        KEYS,
                        Optional.of(file()),
                        List.of("door.port="),
                        Map.of("MILLRACE_BELL", ""));
        assertThat(values.get(PORT)).isEqualTo(80);
        assertThat(values.get(NAME)).isEqualTo("oak");
        assertThat(values.get(BELL)).isEmpty();
        assertThat(values.problems()).isEmpty();
    }

    @Test
    void the_environment_names_the_file_and_the_command_line_another() throws IOException {
        Path other = directory.resolve("other.yaml");
        Files.writeString(file(), "door.port: 81");
        Files.writeString(other, "door.port: 82");
        Map<String, String> environment = Map.of("MILLRACE_CONFIG", file().toString());
        assertThat(variables(environment).get(PORT)).isEqualTo(81);
        assertThat(SettingsSources.read(KEYS, Optional.of(other), List.of(), environment).get(PORT))
                .isEqualTo(82);
    }

    @Test
    void groups_and_dots_are_the_same() throws IOException {
        for (String text :
                List.of(
                        "door:\n  port: 81\n  pass-word: sesame\n",
                        "door.port: 81\ndoor.pass-word: sesame\n",
                        "---\ndoor: {\"port\": '81', pass-word: sesame}\n",
                        "door.port: 81\ndoor:\n  pass-word: sesame # said Ali\nhouse:\n")) {
            Values values = file(text);
            assertThat(values.get(PORT)).isEqualTo(81);
            assertThat(values.get(WORD)).contains("sesame");
            assertThat(values.problems()).isEmpty();
        }
    }

    @Test
    void values_of_a_file_are_taken_as_they_are_written() throws IOException {
        for (String text :
                List.of("off", "010", "1_000", "0x10", "1e3", "true", "~x", "2026-11-16")) {
            assertThat(file("door.name: " + text).get(NAME)).isEqualTo(text);
        }
        assertThat(file("door.name: \"a\\tb\"").get(NAME)).isEqualTo("a\tb");
        assertThat(file("door.pass-word: 123456789012345678901234567890").get(WORD))
                .contains("123456789012345678901234567890");
    }

    @Test
    void lists_and_maps_may_be_written_in_several_ways() throws IOException {
        for (String text :
                List.of(
                        "house:\n  ports: [1, 2]\n  floors: {a.b/c: 1, d: 2}",
                        "house:\n  ports:\n  - 1\n  - 2\n  floors:\n    a.b/c: 1\n    d: 2",
                        "house:\n  ports: 1,2\n  floors: a.b/c=1,d=2",
                        "house:\n  ports: [1, 2]\n  floors: [a.b/c=1, d=2]")) {
            Values values = file(text);
            assertThat(values.get(PORTS)).containsExactly(1, 2);
            assertThat(values.get(FLOORS))
                    .containsExactly(Map.entry("a.b/c", 1), Map.entry("d", 2));
            assertThat(values.problems()).isEmpty();
        }
        assertThat(file("house: {ports: [], floors: {}}").get(PORTS)).isEmpty();
        Values flags = set("house.ports=1,2", "house.floors=a.b/c=1,d=2");
        assertThat(flags.get(PORTS)).containsExactly(1, 2);
        assertThat(flags.get(FLOORS)).hasSize(2);
    }

    @Test
    void an_empty_file_says_nothing() throws IOException {
        for (String text : List.of("", "\n", "# a comment\n", "---\n", "---\n...\n", "{}")) {
            problems(text);
        }
    }

    @Test
    void every_mistake_in_a_file_is_told_with_its_line() throws IOException {
        problems(
                """
                door:
                  prot: 81
                  port: eighty
                door.name: [a, b]
                house:
                  ports: {a: 1}
                  floors:
                    a: [1]
                bell: {sound: loud}
                dor:
                  port: 1
                """,
                "my.yaml:2: There is no setting 'door.prot'; did you mean door.port?",
                "my.yaml:4: door.name takes one value, not a list.",
                "my.yaml:6: house.ports takes a list, not names with values.",
                "my.yaml:7: house.floors takes names with plain values.",
                "my.yaml:9: bell takes one value; there are no settings below it.",
                "my.yaml:10: There is no setting 'dor'; ./millrace check lists them all.",
                "my.yaml:3: door.port: 'eighty' is not a valid port; use 1 to 65535, or 0 for a"
                        + " free one.");
    }

    @Test
    void a_setting_stands_in_a_file_once() throws IOException {
        problems(
                "door:\n  port: 81\ndoor.port: 82\ndoor:\n  port: 83\n",
                "my.yaml:3: door.port was already set in line 2.",
                "my.yaml:5: door.port was already set in line 2.");
    }

    @Test
    void what_is_no_group_of_settings_is_told() throws IOException {
        problems("door: 81", "my.yaml:1: door is a group; write its settings below it.");
        problems("- a\n- b", "my.yaml:1: this is not a setting; write key: value.");
        problems("sesame", "my.yaml:1: this is not a setting; write key: value.");
        problems(
                "a: &x 1\ndoor.port: *x",
                "my.yaml:1: There is no setting 'a'; ./millrace check lists them all.",
                "my.yaml:2: references (*name) are not understood here; write the value.");
        problems(
                "door.port: 81\n---\ndoor.port: 82",
                "my.yaml:3: a second document begins here; one file holds one.");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "door:\\n  port: 81\\n name: sesame | 3",
                "door:\\n\\tport: sesame | 2",
                "door.pass-word: \"sesame | 1",
                "door.name: @sesame | 1",
                "door: {port: 81 | 1",
            })
    void a_file_that_is_no_yaml_is_told_with_the_line_and_without_what_is_in_it(
            String text, int line) throws IOException {
        problems(
                text.replace("\\n", "\n").replace("\\t", "\t"),
                "my.yaml:%d: this is not valid YAML; look at the indentation, quotes and colons around this line."
                        .formatted(line));
    }

    @Test
    void a_file_that_cannot_be_read_is_told() throws IOException {
        Path none = directory.resolve("none.yaml");
        assertThat(SettingsSources.read(KEYS, Optional.of(none), List.of(), Map.of()).problems())
                .containsExactly(none + " does not exist; correct --config or MILLRACE_CONFIG.");
        assertThat(
                        SettingsSources.read(KEYS, Optional.of(directory), List.of(), Map.of())
                                .problems())
                .containsExactly(directory + " is a directory; name the file in it.");
        Files.write(file(), "door.name: \u00e4".getBytes(StandardCharsets.ISO_8859_1));
        assertThat(SettingsSources.read(KEYS, Optional.of(file()), List.of(), Map.of()).problems())
                .containsExactly(file() + " is not valid UTF-8 text.");
    }

    @Test
    void all_mistakes_are_told_at_once_each_with_its_place() {
        Values values =
                SettingsSources.read(
                        KEYS,
                        Optional.empty(),
                        List.of("door.prot=1", "colour=green", "bell", "house.ports=1,x"),
                        Map.of(
                                "MILLRACE_DOORPORT", "1",
                                "MILLRACE_DOOR_PORT", "x",
                                "MILLRACE_JAVA_OPTS", "-Xmx1g",
                                "MILLRACE_JAVA_HOME", "/opt/java",
                                "MILL", "1"));
        KEYS.all().forEach(values::get);
        KEYS.all().forEach(values::get);
        assertThat(values.problems())
                .containsExactly(
                        "The environment variable MILLRACE_DOORPORT is not a setting; did you mean"
                                + " MILLRACE_DOOR_PORT?",
                        "--set: There is no setting 'door.prot'; did you mean door.port?",
                        "--set: There is no setting 'colour'; ./millrace check lists them all.",
                        "--set takes key=value; bell has no value.",
                        "MILLRACE_DOOR_PORT: 'x' is not a valid port; use 1 to 65535, or 0 for a"
                                + " free one.",
                        "--set house.ports: 'x' is not a valid port; use 1 to 65535, or 0 for a"
                                + " free one.");
        assertThat(values.isRight(PORT)).isFalse();
        assertThat(values.isRight(NAME)).isTrue();
        assertThatThrownBy(values::mustBeRight).isInstanceOf(BadSettingsException.class);
    }

    @Test
    void a_secret_is_never_repeated() {
        Values values =
                set("door.pass-word=ses'ame", "door.secret-port=ses'ame", "bell=x://u:ses'ame");
        KEYS.all().forEach(values::get);
        assertThat(values.get(WORD)).contains("ses'ame");
        assertThat(values.problems())
                .containsExactly(
                        "--set door.secret-port: '***' is not a valid port; use 1 to 65535, or 0"
                                + " for a free one.",
                        "--set bell: '***' is not a valid port; use 1 to 65535, or 0 for a free"
                                + " one.");
        assertThat(SettingsText.table(KEYS, values)).doesNotContain("ses").contains("***");
    }

    @Test
    void a_value_that_lost_its_key_is_not_repeated() throws IOException {
        assertThat(set("redis://:sesame@host").problems())
                .containsExactly(
                        "--set: There is no setting of that name; ./millrace check lists them"
                                + " all.");
        problems(
                "\"redis://:sesame@host\": 1",
                "my.yaml:1: There is no setting of that name; ./millrace check lists them all.");
    }

    @Test
    void two_settings_cannot_share_a_name_or_variable_or_be_a_group() {
        for (String name : List.of("a.b", "a-b", "a.b.c")) {
            Key<String> one = Key.of("a.b", Kind.TEXT, "x", "x");
            Key<String> other = Key.of(name, Kind.TEXT, "x", "x");
            assertThatThrownBy(() -> new Keys(List.of(new Keys.Group("x", List.of(one, other)))))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }
}
