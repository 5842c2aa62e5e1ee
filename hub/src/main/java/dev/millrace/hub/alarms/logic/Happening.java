package dev.millrace.hub.alarms.logic;

import dev.millrace.hub.why.Origin;

import org.jspecify.annotations.Nullable;

import java.util.Optional;

/** What can happen to an alarm. */
public sealed interface Happening {

    /**
     * A value of the field it watches.
     *
     * @param number NaN if the text is none
     * @param good whether its quality is
     * @param initial it was there already and is looked at because the rule is new or changed, or
     *     because a hub has just started
     */
    record Value(String text, double number, boolean good, boolean initial) implements Happening {}

    /**
     * A timer is due.
     *
     * @param present the value that the field has now
     * @param lastUpdate when it was last updated, in ms; 0 if that is not known
     */
    record Due(Timer timer, Optional<Value> present, long lastUpdate) implements Happening {}

    record Acknowledge(@Nullable String user, @Nullable String note) implements Happening {}

    /**
     * Nobody wants to hear of it.
     *
     * @param millis for so long; 0 until it ends the next time
     */
    record Shelve(long millis, @Nullable String user, @Nullable String reason)
            implements Happening {}

    record Unshelve(@Nullable String user) implements Happening {}

    /** Somebody lets go of an alarm that stays until then. */
    record Reset(@Nullable String user, Optional<Value> present) implements Happening {}

    /**
     * Somebody ends it, whatever the value is.
     *
     * @param holdoff ms for which it does not come back
     */
    record ClearByHand(@Nullable String user, long holdoff) implements Happening {}

    /**
     * Somebody raises it, whatever the value is.
     *
     * @param origin what has led to it; unknown if nothing but the call
     */
    record RaiseByHand(
            @Nullable String value, @Nullable String user, @Nullable String note, Origin origin)
            implements Happening {}

    record Disabled(@Nullable String user) implements Happening {}

    record Enabled(@Nullable String user) implements Happening {}

    /** Its rule watches something else from now on. */
    record Moved() implements Happening {}
}
