package dev.millrace.hub.readings.kept;

import dev.millrace.keyspace.redis.outcome.Outcome;
import dev.millrace.keyspace.redis.outcome.Reason;

import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Many deletions, a step of them at a time, and what became of all. What was gone already does not
 * count; the first that could not be done ends it, with those before it gone. For one thread.
 */
final class Steps {
    private long deleted;
    private Outcome<Long> worst = Outcome.done(0L);

    /** Whether to go on. */
    boolean go() {
        return worst.isStored();
    }

    /** Waits for a step. */
    void await(List<CompletableFuture<Outcome<Long>>> going) {
        for (CompletableFuture<Outcome<Long>> each : going) {
            Outcome<Long> outcome = each.join();
            if (outcome.isStored()) {
                deleted++;
                worst = worst.after(outcome);
            } else if (!outcome.failedBy(Reason.ABSENT) && go()) {
                worst = outcome;
            }
        }
    }

    /** How many were deleted; or why not all, and how many. */
    Outcome<Long> outcome() {
        return switch (worst) {
            case Outcome.Done<Long> done -> Outcome.done(deleted);
            case Outcome.Unconfirmed<Long>(Long value, String detail) ->
                    new Outcome.Unconfirmed<>(deleted, detail);
            case Outcome.NotDone<Long>(Reason reason, String detail) ->
                    Outcome.notDone(reason, detail + " " + deleted + " were deleted.");
            case Outcome.Unknown<Long>(String detail) ->
                    new Outcome.Unknown<>(detail + " " + deleted + " were deleted.");
        };
    }
}
