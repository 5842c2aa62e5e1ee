package dev.millrace.hub.pubsub.channels;

import java.io.Serial;

/**
 * Ends what was begun for a reason, also as the failure of a future. It is an outcome, not an
 * accident, so it carries no stack.
 */
public final class RefusedException extends RuntimeException {
    @Serial private static final long serialVersionUID = 1L;

    private final transient Refused why;

    RefusedException(Refused why) {
        super(why.sentence(), null, false, false);
        this.why = why;
    }

    public Refused why() {
        return why;
    }
}
