package dev.millrace.hub.telemetry.kept;

import dev.millrace.hub.http.Json;
import dev.millrace.hub.http.Utf8;

import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;

import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Reads values straight from the bytes: {@code {"101":85.5}}, or {@code
 * {"points":{"101":85.5},"timestamp":…,"quality":"good"}}, or a batch of many sources. A value that
 * cannot be stored is noted with its reason and does not stop the others.
 */
public final class ValuesReader {
    /** What one write takes of one source. */
    public static final int MOST_POINTS = 1000;

    private static final int LONGEST_VALUE = 64;
    private static final long SECONDS_UNTIL = 100_000_000_000L;
    private static final Set<String> QUALITIES = Set.of("good", "bad", "uncertain", "offline");

    private ValuesReader() {}

    /** What was read, or why it cannot be. */
    public sealed interface Read<T> {
        record Done<T>(T value) implements Read<T> {}

        /** It is not JSON. */
        record NotJson<T>(String sentence) implements Read<T> {}

        /** It is JSON, and something else than values. */
        record Invalid<T>(String sentence) implements Read<T> {}

        record TooMany<T>(String sentence) implements Read<T> {}
    }

    /** The values of one source in a batch. */
    public record Part(int channel, PointType type, NewValues values) {}

    private static final class UnfitException extends RuntimeException {
        private static final long serialVersionUID = 1L;
        private final boolean many;

        private UnfitException(String sentence, boolean many) {
            super(sentence, null, false, false);
            this.many = many;
        }
    }

    private interface Reading<T> {
        T from(JsonParser parser);
    }

    /** The values of one source. */
    public static Read<NewValues> values(byte[] body, PointType type) {
        return read(body, parser -> values(parser, type));
    }

    /** The values of many sources, by channel and type. */
    public static Read<List<Part>> batch(byte[] body) {
        return read(body, ValuesReader::parts);
    }

    private static <T> Read<T> read(byte[] body, Reading<T> reading) {
        if (!Utf8.isText(body)) {
            return new Read.NotJson<>("The body is not JSON in UTF-8.");
        }
        try (JsonParser parser = Json.MAPPER.createParser(body)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                return parser.currentToken() == null
                        ? new Read.NotJson<>("The body is empty; a JSON object is needed.")
                        : new Read.Invalid<>("The body must be a JSON object.");
            }
            T read = reading.from(parser);
            if (parser.nextToken() != null) {
                return new Read.NotJson<>("Something follows the JSON object.");
            }
            return new Read.Done<>(read);
        } catch (UnfitException e) {
            String sentence = String.valueOf(e.getMessage());
            return e.many ? new Read.TooMany<>(sentence) : new Read.Invalid<>(sentence);
        } catch (JacksonException e) {
            return new Read.NotJson<>(Json.sentence(e));
        }
    }

    // ---------------------------------------------------------------- one source

    private static NewValues values(JsonParser parser, PointType type) {
        NewValues values = new NewValues();
        String name = parser.nextName();
        boolean wrapped = false;
        while (name != null) {
            JsonToken token = parser.nextToken();
            switch (name) {
                case "points" -> {
                    wrapped = true;
                    mustBe(token == JsonToken.START_OBJECT, "points must be an object.");
                    values.forgetRejected();
                    points(parser, type, values);
                }
                case "timestamp" -> values.at(time(parser, token));
                case "quality" -> values.quality(quality(parser, token));
                default -> {
                    if (wrapped) {
                        parser.skipChildren();
                    } else {
                        point(parser, name, token, type, values);
                    }
                }
            }
            name = parser.nextName();
        }
        finish(values);
        return values;
    }

    private static void points(JsonParser parser, PointType type, NewValues values) {
        for (String name = parser.nextName(); name != null; name = parser.nextName()) {
            point(parser, name, parser.nextToken(), type, values);
        }
    }

    private static void finish(NewValues values) {
        if (values.sent() > MOST_POINTS) {
            throw new UnfitException(
                    "One write takes %d points of a channel, not %d."
                            .formatted(MOST_POINTS, values.sent()),
                    true);
        }
        Optional<String> twice = values.twice();
        mustBe(twice.isEmpty(), "The point " + twice.orElse("") + " is there twice.");
    }

    private static void point(
            JsonParser parser, String name, JsonToken token, PointType type, NewValues values) {
        long id = PointIds.point(name);
        if (id == 0) {
            parser.skipChildren();
            values.reject(name, reasonAgainst(name));
            return;
        }
        switch (token) {
            case VALUE_NUMBER_INT, VALUE_NUMBER_FLOAT -> {
                String json = parser.getString();
                double number =
                        json.length() > LONGEST_VALUE ? Double.NaN : Double.parseDouble(json);
                if (Double.isFinite(number)) {
                    values.add(name, id, Numbers.ofJson(json, number), number);
                } else {
                    values.reject(name, "the number is too large");
                }
            }
            case VALUE_STRING -> text(name, id, parser.getString(), values);
            case VALUE_TRUE, VALUE_FALSE -> {
                if (type == PointType.S) {
                    boolean on = token == JsonToken.VALUE_TRUE;
                    values.add(name, id, on ? "1" : "0", on ? 1 : 0);
                } else {
                    values.reject(name, "a measured value is a number, not true or false");
                }
            }
            case VALUE_NULL -> values.reject(name, "null is not a number");
            default -> {
                parser.skipChildren();
                values.reject(name, "a value is a number, not an object or a list");
            }
        }
    }

    private static void text(String name, long id, String text, NewValues values) {
        double number = text.length() > LONGEST_VALUE ? Double.NaN : Numbers.parse(text);
        if (Double.isFinite(number)) {
            values.add(name, id, text, number);
        } else if (text.isEmpty()) {
            values.reject(name, "the value is empty");
        } else if (Double.isInfinite(number)) {
            values.reject(name, "the number is too large");
        } else {
            values.reject(name, "the value is not a number");
        }
    }

    private static String reasonAgainst(String name) {
        return name.startsWith("_")
                ? "names with _ in front are reserved"
                : "a point is a number from 1 to 4294967295";
    }

    private static long time(JsonParser parser, JsonToken token) {
        long millis = -1;
        if (token == JsonToken.VALUE_NUMBER_INT) {
            millis = millis(Numbers.parse(parser.getString()));
        } else if (token == JsonToken.VALUE_STRING) {
            String text = parser.getString();
            double number = Numbers.parse(text);
            millis = Double.isNaN(number) ? iso(text) : millis(number);
        } else if (token == JsonToken.VALUE_NULL) {
            return 0;
        }
        mustBe(millis > 0, "timestamp must be a time in seconds or ms since 1970, or ISO 8601.");
        return millis;
    }

    /** Eleven digits and fewer are seconds. */
    private static long millis(double number) {
        if (!(number > 0 && number < 1e15)) {
            return -1;
        }
        return (long) (number < SECONDS_UNTIL ? number * 1000 : number);
    }

    private static long iso(String text) {
        try {
            return OffsetDateTime.parse(text).toInstant().toEpochMilli();
        } catch (DateTimeException | ArithmeticException e) {
            return -1;
        }
    }

    private static String quality(JsonParser parser, JsonToken token) {
        String word = token == JsonToken.VALUE_STRING ? parser.getString() : "";
        mustBe(QUALITIES.contains(word), "quality must be good, bad, uncertain or offline.");
        return word;
    }

    private static void mustBe(boolean holds, String otherwise) {
        if (!holds) {
            throw new UnfitException(otherwise, false);
        }
    }

    // ---------------------------------------------------------------- many sources

    private static List<Part> parts(JsonParser parser) {
        List<Part> parts = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        for (String name = parser.nextName(); name != null; name = parser.nextName()) {
            int channel = PointIds.channel(name);
            mustBe(
                    channel > 0,
                    "A channel is a number from 1 to %d, not '%s'."
                            .formatted(PointIds.LARGEST_CHANNEL, name));
            mustBe(
                    parser.nextToken() == JsonToken.START_OBJECT,
                    "Channel %s must be an object of types.".formatted(name));
            for (String letter = parser.nextName(); letter != null; letter = parser.nextName()) {
                PointType type = PointType.of(letter).filter(PointType::isRead).orElse(null);
                mustBe(type != null, "Values are of type T or S, not '%s'.".formatted(letter));
                mustBe(
                        seen.add(name + ":" + letter),
                        "Type %s of channel %s is there twice.".formatted(letter, name));
                mustBe(
                        parser.nextToken() == JsonToken.START_OBJECT,
                        "Type %s of channel %s must be an object of points."
                                .formatted(letter, name));
                if (type != null) {
                    parts.add(new Part(channel, type, values(parser, type)));
                }
            }
        }
        return parts;
    }
}
