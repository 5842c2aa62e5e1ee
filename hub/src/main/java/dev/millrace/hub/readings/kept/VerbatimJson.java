package dev.millrace.hub.readings.kept;

import dev.millrace.hub.http.Json;

import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.exc.StreamReadException;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.SerializationContext;
import tools.jackson.databind.ValueDeserializer;
import tools.jackson.databind.ValueSerializer;
import tools.jackson.databind.annotation.JsonDeserialize;
import tools.jackson.databind.annotation.JsonSerialize;
import tools.jackson.databind.json.JsonMapper;

import java.io.StringWriter;
import java.util.Optional;

/**
 * Any JSON value, kept as it was written. The bounds of a value descriptor are somebody else's: a
 * tree of numbers and texts would round {@code 18446744073709551616.10} and turn {@code 1e2} into
 * another spelling; so the text itself is kept, without the blanks between its parts.
 */
@JsonSerialize(using = VerbatimJson.Writing.class)
@JsonDeserialize(using = VerbatimJson.Reading.class)
public final class VerbatimJson {
    /** What is stored must be readable by parsers that take less than ours does. */
    private static final int DEEPEST = 100;

    private static final JsonMapper MAPPER = JsonMapper.shared();

    private final String text;

    private VerbatimJson(String text) {
        this.text = text;
    }

    /** Of a plain text, as a JSON string. */
    public static VerbatimJson of(String plain) {
        return new VerbatimJson(MAPPER.writeValueAsString(plain));
    }

    /** Of a value that is JSON already. */
    public static VerbatimJson raw(String json) {
        return MAPPER.readValue(json, VerbatimJson.class);
    }

    /** What a string says, or how a number or {@code true} is written; else empty. */
    public Optional<String> scalar() {
        char first = text.charAt(0);
        return switch (first) {
            case '{', '[' -> Optional.empty();
            case '"' -> Optional.of(MAPPER.readValue(text, String.class));
            default -> Optional.of(text);
        };
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof VerbatimJson its && text.equals(its.text);
    }

    @Override
    public int hashCode() {
        return text.hashCode();
    }

    /** The JSON. */
    @Override
    public String toString() {
        return text;
    }

    /** Writes it as it is. */
    static final class Writing extends ValueSerializer<VerbatimJson> {
        @Override
        public void serialize(VerbatimJson value, JsonGenerator out, SerializationContext context) {
            out.writeRawValue(value.text);
        }
    }

    /** Reads one value, whatever it is. */
    static final class Reading extends ValueDeserializer<VerbatimJson> {
        @Override
        public VerbatimJson deserialize(JsonParser in, DeserializationContext context) {
            StringWriter text = new StringWriter();
            try (JsonGenerator out = MAPPER.createGenerator(text)) {
                int depth = 0;
                do {
                    JsonToken token = in.currentToken();
                    depth += token.isStructStart() ? 1 : token.isStructEnd() ? -1 : 0;
                    if (depth > DEEPEST) {
                        throw new TooDeepException(
                                in, "a value goes more than " + DEEPEST + " levels deep");
                    }
                    if (token.isNumeric()) {
                        out.writeNumber(in.getString());
                    } else {
                        out.copyCurrentEvent(in);
                    }
                } while (depth > 0 && in.nextToken() != null);
            }
            return new VerbatimJson(text.toString());
        }
    }

    /** Tells the caller how deep it may go. */
    private static final class TooDeepException extends StreamReadException implements Json.Told {
        private static final long serialVersionUID = 1L;

        TooDeepException(JsonParser parser, String sentence) {
            super(parser, sentence);
        }
    }
}
