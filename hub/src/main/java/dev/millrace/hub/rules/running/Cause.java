package dev.millrace.hub.rules.running;

/**
 * Why a rule looks.
 *
 * @param id of the value, the alarm's event, the moment or the call
 * @param trigger in a word
 * @param depth how many rules led here, one by the other
 */
record Cause(String id, String trigger, int depth) {
    /** More than this is rules that go round in a circle. */
    static final int DEEPEST = 10;

    /** Nothing was written; a condition may have held for long enough. */
    static final String AGAIN = "re_evaluation";

    boolean isLookingAgain() {
        return trigger.equals(AGAIN);
    }
}
