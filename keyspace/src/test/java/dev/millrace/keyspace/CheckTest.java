package dev.millrace.keyspace;

import static dev.millrace.keyspace.check.Finding.Kind.MISSING_ENTRY;
import static dev.millrace.keyspace.check.Finding.Kind.ORPHAN_ENTRY;
import static dev.millrace.keyspace.check.Finding.Kind.STALE_ENTRY;
import static dev.millrace.keyspace.check.Finding.Kind.TWO_KINDS;
import static dev.millrace.keyspace.check.Finding.Kind.UNDECODABLE;
import static dev.millrace.keyspace.check.Finding.Kind.UNIQUE_TWICE;
import static dev.millrace.keyspace.check.Finding.Kind.WRONG_SCORE;
import static dev.millrace.keyspace.check.Finding.Kind.WRONG_TYPE;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.keyspace.Plant.Event;
import dev.millrace.keyspace.check.Check;
import dev.millrace.keyspace.check.CheckReport;
import dev.millrace.keyspace.check.Finding;
import dev.millrace.keyspace.commit.Shards;
import dev.millrace.keyspace.commit.Stored;
import dev.millrace.keyspace.layout.Declaration;
import dev.millrace.keyspace.store.Store;
import dev.millrace.keyspace.testing.OnEachSite;
import dev.millrace.keyspace.testing.Site;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Damage of every kind is found; what can be mended is, and the rest is left as it lies. */
@OnEachSite
final class CheckTest extends DamageContract {

    CheckTest(Site site) {
        super(site);
    }

    // ---------------------------------------------------------------- entries

    @Test
    void a_missing_entry_of_a_sorted_index_is_entered() {
        for (String index :
                List.of("event:created", "event:pushed", "event:device:pump", "event")) {
            raw("pump", "ZREM", index, PUSHED.id());
            isMended(MISSING_ENTRY, "pump", index);
        }
        raw("fire", "ZREM", "notice-sender:ada", NOTICE.id());
        isMended(MISSING_ENTRY, "fire", "notice-sender:ada");
        raw("t1", "ZREM", "tanks", "t1");
        isMended(MISSING_ENTRY, "t1", "tanks");
    }

    @Test
    void a_missing_entry_of_a_set_or_unique_index_is_entered() {
        raw("fire", "SREM", "notice-label:b", NOTICE.id());
        isMended(MISSING_ENTRY, "fire", "notice-label:b");
        raw("c1", "DEL", "point-index:c1");
        isMended(MISSING_ENTRY, "c1", "point-index:c1");
        raw("fire", "HDEL", "notice-slug", "fire");
        isMended(MISSING_ENTRY, "fire", "notice-slug");
        raw(Declaration.SITE, "HDEL", "reader-name", "bob");
        isMended(MISSING_ENTRY, Declaration.SITE, "reader-name");
    }

    @Test
    void a_stale_entry_is_removed() {
        raw("pump", "ZADD", "event:pushed", "9", EVENT.id());
        isMended(STALE_ENTRY, "pump", "event:pushed");
        raw("pump", "ZADD", "event:device:valve", "7", EVENT.id());
        isMended(STALE_ENTRY, "pump", "event:device:valve");
        raw("fire", "SADD", "notice-label:z", NOTICE.id());
        isMended(STALE_ENTRY, "fire", "notice-label:z");
        raw("fire", "HSET", "notice-slug", "smoke", NOTICE.id());
        isMended(STALE_ENTRY, "fire", "notice-slug");
        raw("c1", "SADD", "point-index:c2", "c1:p1");
        isMended(STALE_ENTRY, "c1", "point-index:c2");
    }

    @Test
    void a_wrong_score_is_corrected() {
        raw("pump", "ZADD", "event:created", "6.5", EVENT.id());
        isMended(WRONG_SCORE, "pump", "event:created");
        raw("pump", "ZADD", "event", "1", EVENT.id());
        isMended(WRONG_SCORE, "pump", "event");
        raw("t1", "ZADD", "tanks", "-0.5000001", "t1");
        isMended(WRONG_SCORE, "t1", "tanks");
    }

    @Test
    void an_orphan_entry_is_removed() {
        String nobody = Shards.mint("pump");
        for (String index : List.of("event", "event:created", "reading:name:t", "notices")) {
            raw("pump", "ZADD", index, "7", nobody);
            isMended(ORPHAN_ENTRY, "pump", index);
        }
        raw("fire", "SADD", "notice-label:a", nobody);
        isMended(ORPHAN_ENTRY, "fire", "notice-label:a");
        raw("fire", "HSET", "notice-slug", "smoke", nobody);
        isMended(ORPHAN_ENTRY, "fire", "notice-slug");
        raw("x", "SADD", "idx:alarm:active", "cold");
        isMended(ORPHAN_ENTRY, "x", "idx:alarm:active");
    }

    @Test
    void an_entry_for_an_id_that_cannot_be_one_is_removed_and_nothing_behind_it() {
        driftIsExpected();
        for (String id : List.of("pump-1", "", "event:created", "recipe", "ü")) {
            raw("pump", "ZADD", "event:created", "7", id);
            isMended(ORPHAN_ENTRY, "pump", "event:created");
            raw("pump", "ZADD", "event", "0", id);
            isMended(ORPHAN_ENTRY, "pump", "event");
        }
        raw("fire", "SADD", "notice-label:a", "no id");
        isMended(ORPHAN_ENTRY, "fire", "notice-label:a");
        raw("fire", "HSET", "notice-slug", "smoke", "no id");
        isMended(ORPHAN_ENTRY, "fire", "notice-slug");
        done(keyspace.commitAtSite().push(Plant.ALARM_EVENTS.at(), new byte[] {65}, 5).run());
        theWorldIsThis();
        raw(Declaration.SITE, "SADD", "idx:alarm:active", "events");
        isMended(ORPHAN_ENTRY, Declaration.SITE, "idx:alarm:active");
        raw(Declaration.SITE, "ZADD", "plant-documents", "0", "event:created");
        isMended(ORPHAN_ENTRY, Declaration.SITE, "plant-documents");
    }

    @Test
    void a_member_that_is_no_text_is_removed_as_it_is() {
        byte[] member = {(byte) 0xff, (byte) 0xfe, 'x'};
        rawBytes("pump", "ZADD", "event:created", bytes("7"), member);
        isMended(ORPHAN_ENTRY, "pump", "event:created");
        rawBytes("fire", "SADD", "notice-label:a", member);
        isMended(ORPHAN_ENTRY, "fire", "notice-label:a");
        rawBytes("fire", "HSET", "notice-slug", member, bytes(NOTICE.id()));
        isMended(ORPHAN_ENTRY, "fire", "notice-slug");
        rawBytes("fire", "HSET", "notice-slug", bytes("smoke"), member);
        isMended(ORPHAN_ENTRY, "fire", "notice-slug");
    }

    private void rawBytes(String owner, String command, String key, byte[]... more) {
        String full = fullKey(owner, key);
        List<byte[]> words = new ArrayList<>(List.of(bytes(command), bytes(full)));
        words.addAll(List.of(more));
        site.commandBytes(full, words.toArray(byte[][]::new));
    }

    private static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }

    // ---------------------------------------------------------------- kinds

    @Test
    void a_value_whose_kind_entry_alone_is_missing_is_given_it_back() {
        raw("pump", "ZREM", "reading", READING.id());
        isMended(MISSING_ENTRY, "pump", "reading");
    }

    @Test
    void a_value_whose_kind_entry_is_not_all_that_is_missing_is_reported() {
        raw("pump", "ZREM", "reading", READING.id());
        raw("pump", "ZREM", "reading:created", READING.id());
        isReported(MISSING_ENTRY, "pump", "reading");
    }

    @Test
    void a_value_to_which_no_entry_leads_is_unknown_and_stays() {
        String id = Shards.mint("pump");
        raw(
                "pump",
                "SET",
                id,
                String.valueOf(raw("pump", "GET", EVENT.id())).replace(EVENT.id(), id));
        raw("x", "SET", "nobodys", "text");
        raw("x", "RPUSH", "nobodys:list", "text");
        Map<String, Object> before = site.dump();
        CheckReport report = keyspace.check().repairing().run();
        assertThat(report.findings()).isEmpty();
        assertThat(report.unknown()).isEqualTo(3);
        assertThat(report.unknownExamples())
                .containsExactlyInAnyOrder(
                        fullKey("pump", id), fullKey("x", "nobodys"), fullKey("x", "nobodys:list"));
        assertThat(site.dump()).isEqualTo(before);
    }

    @Test
    void an_entry_that_leads_to_a_value_of_another_kind_is_removed() {
        for (String index : List.of("event:created", "event:pushed", "event:device:pump")) {
            raw("pump", "ZADD", index, "7", READING.id());
            isMended(STALE_ENTRY, "pump", index);
        }
        raw("pump", "ZADD", "reading:name:t", "7", EVENT.id());
        isMended(STALE_ENTRY, "pump", "reading:name:t");
    }

    @Test
    void an_id_in_two_kind_indexes_is_reported_and_left() {
        raw("pump", "ZADD", "event", "0", READING.id());
        isReported(TWO_KINDS, "pump", READING.id());
        again();
        raw("pump", "ZADD", "plant-documents", "0", EVENT.id());
        isReported(TWO_KINDS, "pump", EVENT.id());
    }

    // ---------------------------------------------------------------- values

    @Test
    void a_value_that_cannot_be_read_is_reported_with_its_entries_and_left() {
        for (String words : List.of("", "{", "null", "[1]", "{\"id\":\"" + EVENT.id() + "\"}")) {
            raw("pump", "SET", EVENT.id(), words);
            isReported(UNDECODABLE, "pump", EVENT.id());
        }
        again();
        raw("pump", "SET", EVENT.id(), String.valueOf(raw("pump", "GET", PUSHED.id())));
        isReported(UNDECODABLE, "pump", EVENT.id());
        again();
        raw("c1", "HSET", "point:c1:p1", "value", "much");
        isReported(UNDECODABLE, "c1", "point:c1:p1");
        again();
        raw("t1", "SET", "tank:t1", "{\"tank\":\"t1\",\"level\":\"Infinity\"}");
        isReported(UNDECODABLE, "t1", "tank:t1");
    }

    @Test
    void a_value_of_a_wrong_type_is_reported_with_its_entries_and_left() {
        raw("pump", "DEL", EVENT.id());
        raw("pump", "RPUSH", EVENT.id(), "x");
        isReported(WRONG_TYPE, "pump", EVENT.id());
        again();
        raw("fire", "DEL", "notice:" + NOTICE.id());
        raw("fire", "HSET", "notice:" + NOTICE.id(), "f", "v");
        isReported(WRONG_TYPE, "fire", "notice:" + NOTICE.id());
        again();
        raw("c1", "DEL", "point:c1:p1");
        raw("c1", "SET", "point:c1:p1", "x");
        isReported(WRONG_TYPE, "c1", "point:c1:p1");
        again();
        raw("recipe", "DEL", "recipe");
        raw("recipe", "SADD", "recipe", "x");
        isReported(WRONG_TYPE, "recipe", "recipe");
    }

    @Test
    void a_cell_of_a_wrong_type_is_reported_and_left() {
        raw("n", "DEL", "counter:n");
        raw("n", "ZADD", "counter:n", "1", "x");
        isReported(WRONG_TYPE, "n", "counter:n");
        again();
        raw(Declaration.SITE, "SET", "alarm:events", "x");
        isReported(WRONG_TYPE, Declaration.SITE, "alarm:events");
        again();
        site.command("c.{x}.clock", "RPUSH", "c.{x}.clock", "x");
        CheckReport report = keyspace.check().run();
        assertThat(report.findings()).extracting(Finding::kind).containsExactly(WRONG_TYPE);
        assertThat(report.findings()).extracting(Finding::key).containsExactly("c.{x}.clock");
    }

    @Test
    void an_index_of_a_wrong_type_is_reported_with_what_is_missing_in_it_and_left() {
        driftIsExpected();
        for (String index : List.of("event:created", "event")) {
            raw("pump", "DEL", index);
            raw("pump", "RPUSH", index, "x");
            Map<String, Object> damaged = site.dump();
            for (Check check : List.of(keyspace.check(), keyspace.check().repairing())) {
                CheckReport report = check.run();
                assertThat(report.found()).isEqualTo(Map.of(WRONG_TYPE, 1L, MISSING_ENTRY, 2L));
                assertThat(report.left()).isEqualTo(3);
                assertThat(report.findings())
                        .extracting(Finding::key)
                        .containsOnly(fullKey("pump", index));
                assertThat(site.dump()).isEqualTo(damaged);
            }
            again();
        }
        raw("fire", "DEL", "notice-slug");
        raw("fire", "SADD", "notice-slug", "x");
        assertThat(keyspace.check().repairing().run().found())
                .isEqualTo(Map.of(WRONG_TYPE, 1L, MISSING_ENTRY, 1L));
    }

    @Test
    void a_unique_field_that_two_values_claim_is_reported_and_left() {
        String twin = Shards.mint("fire");
        String value = String.valueOf(raw("fire", "GET", "notice:" + NOTICE.id()));
        raw("fire", "SET", "notice:" + twin, value.replace(NOTICE.id(), twin));
        raw("fire", "ZADD", "notices", "0", twin);
        raw("fire", "ZADD", "notice-sender:ada", "0", twin);
        raw("fire", "SADD", "notice-label:a", twin);
        raw("fire", "SADD", "notice-label:b", twin);
        isReported(UNIQUE_TWICE, "fire", "notice-slug");
    }

    @Test
    void a_unique_field_that_leads_to_nothing_is_given_to_the_one_that_claims_it() {
        raw("fire", "HSET", "notice-slug", "fire", Shards.mint("fire"));
        assertThat(keyspace.check().run().found())
                .isEqualTo(Map.of(ORPHAN_ENTRY, 1L, MISSING_ENTRY, 1L));
        CheckReport repaired = keyspace.check().repairing().run();
        assertThat(repaired.drift()).isEqualTo(2);
        assertThat(repaired.left()).isZero();
        assertThat(keyspace.store(Plant.NOTICES).find("notice-slug", "fire").map(Stored::value))
                .contains(NOTICE);
    }

    @Test
    void much_damage_at_once_is_mended_in_one_run() {
        Store<Event> events = keyspace.store(Plant.EVENTS);
        for (int i = 0; i < 700; i++) {
            done(events.create(new Event(Shards.mint("mill"), "mill", i, i % 2)));
        }
        theWorldIsThis();
        Map<String, Object> whole = site.dump();
        List<?> ids = (List<?>) raw("mill", "ZRANGE", "event:created", "0", "-1");
        for (int i = 0; i < 700; i += 3) {
            String id = String.valueOf(ids.get(i));
            switch (i % 5) {
                case 0 -> raw("mill", "ZREM", "event:created", id);
                case 1 -> raw("mill", "ZADD", "event:created", "9999", id);
                case 2 -> raw("mill", "ZADD", "event:device:valve", "1", id);
                case 3 -> raw("mill", "ZREM", "event", id);
                default -> raw("mill", "ZADD", "reading:name:x", "1", Shards.mint("mill"));
            }
        }
        CheckReport found = keyspace.check().run();
        assertThat(found.drift()).isEqualTo(234);
        CheckReport repaired = keyspace.check().repairing().run();
        assertThat(repaired.found()).isEqualTo(found.found());
        assertThat(repaired.left()).isZero();
        assertThat(site.dump()).isEqualTo(whole);
    }
}
