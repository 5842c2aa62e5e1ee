package dev.millrace.hub.readings.arriving;

import dev.millrace.hub.edgex.EdgexJson;
import dev.millrace.hub.http.Json;
import dev.millrace.hub.readings.arriving.NewEvent.NewReading;

import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.dataformat.cbor.CBORFactory;
import tools.jackson.dataformat.cbor.CBORMapper;

import java.util.function.Function;

/** What a body holds; of one that holds something else, a {@link RefusedException} says why. */
public final class Bodies {
    private static final int DEPTH = 1000;
    private static final String CBOR_TYPE = "application/cbor";

    private static final CBORMapper CBOR =
            new CBORMapper(
                    CBORFactory.builder()
                            .streamReadConstraints(
                                    StreamReadConstraints.builder().maxNestingDepth(DEPTH).build())
                            .build());

    private Bodies() {}

    /** Whether a client says that its body is CBOR; with parameters behind it, it does not. */
    public static boolean isCbor(String contentType) {
        return contentType.equalsIgnoreCase(CBOR_TYPE);
    }

    /** Where an event is changed, only in small letters. */
    public static boolean isCborExactly(String contentType) {
        return contentType.equals(CBOR_TYPE);
    }

    public static NewEvent event(byte[] body) {
        return read(EdgexJson.MAPPER.createParser(body), EventReader::next);
    }

    public static NewEvent cborEvent(byte[] body) {
        try {
            return read(CBOR.createParser(body), EventReader::next);
        } catch (JacksonException e) {
            // The first bytes say already that it is none.
            throw invalid(Json.sentence(e));
        }
    }

    public static NewReading reading(byte[] body) {
        return read(EdgexJson.MAPPER.createParser(body), EventReader::reading);
    }

    private static <T> T read(JsonParser opened, Function<JsonParser, T> reader) {
        try (JsonParser parser = opened) {
            if (parser.nextToken() == null) {
                throw invalid("The body is empty.");
            }
            return reader.apply(parser);
        } catch (JacksonException e) {
            throw invalid(Json.sentence(e));
        }
    }

    private static RefusedException invalid(String sentence) {
        return new RefusedException(new Refused.Invalid(sentence));
    }
}
