package dev.millrace.hub.pubsub.webhooks;

/** How it went to send a message to a webhook once. */
sealed interface Try {
    /** The receiver has it. */
    record Taken() implements Try {}

    /** It was not tried: as many connections as the receiver may have are in use. */
    record Busy() implements Try {}

    /**
     * The receiver does not have it, or did not say so.
     *
     * @param status of the answer; 0 if there was none
     * @param reason in a sentence, without anything of the message
     * @param hopeless whether the answer would be the same the next time
     */
    record Failed(int status, String reason, boolean hopeless) implements Try {}
}
