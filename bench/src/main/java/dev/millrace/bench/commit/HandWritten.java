package dev.millrace.bench.commit;

import dev.millrace.bench.race.Contestant;
import dev.millrace.keyspace.redis.Redis;
import dev.millrace.keyspace.redis.Request;
import dev.millrace.keyspace.redis.Script;

/**
 * A script for this one entity, sent through the engine's own lanes: what remains is the difference
 * between a script that knows the entity and one that interprets it, and what merging of commits is
 * worth.
 */
final class HandWritten implements Contestant.Work {
    private static final Script CREATE = Script.of(HandWritten.class, "create");

    private final Redis redis;

    HandWritten(Redis redis) {
        this.redis = redis;
    }

    @Override
    public void once(int thread) {
        Keys keys = Keys.of(Event.next());
        // The thread as the order: it spreads evenly, and two calls never have to wait for each
        // other as those of one device would.
        Request request = Request.script(CREATE, thread, 0, keys.keys(), keys.args());
        if (!Long.valueOf(1).equals(redis.call(request))) {
            throw new IllegalStateException("The event exists already.");
        }
    }
}
