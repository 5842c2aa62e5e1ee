package dev.millrace.bench.commit;

import dev.millrace.bench.race.Contestant;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.redis.Redis;
import dev.millrace.keyspace.store.Store;

/** The engine: a declared layout, and its store. */
final class Engine implements Contestant.Work {
    private final Store<Event> events;

    Engine(Redis redis) {
        this.events = new Keyspace(redis, Keyspace.catalogue(Event.LAYOUT)).store(Event.LAYOUT);
    }

    @Override
    public void once(int thread) {
        events.create(Event.next()).orThrow();
    }
}
