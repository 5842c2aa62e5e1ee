package dev.millrace.keyspace.commit;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.junit.jupiter.api.Test;

import java.util.Arrays;
import java.util.List;

class OperationsTest {
    private static final byte[] KEY = "key".getBytes(UTF_8);

    private final Operations checks = new Operations();
    private final Operations writes = new Operations();

    private List<String> args() {
        return Arrays.stream(checks.args(writes).split())
                .map(arg -> new String(arg, UTF_8))
                .toList();
    }

    @Test
    void letters_counts_and_arguments_of_checks_come_before_those_of_writes() {
        writes.add(Operation.SET, KEY, "value");
        checks.add(Operation.ABSENT, KEY);
        assertThat(args()).containsExactly("aS", "2", "1", "value");
    }

    @Test
    void a_member_that_is_the_same_as_the_last_one_is_not_sent_again() {
        writes.addSorted(KEY, 0, "one").addSorted(KEY, 1.5, "one");
        writes.add(Operation.DELETE, KEY);
        writes.addSorted(KEY, 2, "one").addSorted(KEY, 3, "two").addSorted(KEY, 4, "one");
        assertThat(args())
                .containsExactly(
                        "ZMDMZZ", "6", "8", "0", "one", "1.5", "2", "3", "two", "4", "one");
    }
}
