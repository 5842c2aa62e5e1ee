package dev.millrace.hub.ops;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;

import dev.millrace.hub.http.Json;

import org.junit.jupiter.api.Test;
import org.slf4j.event.KeyValuePair;

import tools.jackson.databind.JsonNode;

import java.nio.charset.StandardCharsets;

/** What a line says by name. */
class LogFieldsTest {
    private static String encoded(boolean json, Object... pairs) {
        LoggingEvent event =
                new LoggingEvent(
                        "", new LoggerContext().getLogger("a.b"), Level.INFO, "Done.", null, null);
        for (int i = 0; i < pairs.length; i += 2) {
            event.addKeyValuePair(new KeyValuePair(String.valueOf(pairs[i]), pairs[i + 1]));
        }
        return new String(new LogEncoder(json).encode(event), StandardCharsets.UTF_8);
    }

    @Test
    void they_stand_at_the_end_of_a_text() {
        assertThat(encoded(false)).endsWith(" INFO  b: Done.\n");
        assertThat(encoded(false, "a", 7, "b", "x", "c", "", "d", "x y", "e", "z=1", "f", "\""))
                .endsWith(" b: Done. a=7 b=x c=\"\" d=\"x y\" e=\"z=1\" f=\"\\\"\"\n");
    }

    @Test
    void they_are_members_of_their_own_in_json() {
        JsonNode line = Json.MAPPER.readTree(encoded(true, "a", 7, "b", "x y", "level", "forged"));
        assertThat(line.get("message").asString()).isEqualTo("Done.");
        assertThat(line.get("a").isNumber()).isTrue();
        assertThat(line.get("b").asString()).isEqualTo("x y");
        assertThat(line.get("level").asString()).isEqualTo("info");
    }

    @Test
    void nothing_in_them_ends_a_line_or_steers_a_terminal() {
        String hostile = "a\r\nb\u0085c\u2028d\u001b[31me\u202ef\\u000ag\ud800";
        String shown = "a\\u000d\\u000ab\\u0085c\\u2028d\\u001b[31me\\u202ef\\u005cu000ag\\ud800";
        assertThat(encoded(false, "x", hostile)).endsWith(" x=" + shown + "\n");
        assertThat(Json.MAPPER.readTree(encoded(true, "x", hostile)).get("x").asString())
                .isEqualTo(shown);
    }
}
