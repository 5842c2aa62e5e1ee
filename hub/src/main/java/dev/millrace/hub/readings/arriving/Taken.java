package dev.millrace.hub.readings.arriving;

import dev.millrace.keyspace.redis.outcome.Outcome;
import dev.millrace.keyspace.redis.outcome.RedisException;

/** What became of something that was sent to be stored. */
public sealed interface Taken permits Taken.Stored, Refused {

    /**
     * It is stored, as safely as was asked for.
     *
     * @param id empty if it is only announced and came without one
     */
    record Stored(String id) implements Taken {}

    /** What a write of an id came to. */
    static Taken of(Outcome<String> outcome) {
        if (outcome instanceof Outcome.Done<String>(String id)) {
            return new Stored(id);
        }
        try {
            return new Stored(outcome.orThrow());
        } catch (RedisException e) {
            return new Refused.NotStored(e);
        }
    }
}
