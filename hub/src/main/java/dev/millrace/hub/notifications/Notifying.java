package dev.millrace.hub.notifications;

import java.util.List;

/** Ways to notify people, for other rooms. Thread-safe. */
public interface Notifying {
    /**
     * Takes a notification, to be delivered, once: a second one with the same slug changes nothing.
     *
     * @param slug its name
     * @param sender the room that says it
     * @param critical whether it is sent at once and again, until it arrives
     * @throws IllegalArgumentException with a sentence, if it cannot be one
     * @throws dev.millrace.keyspace.redis.outcome.RedisException if it could not be stored
     */
    void tell(String slug, String sender, boolean critical, String content, List<String> labels);

    /**
     * What it was about is over: it gets this label, and nobody is sent it any more who has not
     * been yet. Nothing if there is none.
     */
    void close(String slug, String label);
}
