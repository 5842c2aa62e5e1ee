package dev.millrace.hub.notifications.delivery;

import dev.millrace.hub.notifications.kept.Texts;
import dev.millrace.hub.notifications.kept.TransmissionStatus;

/**
 * How an attempt to send something ended.
 *
 * @param response what the other side said, or what went wrong
 */
record Attempt(TransmissionStatus status, String response) {
    /** Enough for a person; the other side must not fill our memory with its words. */
    private static final int LONGEST = 500;

    Attempt {
        response = Texts.cut(Texts.text(response), LONGEST);
    }

    static Attempt sent(String response) {
        return new Attempt(TransmissionStatus.SENT, response);
    }

    static Attempt failed(String response) {
        return new Attempt(TransmissionStatus.FAILED, response);
    }
}
