package dev.millrace.keyspace.redis.outcome;

/** The write is stored, but fewer replicas than asked for have confirmed it. */
public final class UnconfirmedException extends RedisException {
    /** Said of what is stored and less safe than was asked for. */
    public static final String SENTENCE =
            "Stored, but fewer replicas than asked for have confirmed it in time; a failover may"
                    + " lose it.";

    private static final long serialVersionUID = 1L;

    public UnconfirmedException(String message) {
        super(Reason.UNAVAILABLE, message);
    }
}
