package dev.millrace.hub.http;

import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamWriteConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * JSON as it comes in and goes out. Nesting is bounded: a body of brackets must not cost a stack.
 */
public final class Json {
    /**
     * Of a body. What is stored of it stands inside something else, and is told inside something
     * else again, so that may be deeper.
     */
    static final int DEPTH = 500;

    private static final int STORED_DEPTH = 2 * DEPTH;

    /** For what is stored and told. */
    public static final JsonMapper MAPPER = upTo(STORED_DEPTH);

    /** For what comes in. */
    public static final JsonMapper BODIES = upTo(DEPTH);

    private static JsonMapper upTo(int depth) {
        return JsonMapper.builder(
                        JsonFactory.builder()
                                .streamReadConstraints(
                                        StreamReadConstraints.builder()
                                                .maxNestingDepth(depth)
                                                .build())
                                .streamWriteConstraints(
                                        StreamWriteConstraints.builder()
                                                .maxNestingDepth(depth)
                                                .build())
                                .build())
                .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                .build();
    }

    private Json() {}

    public static byte[] write(Object value) {
        return MAPPER.writeValueAsBytes(value);
    }

    /**
     * Reads a body.
     *
     * @throws Problem with a sentence that says what is wrong, and where
     */
    static <T> T read(byte[] body, Class<T> type) {
        if (!Utf8.isText(body)) {
            throw Problem.of(Code.BAD_BODY, "The body is not JSON in UTF-8.");
        }
        T value;
        try {
            value = BODIES.readValue(body, type);
        } catch (JacksonException e) {
            throw Problem.of(Code.BAD_BODY, sentence(e));
        }
        if (value == null) {
            throw Problem.of(Code.BAD_BODY, "The body is null; a value is needed.");
        }
        return value;
    }

    /**
     * What is wrong with a body, and where: {@code The body is not the JSON that is expected here:
     * channels[0].type must be a text (line 1, column 20).}
     */
    public static String sentence(JacksonException e) {
        var place = e.getLocation();
        String where =
                place == null || place.getLineNr() < 1
                        ? ""
                        : " (line %d, column %d)".formatted(place.getLineNr(), place.getColumnNr());
        return "The body is not the JSON that is expected here: " + reason(e) + where + ".";
    }

    /** What is wrong, without the place; never in the words of the library. */
    public static String reason(JacksonException e) {
        return JsonFault.reason(e);
    }

    /** An exception of the library whose message was written here, for whoever sent the text. */
    public interface Told {}
}
