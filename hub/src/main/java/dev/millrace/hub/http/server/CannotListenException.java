package dev.millrace.hub.http.server;

/** The address could not be taken; the message says what to do. */
public final class CannotListenException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public CannotListenException(String message) {
        super(message);
    }
}
