package dev.millrace.keyspace.redis;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;

final class FrameTest {

    private static String sent(Frame frame) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        frame.writeTo(out);
        return out.toString(UTF_8);
    }

    private static List<String> words(Frame frame) {
        return Arrays.stream(frame.split()).map(word -> new String(word, UTF_8)).toList();
    }

    @Test
    void a_word_has_its_length_before_it() throws IOException {
        assertThat(sent(new Frame().add("event").add("").add(new byte[] {'x'})))
                .isEqualTo("$5\r\nevent\r\n$0\r\n\r\n$1\r\nx\r\n");
    }

    @Test
    void two_pieces_are_one_word() throws IOException {
        assertThat(sent(new Frame().add("{iv9}", "event"))).isEqualTo("$10\r\n{iv9}event\r\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"ä", "日本", "\ud83c\udf7a", "a\u0000b", "\u007f", "\u0080"})
    void letters_outside_of_ascii_count_as_their_bytes(String letter) throws IOException {
        Frame frame = new Frame().add("a").add("x:", letter).add(letter, ":y").add("b");
        int size = letter.getBytes(UTF_8).length + 2;
        assertThat(words(frame)).containsExactly("a", "x:" + letter, letter + ":y", "b");
        assertThat(sent(frame)).contains("$" + size + "\r\nx:" + letter + "\r\n");
        assertThat(frame.content()).isEqualTo(2 + 2 * size);
        assertThat(frame.words()).isEqualTo(4);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 9, 10, 99, 100, Long.MAX_VALUE, -1, Long.MIN_VALUE})
    void a_number_is_written_in_digits(long number) {
        assertThat(words(new Frame().add(number))).containsExactly(Long.toString(number));
    }

    @Test
    void it_grows_with_what_is_put_in() {
        Frame frame = new Frame();
        for (int i = 0; i < 1000; i++) {
            frame.add("word " + i);
        }
        frame.add(new byte[100_000]);
        assertThat(frame.words()).isEqualTo(1001);
        assertThat(words(frame).get(999)).isEqualTo("word 999");
        assertThat(frame.split()[1000]).hasSize(100_000);
    }

    @Test
    void frames_follow_one_another_and_stay_as_they_are() {
        Frame one = new Frame().add("1");
        Frame two = new Frame().add("2");
        Frame all = one.and(two, new Frame(), two);
        assertThat(words(all)).containsExactly("1", "2", "2");
        assertThat(all.content()).isEqualTo(3);
        assertThat(words(one)).containsExactly("1");
    }

    @Test
    void a_word_may_come_before_all_others() {
        Frame frame = new Frame().add("b").addFirst(new byte[] {'a'}).add("c");
        assertThat(words(frame)).containsExactly("a", "b", "c");
        assertThat(frame.content()).isEqualTo(3);
    }
}
