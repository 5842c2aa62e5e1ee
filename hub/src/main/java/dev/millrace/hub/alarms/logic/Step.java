package dev.millrace.hub.alarms.logic;

/** What a happening leads to. */
public sealed interface Step {

    /** This, which may be nothing. */
    record Moves(Transition transition) implements Step {}

    /** The alarm is not in a state in which that can be asked for. */
    record NotNow(String why) implements Step {}

    /** There is no such alarm: its rule never raised one. */
    record NeverRaised() implements Step {}
}
