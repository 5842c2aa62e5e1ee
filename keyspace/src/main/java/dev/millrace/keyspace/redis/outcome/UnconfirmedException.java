package dev.millrace.keyspace.redis.outcome;

/** The write is stored, but fewer replicas than asked for have confirmed it. */
public final class UnconfirmedException extends RedisException {
    private static final long serialVersionUID = 1L;

    public UnconfirmedException(String message) {
        super(Reason.UNAVAILABLE, message);
    }
}
