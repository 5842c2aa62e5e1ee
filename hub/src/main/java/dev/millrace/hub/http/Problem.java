package dev.millrace.hub.http;

import dev.millrace.hub.access.Decision;
import dev.millrace.keyspace.redis.outcome.OutcomeUnknownException;
import dev.millrace.keyspace.redis.outcome.RedisException;
import dev.millrace.keyspace.redis.outcome.UnconfirmedException;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A request that cannot be answered as it wanted. Thrown wherever that is found out; the owner of
 * the path gives it the shape its clients expect ({@link Owner}). It is an answer, not an accident,
 * so it carries no stack.
 */
public final class Problem extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** For what passes by itself: long enough that a crowd does not come back at once. */
    private static final Duration SOON = Duration.ofSeconds(1);

    private final Code code;
    private final transient List<Header> headers;

    private Problem(Code code, String detail, List<Header> headers) {
        super(detail, null, false, false);
        this.code = code;
        this.headers = headers;
    }

    public static Problem of(Code code) {
        return new Problem(code, code.sentence(), List.of());
    }

    /** With a sentence that fits better than the code's own. */
    public static Problem of(Code code, String detail) {
        return new Problem(code, detail, List.of());
    }

    public static Problem retryable(Code code, String detail, Duration wait) {
        long seconds = Math.max(1, wait.plusMillis(999).toSeconds());
        return new Problem(
                code, detail, List.of(new Header("Retry-After", Long.toString(seconds))));
    }

    public static Problem retryable(Code code) {
        return retryable(code, code.sentence(), SOON);
    }

    /** What a refusal of the gate is answered with. */
    public static Problem of(Decision refusal) {
        return switch (refusal) {
            case Decision.Admitted admitted ->
                    throw new IllegalArgumentException("Whoever is let in has no problem.");
            case Decision.Unknown(String why) ->
                    of(Code.UNAUTHORIZED, why).with(new Header("WWW-Authenticate", "Bearer"));
            case Decision.Forbidden(String why) -> of(Code.FORBIDDEN, why);
            case Decision.SlowDown slow ->
                    retryable(Code.TOO_MANY_ATTEMPTS, slow.why(), slow.retryAfter());
            case Decision.Unavailable(String why) -> retryable(Code.UNAVAILABLE, why, SOON);
        };
    }

    /** The one place where a failure of the engine becomes an answer. */
    public static Problem of(RedisException failure) {
        String detail = String.valueOf(failure.getMessage());
        return switch (failure) {
            case OutcomeUnknownException unknown -> retryable(Code.OUTCOME_UNKNOWN, detail, SOON);
            case UnconfirmedException unconfirmed -> retryable(Code.OUTCOME_UNKNOWN, detail, SOON);
            default ->
                    switch (failure.reason()) {
                        case CONFLICT, DUPLICATE -> of(Code.CONFLICT, detail);
                        case ABSENT -> of(Code.NOT_FOUND, detail);
                        case REFUSED -> of(Code.BAD_PARAMETER, detail);
                        case TOO_LARGE -> of(Code.TOO_LARGE, detail);
                        case FULL, READ_ONLY, UNAVAILABLE, DENIED ->
                                retryable(Code.UNAVAILABLE, detail, SOON);
                        case WRONG_TYPE, ERROR -> of(Code.INTERNAL, detail);
                    };
        };
    }

    public Problem with(Header header) {
        List<Header> more = new ArrayList<>(headers);
        more.add(header);
        return new Problem(code, detail(), List.copyOf(more));
    }

    public Code code() {
        return code;
    }

    public String detail() {
        return String.valueOf(getMessage());
    }

    /** Whether nobody had more to say about it than the code does. */
    public boolean isBare() {
        return detail().equals(code.sentence());
    }

    /** Such as {@code Allow} and {@code Retry-After}. */
    public List<Header> headers() {
        return headers;
    }
}
