package dev.millrace.hub.pubsub;

/** Ways to publish for other rooms. Thread-safe. */
@FunctionalInterface
public interface Publishing {
    /**
     * Publishes a message, once: a second one with the same id changes nothing.
     *
     * @param channel the name of the message channel
     * @param id of the message
     * @throws IllegalArgumentException with a sentence, if this cannot be published there
     * @throws dev.millrace.keyspace.redis.outcome.RedisException if it could not be stored
     */
    void publish(String channel, String id, byte[] json);
}
