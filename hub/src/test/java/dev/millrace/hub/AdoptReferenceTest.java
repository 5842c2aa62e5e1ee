package dev.millrace.hub;

import static dev.millrace.hub.ReferenceWriter.newId;
import static dev.millrace.keyspace.check.Finding.Kind.LEFTOVER;
import static dev.millrace.keyspace.check.Finding.Kind.MISSING_ENTRY;
import static dev.millrace.keyspace.check.Finding.Kind.ORPHAN_ENTRY;
import static dev.millrace.keyspace.check.Finding.Kind.ORPHAN_LIST;
import static dev.millrace.keyspace.check.Finding.Kind.STALE_ENTRY;
import static dev.millrace.keyspace.check.Finding.Kind.UNDECODABLE;
import static dev.millrace.keyspace.check.Finding.Kind.UNIQUE_TWICE;
import static dev.millrace.keyspace.check.Finding.Kind.WRONG_SCORE;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.hub.ReferenceWriter.Written;
import dev.millrace.hub.cli.Millrace;
import dev.millrace.hub.cli.Millrace.Ended;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.check.CheckReport;
import dev.millrace.keyspace.redis.Redis;
import dev.millrace.keyspace.testing.Patience;
import dev.millrace.keyspace.testing.RawConnection;
import dev.millrace.keyspace.testing.SharedServers;
import dev.millrace.keyspace.testing.TestServer;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A database as the reference writes it, with all its mistakes, is taken over by a repair: every
 * object is there byte for byte and can be read, the indexes are those of the key description, and
 * nothing else is left but what nobody may decide for its owner.
 */
class AdoptReferenceTest {
    private static final String OLD_ID = "57ba04a1189b95b8afcdafd7";
    private static final String OLD_READING = "57b9fe08189b95b8afcdafd4";

    @TempDir private Path directory;
    private final TestServer server = SharedServers.standalone();
    private final SeedTables tables = new SeedTables();
    private RawConnection connection;
    private ReferenceWriter reference;
    private Redis redis;
    private Keyspace keyspace;

    @BeforeEach
    void open() {
        SharedServers.flushAll();
        connection = server.connect();
        reference = new ReferenceWriter(connection);
        redis = Redis.open(Patience.options(server.url()));
        keyspace = new Keyspace(redis, Rooms.catalogue());
    }

    @AfterEach
    void close() {
        redis.close();
        connection.close();
    }

    // ---------------------------------------------------------------- the database

    private List<Written> readings(String device, long created) {
        return List.of(
                reference.reading(newId(), device, "temperature", created, "39"),
                reference.reading(newId(), device, "power", created, "38"));
    }

    private Written event(String device, long created, long pushed, String checksum) {
        List<Written> readings = readings(device, created);
        Written event =
                reference.event(newId(), device, created, pushed, checksum, Map.of(), readings);
        tables.event(event, readings);
        readings.forEach(tables::reading);
        return event;
    }

    private void writeCoreData() {
        event("press", 1000, 0, "");
        event("press", 2000, 2500, "");
        event("lathe", 1500, 0, "9f2b6e6ec3d1a7d0");
        // As the example of the key description: an id of 24 digits, readings with their own time.
        List<Written> old = List.of(reference.reading(OLD_READING, "123456789", "x", 7, "1"));
        tables.reading(old.getFirst());
        tables.event(reference.event(OLD_ID, "123456789", 5, 9, "", Map.of(), old), old);
        // hanoi
        Map<String, Object> tags = Map.of("Tags", Map.of("floor", "2"));
        tables.event(reference.event(newId(), "saw", 10, 0, "", tags, List.of()), List.of());
        Map<String, Object> noTags = new HashMap<>();
        noTags.put("Tags", null);
        tables.event(reference.event(newId(), "saw", 11, 0, "", noTags, List.of()), List.of());
        // A CBOR event is not validated: it may have no device.
        tables.event(reference.event(newId(), "", 12, 0, "ab12", Map.of(), List.of()), List.of());
        // By itself, without a device; and W2, a refused one that was stored all the same.
        tables.reading(reference.reading(newId(), "", "humidity", 20, "55"));
        tables.reading(reference.reading(newId(), "", "", 21, ""));
        tables.descriptor(
                reference.descriptor(newId(), "temperature", "F", "°C", List.of("room", "hall")));
        tables.descriptor(reference.descriptor(newId(), "power", "", "", List.of("")));
    }

    private void spoilCoreData() {
        List<Written> half = readings("press", 3000);
        Written partly = reference.event(newId(), "press", 3000, 0, "", Map.of(), half);
        reference.deleteReading(half.getFirst());
        tables.event(partly, List.of(half.getLast()));
        tables.reading(half.getLast());

        List<Written> renamed = readings("mill", 4000);
        Written waiting = reference.event(newId(), "mill", 4000, 0, "", Map.of(), renamed);
        reference.deleteByDeviceAndGiveUp(waiting, renamed);

        List<Written> gone = readings("mill", 4100);
        Written deleted = reference.event(newId(), "mill", 4100, 0, "c0ffee", Map.of(), gone);
        reference.deleteByDevice(deleted, gone);

        List<Written> moved = readings("old-name", 5000);
        Written renamedDevice = reference.event(newId(), "old-name", 5000, 0, "", Map.of(), moved);
        reference.changeDevice(renamedDevice, "new-name", moved);
        tables.event(renamedDevice, moved);
        moved.forEach(tables::reading);
    }

    private void writeNotifications() {
        Written fire = reference.notification(newId(), "fire", "PROCESSED", List.of("a", ""), 100);
        tables.notification(fire);
        Written flood = reference.notification(newId(), "flood", "ESCALATED", List.of(), 200);
        tables.notification(flood);
        tables.subscription(reference.subscription(newId(), "ops", "Ops team", List.of("a", "")));
        tables.subscription(reference.subscription(newId(), "ESCALATION", "", List.of()));
        tables.transmission(reference.transmission(newId(), fire, "SENT", 0, 101), "fire");
        tables.transmission(reference.transmission(newId(), fire, "TRXESCALATED", 3, 102), "fire");
        tables.transmission(reference.transmission(newId(), flood, "FAILED", 1, 201), "flood");
        reference.deleteTransmission(reference.transmission(newId(), flood, "FAILED", 1, 202));
    }

    /** What is nobody's; it stays, and is counted. */
    private void writeStrangers() {
        String intersection = reference.failedQueries(OLD_READING);
        tables.sorted(intersection, 7, OLD_READING);
    }

    private void writeEverything() {
        writeCoreData();
        spoilCoreData();
        writeNotifications();
        writeStrangers();
    }

    // ---------------------------------------------------------------- taking it over

    @Test
    void a_repair_leaves_every_object_the_described_indexes_and_nothing_else() {
        writeEverything();
        CheckReport repair = keyspace.check().repairing().run();
        assertThat(repair.left()).isZero();
        assertThat(repair.found().keySet())
                .containsExactlyInAnyOrder(
                        ORPHAN_ENTRY,
                        ORPHAN_LIST,
                        LEFTOVER,
                        MISSING_ENTRY,
                        WRONG_SCORE,
                        STALE_ENTRY);
        assertThat(reference.dump()).isEqualTo(tables.all());
        CheckReport again = keyspace.check().repairing().run();
        assertThat(again.findings()).isEmpty();
        assertThat(again.unknown()).isEqualTo(1);
        // All of them were read by our layouts.
        assertThat(again.values()).isEqualTo(objects());
    }

    private long objects() {
        return tables.all().values().stream().filter(each -> each instanceof String).count();
    }

    @Test
    void a_look_changes_nothing() {
        writeEverything();
        Map<String, Object> before = reference.dump();
        CheckReport report = keyspace.check().run();
        assertThat(report.drift()).isPositive();
        assertThat(reference.dump()).isEqualTo(before);
    }

    @Test
    void what_only_a_person_can_decide_is_reported_and_stays_as_it_is() {
        writeEverything();
        keyspace.check().repairing().run();
        // W4: two posts at once with one slug; the hash leads to the second.
        reference.notification(newId(), "twin", "NEW", List.of(), 1);
        reference.notification(newId(), "twin", "NEW", List.of(), 2);
        // An event whose text was cut off.
        Written broken = reference.event(newId(), "press", 1, 0, "", Map.of(), List.of());
        connection.command("SET", broken.id(), "{\"ID\":");
        Map<String, Object> before = reference.dump();
        CheckReport report = keyspace.check().repairing().run();
        assertThat(report.found()).isEqualTo(Map.of(UNIQUE_TWICE, 1L, UNDECODABLE, 1L));
        assertThat(reference.dump()).isEqualTo(before);
    }

    @Test
    void a_notification_without_a_slug_is_kept() {
        Written nameless = reference.notification(newId(), "", "NEW", List.of(), 1);
        keyspace.check().repairing().run();
        assertThat(reference.dump()).containsKey(nameless.id());
    }

    @Test
    void the_command_does_it_and_says_so() {
        writeEverything();
        Ended repaired =
                Millrace.run(directory, "fsck", "--repair", "--set", "redis.url=" + server.url());
        assertThat(repaired.exit()).isZero();
        assertThat(repaired.out())
                .contains("leftover: transmission:resendcount was left behind: ")
                .contains("orphan list: event:readings:")
                .contains("1 key belongs to no layout: ")
                .contains(", 0 left.\n");
        assertThat(reference.dump()).isEqualTo(tables.all());
        Ended again = Millrace.run(directory, "fsck", "--set", "redis.url=" + server.url());
        assertThat(again.exit()).isZero();
        assertThat(again.out()).contains("Nothing is wrong.");
    }

    @Test
    void events_are_answered_as_they_were() {
        writeEverything();
        keyspace.check().repairing().run();
        try (TestHub hub = TestHub.start(server)) {
            TestHub.Reply reply = hub.get("/api/v1/event/" + OLD_ID);
            assertThat(reply.status()).isEqualTo(200);
            assertThat(reply.json().get("device").stringValue()).isEqualTo("123456789");
            assertThat(reply.json().get("origin").longValue()).isEqualTo(1590508601358048800L);
            assertThat(reply.json().get("readings")).hasSize(1);
            assertThat(hub.get("/api/v1/event/count").body()).isEqualTo("9");
            assertThat(hub.get("/api/v1/event/device/new-name/10").json()).hasSize(1);
            assertThat(hub.get("/api/v1/event/device/mill/10").json()).isEmpty();
        }
    }
}
