package dev.millrace.keyspace.commit;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Locale.ROOT;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/** The operations of a commit are written down twice, in Java and in Lua: here they are one. */
final class OperationTest {
    private static final String SOURCE = source();

    /** For example {@code local EQUALS = 101 -- e check 1: value}. */
    private static final Pattern ROW =
            Pattern.compile(
                    "^local (?<name>[A-Z_]+) *= (?<number>\\d+) *"
                            + "-- (?<letter>[a-zA-Z-]) (?<effect>\\w+) +(?<keys>\\d)"
                            + "(?:: (?<args>.+))?$",
                    Pattern.MULTILINE);

    /** An operation as a row of text, so that a difference can be read. */
    private record Row(String name, int number, char letter, String effect, int keys, int args) {
        static Row of(Operation each) {
            return new Row(
                    each.name(),
                    each.letter,
                    each.letter,
                    each.effect.name().toLowerCase(ROOT),
                    each.keys,
                    each.args);
        }
    }

    private static String source() {
        try (InputStream lua = Commit.class.getResourceAsStream("Commit.run.lua")) {
            return new String(Objects.requireNonNull(lua).readAllBytes(), UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<Row> rowsOfTheScript() {
        return ROW.matcher(SOURCE)
                .results()
                .map(
                        row ->
                                new Row(
                                        row.group("name"),
                                        Integer.parseInt(row.group("number")),
                                        row.group("letter").charAt(0),
                                        row.group("effect"),
                                        Integer.parseInt(row.group("keys")),
                                        arguments(row.group("args"))))
                .toList();
    }

    private static int arguments(String named) {
        if (named == null) {
            return 0;
        }
        return named.endsWith("…") ? Operation.ANY : named.split(",").length;
    }

    @Test
    void the_script_has_the_same_operations_in_the_same_order() {
        assertThat(rowsOfTheScript())
                .isEqualTo(Arrays.stream(Operation.values()).map(Row::of).toList());
    }

    @Test
    void checks_are_small_letters_and_writes_are_capital_ones() {
        assertThat(Operation.values())
                .allMatch(each -> each.isCheck() == Character.isLowerCase(each.letter));
        assertThat(Operation.values()).extracting(each -> each.letter).doesNotHaveDuplicates();
    }

    @Test
    void every_operation_is_looked_at_before_anything_is_written_and_every_write_is_written() {
        int writing = SOURCE.indexOf("k, a = writeKey, writeArg");
        assertThat(writing).isPositive();
        String looking = SOURCE.substring(0, writing);
        assertThat(Operation.values()).allMatch(comparedIn(looking));
        assertThat(Operation.values())
                .filteredOn(each -> !each.isCheck())
                .allMatch(comparedIn(SOURCE.substring(writing)));
    }

    private static Predicate<Operation> comparedIn(String part) {
        return each -> Pattern.compile("op == " + each.name() + "\\b").matcher(part).find();
    }
}
