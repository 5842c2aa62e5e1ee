package dev.millrace.keyspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.keyspace.Plant.Event;
import dev.millrace.keyspace.backup.BackupException;
import dev.millrace.keyspace.backup.BackupListener;
import dev.millrace.keyspace.backup.BackupReport;
import dev.millrace.keyspace.commit.Place;
import dev.millrace.keyspace.commit.Pointer;
import dev.millrace.keyspace.commit.Shards;
import dev.millrace.keyspace.commit.Stored;
import dev.millrace.keyspace.layout.Catalogue;
import dev.millrace.keyspace.layout.Raw;
import dev.millrace.keyspace.redis.Redis;
import dev.millrace.keyspace.redis.outcome.Reason;
import dev.millrace.keyspace.store.Store;
import dev.millrace.keyspace.store.move.MovePause;
import dev.millrace.keyspace.store.move.MovingCopy;
import dev.millrace.keyspace.testing.SharedServers;
import dev.millrace.keyspace.testing.Site;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;

/** Entities that change their shard while the servers of a cluster take their snapshots. */
final class BackupMovesTest extends EngineContract {
    private static final BackupListener DEAF = new BackupListener() {};

    @TempDir Path directory;
    private Store<Event> events;

    BackupMovesTest() {
        super(Site.CLUSTER);
    }

    @Override
    protected Catalogue catalogue() {
        return Plant.CATALOGUE;
    }

    @BeforeEach
    void stores() {
        events = keyspace.store(Plant.EVENTS);
    }

    @Test
    void nothing_leaves_its_shard_while_a_backup_begins() {
        String id = Shards.mint("pump");
        Stored<Event> stored = done(events.create(new Event(id, "pump", 1, 0)));
        MovePause pause = MovePause.begin(keyspace.ground()).orElseThrow();
        notDone(Reason.UNAVAILABLE, events.replace(stored, new Event(id, "valve", 1, 0)));
        done(events.replace(stored, new Event(id, "pump", 2, 0)));
        assertThatThrownBy(this::backup)
                .isInstanceOf(BackupException.class)
                .hasMessageContaining("Another backup");
        pause.end();
        done(events.update(id, old -> new Event(id, "valve", 3, 0)));
        assertThat(allKeys()).noneMatch(key -> key.contains("millrace:backup"));
    }

    @Test
    void what_had_left_its_old_shard_is_in_the_backup_as_if_it_had_arrived() {
        String id = Shards.mint("pump");
        Event moving = new Event(id, "valve", 5, 0);
        halfMoved(id, moving, true);
        BackupReport made = backup();
        assertThat(made.keys()).isEqualTo(4);
        assertRestored(id, moving);
    }

    @Test
    void what_had_not_left_its_old_shard_is_in_the_backup_as_it_was() {
        String id = Shards.mint("pump");
        Event staying = new Event(id, "pump", 4, 0);
        done(events.create(staying));
        halfMoved(id, new Event(id, "valve", 5, 0), false);
        backup();
        assertRestored(id, staying);
    }

    private BackupReport backup() {
        return keyspace.backup(directory.resolve("file"), true, "test", DEAF);
    }

    /** The state between two steps of a move from pump to valve. */
    private void halfMoved(String id, Event event, boolean left) {
        Place pump = keyspace.ground().shards().place("pump");
        Place valve = keyspace.ground().shards().place("valve");
        Pointer pointer = Pointer.to(valve, System.currentTimeMillis());
        Raw value = Plant.EVENTS.mapping().encode(event, null);
        MovingCopy copy = new MovingCopy(pump.shard(), pointer, "", Plant.EVENTS.name(), value);
        raw("valve", "SET", "millrace:moving:" + id, new String(copy.encode(), UTF_8));
        if (left) {
            raw("pump", "SET", "millrace:moved:" + id, pointer.text());
        }
    }

    private void assertRestored(String id, Event expected) {
        SharedServers.flushAll();
        try (Redis other = Site.STANDALONE.connect()) {
            Keyspace there = new Keyspace(other, Plant.CATALOGUE);
            assertThat(there.restore(directory.resolve("file"), DEAF).equal()).isTrue();
            assertThat(there.store(Plant.EVENTS).get(id).map(Stored::value)).contains(expected);
            assertThat(there.check().run().findings()).isEmpty();
        }
    }
}
