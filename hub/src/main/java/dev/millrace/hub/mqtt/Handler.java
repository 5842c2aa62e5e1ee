package dev.millrace.hub.mqtt;

/** What is done with messages that arrive. */
@FunctionalInterface
public interface Handler {
    /**
     * Takes one. When this returns, the message is acknowledged; when it throws, it comes again
     * after a while, and the ones behind it wait.
     */
    void receive(Incoming message);
}
