package dev.millrace.bench.race;

import org.jspecify.annotations.Nullable;

/** An operation of a contestant failed. */
public final class RaceException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    RaceException(Contestant contestant, @Nullable Throwable cause) {
        super("(%s) %s failed: %s".formatted(contestant.name(), contestant.about(), cause), cause);
    }
}
