package dev.millrace.hub.telemetry;

import dev.millrace.hub.http.Json;
import dev.millrace.hub.telemetry.kept.Texts;
import dev.millrace.hub.why.Origin;

import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;

/**
 * A fact of the feed of values, for rooms that read it: what was stored together.
 *
 * @param type {@code T} or {@code S}
 * @param at when the values were measured
 * @param origin where they come from; unknown if nobody had to record it so far
 */
public record Announced(int channel, String type, Instant at, List<Point> points, Origin origin) {

    /**
     * One of them.
     *
     * @param point its number
     * @param text the value as it is stored
     */
    public record Point(String point, String text) {}

    /**
     * Reads a fact.
     *
     * @throws IllegalArgumentException if it is none of values
     */
    public static Announced of(byte[] fact) {
        int channel = 0;
        String type = "";
        String at = "";
        String cause = "";
        String from = "";
        List<Point> points = new ArrayList<>();
        try (JsonParser parser = Json.MAPPER.createParser(fact)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                throw new IllegalArgumentException("The fact is not an object.");
            }
            while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                String name = parser.currentName();
                JsonToken value = parser.nextToken();
                switch (name) {
                    case "channel_id" -> channel = parser.getIntValue();
                    case "type" -> type = parser.getString();
                    case "timestamp" -> at = parser.getString();
                    case "cause" -> cause = parser.getString();
                    case "from" -> from = parser.getString();
                    case "values" -> {
                        if (value == JsonToken.START_OBJECT) {
                            points(parser, points);
                        }
                    }
                    default -> parser.skipChildren();
                }
            }
            return new Announced(channel, type, Texts.read(at), points, new Origin(cause, from));
        } catch (JacksonException | DateTimeParseException e) {
            throw new IllegalArgumentException("The fact tells of no values.", e);
        }
    }

    private static void points(JsonParser parser, List<Point> points) {
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            String name = parser.currentName();
            parser.nextToken();
            points.add(new Point(name, parser.getString()));
        }
    }
}
