package dev.millrace.session;

/** The hub cannot be reached, or does not do what it is asked. */
public final class HubAwayException extends IllegalStateException {
    private static final long serialVersionUID = 1L;

    HubAwayException(String sentence) {
        super(sentence);
    }

    HubAwayException(String sentence, Throwable cause) {
        super(sentence, cause);
    }
}
