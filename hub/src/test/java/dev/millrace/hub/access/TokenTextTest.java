package dev.millrace.hub.access;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.util.HashSet;
import java.util.Random;
import java.util.Set;

class TokenTextTest {
    @Test
    void a_token_is_read_as_it_was_written() {
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < 1000; i++) {
            TokenText token = TokenText.random();
            assertThat(token.text()).matches("mr_[a-z0-9]{8}_[0-9A-Za-z]{36}");
            assertThat(TokenText.parse(token.text())).contains(token);
            assertThat(TokenText.isId(token.id())).isTrue();
            assertThat(token.toString()).doesNotContain(token.secret());
            assertThat(seen.add(token.secret())).isTrue();
        }
    }

    @Test
    void one_wrong_letter_anywhere_is_noticed() {
        String text = TokenText.random().text();
        for (int at = 0; at < text.length(); at++) {
            for (char c : "0aAzZ9_ -é\0".toCharArray()) {
                if (text.charAt(at) != c) {
                    String mistyped = text.substring(0, at) + c + text.substring(at + 1);
                    assertThat(TokenText.parse(mistyped)).as(mistyped).isEmpty();
                }
            }
            assertThat(TokenText.parse(text.substring(0, at))).isEmpty();
            assertThat(TokenText.parse(text.substring(0, at) + text.substring(at + 1))).isEmpty();
        }
        assertThat(TokenText.parse(text + "x")).isEmpty();
        assertThat(TokenText.parse(" " + text)).isEmpty();
    }

    @Test
    void two_letters_that_changed_places_are_noticed() {
        String text = TokenText.random().text();
        for (int at = 0; at + 1 < text.length(); at++) {
            char one = text.charAt(at);
            char other = text.charAt(at + 1);
            if (one != other) {
                String swapped = text.substring(0, at) + other + one + text.substring(at + 2);
                assertThat(TokenText.parse(swapped)).isEmpty();
            }
        }
    }

    @Test
    void no_text_makes_it_fail() {
        long seed = System.nanoTime();
        Random random = new Random(seed);
        for (int i = 0; i < 200_000; i++) {
            String text = anything(random);
            assertThat(TokenText.parse(text)).as("seed " + seed + ": " + text).isEmpty();
        }
    }

    /** Now and then the right length, the right beginning, or halves of characters. */
    private static String anything(Random random) {
        int length = random.nextBoolean() ? TokenText.LENGTH : random.nextInt(80);
        StringBuilder text = new StringBuilder();
        if (random.nextBoolean()) {
            text.append("mr_").append("abcdefgh").append(random.nextBoolean() ? "_" : "");
        }
        while (text.length() < length) {
            text.append((char) random.nextInt(random.nextBoolean() ? 128 : 65536));
        }
        return text.toString();
    }
}
