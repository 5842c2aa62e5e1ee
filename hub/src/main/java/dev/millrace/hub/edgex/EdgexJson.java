package dev.millrace.hub.edgex;

import com.fasterxml.jackson.annotation.JsonInclude;

import dev.millrace.hub.http.Code;
import dev.millrace.hub.http.Json;
import dev.millrace.hub.http.Problem;

import org.jspecify.annotations.Nullable;

import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.cfg.CoercionAction;
import tools.jackson.databind.cfg.CoercionInputShape;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.type.LogicalType;

/**
 * JSON as the clients of EdgeX write and read it. They were made for a decoder that takes a key in
 * any case, ignores what it does not know, takes {@code null} for absent, reads the first value of
 * a body and nothing after it, and never turns a number into text or text into a number. What goes
 * out leaves away what is empty: {@code ""}, 0, {@code false}, {@code null} and empty lists.
 */
public final class EdgexJson {
    private static final int DEPTH = 1000;

    public static final JsonMapper MAPPER = mapper();

    private EdgexJson() {}

    private static JsonMapper mapper() {
        JsonMapper.Builder builder =
                JsonMapper.builder(
                                JsonFactory.builder()
                                        .streamReadConstraints(
                                                StreamReadConstraints.builder()
                                                        .maxNestingDepth(DEPTH)
                                                        .build())
                                        .build())
                        .enable(MapperFeature.ACCEPT_CASE_INSENSITIVE_PROPERTIES)
                        .disable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
                        .disable(MapperFeature.ALLOW_COERCION_OF_SCALARS)
                        .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
                        .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                        .disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
                        .disable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                        .changeDefaultPropertyInclusion(
                                all -> all.withValueInclusion(JsonInclude.Include.NON_DEFAULT));
        for (CoercionInputShape shape :
                new CoercionInputShape[] {
                    CoercionInputShape.Integer, CoercionInputShape.Float, CoercionInputShape.Boolean
                }) {
            builder.withCoercionConfig(
                    LogicalType.Textual, text -> text.setCoercion(shape, CoercionAction.Fail));
        }
        return builder.build();
    }

    /**
     * Reads the first value of a body.
     *
     * @throws Problem with a sentence that says what is wrong, and where
     */
    public static <T> T read(byte[] body, Class<T> type) {
        @Nullable T value;
        try {
            value = MAPPER.readValue(body, type);
        } catch (JacksonException e) {
            throw Problem.of(Code.BAD_BODY, Json.sentence(e));
        }
        if (value == null) {
            throw Problem.of(Code.BAD_BODY, "The body is null; an object is needed.");
        }
        return value;
    }
}
