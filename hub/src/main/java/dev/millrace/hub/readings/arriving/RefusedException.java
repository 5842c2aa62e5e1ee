package dev.millrace.hub.readings.arriving;

/** Something that was sent cannot be read; the reason says why. It carries no stack. */
public final class RefusedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient Refused why;

    public RefusedException(Refused why) {
        super(why.sentence(), null, false, false);
        this.why = why;
    }

    public Refused why() {
        return why;
    }
}
