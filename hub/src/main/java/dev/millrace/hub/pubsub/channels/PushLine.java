package dev.millrace.hub.pubsub.channels;

/** The way to a subscriber who does not ask each time. None of it waits. */
public interface PushLine {

    /**
     * Sends a message.
     *
     * @param handle acknowledges it and all before it
     */
    void send(Envelope message, String handle);

    /** Shows that somebody is still there. */
    void beat();

    /** Whether what was sent waits for the client. */
    boolean full();

    /** Calls this once, as soon as the client has taken enough. */
    void whenDrained(Runnable action);

    /** Ends it, because there is no such subscriber (any more). */
    void noSubscriber();

    /** Ends it, because the hub stops; the client comes back. */
    void bye();
}
