package dev.millrace.hub.documents;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.hub.http.Utf8;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.charset.StandardCharsets;
import java.util.Random;

class PlainQueryTest {
    private static final String USUAL = "{\"namespace\":\"a:b\",\"id\":\"x é 😀\"}";

    private static final String SIGNS = "{}\":,\\ idn\n\t";

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static Queries.Single theLongWay(byte[] body) {
        return Queries.single(Bodies.object(body, Mistakes.Place.BODY));
    }

    @Test
    void a_usual_query_is_read() {
        assertThat(PlainQuery.read(bytes(USUAL))).isEqualTo(new Queries.Single("a:b", "x é 😀"));
        assertThat(PlainQuery.read(bytes(" {\n\"id\" : \"\" ,\t\"namespace\":\"\"}\r\n")))
                .isEqualTo(new Queries.Single("", ""));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{}",
                "{\"namespace\":\"a\"}",
                "{\"namespace\":\"a\",\"id\":\"\\u0041\"}",
                "{\"namespace\":\"a\",\"id\":\"a\nb\"}",
                "{\"namespace\":\"a\",\"id\":7}",
                "{\"namespace\":\"a\",\"id\":\"b\",}",
                "{\"namespace\":\"a\",\"id\":\"b\",\"more\":\"c\"}",
                "{\"namespace\":\"a\",\"id\":\"b\"}}",
                "{\"namespace\":\"a\",\"id\":\"b",
                "{\"namespace\":\"a\";\"id\":\"b\"}",
                "[\"namespace\",\"id\"]"
            })
    void what_is_unusual_is_left_to_the_parser(String body) {
        assertThat(PlainQuery.read(bytes(body))).isNull();
    }

    @Test
    void what_is_read_is_what_the_parser_reads() {
        Random random = new Random(7);
        int read = 0;
        for (int i = 0; i < 100_000; i++) {
            byte[] body = bytes(USUAL);
            for (int changes = random.nextInt(4); changes > 0; changes--) {
                body[random.nextInt(body.length)] =
                        random.nextBoolean()
                                ? (byte) SIGNS.charAt(random.nextInt(SIGNS.length()))
                                : (byte) random.nextInt(256);
            }
            Queries.Single found = Utf8.isText(body) ? PlainQuery.read(body) : null;
            if (found != null) {
                read++;
                assertThat(found).isEqualTo(theLongWay(body));
            }
        }
        assertThat(read).isGreaterThan(10_000);
    }
}
