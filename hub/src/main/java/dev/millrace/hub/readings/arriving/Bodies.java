package dev.millrace.hub.readings.arriving;

import dev.millrace.hub.edgex.EdgexJson;
import dev.millrace.hub.http.Code;
import dev.millrace.hub.http.Json;
import dev.millrace.hub.http.Problem;

import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.dataformat.cbor.CBORFactory;
import tools.jackson.dataformat.cbor.CBORMapper;

import java.util.function.Function;

/** What a body holds; one that holds something else is the caller's mistake, and told to him. */
public final class Bodies {
    private static final int DEPTH = 1000;

    private static final CBORMapper CBOR =
            new CBORMapper(
                    CBORFactory.builder()
                            .streamReadConstraints(
                                    StreamReadConstraints.builder().maxNestingDepth(DEPTH).build())
                            .build());

    private Bodies() {}

    public static NewEvent event(byte[] body) {
        return read(EdgexJson.MAPPER.createParser(body), EventReader::next);
    }

    public static NewEvent cborEvent(byte[] body) {
        try {
            return read(CBOR.createParser(body), EventReader::next);
        } catch (JacksonException e) {
            // The first bytes say already that it is none.
            throw Problem.of(Code.BAD_BODY, Json.sentence(e));
        }
    }

    public static NewReading reading(byte[] body) {
        return read(EdgexJson.MAPPER.createParser(body), EventReader::reading);
    }

    private static <T> T read(JsonParser opened, Function<JsonParser, T> reader) {
        try (JsonParser parser = opened) {
            if (parser.nextToken() == null) {
                throw Problem.of(Code.BAD_BODY, "The body is empty.");
            }
            return reader.apply(parser);
        } catch (JacksonException e) {
            throw Problem.of(Code.BAD_BODY, Json.sentence(e));
        }
    }
}
