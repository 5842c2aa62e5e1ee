package dev.millrace.hub.documents;

import java.io.Serial;

/**
 * Ends what was begun for a reason. Reading a body, checking rights and writing are one line of
 * calls, any of which may end it; it is an outcome, not an accident, so it carries no stack.
 */
final class RefusedException extends RuntimeException {
    @Serial private static final long serialVersionUID = 1L;

    private final transient Refused why;

    RefusedException(Refused why) {
        super(why.sentence(), null, false, false);
        this.why = why;
    }

    Refused why() {
        return why;
    }
}
