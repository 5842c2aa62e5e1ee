package dev.millrace.bench.feed;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.bench.commit.Event;
import dev.millrace.bench.race.Contestant;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.commit.Commit;
import dev.millrace.keyspace.feed.Topic;

import java.util.List;

/**
 * The same commit, with and without a fact about it: one entity, and as many as a device sends at
 * once.
 */
final class Writers {
    static final Topic TOPIC = Topic.named("bench");

    private Writers() {}

    static List<Contestant> of(Keyspace keyspace) {
        return List.of(
                new Contestant("a", "one entity", thread -> create(keyspace, 1)),
                new Contestant("b", "one entity and a fact", thread -> announce(keyspace, 1)),
                new Contestant("c", "four entities", thread -> create(keyspace, 4)),
                new Contestant("d", "four entities and a fact", thread -> announce(keyspace, 4)));
    }

    private static void create(Keyspace keyspace, int entities) {
        creating(keyspace, Event.next(), entities).run().orThrow();
    }

    private static void announce(Keyspace keyspace, int entities) {
        Event event = Event.next();
        creating(keyspace, event, entities)
                .with(keyspace.feed(TOPIC).fact(body(event)))
                .run()
                .orThrow();
    }

    private static Commit creating(Keyspace keyspace, Event event, int entities) {
        Commit commit = keyspace.commit(event.device()).create(Event.LAYOUT, event);
        for (int i = 1; i < entities; i++) {
            commit.create(Event.LAYOUT, Event.next(event.device()));
        }
        return commit;
    }

    /** Ids and values, as facts of readings have them. */
    private static byte[] body(Event event) {
        String text =
                "{\"id\":\""
                        + event.id()
                        + "\",\"device\":\""
                        + event.device()
                        + "\",\"value\":\""
                        + event.reading().value()
                        + "\",\"created\":"
                        + event.created()
                        + "}";
        return text.getBytes(UTF_8);
    }
}
