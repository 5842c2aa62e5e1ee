package dev.millrace.hub.telemetry.realtime;

/** Why a connection is closed, in the numbers that clients know. */
enum Closing {
    DONE(1000),
    STOPPING(1001),
    TOO_LARGE(1009),
    FAILED(1011),
    TRY_LATER(1013),
    NOT_SIGNED_IN(4001),
    NOT_ALLOWED(4002),
    TOO_MANY_SUBSCRIPTIONS(4003),
    TOO_MUCH(4429);

    private final int code;

    Closing(int code) {
        this.code = code;
    }

    int code() {
        return code;
    }
}
