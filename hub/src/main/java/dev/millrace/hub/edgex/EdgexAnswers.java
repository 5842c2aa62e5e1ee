package dev.millrace.hub.edgex;

import dev.millrace.hub.http.Answer;

import tools.jackson.core.JsonGenerator;

import java.nio.charset.StandardCharsets;
import java.util.Iterator;

/**
 * Answers as the clients of EdgeX expect them, byte by byte: an object or a list is JSON with a
 * newline behind it, {@code true} and a number have none, ids, slugs and counts are bare text.
 */
public final class EdgexAnswers {
    private static final String JSON = "application/json";
    private static final byte[] TRUE = "true".getBytes(StandardCharsets.US_ASCII);

    private EdgexAnswers() {}

    /** An object, or a list that is small. */
    public static Answer json(Object value) {
        byte[] text = EdgexJson.MAPPER.writeValueAsBytes(value);
        byte[] line = new byte[text.length + 1];
        System.arraycopy(text, 0, line, 0, text.length);
        line[text.length] = '\n';
        return Answer.bytes(200, JSON, line);
    }

    /** A list that may be long: written while it is read, never whole in memory. */
    public static Answer list(Iterator<?> items) {
        // What fails at the first item is told with a status; later the answer can only be cut.
        boolean some = items.hasNext();
        return Answer.streamed(
                JSON,
                out -> {
                    try (JsonGenerator generator = EdgexJson.MAPPER.createGenerator(out)) {
                        generator.writeStartArray();
                        while (some && items.hasNext()) {
                            EdgexJson.MAPPER.writeValue(generator, items.next());
                        }
                        generator.writeEndArray();
                        generator.writeRaw('\n');
                    }
                });
    }

    /** A change that was made. */
    public static Answer done(int status) {
        return Answer.bytes(status, JSON, TRUE);
    }

    /** How many were deleted. */
    public static Answer deleted(long count) {
        return Answer.bytes(200, JSON, Long.toString(count).getBytes(StandardCharsets.US_ASCII));
    }

    /** An id, a slug or a count. */
    public static Answer text(int status, String text) {
        return Answer.text(status, text);
    }
}
