package dev.millrace.hub.readings.arriving;

import dev.millrace.hub.http.Json;
import dev.millrace.hub.readings.arriving.NewEvent.NewReading;
import dev.millrace.hub.readings.kept.Event;
import dev.millrace.hub.readings.kept.Reading;

import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.exc.StreamReadException;

import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * Reads events and readings from a stream of JSON or CBOR, and says what is wrong with one. Written
 * by hand because storing an event is what this hub does most, and because one reader serves a
 * single body, an array and a line of many.
 *
 * <p>It takes what the reference takes: names in any case, whatever it does not know is skipped,
 * {@code null} is as good as absent, and a value of another type is a mistake.
 */
final class EventReader {
    private static final String BINARY = "Binary";

    /** The value types that readings may name, in the one spelling they are stored in. */
    private static final Map<String, String> SPELLING = spelling();

    private EventReader() {}

    /** It is JSON, but no event: what follows it can still be read. */
    static final class BadEventException extends StreamReadException implements Json.Told {
        private static final long serialVersionUID = 1L;

        private BadEventException(JsonParser parser, String sentence) {
            super(parser, sentence);
        }
    }

    /**
     * Reads the event that begins here; the parser stands on its last token then.
     *
     * @param parser on the token with which the event begins
     * @throws JacksonException if it is not an event, with the place
     */
    static NewEvent next(JsonParser parser) {
        mustBeObject(parser, "An event");
        String id = "";
        String device = "";
        long pushed = 0;
        long created = 0;
        long modified = 0;
        long origin = 0;
        Map<String, String> tags = Map.of();
        List<NewReading> readings = List.of();
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            String name = parser.currentName();
            parser.nextToken();
            switch (known(name, Names.EVENT)) {
                case "id" -> id = text(parser, name, id);
                case "device" -> device = text(parser, name, device);
                case "pushed" -> pushed = number(parser, name, pushed);
                case "created" -> created = number(parser, name, created);
                case "modified" -> modified = number(parser, name, modified);
                case "origin" -> origin = number(parser, name, origin);
                case "tags" -> tags = tags(parser, tags);
                case "readings" -> readings = readings(parser, readings);
                default -> parser.skipChildren();
            }
        }
        if (device.isEmpty()) {
            throw bad(parser, "An event needs a device");
        }
        return new NewEvent(
                new Event(id, "", pushed, device, created, modified, origin, tags), readings);
    }

    /** The same for a reading. */
    static NewReading reading(JsonParser parser) {
        mustBeObject(parser, "A reading");
        String id = "";
        String device = "";
        String of = "";
        String value = "";
        String valueType = "";
        String floatEncoding = "";
        String mediaType = "";
        String binary = "";
        long pushed = 0;
        long created = 0;
        long modified = 0;
        long origin = 0;
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            String name = parser.currentName();
            parser.nextToken();
            switch (known(name, Names.READING)) {
                case "id" -> id = text(parser, name, id);
                case "device" -> device = text(parser, name, device);
                case "name" -> of = text(parser, name, of);
                case "value" -> value = text(parser, name, value);
                case "valueType" -> valueType = text(parser, name, valueType);
                case "floatEncoding" -> floatEncoding = text(parser, name, floatEncoding);
                case "mediaType" -> mediaType = text(parser, name, mediaType);
                case "binaryValue" -> binary = binary(parser, binary);
                case "pushed" -> pushed = number(parser, name, pushed);
                case "created" -> created = number(parser, name, created);
                case "modified" -> modified = number(parser, name, modified);
                case "origin" -> origin = number(parser, name, origin);
                default -> parser.skipChildren();
            }
        }
        Reading reading =
                new Reading(
                        id,
                        pushed,
                        created,
                        origin,
                        modified,
                        device,
                        of,
                        value,
                        spelled(valueType),
                        floatEncoding,
                        mediaType);
        mustBeValid(parser, reading, binary);
        return new NewReading(reading, binary);
    }

    private static void mustBeValid(JsonParser parser, Reading reading, String binary) {
        if (reading.name().isEmpty()) {
            throw bad(parser, "A reading needs a name");
        }
        if (reading.value().isEmpty() && !reading.valueType().equals(BINARY)) {
            throw bad(parser, "The reading '" + reading.name() + "' needs a value");
        }
        if (isFloat(reading.valueType()) && reading.floatEncoding().isEmpty()) {
            throw bad(
                    parser,
                    "The reading '%s' is a %s and needs a floatEncoding, Base64 or eNotation"
                            .formatted(reading.name(), reading.valueType()));
        }
        if (!binary.isEmpty() && reading.mediaType().isEmpty()) {
            throw bad(
                    parser,
                    "The reading '" + reading.name() + "' has a binaryValue and needs a mediaType");
        }
    }

    /** Each name in small letters, with the spelling that it has here. */
    private static final class Names {
        static final Map<String, String> EVENT =
                folded(
                        "id",
                        "device",
                        "pushed",
                        "created",
                        "modified",
                        "origin",
                        "tags",
                        "readings");
        static final Map<String, String> READING =
                folded(
                        "id",
                        "device",
                        "name",
                        "value",
                        "valueType",
                        "floatEncoding",
                        "mediaType",
                        "binaryValue",
                        "pushed",
                        "created",
                        "modified",
                        "origin");

        private static Map<String, String> folded(String... names) {
            Map<String, String> all = new LinkedHashMap<>();
            for (String name : names) {
                all.put(name, name);
                all.put(name.toLowerCase(Locale.ROOT), name);
            }
            return Map.copyOf(all);
        }
    }

    /** The spelling of a name that is known here; else the name itself. */
    private static String known(String name, Map<String, String> names) {
        String exact = names.get(name);
        return exact != null ? exact : names.getOrDefault(name.toLowerCase(Locale.ROOT), "");
    }

    private static List<NewReading> readings(JsonParser parser, List<NewReading> before) {
        JsonToken token = parser.currentToken();
        if (token == JsonToken.VALUE_NULL) {
            return before;
        }
        if (token != JsonToken.START_ARRAY) {
            throw bad(parser, "readings must be a list");
        }
        List<NewReading> all = new ArrayList<>();
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            all.add(reading(parser));
        }
        return all;
    }

    private static Map<String, String> tags(JsonParser parser, Map<String, String> before) {
        JsonToken token = parser.currentToken();
        if (token == JsonToken.VALUE_NULL) {
            return before;
        }
        mustBeObject(parser, "tags");
        Map<String, String> all = new LinkedHashMap<>(before);
        while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
            String name = parser.currentName();
            parser.nextToken();
            all.put(name, text(parser, name, ""));
        }
        return all;
    }

    private static void mustBeObject(JsonParser parser, String what) {
        if (parser.currentToken() != JsonToken.START_OBJECT) {
            throw bad(parser, what + " must be an object");
        }
    }

    private static String text(JsonParser parser, String name, String before) {
        return switch (parser.currentToken()) {
            case VALUE_STRING -> parser.getString();
            case VALUE_NULL -> before;
            default -> throw bad(parser, "'" + name + "' must be text");
        };
    }

    private static long number(JsonParser parser, String name, long before) {
        return switch (parser.currentToken()) {
            case VALUE_NUMBER_INT -> parser.getLongValue();
            case VALUE_NULL -> before;
            default -> throw bad(parser, "'" + name + "' must be a whole number");
        };
    }

    /** Base64 in JSON, bytes in CBOR. */
    private static String binary(JsonParser parser, String before) {
        return switch (parser.currentToken()) {
            case VALUE_STRING, VALUE_EMBEDDED_OBJECT ->
                    Base64.getEncoder().encodeToString(parser.getBinaryValue());
            case VALUE_NULL -> before;
            default -> throw bad(parser, "'binaryValue' must be text in base64");
        };
    }

    private static BadEventException bad(JsonParser parser, String sentence) {
        return new BadEventException(parser, sentence);
    }

    // ---------------------------------------------------------------- value types

    private static Map<String, String> spelling() {
        Map<String, String> all = new HashMap<>();
        List<String> plain =
                List.of(
                        "Bool", "String", "Uint8", "Uint16", "Uint32", "Uint64", "Int8", "Int16",
                        "Int32", "Int64", "Float32", "Float64");
        for (String type : plain) {
            all.put(type.toLowerCase(Locale.ROOT), type);
            all.put(type.toLowerCase(Locale.ROOT) + "array", type + "Array");
        }
        all.put("binary", BINARY);
        return Map.copyOf(all);
    }

    /** {@code INT8} is {@code Int8}; what is not a known type stays as it is. */
    static String spelled(String type) {
        return type.isEmpty() ? type : SPELLING.getOrDefault(type.toLowerCase(Locale.ROOT), type);
    }

    private static boolean isFloat(String type) {
        return type.equals("Float32") || type.equals("Float64");
    }
}
