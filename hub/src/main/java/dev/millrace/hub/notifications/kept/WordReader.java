package dev.millrace.hub.notifications.kept;

import dev.millrace.hub.http.Json;

import org.jspecify.annotations.Nullable;

import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.DeserializationContext;
import tools.jackson.databind.deser.std.StdDeserializer;
import tools.jackson.databind.exc.MismatchedInputException;

import java.util.Arrays;
import java.util.stream.Collectors;

/**
 * Reads a word of an enumeration: exactly as it is written, and neither as a number nor as null,
 * which the systems that we speak with refuse too. Absent is another thing, and is null here.
 */
abstract class WordReader<E extends Enum<E>> extends StdDeserializer<E> {
    private final E[] all;
    private final String what;

    WordReader(Class<E> type, String what) {
        super(type);
        this.all = type.getEnumConstants();
        this.what = what;
    }

    /** The word to look for; some are taken in any case. */
    String word(String given) {
        return given;
    }

    @Override
    public E deserialize(JsonParser parser, DeserializationContext context) {
        String given = parser.hasToken(JsonToken.VALUE_STRING) ? parser.getString() : "";
        for (E each : all) {
            if (each.name().equals(word(given))) {
                return each;
            }
        }
        throw new WordException(
                parser,
                "'%s' is not a valid %s; use %s"
                        .formatted(
                                given,
                                what,
                                Arrays.stream(all)
                                        .map(Enum::name)
                                        .collect(Collectors.joining(", "))));
    }

    @Override
    public @Nullable E getNullValue(DeserializationContext context) {
        throw new WordException(context.getParser(), "null is not a valid %s".formatted(what));
    }

    @Override
    public @Nullable E getAbsentValue(DeserializationContext context) {
        return null;
    }

    /** It is another word. */
    private static final class WordException extends MismatchedInputException implements Json.Told {
        private static final long serialVersionUID = 1L;

        WordException(@Nullable JsonParser parser, String sentence) {
            super(parser, sentence);
        }
    }
}
