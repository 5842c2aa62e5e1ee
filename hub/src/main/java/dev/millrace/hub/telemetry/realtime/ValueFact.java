package dev.millrace.hub.telemetry.realtime;

import dev.millrace.hub.ems.JsonText;
import dev.millrace.hub.http.Json;
import dev.millrace.hub.telemetry.kept.PointType;

import org.jspecify.annotations.Nullable;

import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Values of one source that were written together, as the feed of telemetry tells it. */
record ValueFact(int channel, PointType type, List<PointValue> values) {
    private static final String GOOD = "good";
    private static final byte[] BEGINNING = {
        '{', '"', 'c', 'h', 'a', 'n', 'n', 'e', 'l', '_', 'i', 'd', '"', ':'
    };

    /** Which channel a fact is about, without reading all of it; 0 if that cannot be told. */
    static int channel(byte[] body) {
        if (body.length <= BEGINNING.length) {
            return 0;
        }
        for (int i = 0; i < BEGINNING.length; i++) {
            if (body[i] != BEGINNING[i]) {
                return 0;
            }
        }
        int channel = 0;
        for (int i = BEGINNING.length;
                i < body.length && body[i] >= '0' && body[i] <= '9' && channel < 100_000;
                i++) {
            channel = channel * 10 + body[i] - '0';
        }
        return channel;
    }

    /** Empty for a fact that tells no values, such as that a channel is offline. */
    static Optional<ValueFact> read(byte[] body) {
        int channel = 0;
        Optional<PointType> type = Optional.empty();
        String at = null;
        Map<String, String> qualities = Map.of();
        List<String> points = new ArrayList<>();
        List<String> values = new ArrayList<>();
        try (JsonParser parser = Json.MAPPER.createParser(body)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                return Optional.empty();
            }
            while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
                String name = parser.currentName();
                parser.nextToken();
                switch (name) {
                    case "channel_id" -> channel = parser.getIntValue();
                    case "type" -> type = PointType.of(parser.getString());
                    case "timestamp" -> at = parser.getString();
                    case "values" -> values(parser, points, values);
                    case "quality" -> qualities = texts(parser);
                    default -> parser.skipChildren();
                }
            }
        } catch (JacksonException e) {
            return Optional.empty();
        }
        if (channel <= 0 || type.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new ValueFact(channel, type.get(), all(points, values, qualities, at)));
    }

    private static List<PointValue> all(
            List<String> points,
            List<String> values,
            Map<String, String> qualities,
            @Nullable String at) {
        List<PointValue> all = new ArrayList<>(points.size());
        for (int i = 0; i < points.size(); i++) {
            String point = points.get(i);
            all.add(new PointValue(point, values.get(i), qualities.getOrDefault(point, GOOD), at));
        }
        return all;
    }

    private static void values(JsonParser parser, List<String> points, List<String> values) {
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            points.add(parser.currentName());
            if (parser.nextToken() == JsonToken.VALUE_STRING) {
                StringBuilder text = new StringBuilder();
                JsonText.append(text, parser.getString());
                values.add(text.toString());
            } else {
                values.add(parser.getString());
            }
        }
    }

    private static Map<String, String> texts(JsonParser parser) {
        Map<String, String> texts = new HashMap<>();
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            String name = parser.currentName();
            parser.nextToken();
            texts.put(name, parser.getString());
        }
        return texts;
    }
}
