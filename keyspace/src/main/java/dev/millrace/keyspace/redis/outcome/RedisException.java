package dev.millrace.keyspace.redis.outcome;

import org.jspecify.annotations.Nullable;

/** A request that was not executed, with the reason and a sentence that says what to do. */
public class RedisException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final Reason reason;

    public RedisException(Reason reason, String message) {
        this(reason, message, null);
    }

    public RedisException(Reason reason, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.reason = reason;
    }

    public Reason reason() {
        return reason;
    }
}
