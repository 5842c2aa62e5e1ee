package dev.millrace.keyspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.keyspace.Plant.Alarm;
import dev.millrace.keyspace.Plant.Event;
import dev.millrace.keyspace.Plant.Reading;
import dev.millrace.keyspace.check.CheckReport;
import dev.millrace.keyspace.commit.Commit;
import dev.millrace.keyspace.commit.Shards;
import dev.millrace.keyspace.commit.Stored;
import dev.millrace.keyspace.feed.Topic;
import dev.millrace.keyspace.layout.Catalogue;
import dev.millrace.keyspace.layout.Cell;
import dev.millrace.keyspace.layout.KeyType;
import dev.millrace.keyspace.layout.Layout;
import dev.millrace.keyspace.redis.outcome.Outcome;
import dev.millrace.keyspace.redis.outcome.Reason;
import dev.millrace.keyspace.testing.OnEachSite;
import dev.millrace.keyspace.testing.SharedServers;
import dev.millrace.keyspace.testing.Site;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;

/** Baskets of several rooms: all of it happens, or nothing. */
@OnEachSite
final class CommitTest extends EngineContract {
    private static final String OWNER = "pump";

    CommitTest(Site site) {
        super(site);
    }

    @Override
    protected Catalogue catalogue() {
        return Plant.CATALOGUE;
    }

    private static Cell.Key counter() {
        return Plant.COUNTER.at(OWNER);
    }

    private static Cell.Key values() {
        return Plant.VALUES.at(OWNER);
    }

    private static Cell.Key tags() {
        return Plant.TAGS.at(OWNER);
    }

    private static Cell.Key times() {
        return Plant.TIMES.at(OWNER);
    }

    private static Cell.Key queue() {
        return Plant.QUEUE.at(OWNER);
    }

    private Commit commit() {
        return keyspace.commit(OWNER);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(UTF_8);
    }

    /** What several rooms put into one basket when a device sends an event that raises an alarm. */
    private Commit raise(Event event, List<Reading> readings) {
        Commit commit = commit().create(Plant.EVENTS, event);
        readings.forEach(reading -> commit.create(Plant.READINGS, reading));
        return commit.create(Plant.ALARMS, new Alarm(OWNER, "active", "99"))
                .setFields(values(), Map.of("temperature", "99", "at", "7"))
                .increment(counter(), 1)
                .addMember(tags(), "hot")
                .addSorted(times(), 7, event.id())
                .log(queue(), "{\"n\":", ",\"what\":\"raised\"}", 10)
                .with(keyspace.feed(Topic.named("alarms")).fact(bytes("raised")));
    }

    private static List<Reading> readings() {
        List<Reading> readings = new ArrayList<>();
        for (String name : List.of("temperature", "pressure", "flow")) {
            readings.add(new Reading(Shards.mint(OWNER), OWNER, name, 7, "99"));
        }
        return readings;
    }

    @Test
    void a_basket_of_several_rooms_happens_as_a_whole() {
        Event event = new Event(Shards.mint(OWNER), OWNER, 7, 0);
        List<Reading> readings = readings();
        done(raise(event, readings).run());
        assertThat(keyspace.store(Plant.EVENTS).get(event.id()).map(Stored::value)).contains(event);
        assertThat(keyspace.store(Plant.READINGS).query("reading").count()).isEqualTo(3);
        assertThat(keyspace.store(Plant.ALARMS).query("idx:alarm:active").count()).isEqualTo(1);
        assertThat(raw(OWNER, "HGET", values().key(), "temperature")).isEqualTo("99");
        assertThat(raw(OWNER, "GET", counter().key())).isEqualTo("1");
        assertThat(raw(OWNER, "SMEMBERS", tags().key())).isEqualTo(List.of("hot"));
        assertThat(raw(OWNER, "ZSCORE", times().key(), event.id())).isEqualTo("7");
        assertThat(raw(OWNER, "LRANGE", queue().key(), "0", "-1"))
                .isEqualTo(List.of("{\"n\":1,\"what\":\"raised\"}"));
        assertThat(raw(OWNER, "XLEN", "millrace:feed:alarms")).isEqualTo(1L);
    }

    @Test
    void a_basket_of_which_any_part_cannot_be_done_leaves_nothing_behind() {
        driftIsExpected();
        Event event = new Event(Shards.mint(OWNER), OWNER, 7, 0);
        List<Reading> readings = readings();
        done(raise(event, readings).run());
        Map<String, Object> types = new TreeMap<>();
        allKeys().stream()
                .filter(key -> !key.endsWith("millrace:epoch")) // written when connecting
                .forEach(key -> types.put(key, String.valueOf(site.command(key, "TYPE", key))));
        for (String occupied : types.keySet()) {
            SharedServers.flushAll();
            if ("zset".equals(types.get(occupied))) {
                site.command(occupied, "SET", occupied, "theirs");
            } else {
                site.command(occupied, "ZADD", occupied, "1", "theirs");
            }
            Outcome<Long> outcome = raise(event, readings).run();
            assertThat(outcome.failedBy(Reason.WRONG_TYPE) || outcome.failedBy(Reason.DUPLICATE))
                    .as("%s: %s", occupied, outcome)
                    .isTrue();
            assertThat(allKeys()).as(occupied).isEqualTo(Set.of(occupied));
        }
    }

    @Test
    void what_belongs_to_another_owner_is_not_accepted_on_a_single_server_either() {
        Event theirs = new Event(Shards.mint("valve"), "valve", 7, 0);
        Stored<Event> stored = done(keyspace.store(Plant.EVENTS).create(theirs));
        List<Function<Commit, Commit>> parts =
                List.of(
                        commit -> commit.create(Plant.EVENTS, theirs),
                        commit -> commit.replace(Plant.EVENTS, stored, theirs),
                        commit ->
                                commit.replace(
                                        Plant.EVENTS, stored, new Event(theirs.id(), OWNER, 7, 0)),
                        commit -> commit.delete(Plant.EVENTS, stored),
                        commit -> commit.create(Plant.TICKETS, new Plant.Ticket(OWNER, "")),
                        commit -> commit.increment(Plant.COUNTER.at("valve"), 1),
                        commit -> commit.absent(Plant.COUNTER.at("valve")),
                        commit -> commit.delete(Plant.TAGS.at("valve")),
                        commit -> commit.set(Plant.CLOCK.at(OWNER), "1"),
                        commit -> commit.push(Plant.ALARM_EVENTS.at(), bytes("x"), 5));
        for (Function<Commit, Commit> part : parts) {
            assertThatThrownBy(() -> part.apply(commit()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("must live together");
        }
        assertThatThrownBy(() -> keyspace.commitAt(Plant.CLOCK.at("a")).set(counter(), "1"))
                .hasMessageContaining("must live together");
        assertThat(allKeys()).noneMatch(key -> key.contains("counter"));
    }

    @Test
    void two_tags_never_share_a_basket_even_if_a_single_server_could_take_it() {
        for (int i = 0; i < 200; i++) {
            Cell.Key other = Plant.CLOCK.at("channel" + i);
            assertThatThrownBy(
                            () ->
                                    keyspace.commitAt(Plant.CLOCK.at("c"))
                                            .set(Plant.INBOX.at("c", "1"), "m")
                                            .set(other, "1"))
                    .hasMessageContaining("must live together");
        }
        done(
                keyspace.commitAt(Plant.CLOCK.at("c"))
                        .increment(Plant.CLOCK.at("c"), 1)
                        .set(Plant.INBOX.at("c", "1"), "m")
                        .run());
        assertThat(allKeys()).isEqualTo(Set.of("c.{c}.clock", "c.{c}.m.1"));
    }

    @Test
    void a_basket_of_keys_with_a_tag_of_their_own_takes_tokens_along_and_no_facts() {
        Cell.Key clock = Plant.CLOCK.at("c");
        for (int i = 0; i < 3; i++) {
            done(keyspace.commitAt(clock).increment(clock, 1).once("token").run());
        }
        assertThat(site.command("c.{c}.clock", "GET", "c.{c}.clock")).isEqualTo("1");
        CheckReport report = keyspace.check().run();
        assertThat(report.unknown()).isZero();
        assertThat(allKeys()).hasSize(2);
        Topic published = Topic.named("published");
        assertThatThrownBy(
                        () ->
                                keyspace.commitAt(clock)
                                        .with(keyspace.feed(published).fact(bytes("m"))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("live in no shard");
    }

    // ---------------------------------------------------------------- checks

    @Test
    void each_check_lets_through_what_it_should_and_nothing_else() {
        done(
                commit().set(counter(), "5")
                        .setFields(values(), Map.of("f", "v"))
                        .addMember(tags(), "t")
                        .addSorted(times(), 1, "m")
                        .run());
        record Case(Consumer<Commit> check, Reason otherwise) {}
        List<Consumer<Commit>> good =
                List.of(
                        commit -> commit.absent(queue()),
                        commit -> commit.valueEquals(counter(), bytes("5")),
                        commit -> commit.fieldEquals(values(), "f", "v"),
                        commit -> commit.fieldAbsent(values(), "g"),
                        commit -> commit.memberPresent(tags(), "t"),
                        commit -> commit.memberPresent(times(), "m"),
                        commit -> commit.atLeast(counter(), 5),
                        commit -> commit.atMost(counter(), 5),
                        commit -> commit.unique(values(), "f", "v"),
                        commit -> commit.unique(values(), "g", "x"),
                        commit -> commit.generation(counter(), "5"),
                        commit -> commit.with(basket -> basket.notLaterThan(Long.MAX_VALUE / 2)));
        List<Case> bad =
                List.of(
                        new Case(commit -> commit.absent(counter()), Reason.DUPLICATE),
                        new Case(
                                commit -> commit.valueEquals(counter(), bytes("6")),
                                Reason.CONFLICT),
                        new Case(commit -> commit.fieldEquals(values(), "f", "w"), Reason.CONFLICT),
                        new Case(commit -> commit.fieldEquals(values(), "g", ""), Reason.CONFLICT),
                        new Case(commit -> commit.fieldAbsent(values(), "f"), Reason.CONFLICT),
                        new Case(commit -> commit.memberPresent(tags(), "u"), Reason.ABSENT),
                        new Case(commit -> commit.memberPresent(times(), "n"), Reason.ABSENT),
                        new Case(commit -> commit.atLeast(counter(), 6), Reason.CONFLICT),
                        new Case(commit -> commit.atMost(counter(), 4), Reason.CONFLICT),
                        new Case(commit -> commit.unique(values(), "f", "w"), Reason.DUPLICATE),
                        new Case(commit -> commit.generation(counter(), ""), Reason.CONFLICT),
                        new Case(
                                commit -> commit.with(basket -> basket.notLaterThan(1)),
                                Reason.CONFLICT));
        Commit all = commit();
        good.forEach(check -> check.accept(all));
        done(all.push(queue(), bytes("done"), 5).run());
        for (Case each : bad) {
            Commit commit = commit();
            good.subList(1, good.size()).forEach(check -> check.accept(commit));
            each.check.accept(commit);
            notDone(each.otherwise, commit.push(queue(), bytes("x"), 5).run());
        }
        assertThat(raw(OWNER, "LRANGE", queue().key(), "0", "-1")).isEqualTo(List.of("done"));
    }

    @Test
    void checks_on_keys_of_another_type_are_told() {
        driftIsExpected();
        raw(OWNER, "RPUSH", counter().key(), "x");
        raw(OWNER, "SET", values().key(), "x");
        raw(OWNER, "SET", tags().key(), "x");
        raw(OWNER, "SET", times().key(), "x");
        List<Function<Commit, Commit>> checks =
                List.of(
                        commit -> commit.valueEquals(counter(), bytes("x")),
                        commit -> commit.atLeast(counter(), 0),
                        commit -> commit.generation(counter(), ""),
                        commit -> commit.fieldEquals(values(), "f", "v"),
                        commit -> commit.fieldAbsent(values(), "f"),
                        commit -> commit.unique(values(), "f", "v"),
                        commit -> commit.memberPresent(tags(), "t"),
                        commit -> commit.memberPresent(times(), "t"));
        for (Function<Commit, Commit> check : checks) {
            notDone(Reason.WRONG_TYPE, check.apply(commit()).push(queue(), bytes("x"), 5).run());
        }
        assertThat(raw(OWNER, "EXISTS", queue().key())).isEqualTo(0L);
    }

    // ---------------------------------------------------------------- writes

    @Test
    void capped_lists_keep_the_newest() {
        for (int i = 1; i <= 7; i++) {
            byte[] value = bytes(Integer.toString(i));
            done(commit().push(queue(), value, 3).run());
            done(keyspace.commit("tail").append(Plant.QUEUE.at("tail"), value, 3).run());
            assertThat(done(keyspace.commit("log").log(Plant.QUEUE.at("log"), "<", ">", 3).run()))
                    .isEqualTo(i);
        }
        assertThat(raw(OWNER, "LRANGE", "queue:pump", "0", "-1")).isEqualTo(List.of("7", "6", "5"));
        assertThat(raw("tail", "LRANGE", "queue:tail", "0", "-1"))
                .isEqualTo(List.of("5", "6", "7"));
        assertThat(raw("log", "LRANGE", "queue:log", "0", "-1"))
                .isEqualTo(List.of("<7>", "<6>", "<5>"));
    }

    @Test
    void what_a_basket_adds_a_basket_removes() {
        done(
                commit().set(counter(), "5")
                        .setFields(values(), Map.of("f", "v", "g", "w"))
                        .addMember(tags(), "t")
                        .addSorted(times(), -1.5, "m")
                        .incrementField(values(), "n", -3)
                        .run());
        assertThat(raw(OWNER, "HGET", values().key(), "n")).isEqualTo("-3");
        done(
                commit().delete(counter())
                        .removeField(values(), "f")
                        .removeField(values(), "g")
                        .removeField(values(), "n")
                        .removeMember(tags(), "t")
                        .removeSorted(times(), "m")
                        .run());
        assertThat(allKeys()).isEmpty();
    }

    @Test
    void a_hash_of_many_fields_is_written_in_one_commit() {
        Map<String, String> many = new java.util.HashMap<>();
        for (int i = 0; i < 3001; i++) {
            many.put("f" + i, "v" + i);
        }
        done(commit().setFields(values(), many).run());
        assertThat(raw(OWNER, "HLEN", values().key())).isEqualTo(3001L);
        assertThat(raw(OWNER, "HGET", values().key(), "f2999")).isEqualTo("v2999");
    }

    @Test
    void a_write_that_does_not_fit_the_type_of_its_cell_is_not_accepted() {
        List<Function<Commit, Commit>> wrong =
                List.of(
                        commit -> commit.set(queue(), "x"),
                        commit -> commit.setFields(counter(), Map.of("f", "v")),
                        commit -> commit.addMember(times(), "m"),
                        commit -> commit.addSorted(tags(), 1, "m"),
                        commit -> commit.increment(values(), 1),
                        commit -> commit.incrementField(counter(), "f", 1),
                        commit -> commit.push(tags(), bytes("x"), 1),
                        commit -> commit.append(counter(), bytes("x"), 1),
                        commit -> commit.log(values(), "a", "b", 1),
                        commit -> commit.removeField(tags(), "f"),
                        commit -> commit.removeMember(times(), "m"),
                        commit -> commit.removeSorted(tags(), "m"));
        for (Function<Commit, Commit> write : wrong) {
            assertThatThrownBy(() -> write.apply(commit()))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("is declared as");
        }
    }

    @Test
    void nothing_can_be_put_in_that_would_fail_half_way() {
        assertThatThrownBy(() -> commit().push(queue(), bytes("x"), 0)).hasMessageContaining("1");
        assertThatThrownBy(() -> commit().append(queue(), bytes("x"), 0)).hasMessageContaining("1");
        assertThatThrownBy(() -> commit().log(queue(), "", "", -1)).hasMessageContaining("1");
        notDone(Reason.REFUSED, commit().addSorted(times(), Double.NaN, "m").run());
        notDone(
                Reason.REFUSED,
                commit().addSorted(times(), Double.NEGATIVE_INFINITY, "m")
                        .set(counter(), "1")
                        .run());
        assertThat(allKeys()).isEmpty();
        assertThatThrownBy(() -> commit().increment(counter(), Long.MAX_VALUE))
                .hasMessageContaining("far");
        assertThatThrownBy(() -> commit().incrementField(values(), "f", Long.MIN_VALUE))
                .hasMessageContaining("far");
        assertThatThrownBy(() -> commit().set(counter(), "x").increment(counter(), 1))
                .hasMessageContaining("set and incremented");
        assertThatThrownBy(
                        () ->
                                commit().setFields(values(), Map.of("f", "x"))
                                        .incrementField(values(), "f", 1))
                .hasMessageContaining("set and incremented");
    }

    @Test
    void a_counter_that_is_no_number_or_nearly_too_large_refuses_the_commit() {
        for (String text : List.of("x", "", "1.5", "5000000000000000", "-5000000000000000")) {
            raw(OWNER, "SET", counter().key(), text);
            raw(OWNER, "HSET", values().key(), "f", text);
            notDone(
                    Reason.WRONG_TYPE,
                    commit().addMember(tags(), "t").increment(counter(), 1).run());
            notDone(
                    Reason.WRONG_TYPE,
                    commit().addMember(tags(), "t").incrementField(values(), "f", 1).run());
        }
        assertThat(raw(OWNER, "EXISTS", tags().key())).isEqualTo(0L);
    }

    @Test
    void too_much_for_one_commit_is_told_before_anything_is_sent() {
        Commit writes = commit();
        Commit checks = commit();
        for (int i = 0; i <= Commit.MAX_WRITES; i++) {
            writes.addMember(tags(), "m" + i);
            checks.fieldAbsent(values(), "f" + i);
        }
        notDone(Reason.TOO_LARGE, writes.run());
        notDone(Reason.TOO_LARGE, checks.addMember(tags(), "m").run());
        notDone(Reason.TOO_LARGE, commit().set(counter(), "x".repeat(Commit.MAX_BYTES)).run());
        assertThat(allKeys()).isEmpty();
    }

    @Test
    void who_fills_a_commit_is_told_in_time_that_it_is_full() {
        Commit commit = commit();
        int members = 0;
        while (commit.hasRoom(1, 2, 100)) {
            commit.addMember(tags(), "m" + members++);
        }
        assertThat(members).isEqualTo(Commit.MAX_WRITES);
        assertThat(commit.run().isDone()).isTrue();
        assertThat(raw(OWNER, "SCARD", tags().key())).isEqualTo((long) members);
        assertThat(commit().hasRoom(Commit.MAX_WRITES + 1, 0, 0)).isFalse();
        assertThat(commit().hasRoom(0, Commit.MAX_WORDS + 1, 0)).isFalse();
        assertThat(commit().hasRoom(0, 0, Commit.MAX_BYTES + 1)).isFalse();
        assertThat(commit().hasRoom(Commit.MAX_WRITES, Commit.MAX_WORDS, Commit.MAX_BYTES))
                .isTrue();
    }

    // ---------------------------------------------------------------- running

    @Test
    void a_basket_with_a_token_is_done_once_however_often_it_is_sent() {
        Event event = new Event(Shards.mint(OWNER), OWNER, 7, 0);
        for (int i = 0; i < 3; i++) {
            long sequence =
                    done(
                            commit().create(Plant.EVENTS, event)
                                    .increment(counter(), 1)
                                    .log(queue(), "", "", 10)
                                    .once("token-1")
                                    .run());
            assertThat(sequence).isEqualTo(1);
        }
        assertThat(raw(OWNER, "GET", counter().key())).isEqualTo("1");
        assertThat((Long) raw(OWNER, "PTTL", "millrace:once:token-1"))
                .isBetween(500_000L, 600_000L);
        done(keyspace.store(Plant.EVENTS).delete(event.id()));
        done(commit().create(Plant.EVENTS, event).once("token-1").run());
        assertThat(keyspace.store(Plant.EVENTS).get(event.id())).isEmpty();
        done(commit().create(Plant.EVENTS, event).once("token-2").run());
        assertThat(keyspace.store(Plant.EVENTS).get(event.id())).isPresent();
    }

    @Test
    void a_basket_with_a_token_that_is_not_done_may_be_sent_again() {
        done(commit().set(counter(), "1").run());
        notDone(
                Reason.CONFLICT,
                commit().valueEquals(counter(), bytes("2")).addMember(tags(), "t").once("t").run());
        raw(OWNER, "SET", counter().key(), "2");
        done(commit().valueEquals(counter(), bytes("2")).addMember(tags(), "t").once("t").run());
        assertThat(raw(OWNER, "SCARD", tags().key())).isEqualTo(1L);
    }

    @Test
    void baskets_that_travel_together_do_not_mix() {
        List<CompletableFuture<Outcome<Long>>> going = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            Commit commit = commit().increment(counter(), 1);
            if (i % 3 == 0) {
                commit.valueEquals(counter(), bytes("never"));
            }
            going.add(commit.append(queue(), bytes(Integer.toString(i)), 1000).send());
        }
        List<String> expected = new ArrayList<>();
        for (int i = 0; i < going.size(); i++) {
            assertThat(going.get(i).join().isDone()).isEqualTo(i % 3 != 0);
            if (i % 3 != 0) {
                expected.add(Integer.toString(i));
            }
        }
        assertThat(raw(OWNER, "LRANGE", queue().key(), "0", "-1")).isEqualTo(expected);
        assertThat(raw(OWNER, "GET", counter().key())).isEqualTo(Integer.toString(expected.size()));
    }

    @Test
    void an_empty_basket_and_one_of_checks_alone_can_be_run() {
        assertThat(done(commit().run())).isZero();
        done(commit().absent(counter()).run());
        done(commit().set(counter(), "1").run());
        notDone(Reason.DUPLICATE, commit().absent(counter()).run());
    }

    @Test
    void what_is_not_registered_is_not_accepted() {
        Cell stranger = Cell.of(KeyType.STRING, "stranger:{name:name}").ownedBy("name");
        Layout<Event> other = Plant.events();
        assertThatThrownBy(() -> commit().set(stranger.at(OWNER), "x"))
                .hasMessageContaining("not registered");
        assertThatThrownBy(() -> commit().absent(stranger.at(OWNER)))
                .hasMessageContaining("not registered");
        Event event = new Event(Shards.mint(OWNER), OWNER, 7, 0);
        assertThatThrownBy(() -> commit().create(other, event))
                .hasMessageContaining("not registered");
        assertThatThrownBy(() -> keyspace.store(other)).hasMessageContaining("not registered");
    }
}
