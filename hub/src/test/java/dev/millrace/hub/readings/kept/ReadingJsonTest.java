package dev.millrace.hub.readings.kept;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.hub.edgex.EdgexJson;
import dev.millrace.keyspace.layout.Codec;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Random;

/**
 * The short way gives the same reading and sends the same bytes as the long way, or is not taken.
 */
final class ReadingJsonTest {
    private static final Codec.Text<Reading> LONG_WAY = Codec.ofRecord(Reading.class);
    private static final ReadingJson JSON = new ReadingJson();

    private static final String USUAL =
            "{\"id\":\"57b9fe08189b95b8afcdafd4\",\"pushed\":5,\"created\":1700000000000,"
                    + "\"origin\":1700000000000000000,\"modified\":-7,\"device\":\"pump\","
                    + "\"name\":\"Temperature\",\"value\":\"1.5e3\",\"valueType\":\"Float64\","
                    + "\"floatEncoding\":\"eNotation\",\"mediaType\":\"text/plain\"}";

    private static @Nullable Reading decoded(Codec.Text<Reading> codec, byte[] json) {
        try {
            return codec.decode(json);
        } catch (RuntimeException e) {
            return null;
        }
    }

    private static void mustBeTheSame(byte[] json) {
        Reading expected = decoded(LONG_WAY, json);
        assertThat(decoded(JSON, json)).as(new String(json, UTF_8)).isEqualTo(expected);
        if (ReadingJson.isAsSent(json)) {
            assertThat(json).isEqualTo(EdgexJson.MAPPER.writeValueAsBytes(expected));
        }
    }

    @Test
    void what_we_write_takes_the_short_way() {
        assertThat(ReadingJson.isAsSent(USUAL.getBytes(UTF_8))).isTrue();
        mustBeTheSame(USUAL.getBytes(UTF_8));
        for (Reading each :
                new Reading[] {
                    new Reading("i", 0, 1, 0, 0, "d", "n", "v", null, null, null),
                    new Reading("i", 1, 2, -3, 4, "d", "n", "-1", "Int64", null, null),
                    new Reading(
                            "i", 0, 9, 8_999_999_999_999_999_999L, 0, null, "n", "v", "a", "b", "c")
                }) {
            byte[] json = JSON.encode(each, null);
            assertThat(ReadingJson.isAsSent(json)).isTrue();
            assertThat(JSON.decode(json)).isEqualTo(each);
            mustBeTheSame(json);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{",
                "}",
                "{}",
                "{}}",
                "[]",
                "null",
                "true",
                "\"id\"",
                "{\"id\"}",
                "{\"id\":}",
                "{\"id\":\"}",
                "{\"id\":\"\"}",
                "{\"id\":\"i\"} ",
                " {\"id\":\"i\"}",
                "{ \"id\":\"i\"}",
                "{\"id\": \"i\"}",
                "{\"id\":\"i\" }",
                "{\"id\":\"i\",}",
                "{,\"id\":\"i\"}",
                "{\"id\":\"i\"}}",
                "{\"id\":\"i\"}{\"id\":\"j\"}",
                "{\"ID\":\"i\",\"Created\":5}",
                "{\"id\":\"i\",\"id\":\"j\"}",
                "{\"created\":5,\"id\":\"i\"}",
                "{\"id\":\"i\",\"created\":5,\"created\":6}",
                "{\"id\":null,\"created\":null}",
                "{\"id\":7}",
                "{\"id\":true}",
                "{\"id\":{\"a\":1}}",
                "{\"id\":\"i\",\"created\":\"5\"}",
                "{\"id\":\"i\",\"created\":0}",
                "{\"id\":\"i\",\"created\":-0}",
                "{\"id\":\"i\",\"created\":00}",
                "{\"id\":\"i\",\"created\":05}",
                "{\"id\":\"i\",\"created\":-}",
                "{\"id\":\"i\",\"created\":}",
                "{\"id\":\"i\",\"created\":-5}",
                "{\"id\":\"i\",\"created\":5.0}",
                "{\"id\":\"i\",\"created\":5e3}",
                "{\"id\":\"i\",\"created\":+5}",
                "{\"id\":\"i\",\"created\":9223372036854775807}",
                "{\"id\":\"i\",\"created\":-9223372036854775808}",
                "{\"id\":\"i\",\"created\":9223372036854775808}",
                "{\"id\":\"i\",\"created\":8999999999999999999}",
                "{\"id\":\"i\",\"created\":99999999999999999999}",
                "{\"id\":\"i\",\"pushed\":1,\"created\":2,\"origin\":3,\"modified\":4}",
                "{\"id\":\"i\",\"value\":\"\"}",
                "{\"id\":\"i\",\"value\":\"a\\\"b\"}",
                "{\"id\":\"i\",\"value\":\"a\\\\b\"}",
                "{\"id\":\"i\",\"value\":\"a\\u003cb\\u003e\"}",
                "{\"id\":\"i\",\"value\":\"a\\/b\"}",
                "{\"id\":\"i\",\"value\":\"a/b<c>&'d'\"}",
                "{\"id\":\"i\",\"value\":\"a\tb\"}",
                "{\"id\":\"i\",\"value\":\"a\u007fb\"}",
                "{\"id\":\"i\",\"value\":\"grün ° € \uD83D\uDE00\"}",
                "{\"id\":\"i\",\"value\":\"\u2028\"}",
                "{\"id\":\"i\",\"value\":\"a\"b\"}",
                "{\"id\":\"i\",\"value\":\" \"}",
                "{\"id\":\"i\",\"binaryValue\":\"AAEC\",\"mediaType\":\"x\"}",
                "{\"id\":\"i\",\"colour\":\"red\",\"value\":\"1\"}",
                "{\"id\":\"i\",\"value\":\"1\",\"colour\":{\"a\":[1,2]}}",
                "{\"id\":\"i\",\"names\":\"x\"}",
                "{\"id\":\"i\",\"valueTypes\":\"x\"}",
                "{\"id\":\"i\",\"value\":'1'}",
                "{'id':'i'}",
                "{\"id\":\"i\",\"value\":\"1\",\"floatEncoding\":\"Base64\",\"mediaType\":\"\"}"
            })
    void odd_ones_are_what_they_were(String json) {
        mustBeTheSame(json.getBytes(UTF_8));
    }

    @Test
    void bytes_that_are_no_text_are_what_they_were() {
        byte[] json = USUAL.getBytes(UTF_8);
        for (int at = 0; at < json.length; at++) {
            for (int value :
                    new int[] {0, 0x1f, 0x7f, 0x80, 0xc3, 0xff, '"', '\\', ',', '}', '0'}) {
                byte[] other = json.clone();
                other[at] = (byte) value;
                mustBeTheSame(other);
            }
        }
    }

    @Test
    void whatever_is_cut_doubled_or_exchanged_it_stays_the_same() {
        Random random = new Random(17);
        for (int round = 0; round < 20_000; round++) {
            StringBuilder json = new StringBuilder(USUAL);
            for (int change = random.nextInt(4); change >= 0 && json.length() > 1; change--) {
                int from = random.nextInt(json.length());
                int to = Math.min(json.length(), from + 1 + random.nextInt(25));
                switch (random.nextInt(3)) {
                    case 0 -> json.delete(from, to);
                    case 1 -> json.insert(random.nextInt(json.length()), json.substring(from, to));
                    default -> json.setCharAt(from, "{}\",:0-9a \\".charAt(random.nextInt(11)));
                }
            }
            mustBeTheSame(json.toString().getBytes(UTF_8));
        }
    }
}
