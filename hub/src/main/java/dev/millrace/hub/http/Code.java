package dev.millrace.hub.http;

import java.util.Locale;

/**
 * Everything that can be wrong with a request before, or instead of, what a room says about it: the
 * one catalogue of codes. A client may rely on the name; the sentence is for a person.
 */
public enum Code {
    BAD_PATH(400, "The path is not valid: it must be UTF-8, percent-encoded."),
    BAD_REQUEST(400, "This is not HTTP that can be understood."),
    BAD_BODY(400, "The body is not what this path takes."),
    BAD_PARAMETER(400, "A parameter is not valid."),
    UNAUTHORIZED(401, "Who are you? Send a token: Authorization: Bearer mr_…"),
    FORBIDDEN(403, "You may not do this."),
    FOREIGN_ORIGIN(403, "A page of another site may not change anything here."),
    NOT_FOUND(404, "There is nothing at this path."),
    METHOD_NOT_ALLOWED(405, "This path does not take this method; Allow says which it takes."),
    TOO_SLOW(408, "The request did not arrive in time."),
    CONFLICT(409, "Somebody else changed it meanwhile, or it is there already."),
    GONE(410, "This place is too old, or of another time: load everything again."),
    TOO_LARGE(413, "The body is larger than this path takes."),
    PATH_TOO_LONG(414, "The path is longer than anything here."),
    WRONG_ENCODING(415, "This content encoding is not understood; gzip and identity are."),
    WRONG_HOST(
            421,
            "The hub is not known under the name in the Host header. Call it localhost or"
                    + " 127.0.0.1, or add the name to http.hosts."),
    TOO_MANY_ATTEMPTS(429, "Too many wrong tokens from this address; wait as Retry-After says."),
    HEADERS_TOO_LARGE(431, "The headers are larger than http.max-header."),
    INTERNAL(500, "Something went wrong that should not have; the log has it under this id."),
    OUTCOME_UNKNOWN(503, "The connection to Redis broke: it may or may not have been done."),
    UNAVAILABLE(503, "Redis cannot take this now; try again."),
    OVERLOADED(503, "More requests are being worked on than http.max-in-flight; try again."),
    STOPPING(503, "The hub is stopping; try again."),
    TIME_OUT(503, "It took longer than http.request-time-out; it may or may not have been done."),
    WRONG_VERSION(505, "HTTP/1.0 and HTTP/1.1 are spoken here, and HTTP/2 where it is encrypted.");

    private final int status;
    private final String sentence;

    Code(int status, String sentence) {
        this.status = status;
        this.sentence = sentence;
    }

    public int status() {
        return status;
    }

    public String sentence() {
        return sentence;
    }

    /** As clients see it: {@code not-found}. */
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
