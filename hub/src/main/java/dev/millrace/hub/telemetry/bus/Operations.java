package dev.millrace.hub.telemetry.bus;

import dev.millrace.hub.telemetry.kept.PointIds;
import dev.millrace.hub.telemetry.kept.TelemetryLayouts;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.commit.Commit;
import dev.millrace.keyspace.redis.outcome.Outcome;
import dev.millrace.keyspace.redis.outcome.Reason;
import dev.millrace.keyspace.redis.outcome.RedisException;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What operators want of channels: that one is stopped, or starts anew. It is kept, so a channel
 * that was stopped stays so when hubs come and go, and every hub goes by it. Thread-safe.
 */
public final class Operations {
    private static final int ATTEMPTS = 16;

    private final Keyspace keyspace;

    public Operations(Keyspace keyspace) {
        this.keyspace = keyspace;
    }

    /** The verbs of the interface. */
    public enum Operation {
        START,
        STOP,
        RESTART;

        /** The one of this word. */
        public static Optional<Operation> of(String word) {
            return switch (word) {
                case "start" -> Optional.of(START);
                case "stop" -> Optional.of(STOP);
                case "restart" -> Optional.of(RESTART);
                default -> Optional.empty();
            };
        }
    }

    /**
     * What is wanted of one channel.
     *
     * @param turn grows with each operation that ends the driver there is
     */
    public record Wish(boolean stopped, long turn) {
        private static final String STOPPED = "stopped";
        private static final String RUNNING = "running";

        /** Of a channel that nobody has said anything about. */
        public static final Wish NONE = new Wish(false, 0);

        /** What others have written here counts as nothing. */
        static Wish of(String text) {
            List<String> parts = List.of(text.split(":", 2));
            boolean stopped = parts.getFirst().equals(STOPPED);
            try {
                return new Wish(stopped, Long.parseLong(parts.getLast()));
            } catch (NumberFormatException e) {
                return new Wish(stopped, 0);
            }
        }

        Wish after(Operation operation) {
            return switch (operation) {
                case START -> stopped ? new Wish(false, turn + 1) : this;
                case STOP -> stopped ? this : new Wish(true, turn + 1);
                case RESTART -> new Wish(false, turn + 1);
            };
        }

        String text() {
            return (stopped ? STOPPED : RUNNING) + ":" + turn;
        }
    }

    /** Of every channel that somebody has said something about. */
    public Map<Integer, Wish> all() {
        Map<Integer, Wish> wishes = new HashMap<>();
        keyspace.cells()
                .hash(TelemetryLayouts.operations())
                .answer()
                .or(Map.of())
                .forEach((channel, text) -> wishes.put(PointIds.channel(channel), Wish.of(text)));
        return wishes;
    }

    /** Of one channel. */
    public Wish of(int channel) {
        String field = Integer.toString(channel);
        return stored(field).map(Wish::of).orElse(Wish.NONE);
    }

    private Optional<String> stored(String field) {
        return Optional.ofNullable(
                keyspace.cells()
                        .fields(TelemetryLayouts.operations(), List.of(field))
                        .answer()
                        .or(Map.of())
                        .get(field));
    }

    /** Keeps it; drivers go by it within a second. */
    public Wish want(int channel, Operation operation) {
        String field = Integer.toString(channel);
        for (int i = 0; i < ATTEMPTS; i++) {
            Optional<String> before = stored(field);
            Wish after = before.map(Wish::of).orElse(Wish.NONE).after(operation);
            Commit commit = keyspace.commitAtSite();
            before.ifPresentOrElse(
                    text -> commit.fieldEquals(TelemetryLayouts.operations(), field, text),
                    () -> commit.fieldAbsent(TelemetryLayouts.operations(), field));
            Outcome<Long> outcome =
                    commit.setFields(TelemetryLayouts.operations(), Map.of(field, after.text()))
                            .run();
            if (!outcome.failedBy(Reason.CONFLICT)) {
                outcome.orThrow();
                return after;
            }
        }
        throw new RedisException(
                Reason.UNAVAILABLE, "Others start and stop the channel at once; try again.");
    }

    /** Adds to the commit that deletes a channel, at the site, that nothing is wanted of it. */
    public static void forget(Commit commit, int channel) {
        commit.removeField(TelemetryLayouts.operations(), Integer.toString(channel));
    }
}
