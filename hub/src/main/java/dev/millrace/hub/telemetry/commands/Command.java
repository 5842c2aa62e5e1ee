package dev.millrace.hub.telemetry.commands;

import dev.millrace.hub.telemetry.kept.PointType;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * A command as it is recorded. Others write such records too, so anything may be missing.
 *
 * @param fields as they are stored
 */
public record Command(int channel, String id, Map<String, String> fields) {
    static final String POINT = "point_id";
    static final String VALUE = "value";
    static final String STATUS = "status";
    static final String TIMESTAMP = "timestamp";
    static final String TYPE = "type";
    static final String SOURCE = "source";
    static final String PRIORITY = "priority";
    static final String REQUESTED_BY = "requested_by";
    static final String REASON = "reason";
    static final String EXPIRES = "expires_at";
    static final String STARTED = "started_at";
    static final String FINISHED = "finished_at";
    static final String DURATION = "duration_ms";
    static final String RESULT = "result";
    static final String ERROR = "error";
    static final String ACTUAL = "actual_value";
    static final String BATCH = "batch_id";
    static final String SEQ = "seq";
    static final String PREVIOUS = "previous_value";

    /** What began it all, where that was not the command itself. */
    static final String CAUSE = "cause";

    /** Who executes it: no two have the same. */
    static final String WORKER = "worker";

    public Command {
        fields = Map.copyOf(fields);
    }

    private String field(String name) {
        return fields.getOrDefault(name, "");
    }

    /** C or A; empty if the record does not say. */
    public Optional<PointType> type() {
        return PointType.of(field(TYPE));
    }

    public String point() {
        return field(POINT);
    }

    /** As people read it. */
    public String value() {
        return field(VALUE);
    }

    /** How far it is, as it is stored; empty if the record does not say. */
    public String status() {
        return field(STATUS);
    }

    /** Empty if it is none that is known. */
    public Optional<CommandState> state() {
        return CommandState.of(field(STATUS));
    }

    public boolean is(CommandState state) {
        return state.word().equals(field(STATUS));
    }

    /** Whether nothing will change any more. */
    public boolean ended() {
        return state().filter(CommandState::isFinal).isPresent();
    }

    /** Why it has failed, a {@link CommandError} unless others have written it; else empty. */
    public String error() {
        return field(ERROR);
    }

    /** More about how it ended, for people; else empty. */
    public String result() {
        return field(RESULT);
    }

    /** What the point of the device was read back to be, if it was. */
    public Optional<String> actualValue() {
        return Optional.ofNullable(fields.get(ACTUAL));
    }

    /**
     * Such as {@code api}, {@code rule:night}, {@code model:tr_1}, {@code ws:7}, {@code foreign}.
     */
    public String source() {
        return field(SOURCE);
    }

    public String requestedBy() {
        return field(REQUESTED_BY);
    }

    /** Such as 5. */
    public int priority() {
        return (int) number(PRIORITY, QueueElement.STANDARD_PRIORITY);
    }

    /** When it was given. */
    public Instant given() {
        return Instant.ofEpochSecond(number(TIMESTAMP, 0));
    }

    /** When it is not sent any more; empty if never. */
    public Optional<Instant> expiresAt() {
        long second = number(EXPIRES, 0);
        return second == 0 ? Optional.empty() : Optional.of(Instant.ofEpochSecond(second));
    }

    /** The group that it was given with; empty if it was given alone. */
    public String batch() {
        return field(BATCH);
    }

    /** How long it took from its start to its end; 0 if it was not executed. */
    public long durationMillis() {
        return number(DURATION, 0);
    }

    private long number(String name, long otherwise) {
        try {
            return Long.parseLong(field(name));
        } catch (NumberFormatException e) {
            return otherwise;
        }
    }
}
