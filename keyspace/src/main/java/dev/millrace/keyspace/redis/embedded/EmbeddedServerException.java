package dev.millrace.keyspace.redis.embedded;

import dev.millrace.keyspace.redis.outcome.RedisException;
import dev.millrace.keyspace.redis.outcome.ServerTrouble;

import org.jspecify.annotations.Nullable;

/** The embedded server could not be found, started or asked; the message says what to do. */
public final class EmbeddedServerException extends RedisException {
    private static final long serialVersionUID = 1L;

    private final transient ServerTrouble trouble;

    EmbeddedServerException(String message) {
        this(message, null);
    }

    EmbeddedServerException(String message, @Nullable Throwable cause) {
        this(ServerTrouble.unavailable(message), cause);
    }

    EmbeddedServerException(ServerTrouble trouble, @Nullable Throwable cause) {
        super(trouble.reason(), trouble.toString(), cause);
        this.trouble = trouble;
    }

    ServerTrouble trouble() {
        return trouble;
    }
}
