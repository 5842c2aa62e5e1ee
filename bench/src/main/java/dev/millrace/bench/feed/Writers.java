package dev.millrace.bench.feed;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.bench.commit.Event;
import dev.millrace.bench.race.Contestant;
import dev.millrace.keyspace.Commit;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.Topic;

import java.util.List;

/** The same commit, with and without a fact about it. */
final class Writers {
    static final Topic TOPIC = Topic.named("bench");

    private Writers() {}

    static List<Contestant> of(Keyspace keyspace) {
        return List.of(
                new Contestant("a", "a commit", thread -> create(keyspace, Event.next())),
                new Contestant(
                        "b", "the same with a fact", thread -> announce(keyspace, Event.next())));
    }

    private static void create(Keyspace keyspace, Event event) {
        creating(keyspace, event).run().orThrow();
    }

    private static void announce(Keyspace keyspace, Event event) {
        creating(keyspace, event).fact(TOPIC, body(event)).run().orThrow();
    }

    private static Commit creating(Keyspace keyspace, Event event) {
        return keyspace.commit(event.device()).create(Event.LAYOUT, event);
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
