package dev.millrace.hub.ems;

/** Something is not done, and why. It is an answer, not an accident, so it carries no stack. */
public final class RefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient Refused why;

    RefusedException(Refused why) {
        super(why.message(), null, false, false);
        this.why = why;
    }

    public Refused why() {
        return why;
    }
}
