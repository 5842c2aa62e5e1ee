package dev.millrace.keyspace.redis.embedded;

import dev.millrace.keyspace.redis.outcome.ServerTrouble;

import java.time.Instant;
import java.util.Optional;

/** How an embedded server is doing, and since when. */
public sealed interface ServerState {

    Instant since();

    /** It answers. */
    record Running(Instant since) implements ServerState {}

    /** It answers but takes no writes, because it cannot write them to its disk. */
    record NoWrites(Instant since, ServerTrouble why) implements ServerState {}

    /** The process is there but gives no answer, or none that helps. It is left alone. */
    record NoAnswer(Instant since, ServerTrouble why) implements ServerState {}

    /**
     * It ended by itself and is being started again.
     *
     * @param since when it ended
     * @param attempt the number of the attempt that comes next, or is being made
     * @param why why it ended, or why the last attempt failed
     */
    record Restarting(Instant since, int attempt, ServerTrouble why) implements ServerState {}

    /** It was closed. */
    record Stopped(Instant since) implements ServerState {}

    /** What is wrong, if anything is. */
    default Optional<ServerTrouble> trouble() {
        return switch (this) {
            case Running _ -> Optional.empty();
            case NoWrites state -> Optional.of(state.why);
            case NoAnswer state -> Optional.of(state.why);
            case Restarting state -> Optional.of(state.why);
            case Stopped _ ->
                    Optional.of(ServerTrouble.unavailable("The embedded server was stopped."));
        };
    }
}
