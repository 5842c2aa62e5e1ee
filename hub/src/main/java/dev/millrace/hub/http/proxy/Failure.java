package dev.millrace.hub.http.proxy;

/** Why there is no answer of the application. */
public enum Failure {
    /** It was not reached. */
    UNREACHABLE(502, "The shop cannot be reached."),
    /** It ended the connection, or what it sent is not HTTP. */
    BROKEN(502, "The shop gave no answer that can be understood."),
    /** It took too long. */
    LATE(504, "The shop took too long to answer."),
    /** It has failed several times in a row and gets a rest. */
    RESTING(503, "The shop is not available at the moment."),
    /** Too many are waiting for it. */
    BUSY(503, "The shop has too much to do at the moment."),
    /** The request holds something that cannot be passed on. */
    UNWRITABLE(400, "This request cannot be understood."),
    /** Who wanted it has gone before it was asked for. */
    ABANDONED(499, "The client has gone.");

    private final int status;
    private final String sentence;

    Failure(int status, String sentence) {
        this.status = status;
        this.sentence = sentence;
    }

    public int status() {
        return status;
    }

    public String sentence() {
        return sentence;
    }
}
