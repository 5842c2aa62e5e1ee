package dev.millrace.keyspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.keyspace.Plant.Alarm;
import dev.millrace.keyspace.check.Finding;
import dev.millrace.keyspace.commit.Announcement;
import dev.millrace.keyspace.commit.Commit;
import dev.millrace.keyspace.commit.Stored;
import dev.millrace.keyspace.layout.Catalogue;
import dev.millrace.keyspace.layout.Cell;
import dev.millrace.keyspace.redis.Subscription;
import dev.millrace.keyspace.redis.outcome.Outcome;
import dev.millrace.keyspace.redis.outcome.Reason;
import dev.millrace.keyspace.testing.OnEachSite;
import dev.millrace.keyspace.testing.Site;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.IntStream;

/** What rooms write beside entities: values of points, sizes, logs, generations. */
@OnEachSite
final class CellWritesTest extends EngineContract {
    private static final String OWNER = "pump";
    private static final Cell.Key VALUES = Plant.VALUES.at(OWNER);
    private static final Cell.Key TAGS = Plant.TAGS.at(OWNER);
    private static final Cell.Key TIMES = Plant.TIMES.at(OWNER);
    private static final Cell.Key QUEUE = Plant.QUEUE.at(OWNER);
    private static final Cell.Key COUNTER = Plant.COUNTER.at(OWNER);

    CellWritesTest(Site site) {
        super(site);
    }

    @Override
    protected Catalogue catalogue() {
        return Plant.CATALOGUE;
    }

    private Commit commit() {
        return keyspace.commit(OWNER);
    }

    private Map<String, String> values() {
        return keyspace.cells().hash(VALUES).answer().or(Map.of());
    }

    private List<String> queue() {
        return keyspace.cells().list(QUEUE, 0, -1).answer().or(List.of());
    }

    // ---------------------------------------------------------------- fields

    @Test
    void a_time_rises_with_the_values_and_never_falls() {
        done(commit().setFields(VALUES, Map.of("101", "3")).raiseField(VALUES, "at", 20).run());
        assertThat(values()).isEqualTo(Map.of("101", "3", "at", "20"));
        done(commit().setFields(VALUES, Map.of("101", "4")).raiseField(VALUES, "at", 10).run());
        assertThat(values()).isEqualTo(Map.of("101", "4", "at", "20"));
        raw(OWNER, "HSET", "values:pump", "at", "soon");
        done(commit().raiseField(VALUES, "at", 5).run());
        assertThat(values()).containsEntry("at", "5");
    }

    @Test
    void what_a_commit_sets_it_does_not_raise() {
        assertThatThrownBy(
                        () ->
                                commit().setFields(VALUES, Map.of("at", "1"))
                                        .raiseField(VALUES, "at", 2))
                .hasMessageContaining("set and raised");
    }

    @Test
    void as_many_fields_as_a_channel_has_are_set_and_removed_at_once() {
        Map<String, String> many = new HashMap<>();
        IntStream.range(0, 5000).forEach(i -> many.put("p" + i, "" + i));
        done(commit().setFields(VALUES, many).raiseField(VALUES, "at", 7).run());
        assertThat(values()).hasSize(5001);
        done(commit().removeFields(VALUES, many.keySet()).run());
        assertThat(values()).isEqualTo(Map.of("at", "7"));
        done(commit().removeFields(VALUES, List.of()).setFields(VALUES, Map.of()).run());
        assertThat(values()).hasSize(1);
    }

    @Test
    void more_words_than_a_commit_takes_are_refused_before_anything_is_sent() {
        Map<String, String> many = new HashMap<>();
        IntStream.range(0, Commit.MAX_WORDS / 2).forEach(i -> many.put("p" + i, "" + i));
        notDone(Reason.TOO_LARGE, commit().setFields(VALUES, many).run());
        assertThat(allKeys()).isEmpty();
    }

    // ---------------------------------------------------------------- sizes

    @Test
    void a_size_is_what_the_commit_leaves_behind_wherever_in_it_that_was_asked_for() {
        Outcome<Long> outcome =
                commit().addMember(TAGS, "a")
                        .sizeField(VALUES, "active", TAGS)
                        .addMember(TAGS, "b")
                        .sizeField(VALUES, "active", TAGS)
                        .addSorted(TIMES, 1, "x")
                        .sizeField(VALUES, "times", TIMES)
                        .run();
        done(outcome);
        assertThat(values()).isEqualTo(Map.of("active", "2", "times", "1"));
        raw(OWNER, "SADD", "tags:pump", "somebody", "else");
        done(commit().removeMember(TAGS, "a").sizeField(VALUES, "active", TAGS).run());
        assertThat(values()).containsEntry("active", "3");
    }

    @Test
    void rubbish_in_a_size_is_mended_and_rubbish_around_it_is_in_nobodys_way() {
        driftIsExpected();
        raw(OWNER, "HSET", "values:pump", "active", "abc");
        done(commit().addMember(TAGS, "a").sizeField(VALUES, "active", TAGS).run());
        assertThat(values()).isEqualTo(Map.of("active", "1"));
        raw(OWNER, "DEL", "values:pump");
        raw(OWNER, "SET", "values:pump", "x");
        done(commit().addMember(TAGS, "b").sizeField(VALUES, "active", TAGS).run());
        assertThat(raw(OWNER, "GET", "values:pump")).isEqualTo("x");
        assertThat(raw(OWNER, "SCARD", "tags:pump")).isEqualTo(2L);
        assertThat(keyspace.check().run().findings())
                .extracting(Finding::kind)
                .containsExactly(Finding.Kind.WRONG_TYPE);
    }

    @Test
    void an_index_is_counted_with_the_entry_that_the_commit_adds_or_takes_away() {
        Outcome<Long> raised =
                commit().sizeField(VALUES, "active", Plant.ALARMS, "idx:alarm:active")
                        .create(Plant.ALARMS, new Alarm(OWNER, "active", "86"))
                        .run();
        done(raised);
        assertThat(values()).containsEntry("active", "1");
        Outcome<Long> cleared =
                commit().update(Plant.ALARMS, stored(), new Alarm(OWNER, "cleared", "80"))
                        .sizeField(VALUES, "active", Plant.ALARMS, "idx:alarm:active")
                        .run();
        done(cleared);
        assertThat(values()).containsEntry("active", "0");
        assertThatThrownBy(() -> commit().sizeField(VALUES, "n", Plant.ALARMS, "idx:alarm:other"))
                .hasMessageContaining("no index");
    }

    @Test
    void only_what_has_a_size_is_counted() {
        assertThatThrownBy(() -> commit().sizeField(VALUES, "n", COUNTER))
                .hasMessageContaining("counted");
    }

    // ---------------------------------------------------------------- logs

    @Test
    void each_list_has_a_sequence_of_its_own_without_gaps() {
        done(commit().log(QUEUE, COUNTER, "{\"seq\":", "}", 2).run());
        assertThat(done(commit().logIfList(QUEUE, COUNTER, "{\"seq\":", "}", 2).run()))
                .isEqualTo(2);
        notDone(
                Reason.CONFLICT,
                commit().generationIs(COUNTER, 9).log(QUEUE, COUNTER, "", "", 2).run());
        done(commit().log(QUEUE, COUNTER, "{\"seq\":", "}", 2).run());
        assertThat(queue()).containsExactly("{\"seq\":3}", "{\"seq\":2}");
    }

    @Test
    void a_list_that_is_something_else_is_in_the_way_only_of_what_must_be_logged() {
        driftIsExpected();
        raw(OWNER, "SET", "queue:pump", "x");
        notDone(
                Reason.WRONG_TYPE,
                commit().addMember(TAGS, "a").log(QUEUE, COUNTER, "", "", 9).run());
        assertThat(done(commit().addMember(TAGS, "b").logIfList(QUEUE, COUNTER, "", "", 9).run()))
                .as("a number that nobody sees is not given out")
                .isZero();
        assertThat(raw(OWNER, "GET", "queue:pump")).isEqualTo("x");
        assertThat(raw(OWNER, "EXISTS", "counter:pump")).isEqualTo(0L);
        assertThat(raw(OWNER, "SMEMBERS", "tags:pump")).isEqualTo(List.of("b"));
        assertThat(keyspace.check().run().findings())
                .extracting(Finding::kind)
                .containsExactly(Finding.Kind.WRONG_TYPE);
    }

    @Test
    void a_counter_is_a_cell_of_its_own() {
        assertThatThrownBy(() -> commit().set(COUNTER, "5").log(QUEUE, COUNTER, "", "", 9))
                .hasMessageContaining("set and counted up");
        assertThatThrownBy(() -> commit().log(QUEUE, VALUES, "", "", 9))
                .hasMessageContaining("cannot be used as");
        assertThatThrownBy(() -> commit().log(QUEUE, Plant.COUNTER.at("valve"), "", "", 9))
                .hasMessageContaining("must live together");
    }

    // ---------------------------------------------------------------- generations

    @Test
    void a_generation_is_looked_at_and_raised_in_one_commit() {
        done(commit().generationIs(COUNTER, 0).increment(COUNTER, 1).run());
        notDone(Reason.CONFLICT, commit().generationIs(COUNTER, 0).increment(COUNTER, 1).run());
        done(commit().increment(COUNTER, 1).generationIs(COUNTER, 1).run());
        assertThat(keyspace.cells().number(COUNTER).answer().or(0L)).isEqualTo(2);
    }

    // ---------------------------------------------------------------- fields of a layout

    private Stored<Alarm> stored() {
        return keyspace.store(Plant.ALARMS).get(OWNER).orElseThrow();
    }

    private void create(String status, String value) {
        done(keyspace.store(Plant.ALARMS).create(new Alarm(OWNER, status, value)));
    }

    private Object field(String name) {
        return raw(OWNER, "HGET", "alarm:pump", name);
    }

    private boolean active() {
        return Long.valueOf(1).equals(raw(OWNER, "SISMEMBER", "idx:alarm:active", OWNER));
    }

    @Test
    void a_field_that_feeds_no_index_is_set_without_reading() {
        create("active", "86");
        raw(OWNER, "HSET", "alarm:pump", "note", "of others");
        done(commit().setFields(Plant.ALARMS, OWNER, Map.of("value", "87")).run());
        assertThat(stored().value()).isEqualTo(new Alarm(OWNER, "active", "87"));
        assertThat(field("note")).isEqualTo("of others");
    }

    @Test
    void nothing_is_made_where_there_is_nothing() {
        notDone(
                Reason.ABSENT,
                commit().setFields(Plant.ALARMS, OWNER, Map.of("value", "87")).run());
        assertThat(allKeys()).isEmpty();
    }

    @Test
    void a_field_that_feeds_an_index_or_is_not_declared_is_not_set_so() {
        for (String field : List.of("status", "note", "rule")) {
            assertThatThrownBy(
                            () -> commit().setFields(Plant.ALARMS, OWNER, Map.of(field, "cleared")))
                    .hasMessageContaining("do not feed an index");
        }
        assertThatThrownBy(() -> commit().setFields(Plant.ALARMS, "valve", Map.of("value", "1")))
                .hasMessageContaining("must live together");
    }

    @Test
    void an_update_changes_what_differs_and_its_entries() {
        create("active", "86");
        Stored<Alarm> before = stored();
        raw(OWNER, "HSET", "alarm:pump", "value", "99", "note", "of others");
        done(commit().update(Plant.ALARMS, before, new Alarm(OWNER, "cleared", "86")).run());
        assertThat(field("status")).isEqualTo("cleared");
        assertThat(field("value")).as("was not changed here").isEqualTo("99");
        assertThat(field("note")).isEqualTo("of others");
        assertThat(active()).isFalse();
        done(commit().update(Plant.ALARMS, stored(), new Alarm(OWNER, "active", "1")).run());
        assertThat(active()).isTrue();
        assertThat(field("value")).isEqualTo("1");
    }

    @Test
    void an_update_is_refused_if_what_feeds_an_index_has_changed_meanwhile() {
        create("active", "86");
        Stored<Alarm> before = stored();
        done(commit().update(Plant.ALARMS, before, new Alarm(OWNER, "cleared", "86")).run());
        notDone(
                Reason.CONFLICT,
                commit().update(Plant.ALARMS, before, new Alarm(OWNER, "active", "90")).run());
        assertThat(stored().value()).isEqualTo(new Alarm(OWNER, "cleared", "86"));
        assertThat(active()).isFalse();
    }

    @Test
    void an_update_removes_the_fields_that_are_gone() {
        Plant.Point point = new Plant.Point("c1", "101", 3.5, "bar", 7L);
        done(keyspace.store(Plant.POINTS).create(point));
        Stored<Plant.Point> before = keyspace.store(Plant.POINTS).get("c1:101").orElseThrow();
        Plant.Point after = new Plant.Point("c1", "101", 3.5, null, 8L);
        done(keyspace.commit("c1").update(Plant.POINTS, before, after).run());
        assertThat(keyspace.store(Plant.POINTS).get("c1:101").orElseThrow().value())
                .isEqualTo(after);
        assertThat(raw("c1", "HEXISTS", "point:c1:101", "unit")).isEqualTo(0L);
    }

    @Test
    void only_hashes_have_fields() {
        done(keyspace.store(Plant.TANKS).create(new Plant.Tank("t", 1)));
        Stored<Plant.Tank> before = keyspace.store(Plant.TANKS).get("t").orElseThrow();
        assertThatThrownBy(
                        () ->
                                keyspace.commit("t")
                                        .update(Plant.TANKS, before, new Plant.Tank("t", 2)))
                .hasMessageContaining("Only hashes");
        assertThatThrownBy(
                        () ->
                                keyspace.commit("t")
                                        .setFields(Plant.TANKS, "t", Map.of("level", "2")))
                .hasMessageContaining("only these fields");
    }

    // ---------------------------------------------------------------- several rooms in one commit

    @Test
    void who_contributes_is_told_what_became_of_it_in_every_case() {
        List<Outcome<Long>> told = new ArrayList<>();
        done(commit().addMember(TAGS, "a").afterwards(told::add).run());
        notDone(Reason.CONFLICT, commit().generationIs(COUNTER, 5).afterwards(told::add).run());
        notDone(
                Reason.TOO_LARGE,
                commit().set(COUNTER, new byte[Commit.MAX_BYTES + 1]).afterwards(told::add).run());
        done(commit().addMember(TAGS, "b").afterwards(told::add).send().join());
        assertThat(told).hasSize(4);
        assertThat(told.getFirst()).isInstanceOf(Outcome.Done.class);
        assertThat(told.get(1).failedBy(Reason.CONFLICT)).isTrue();
        assertThat(told.get(2).failedBy(Reason.TOO_LARGE)).isTrue();
        assertThat(told.get(3)).isInstanceOf(Outcome.Done.class);
    }

    @Test
    void commits_that_are_sent_without_waiting_are_executed_in_their_order() {
        List<CompletableFuture<Outcome<Long>>> all = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            all.add(
                    commit().generationIs(COUNTER, i)
                            .increment(COUNTER, 1)
                            .setFields(VALUES, Map.of("101", "" + i))
                            .send());
        }
        assertThat(all).allMatch(each -> each.join().isDone());
        assertThat(values()).isEqualTo(Map.of("101", "499"));
    }

    // ---------------------------------------------------------------- announcements

    @Test
    void what_is_announced_is_heard_when_all_is_written_and_not_if_nothing_is() throws Exception {
        BlockingQueue<String> heard = new LinkedBlockingQueue<>();
        CountDownLatch listening = new CountDownLatch(1);
        Subscription.Listener listener =
                new Subscription.Listener() {
                    @Override
                    public void message(String channel, byte[] body) {
                        heard.add(channel + " " + new String(body, UTF_8) + " " + values());
                    }

                    @Override
                    public void listening(String channel) {
                        listening.countDown();
                    }
                };
        try (Subscription subscription = redis.subscribe(List.of("event:pump"), listener)) {
            listening.await();
            notDone(
                    Reason.CONFLICT,
                    commit().fieldEquals(VALUES, "1", "none")
                            .with(Announcement.of(VALUES, "event:pump", "not this"))
                            .run());
            done(
                    commit().with(Announcement.of(VALUES, "event:pump", "this"))
                            .setFields(VALUES, Map.of("1", "5"))
                            .run());
            assertThat(heard.take()).isEqualTo("event:pump this {1=5}");
            assertThat(subscription).isNotNull();
        }
    }
}
