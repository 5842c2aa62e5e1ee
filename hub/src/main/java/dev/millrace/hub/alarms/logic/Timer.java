package dev.millrace.hub.alarms.logic;

/** What is due later for an alarm, whether or not anything else happens. */
public enum Timer {
    ON_DELAY,
    OFF_DELAY,
    NO_DATA,
    SHELVING,
    RE_ALARM,
    ESCALATION,
    HOLDOFF,
    /** A window of the schedule opens. */
    WINDOW,
    /** It does not keep others silent any more. */
    RELEASE;

    /** A timer that is set, or one that is not wanted any more. */
    public sealed interface Change {
        Timer timer();

        /** It is due at this time, in ms. */
        record Set(Timer timer, long due) implements Change {}

        record Cancelled(Timer timer) implements Change {}
    }
}
