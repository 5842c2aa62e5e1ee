package dev.millrace.hub.ems;

import dev.millrace.hub.http.Answer;
import dev.millrace.hub.http.Json;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What every answer is wrapped in. Put together from texts: the data may be large, or JSON already.
 */
final class Envelope {
    private static final String BEGIN = "{\"success\":true,\"data\":";

    static final String TYPE = "application/json";

    private final InstantSource clock;

    Envelope(InstantSource clock) {
        this.clock = clock;
    }

    /** In UTC, with milliseconds. */
    static String iso(Instant at) {
        return IsoText.of(at);
    }

    Answer success(int status, byte[] data, String requestId) {
        return wrapped(status, BEGIN, data, requestId);
    }

    /** The same of data that are written while they are sent. */
    Answer streamed(Answer.Writer data, String requestId) {
        return Answer.streamed(
                TYPE,
                out -> {
                    out.write(ascii(BEGIN));
                    data.write(out);
                    out.write(end(requestId));
                });
    }

    Answer failure(Refused why, String requestId) {
        return failure(
                why.code().status(), why.code().name(), why.message(), why.details(), requestId);
    }

    Answer failure(
            int status,
            String code,
            String message,
            Map<String, Object> details,
            String requestId) {
        Map<String, Object> error = new LinkedHashMap<>();
        error.put("code", code);
        error.put("message", message);
        if (!details.isEmpty()) {
            error.put("details", details);
        }
        return wrapped(status, "{\"success\":false,\"error\":", Json.write(error), requestId);
    }

    private Answer wrapped(int status, String begin, byte[] content, String requestId) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(content.length + 128);
        out.writeBytes(ascii(begin));
        out.writeBytes(content);
        out.writeBytes(end(requestId));
        return Answer.bytes(status, TYPE, out.toByteArray());
    }

    private byte[] end(String requestId) {
        ByteArrayOutputStream out = new ByteArrayOutputStream(96);
        out.writeBytes(ascii(",\"timestamp\":\"" + iso(clock.instant()) + "\",\"request_id\":"));
        out.writeBytes(Json.write(requestId));
        out.write('}');
        return out.toByteArray();
    }

    /** For clients of the reference, which had no envelope; the status says that it is one. */
    static Answer bareFailure(int status, String message) {
        return Answer.json(status, Map.of("error", message));
    }

    static Answer bare(int status, byte[] content) {
        return Answer.bytes(status, TYPE, content);
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }
}
