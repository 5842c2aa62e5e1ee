package dev.millrace.hub.rules.running;

import dev.millrace.hub.why.Origin;

import java.util.Map;

/**
 * Why a rule looks.
 *
 * @param id of the value, the alarm's event, the moment or the call
 * @param trigger in a word
 * @param depth how many rules led here, one by the other
 * @param origin what began it all, and what led here, as the record tells it
 * @param wokenBy more about what woke it, for the record
 */
record Cause(String id, String trigger, int depth, Origin origin, Map<String, String> wokenBy) {
    /** More than this is rules that go round in a circle. */
    static final int DEEPEST = 10;

    /** Nothing was written; a condition may have held for long enough. */
    static final String AGAIN = "re_evaluation";

    Cause {
        wokenBy = Map.copyOf(wokenBy);
    }

    boolean isLookingAgain() {
        return trigger.equals(AGAIN);
    }
}
