package dev.millrace.keyspace.commit;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

class OperationsTest {
    private static final byte[] KEY = "key".getBytes(UTF_8);
    private static final Place HERE = new Place(0, 0, "", "");

    private final Operations checks = new Operations();
    private final Operations writes = new Operations();

    private List<String> args() {
        return Arrays.stream(checks.args(writes).split())
                .map(arg -> new String(arg, UTF_8))
                .toList();
    }

    private List<String> keys() {
        return Arrays.stream(checks.keys(writes).split())
                .map(key -> new String(key, UTF_8))
                .toList();
    }

    private OperationsTest entry(String key, double score, String member) {
        writes.addSorted(HERE, key, score, member);
        return this;
    }

    @Test
    void letters_counts_and_arguments_of_checks_come_before_those_of_writes() {
        writes.add(Operation.SET, KEY, "value");
        checks.add(Operation.ABSENT, KEY);
        assertThat(args()).containsExactly("aS", "2", "1", "value");
    }

    @Test
    void what_the_entries_have_named_before_is_not_sent_again() {
        entry("event", 0, "one").entry("event:time", 7, "one").entry("event:time", 7, "two");
        writes.add(Operation.DELETE, KEY);
        entry("event", 0, "one").entry("event", 1.5, "three");
        assertThat(args())
                .containsExactly(
                        "Z!!!Z!!\"Z\"\"!DZ###Z\"!!",
                        "3",
                        "6",
                        "0",
                        "one",
                        "7",
                        "two",
                        "1.5",
                        "three");
        assertThat(keys()).containsExactly("event", "event:time", "key");
    }

    @Test
    void only_so_much_is_remembered_that_a_byte_names_it() {
        for (int i = 0; i < 100; i++) {
            entry("key" + i, i, "member");
        }
        entry("key63", 98, "member").entry("key64", 63, "member").entry("key99", 99, "other");
        assertThat(args().getFirst())
                .isEqualTo("Z!!!" + "Z!!\"".repeat(99) + "Zb!\"Z!b\"Z!!!")
                .matches("[ -~]*");
    }

    @Test
    void an_operation_that_failed_is_found_by_its_place_in_the_word() {
        checks.add(Operation.ABSENT, KEY);
        entry("event", 0, "one").entry("event:time", 7, "one").entry("event", 0, "two");
        writes.add(Operation.LOG, KEY).alsoKey("counter".getBytes(UTF_8));
        entry("event", 1, "three").entry("event:time", 8, "three");
        writes.add(Operation.SET, "last".getBytes(UTF_8), "value");
        String word = args().getFirst();
        List<String> found = new ArrayList<>();
        for (int place = 0; place < word.length(); place++) {
            if (Character.isLetter(word.charAt(place))) {
                found.add(checks.keyText(writes, place, ""));
            }
        }
        assertThat(found)
                .containsExactly(
                        "key",
                        "event",
                        "event:time",
                        "event",
                        "key",
                        "event",
                        "event:time",
                        "last");
    }
}
