package dev.millrace.hub.readings.arriving;

import dev.millrace.hub.readings.metadata.Metadata;
import dev.millrace.keyspace.redis.outcome.OutcomeUnknownException;
import dev.millrace.keyspace.redis.outcome.RedisException;

import java.util.Locale;

/**
 * Why this room does not do what somebody wants. Whoever asked over HTTP, by MQTT or in bulk gets
 * the same reason and says it in a way of their own.
 */
public sealed interface Refused extends Taken {

    /** What is wrong, for a person. */
    String sentence();

    /** It is not what it has to be: no event, no id, no value of its type. */
    record Invalid(String sentence) implements Refused {}

    record TooLarge(String sentence) implements Refused {}

    /** What is asked for is not there. */
    record Absent(String sentence) implements Refused {}

    /** It is in the way of something that is there already. */
    record Conflict(String sentence) implements Refused {}

    /** No value descriptor says what the readings of a name are. */
    record Undescribed(String sentence) implements Refused {}

    /** The metadata service does not know the device, or cannot be asked. */
    record NoDevice(Metadata.Why why) implements Refused {
        @Override
        public String sentence() {
            return why.sentence();
        }
    }

    /** The store did not take it, or nobody knows whether it did. */
    record NotStored(RedisException why) implements Refused {
        @Override
        public String sentence() {
            return String.valueOf(why.getMessage());
        }
    }

    /** Whether the very same may be taken later, because the reason lies elsewhere. */
    default boolean isPassing() {
        return switch (this) {
            case Invalid invalid -> false;
            case TooLarge large -> false;
            case Absent absent -> false;
            case Conflict conflict -> false;
            case Undescribed undescribed -> false;
            case NoDevice(Metadata.Why why) -> why.isPassing();
            case NotStored(OutcomeUnknownException unknown) -> true;
            case NotStored(RedisException why) ->
                    switch (why.reason()) {
                        case REFUSED, TOO_LARGE, WRONG_TYPE, CONFLICT, DUPLICATE, ABSENT -> false;
                        case FULL, READ_ONLY, DENIED, UNAVAILABLE, ERROR -> true;
                    };
        };
    }

    /** The kind of reason in a word, for those who count. */
    default String word() {
        return switch (this) {
            case Invalid invalid -> "invalid";
            case TooLarge large -> "too-large";
            case Absent absent -> "absent";
            case Conflict conflict -> "conflict";
            case Undescribed undescribed -> "undescribed";
            case NoDevice device -> "no-device";
            case NotStored(RedisException why) ->
                    why.reason().name().toLowerCase(Locale.ROOT).replace('_', '-');
        };
    }
}
