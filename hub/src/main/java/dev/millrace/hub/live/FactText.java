package dev.millrace.hub.live;

import dev.millrace.hub.http.Json;
import dev.millrace.keyspace.feed.Fact;

import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;

/** Makes one line of JSON from what a room wrote into its feed. */
final class FactText {
    private FactText() {}

    static byte[] plain(Fact fact) {
        return oneLine(fact.body());
    }

    static byte[] timed(Fact fact) {
        byte[] plain = oneLine(fact.body());
        if (plain.length < 2 || plain[0] != '{') {
            return plain;
        }
        String rest = new String(plain, 1, plain.length - 1, StandardCharsets.UTF_8);
        String comma = rest.strip().equals("}") ? "" : ",";
        String at = Instant.ofEpochMilli(fact.time()).toString();
        return ("{\"at\":\"" + at + "\"" + comma + rest).getBytes(StandardCharsets.UTF_8);
    }

    /** JSON without line breaks; what is not JSON as a JSON string. */
    static byte[] oneLine(byte[] bytes) {
        if (!isJson(bytes)) {
            return Json.MAPPER.writeValueAsBytes(new String(bytes, StandardCharsets.UTF_8));
        }
        // Between the parts of JSON a line break is a blank; inside of a string there is none.
        byte[] line = Arrays.copyOf(bytes, bytes.length);
        for (int i = 0; i < line.length; i++) {
            if (line[i] == '\n' || line[i] == '\r') {
                line[i] = ' ';
            }
        }
        return line;
    }

    private static boolean isJson(byte[] bytes) {
        try (JsonParser parser = Json.MAPPER.createParser(bytes)) {
            if (parser.nextToken() == null) {
                return false;
            }
            parser.skipChildren();
            // Numbers and texts are looked at when the next token is asked for.
            return parser.nextToken() == null;
        } catch (JacksonException e) {
            return false;
        }
    }
}
