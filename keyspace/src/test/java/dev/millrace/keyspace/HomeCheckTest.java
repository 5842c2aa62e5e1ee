package dev.millrace.keyspace;

import static dev.millrace.keyspace.check.Finding.Kind.HOME_POINTER;
import static dev.millrace.keyspace.check.Finding.Kind.ORPHAN_ENTRY;
import static dev.millrace.keyspace.check.Finding.Kind.STRAY;
import static dev.millrace.keyspace.check.Finding.Kind.UNFINISHED_MOVE;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.keyspace.Plant.Event;
import dev.millrace.keyspace.Plant.Notice;
import dev.millrace.keyspace.check.CheckReport;
import dev.millrace.keyspace.check.Finding;
import dev.millrace.keyspace.commit.Pointer;
import dev.millrace.keyspace.commit.Shards;
import dev.millrace.keyspace.commit.Stored;
import dev.millrace.keyspace.layout.Raw;
import dev.millrace.keyspace.store.Store;
import dev.millrace.keyspace.store.move.MovingCopy;
import dev.millrace.keyspace.testing.Site;

import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;

/** What only a cluster can suffer: strays, lost pointers, moves that were cut short. */
final class HomeCheckTest extends DamageContract {
    private static final String ID = "57ba04a1189b95b8afcdafd7";
    private static final Event FOREIGN = new Event(ID, "pump", 3, 0);
    private static final long LONG_AGO = System.currentTimeMillis() - 3_600_000;

    private Store<Event> events;

    HomeCheckTest() {
        super(Site.CLUSTER);
    }

    @BeforeEach
    void plantForeignIds() {
        Assumptions.assumeTrue(site.cluster());
        events = keyspace.store(Plant.EVENTS);
        done(events.create(FOREIGN));
        theWorldIsThis();
    }

    private static String pointerKey() {
        return "millrace:home:" + ID;
    }

    // ---------------------------------------------------------------- strays

    @Test
    void a_value_outside_its_owner_s_shard_is_reported_and_left() {
        String value = String.valueOf(raw("fire", "GET", "notice:" + NOTICE.id()));
        raw("elsewhere", "SET", "notice:" + NOTICE.id(), value);
        isReported(STRAY, "elsewhere", "notice:" + NOTICE.id());
        again();
        plantForeignIds();
        raw("elsewhere", "SET", EVENT.id(), String.valueOf(raw("pump", "GET", EVENT.id())));
        raw("elsewhere", "ZADD", "event", "0", EVENT.id());
        isReported(STRAY, "elsewhere", EVENT.id());
    }

    @Test
    void a_foreign_id_that_lives_in_two_shards_is_reported_and_left() {
        Event twin = new Event(ID, "valve", 3, 0);
        raw("valve", "SET", ID, new String(encode(twin), UTF_8));
        raw("valve", "ZADD", "event", "0", ID);
        raw("valve", "ZADD", "event:created", "3", ID);
        raw("valve", "ZADD", "event:device:valve", "3", ID);
        isReported(STRAY, "valve", ID);
    }

    // ---------------------------------------------------------------- pointers

    @Test
    void a_missing_pointer_is_set() {
        raw(ID, "DEL", pointerKey());
        assertThat(events.get(ID)).isEmpty();
        pointerIsMended("pump", ID);
    }

    @Test
    void a_pointer_into_the_wrong_shard_or_nonsense_is_set_right() {
        for (String wrong : List.of("5:" + System.currentTimeMillis(), "5", "nonsense", "")) {
            raw(ID, "SET", pointerKey(), wrong);
            CheckReport found = keyspace.check().run();
            assertThat(found.findings()).extracting(Finding::kind).containsOnly(HOME_POINTER);
            CheckReport repaired = keyspace.check().repairing().run();
            assertThat(repaired.drift()).isPositive();
            assertThat(repaired.left()).isZero();
            assertThat(keyspace.check().run().findings()).isEmpty();
            assertThat(events.get(ID).map(Stored::value)).contains(FOREIGN);
        }
    }

    private void pointerIsMended(String owner, String key) {
        CheckReport found = keyspace.check().run();
        assertThat(found.findings()).hasSize(1);
        Finding finding = found.findings().getFirst();
        assertThat(finding.kind()).isEqualTo(HOME_POINTER);
        assertThat(finding.key()).isEqualTo(fullKey(owner, key));
        assertThat(keyspace.check().repairing().run().left()).isZero();
        assertThat(keyspace.check().run().findings()).isEmpty();
        assertThat(events.get(ID).map(Stored::value)).contains(FOREIGN);
    }

    @Test
    void an_old_pointer_that_leads_to_nothing_is_removed_and_a_young_one_is_not_mentioned() {
        String nobody = "%024x".formatted(99);
        raw(nobody, "SET", "millrace:home:" + nobody, "5:" + System.currentTimeMillis() + ":x");
        assertThat(keyspace.check().run().findings()).isEmpty();
        raw(nobody, "SET", "millrace:home:" + nobody, "5:" + LONG_AGO + ":x");
        isMended(HOME_POINTER, nobody, "millrace:home:" + nobody);
    }

    // ---------------------------------------------------------------- moves

    private byte[] encode(Event event) {
        return ((Raw.Text) Plant.EVENTS.mapping().encode(event, null)).bytes();
    }

    private String move(Event to, long since) {
        Pointer pointer = Pointer.to(keyspace.ground().shards().place(to.device()), since);
        String oldPointer = String.valueOf(raw(ID, "GET", pointerKey()));
        byte[] copy =
                new MovingCopy(
                                Shards.shard("pump"),
                                pointer,
                                oldPointer,
                                "Event",
                                Plant.EVENTS.mapping().encode(to, null))
                        .encode();
        raw(to.device(), "SET", "millrace:moving:" + ID, new String(copy, UTF_8));
        return pointer.text();
    }

    private void switchIt(String pointer) {
        raw("pump", "SET", "millrace:moved:" + ID, pointer);
        raw("pump", "DEL", ID);
        for (String index : List.of("event", "event:created", "event:device:pump")) {
            raw("pump", "ZREM", index, ID);
        }
    }

    @Test
    void a_move_that_was_cut_short_after_its_switch_is_finished() {
        Event moved = new Event(ID, "valve", 4, 5);
        switchIt(move(moved, LONG_AGO));
        CheckReport found = keyspace.check().run();
        assertThat(found.findings()).extracting(Finding::kind).containsOnly(UNFINISHED_MOVE);
        assertThat(found.findings()).hasSize(1);
        assertThat(keyspace.check().repairing().run().left()).isZero();
        assertThat(allKeys()).noneMatch(key -> key.contains("millrace:mov"));
        assertThat(events.get(ID).map(Stored::value)).contains(moved);
        assertThat(events.query("event:pushed").count()).isEqualTo(2);
    }

    @Test
    void a_move_that_was_cut_short_after_its_switch_is_finished_by_a_reader_at_once() {
        Event moved = new Event(ID, "valve", 4, 5);
        switchIt(move(moved, System.currentTimeMillis()));
        assertThat(keyspace.check().run().findings()).isEmpty();
        assertThat(events.get(ID).map(Stored::value)).contains(moved);
        assertThat(allKeys()).noneMatch(key -> key.contains("millrace:mov"));
    }

    @Test
    void a_move_that_was_cut_short_before_its_switch_is_discarded() {
        move(new Event(ID, "valve", 4, 5), LONG_AGO);
        assertThat(events.get(ID).map(Stored::value)).contains(FOREIGN);
        isMended(UNFINISHED_MOVE, "valve", "millrace:moving:" + ID);
    }

    @Test
    void an_old_copy_does_not_bring_back_what_was_moved_elsewhere_or_deleted() {
        move(new Event(ID, "valve", 4, 5), LONG_AGO);
        Event elsewhere = new Event(ID, "tank", 6, 0);
        done(events.update(ID, old -> elsewhere));
        assertThat(events.get(ID).map(Stored::value)).contains(elsewhere);
        done(events.delete(ID));
        assertThat(events.get(ID)).isEmpty();
        assertThat(keyspace.check().repairing().run().left()).isZero();
        assertThat(events.get(ID)).isEmpty();
        assertThat(events.query("event").count()).isEqualTo(2);
    }

    @Test
    void an_old_copy_is_no_hindrance_to_the_next_move() {
        move(new Event(ID, "valve", 4, 5), LONG_AGO);
        done(events.update(ID, old -> new Event(ID, "valve", 7, 0)));
        assertThat(events.query("event:device:{device}", "valve").count()).isEqualTo(1);
    }

    @Test
    void a_copy_that_cannot_be_read_is_reported_and_left() {
        for (String words : List.of("", "garbage", "1|2\n{}", "x|5:1:y||Event\n{}")) {
            raw("valve", "SET", "millrace:moving:" + ID, words);
            isReported(UNFINISHED_MOVE, "valve", "millrace:moving:" + ID);
        }
        String broken = "%d|5:%d:x||Event\n{broken".formatted(Shards.shard("pump"), LONG_AGO);
        raw("valve", "SET", "millrace:moving:" + ID, broken);
        isReported(UNFINISHED_MOVE, "valve", "millrace:moving:" + ID);
    }

    @Test
    void a_receipt_of_a_finished_move_is_removed() {
        raw("pump", "SET", "millrace:moved:" + ID, "5:" + LONG_AGO + ":x");
        isMended(UNFINISHED_MOVE, "pump", "millrace:moved:" + ID);
    }

    @Test
    void a_unique_field_reserved_for_one_that_comes_is_no_orphan_until_its_move_is_discarded() {
        Notice renamed = new Notice(NOTICE.id(), "vapour", null, List.of());
        Pointer pointer = Pointer.to(keyspace.ground().shards().place("vapour"), LONG_AGO);
        byte[] copy =
                new MovingCopy(
                                Shards.shard("fire"),
                                pointer,
                                "",
                                "Notice",
                                Plant.NOTICES.mapping().encode(renamed, null))
                        .encode();
        raw("vapour", "HSET", "notice-slug", "vapour", NOTICE.id());
        raw("vapour", "SET", "millrace:moving:notice:" + NOTICE.id(), new String(copy, UTF_8));
        isMended(UNFINISHED_MOVE, "vapour", "millrace:moving:notice:" + NOTICE.id());
        raw("vapour", "HSET", "notice-slug", "vapour", NOTICE.id());
        isMended(ORPHAN_ENTRY, "vapour", "notice-slug");
    }

    @Test
    void keys_without_a_shard_s_tag_are_unknown_and_stay() {
        site.command("event:created", "ZADD", "event:created", "1", EVENT.id());
        site.command("{iv}x", "SET", "{iv}x", "1");
        Map<String, Object> before = site.dump();
        CheckReport report = keyspace.check().repairing().run();
        assertThat(report.findings()).isEmpty();
        assertThat(report.unknown()).isEqualTo(2);
        assertThat(site.dump()).isEqualTo(before);
    }
}
