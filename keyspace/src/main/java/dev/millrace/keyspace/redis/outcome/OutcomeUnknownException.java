package dev.millrace.keyspace.redis.outcome;

/** The connection was lost after the request was sent: it may or may not have been executed. */
public final class OutcomeUnknownException extends RedisException {
    private static final long serialVersionUID = 1L;

    public OutcomeUnknownException(String message) {
        super(Reason.UNAVAILABLE, message);
    }

    public OutcomeUnknownException(String message, Throwable cause) {
        super(Reason.UNAVAILABLE, message, cause);
    }
}
