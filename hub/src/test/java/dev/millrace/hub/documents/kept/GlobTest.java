package dev.millrace.hub.documents.kept;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.keyspace.testing.SharedServers;
import dev.millrace.keyspace.testing.TestServer;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** A filter means what it means to KEYS. */
class GlobTest {

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "a:*    | a:x:y    | true",
                "a:*    | ab:x     | false",
                "a:?    | a:x      | true",
                "a:?    | a:é      | false",
                "a:??   | a:é      | true",
                "[a-c]x | bx       | true",
                "[c-a]x | bx       | true",
                "[^a-c]x| bx       | false",
                "[a\\]]x| ]x       | true",
                "[abc   | c        | true",
                "[      | a        | false",
                "[]     | a        | false",
                "[^]    | a        | true",
                "\\*    | *        | true",
                "\\*    | a        | false",
                "a\\    | a\\      | true",
                "a.(b   | a.(b     | true",
                "A      | a        | false",
                "a**b   | ab       | true",
                "*2     | a:b:12   | true",
                "*2     | a:b:21   | false"
            })
    void each_sign_means_one_thing(String pattern, String key, boolean matches) {
        assertThat(Glob.of(pattern).matches(key)).isEqualTo(matches);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "a:*     | a:    | true",
                "*       | ''    | true",
                "a:x     | a:x   | false",
                "a:x?*   | a:x   | false",
                "a\\*:*  | a*:   | true",
                "é日*    | é日   | true",
                "a[b]c*  | abc   | true"
            })
    void what_is_plain_text_becomes_a_range(String pattern, String prefix, boolean plain) {
        Glob glob = Glob.of(pattern);
        assertThat(glob.prefix()).isEqualTo(prefix);
        assertThat(glob.isPlainPrefix()).isEqualTo(plain);
    }

    @Test
    void it_agrees_with_the_server_about_random_patterns() {
        TestServer server = SharedServers.standalone();
        SharedServers.flushAll();
        Random random = new Random(6);
        List<String> keys = new ArrayList<>();
        for (int i = 0; i < 60; i++) {
            keys.add(text(random, "aab:é-]^", 1 + random.nextInt(6)));
            server.command("SET", keys.getLast(), "");
        }
        for (int i = 0; i < 1500; i++) {
            String pattern = text(random, "aab:é**?[[]]^-\\", 1 + random.nextInt(7));
            Glob glob = Glob.of(pattern);
            List<String> here = keys.stream().filter(glob::matches).distinct().sorted().toList();
            List<String> there =
                    ((List<?>) server.command("KEYS", pattern))
                            .stream().map(String::valueOf).sorted().toList();
            assertThat(here).as(pattern).isEqualTo(there);
            assertThat(here).as(pattern).allMatch(key -> key.startsWith(glob.prefix()));
        }
    }

    private static String text(Random random, String letters, int length) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < length; i++) {
            text.append(letters.charAt(random.nextInt(letters.length())));
        }
        return text.toString();
    }

    @Test
    @Timeout(60)
    void many_stars_take_no_longer_than_their_number() {
        Glob glob = Glob.of("*a".repeat(200) + "b");
        assertThat(glob.matches("a".repeat(1000))).isFalse();
    }
}
