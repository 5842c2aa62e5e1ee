package dev.millrace.hub.roles;

import java.util.Optional;
import java.util.function.Function;

/**
 * A request that means something: one that somebody who may does successfully.
 *
 * @param given prepares what it is about, and gives it
 * @param changesFrom who changes something with it, and everybody above; empty if it only reads
 * @param watched what to compare before and after, where that is not everything
 */
record Sample(
        Function<Stage, Call> given,
        Optional<Who> changesFrom,
        Optional<Function<Stage, Object>> watched) {

    static Sample reads(Function<Stage, Call> given) {
        return new Sample(given, Optional.empty(), Optional.empty());
    }

    static Sample reads(String path) {
        return reads(stage -> Call.of(path));
    }

    /** Whoever is let in changes something. */
    static Sample changes(Function<Stage, Call> given) {
        return changesFrom(Who.NOBODY, given);
    }

    /** Others may be let in too, but change nothing. */
    static Sample changesFrom(Who least, Function<Stage, Call> given) {
        return new Sample(given, Optional.of(least), Optional.empty());
    }

    /** For what happens while something else is going on. */
    Sample watching(Function<Stage, Object> what) {
        return new Sample(given, changesFrom, Optional.of(what));
    }

    boolean changesFor(Who who) {
        return changesFrom.filter(who::atLeast).isPresent();
    }
}
