package dev.millrace.bench.commit;

import dev.millrace.bench.race.Contestant;
import dev.millrace.keyspace.layout.Catalogue;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.store.Store;
import dev.millrace.keyspace.redis.Redis;

/** The engine: a declared layout, and its store. */
final class Engine implements Contestant.Work {
    private final Store<Event> events;

    Engine(Redis redis) {
        this.events = new Keyspace(redis, Catalogue.of(Event.LAYOUT)).store(Event.LAYOUT);
    }

    @Override
    public void once(int thread) {
        events.create(Event.next()).orThrow();
    }
}
