package dev.millrace.keyspace;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.keyspace.Plant.Document;
import dev.millrace.keyspace.Plant.Event;
import dev.millrace.keyspace.Plant.Notice;
import dev.millrace.keyspace.Plant.Reading;
import dev.millrace.keyspace.commit.Shards;

import java.util.List;
import java.util.Map;

/** Things of every layout, numbered: what a backup is taken of. */
final class BackupWorld {
    private final Keyspace keyspace;

    BackupWorld(Keyspace keyspace) {
        this.keyspace = keyspace;
    }

    /** An id that somebody else made: it points to any shard but rarely to its owner's. */
    static String eventId(int number) {
        return "00000000-0000-4000-8000-%012d".formatted(number);
    }

    static String readingId(int number) {
        return "00000000-0000-4000-9000-%012d".formatted(number);
    }

    private static String otherId(int number) {
        return "00000000-0000-4000-a000-%012d".formatted(number);
    }

    void write(int i) {
        String device = "device" + i % 7;
        keyspace.store(Plant.EVENTS).put(new Event(eventId(i), device, 1000 + i, i % 3)).orThrow();
        keyspace.store(Plant.READINGS)
                .put(new Reading(readingId(i), device, "name" + i % 5, i, "v" + i))
                .orThrow();
        keyspace.store(Plant.EVENTS).put(new Event(Shards.mint(device), device, i, 0)).orThrow();
        keyspace.store(Plant.NOTICES)
                .put(new Notice(otherId(i), "slug" + i, null, List.of("l" + i % 3, "all")))
                .orThrow();
        keyspace.store(Plant.RULES)
                .put(new Plant.Rule("rule" + i, "source", "f" + i % 2, i / 3.0, true))
                .orThrow();
        keyspace.store(Plant.ALARMS)
                .put(new Plant.Alarm("rule" + i, i % 2 == 0 ? "active" : "idle", "v"))
                .orThrow();
        keyspace.store(Plant.DOCUMENTS).put(new Document("doc:" + i, "{}" + i)).orThrow();
        keyspace.store(Plant.POINTS)
                .put(new Plant.Point("ch" + i % 4, "p" + i, i, null, null))
                .orThrow();
        keyspace.store(Plant.TANKS).put(new Plant.Tank("tank" + i, i / 7.0)).orThrow();
        keyspace.store(Plant.READERS)
                .put(new Plant.Reader(otherId(i), "name" + i, "night"))
                .orThrow();
        keyspace.store(Plant.SESSIONS).put(new Plant.Session("session" + i, "u")).orThrow();
        keyspace.store(Plant.TICKETS).put(new Plant.Ticket("ticket" + i, "x")).orThrow();
        String name = "n" + i % 9;
        keyspace.commit(name)
                .increment(Plant.COUNTER.at(name), i)
                .addMember(Plant.TAGS.at(name), "tag" + i)
                .addSorted(Plant.TIMES.at(name), i / 3.0, "t" + i)
                .push(Plant.QUEUE.at(name), ("q" + i).getBytes(UTF_8), 1000)
                .with(
                        keyspace.schedule("jobs")
                                .item("job" + i, 9_000_000_000_000L + i, new byte[] {1}))
                .run()
                .orThrow();
        keyspace.commit("ch" + i % 4)
                .setFields(Plant.VALUES.at("ch" + i % 4), Map.of("p" + i, "1"))
                .run()
                .orThrow();
        keyspace.commitAtSite()
                .push(Plant.ALARM_EVENTS.at(), ("e" + i).getBytes(UTF_8), 1000)
                .run()
                .orThrow();
        keyspace.commitAt(Plant.CLOCK.at("c" + i % 3))
                .increment(Plant.CLOCK.at("c" + i % 3), 1)
                .set(Plant.INBOX.at("c" + i % 3, "" + i), "message")
                .run()
                .orThrow();
    }
}
