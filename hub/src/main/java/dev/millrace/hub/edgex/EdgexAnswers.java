package dev.millrace.hub.edgex;

import dev.millrace.hub.http.Answer;

import tools.jackson.core.JsonGenerator;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.SerializationFeature;

import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.function.Function;

/**
 * Answers as the clients of EdgeX expect them, byte by byte: an object or a list is JSON with a
 * newline behind it, {@code true} and a number have none, ids, slugs and counts are bare text.
 */
public final class EdgexAnswers {
    private static final String JSON = "application/json";
    private static final byte[] TRUE = "true".getBytes(StandardCharsets.US_ASCII);

    private static final byte[] END = "]\n".getBytes(StandardCharsets.US_ASCII);

    /** What is written goes out when a piece is full, or at the end; nobody waits for less. */
    private static final ObjectWriter ITEMS =
            EdgexJson.MAPPER
                    .writer()
                    .without(SerializationFeature.FLUSH_AFTER_WRITE_VALUE)
                    .without(StreamWriteFeature.FLUSH_PASSED_TO_STREAM);

    private EdgexAnswers() {}

    /** An object, or a list that is small. */
    public static Answer json(Object value) {
        byte[] text = EdgexJson.MAPPER.writeValueAsBytes(value);
        byte[] line = new byte[text.length + 1];
        System.arraycopy(text, 0, line, 0, text.length);
        line[text.length] = '\n';
        return Answer.bytes(200, JSON, line);
    }

    /**
     * A list that may be long: written while it is read, never whole in memory. A first piece is
     * fetched before it begins, so that a Redis that is away is an error and not a list that breaks
     * off.
     */
    public static Answer list(Iterator<?> items) {
        return Answer.streamedAtOnce(
                JSON,
                out -> {
                    try (JsonGenerator generator = ITEMS.createGenerator(out)) {
                        generator.writeStartArray();
                        while (items.hasNext()) {
                            ITEMS.writeValue(generator, items.next());
                        }
                        generator.writeEndArray();
                        generator.writeRaw('\n');
                    }
                });
    }

    /**
     * The same of items that are JSON already, or become it one by one.
     *
     * @param json an item as it is sent
     */
    public static <T> Answer list(Iterator<T> items, Function<T, byte[]> json) {
        return Answer.streamedAtOnce(
                JSON,
                out -> {
                    out.write('[');
                    while (items.hasNext()) {
                        out.write(json.apply(items.next()));
                        if (items.hasNext()) {
                            out.write(',');
                        }
                    }
                    out.write(END);
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
