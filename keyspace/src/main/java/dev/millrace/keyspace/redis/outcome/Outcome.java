package dev.millrace.keyspace.redis.outcome;

import dev.millrace.keyspace.redis.options.Durability;

import java.util.function.Function;

/**
 * What became of a write. Four things can happen, and each caller has to look at all of them: it
 * was done, as safely as was asked for; it is stored, but the replicas that were asked for have not
 * confirmed it; it was not done, and nothing was written; or nobody knows, because the connection
 * broke between request and answer.
 */
public sealed interface Outcome<T> {

    /** Stored. */
    record Done<T>(T value) implements Outcome<T> {}

    /** Stored, not confirmed: a failover may lose it. Only under {@link Durability.Replicas}. */
    record Unconfirmed<T>(T value, String detail) implements Outcome<T> {}

    /**
     * Nothing was written, because of {@code reason}; {@code detail} is a sentence for a person.
     */
    record NotDone<T>(Reason reason, String detail) implements Outcome<T> {}

    /** Sent, but the answer was lost: it may or may not have been written. */
    record Unknown<T>(String detail) implements Outcome<T> {}

    default boolean isDone() {
        return this instanceof Done<T>;
    }

    /** Whether it was written, confirmed or not. */
    default boolean isStored() {
        return this instanceof Done<T> || this instanceof Unconfirmed<T>;
    }

    /** What is done relies on an earlier step, and is confirmed only if that one is. */
    default Outcome<T> after(Outcome<?> earlier) {
        return this instanceof Done<T>(T value) && earlier instanceof Unconfirmed<?>(var v, var why)
                ? new Unconfirmed<>(value, why)
                : this;
    }

    /** Whether nothing was written, for just this reason. */
    default boolean failedBy(Reason reason) {
        return this instanceof NotDone<T> not && not.reason() == reason;
    }

    /** The value, or the failure as an exception, for callers that have no better answer. */
    default T orThrow() {
        return switch (this) {
            case Done<T>(T value) -> value;
            case Unconfirmed<T>(T value, String detail) -> throw new UnconfirmedException(detail);
            case NotDone<T>(Reason reason, String detail) ->
                    throw new RedisException(reason, detail);
            case Unknown<T>(String detail) -> throw new OutcomeUnknownException(detail);
        };
    }

    default <U> Outcome<U> map(Function<? super T, ? extends U> change) {
        return switch (this) {
            case Done<T>(T value) -> new Done<>(change.apply(value));
            case Unconfirmed<T>(T value, String detail) ->
                    new Unconfirmed<>(change.apply(value), detail);
            case NotDone<T>(Reason reason, String detail) -> new NotDone<>(reason, detail);
            case Unknown<T>(String detail) -> new Unknown<>(detail);
        };
    }

    static <T> Outcome<T> done(T value) {
        return new Done<>(value);
    }

    static <T> Outcome<T> notDone(Reason reason, String detail) {
        return new NotDone<>(reason, detail);
    }

    /** The outcome that a failed request stands for. */
    static <T> Outcome<T> failed(RedisException failure) {
        String detail = String.valueOf(failure.getMessage());
        return failure instanceof OutcomeUnknownException
                ? new Unknown<>(detail)
                : new NotDone<>(failure.reason(), detail);
    }
}
