package dev.millrace.keyspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.millrace.keyspace.Plant.Alarm;
import dev.millrace.keyspace.Plant.Document;
import dev.millrace.keyspace.Plant.Event;
import dev.millrace.keyspace.Plant.Notice;
import dev.millrace.keyspace.Plant.Rule;
import dev.millrace.keyspace.commit.Commit;
import dev.millrace.keyspace.commit.Shards;
import dev.millrace.keyspace.commit.Stored;
import dev.millrace.keyspace.feed.Topic;
import dev.millrace.keyspace.layout.Catalogue;
import dev.millrace.keyspace.layout.Layout;
import dev.millrace.keyspace.layout.Spot;
import dev.millrace.keyspace.redis.outcome.Outcome;
import dev.millrace.keyspace.redis.outcome.Reason;
import dev.millrace.keyspace.store.Store;
import dev.millrace.keyspace.testing.Dump;
import dev.millrace.keyspace.testing.SharedServers;
import dev.millrace.keyspace.testing.Site;
import dev.millrace.keyspace.testing.TestServer;

import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/** Somebody put another type at a key of ours: at each key of each commit in turn. */
final class WrongTypeFaultTest extends EngineContract {
    private final TestServer server = SharedServers.standalone();

    WrongTypeFaultTest() {
        super(Site.STANDALONE);
    }

    @Override
    protected Catalogue catalogue() {
        return Plant.CATALOGUE;
    }

    private static final Event EVENT = new Event(Shards.mint("pump"), "pump", 5, 6);
    private static final String NOTICE_ID = "57ba04a1189b95b8afcdafd7";
    private static final Notice NOTICE =
            new Notice(NOTICE_ID, "slug", "joe", List.of("red", "blue"));
    private static final Rule RULE = new Rule("hot", "boiler", "temp", 80, true);
    private static final Alarm ALARM = new Alarm("hot", "active", "81");
    private static final Document DOCUMENT = new Document("doc", "text");

    /** A thing to be done, and what has to be there before. */
    private record Deed(Runnable before, Supplier<Commit> commit) {}

    private <E> void eachWrite(Layout<E> layout, E entity, E changed) {
        Store<E> store = keyspace.store(layout);
        String owner = layout.mapping().ownerOf(entity);
        String id = layout.mapping().idOf(layout.mapping().key(entity));
        Runnable stored = () -> store.create(entity).orThrow();
        inTurn(new Deed(() -> {}, () -> keyspace.commit(owner).create(layout, entity)));
        Stored<E>[] before = holder();
        Runnable read =
                () -> {
                    stored.run();
                    before[0] = store.get(id).orElseThrow();
                };
        inTurn(new Deed(read, () -> keyspace.commit(owner).replace(layout, before[0], changed)));
        inTurn(new Deed(read, () -> keyspace.commit(owner).delete(layout, before[0])));
    }

    @SuppressWarnings("unchecked")
    private static <E> Stored<E>[] holder() {
        return (Stored<E>[]) new Stored<?>[1];
    }

    /** Plants a wrong type at each key of the commit, one after another, and tries. */
    private void inTurn(Deed deed) {
        server.flushAll();
        deed.before.run();
        Set<String> keys = new LinkedHashSet<>();
        deed.commit
                .get()
                .with(
                        basket -> {
                            for (byte[] key : basket.keys()) {
                                keys.add(new String(key, StandardCharsets.UTF_8));
                            }
                        });
        for (String key : keys) {
            for (String type : List.of("string", "list", "hash", "set", "zset", "stream")) {
                server.flushAll();
                deed.before.run();
                if (plant(key, type)) {
                    Commit commit = deed.commit.get();
                    Dump before = Dump.of(server);
                    Outcome<Long> outcome = commit.run();
                    assertThat(outcome.failedBy(Reason.WRONG_TYPE) || isTaken(key, outcome))
                            .as("%s at %s: %s", type, key, outcome)
                            .isTrue();
                    assertThat(Dump.of(server)).as("%s at %s", type, key).isEqualTo(before);
                }
            }
        }
        server.flushAll();
        deed.before.run();
        assertThat(deed.commit.get().run().isDone()).isTrue();
        assertThat(keyspace.check().run().findings()).isEmpty();
        server.flushAll();
    }

    /** To a create or put a value key that is taken is taken, whatever is in it. */
    private boolean isTaken(String key, Outcome<Long> outcome) {
        return spot(key).role() == Spot.Role.VALUE
                && (outcome.failedBy(Reason.DUPLICATE) || outcome.failedBy(Reason.REFUSED));
    }

    /** False if that is the type that belongs there. */
    private boolean plant(String key, String type) {
        if (spot(key).type().redisName().equals(type)) {
            return false;
        }
        server.command("DEL", key);
        switch (type) {
            case "string" -> server.command("SET", key, "text");
            case "list" -> server.command("RPUSH", key, "a");
            case "hash" -> server.command("HSET", key, "a", "b");
            case "set" -> server.command("SADD", key, "a");
            case "zset" -> server.command("ZADD", key, "1", "a");
            default -> server.command("XADD", key, "1-1", "a", "b");
        }
        return true;
    }

    private Spot spot(String key) {
        return keyspace.catalogue().spotsOf(key.getBytes(StandardCharsets.UTF_8)).getFirst();
    }

    @Test
    void at_any_key_of_an_entity_it_refuses_the_whole_write() {
        eachWrite(Plant.EVENTS, EVENT, new Event(EVENT.id(), "pump", 7, 0));
        eachWrite(
                Plant.NOTICES,
                NOTICE,
                new Notice(NOTICE_ID, "slug", "ann", List.of("red", "green")));
        eachWrite(Plant.RULES, RULE, new Rule("hot", "oven", "temp", 90, true));
        eachWrite(Plant.ALARMS, ALARM, new Alarm("hot", "cleared", "70"));
        eachWrite(Plant.DOCUMENTS, DOCUMENT, new Document("doc", "other"));
    }

    @Test
    void at_any_key_of_a_put_it_refuses_the_whole_write() {
        inTurn(new Deed(() -> {}, () -> keyspace.commit("doc").put(Plant.DOCUMENTS, DOCUMENT)));
    }

    @Test
    void at_any_key_of_a_basket_it_refuses_the_whole_basket() {
        String owner = "pump";
        byte[] bytes = {'v'};
        inTurn(
                new Deed(
                        () ->
                                keyspace.commit(owner)
                                        .addSorted(Plant.TIMES.at(owner), 1, "old")
                                        .addMember(Plant.TAGS.at(owner), "old")
                                        .run()
                                        .orThrow(),
                        () ->
                                keyspace.commit(owner)
                                        .create(Plant.EVENTS, EVENT)
                                        .increment(Plant.COUNTER.at(owner), 2)
                                        .incrementField(Plant.VALUES.at(owner), "n", 3)
                                        .setFields(Plant.VALUES.at(owner), Map.of("a", "1"))
                                        .removeField(Plant.VALUES.at(owner), "b")
                                        .addSorted(Plant.TIMES.at(owner), 2, "new")
                                        .removeSorted(Plant.TIMES.at(owner), "old")
                                        .addMember(Plant.TAGS.at(owner), "new")
                                        .removeMember(Plant.TAGS.at(owner), "old")
                                        .push(Plant.QUEUE.at(owner), bytes, 9)
                                        .append(Plant.QUEUE.at(owner), bytes, 9)
                                        .log(Plant.QUEUE.at(owner), "<", ">", 9)
                                        .with(keyspace.feed(Topic.named("events")).fact(bytes))
                                        .once("token")));
    }

    @Test
    void at_the_keys_of_checks_it_refuses_the_whole_basket() {
        String owner = "pump";
        inTurn(
                new Deed(
                        () ->
                                keyspace.commit(owner)
                                        .set(Plant.COUNTER.at(owner), "5")
                                        .setFields(Plant.VALUES.at(owner), Map.of("a", "1"))
                                        .addSorted(Plant.TIMES.at(owner), 1, "m")
                                        .addMember(Plant.TAGS.at(owner), "m")
                                        .run()
                                        .orThrow(),
                        () ->
                                keyspace.commit(owner)
                                        .valueEquals(Plant.COUNTER.at(owner), new byte[] {'5'})
                                        .atLeast(Plant.COUNTER.at(owner), 5)
                                        .atMost(Plant.COUNTER.at(owner), 5)
                                        .generation(Plant.COUNTER.at(owner), "5")
                                        .fieldEquals(Plant.VALUES.at(owner), "a", "1")
                                        .fieldAbsent(Plant.VALUES.at(owner), "b")
                                        .unique(Plant.VALUES.at(owner), "a", "1")
                                        .memberPresent(Plant.TIMES.at(owner), "m")
                                        .memberPresent(Plant.TAGS.at(owner), "m")
                                        .append(Plant.QUEUE.at(owner), new byte[] {'v'}, 9)));
    }

    @Test
    void a_delete_of_a_key_takes_whatever_is_there() {
        server.command("RPUSH", "counter:pump", "a");
        assertThat(keyspace.commit("pump").delete(Plant.COUNTER.at("pump")).run().isDone())
                .isTrue();
        assertThat(server.command("EXISTS", "counter:pump")).isEqualTo(0L);
    }

    @Test
    void a_cell_is_not_used_as_what_it_is_not_declared_to_be() {
        byte[] bytes = {'v'};
        Commit commit = keyspace.commit("pump");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> commit.set(Plant.TAGS.at("pump"), bytes));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> commit.addMember(Plant.TIMES.at("pump"), "m"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> commit.push(Plant.COUNTER.at("pump"), bytes, 1));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> commit.removeField(Plant.COUNTER.at("pump"), "f"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> commit.atLeast(Plant.VALUES.at("pump"), 1));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> commit.increment(Plant.COUNTER.at("pump"), Long.MAX_VALUE));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> commit.push(Plant.QUEUE.at("pump"), bytes, 0));
    }

    @Test
    void a_number_that_cannot_be_added_to_refuses_the_whole_basket() {
        for (String text : List.of("many", "007", "9223372036854775807")) {
            server.command("SET", "counter:pump", text);
            Dump before = Dump.of(server);
            assertThat(
                            keyspace.commit("pump")
                                    .addMember(Plant.TAGS.at("pump"), "m")
                                    .increment(Plant.COUNTER.at("pump"), 1)
                                    .run()
                                    .failedBy(Reason.WRONG_TYPE))
                    .isTrue();
            assertThat(Dump.of(server)).isEqualTo(before);
        }
        server.flushAll();
        long most = 1_000_000_000_000_000L;
        Commit greatest = keyspace.commit("pump");
        for (int i = 0; i < Commit.MAX_WRITES; i++) {
            greatest.increment(Plant.COUNTER.at("pump"), most);
        }
        assertThat(greatest.run().isDone()).isTrue();
    }
}
