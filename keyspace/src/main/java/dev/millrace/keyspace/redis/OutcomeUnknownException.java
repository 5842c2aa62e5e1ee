package dev.millrace.keyspace.redis;

import org.jspecify.annotations.Nullable;

/** The connection was lost after the request was sent: it may or may not have been executed. */
public final class OutcomeUnknownException extends RedisException {
    private static final long serialVersionUID = 1L;

    public OutcomeUnknownException(String message) {
        this(message, null);
    }

    OutcomeUnknownException(String message, @Nullable Throwable cause) {
        super(Reason.UNAVAILABLE, message, cause);
    }
}
