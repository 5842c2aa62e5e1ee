package dev.millrace.keyspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.millrace.keyspace.Plant.Event;
import dev.millrace.keyspace.Plant.Notice;
import dev.millrace.keyspace.commit.Commit;
import dev.millrace.keyspace.commit.Shards;
import dev.millrace.keyspace.commit.Stored;
import dev.millrace.keyspace.layout.Catalogue;
import dev.millrace.keyspace.layout.Cell;
import dev.millrace.keyspace.layout.KeyType;
import dev.millrace.keyspace.layout.Layout;
import dev.millrace.keyspace.redis.outcome.Outcome;
import dev.millrace.keyspace.redis.outcome.Reason;
import dev.millrace.keyspace.testing.Dump;
import dev.millrace.keyspace.testing.SharedServers;
import dev.millrace.keyspace.testing.Site;
import dev.millrace.keyspace.testing.TestServer;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Commits too large, commits that contradict themselves, and commits that fail among others. */
final class CommitFaultTest extends EngineContract {
    private static final int LARGE = Commit.MAX_BYTES - 64;

    private final TestServer server = SharedServers.standalone();

    CommitFaultTest() {
        super(Site.STANDALONE);
    }

    @Override
    protected Catalogue catalogue() {
        return Plant.CATALOGUE;
    }

    private Commit writes(int count) {
        Commit commit = keyspace.commit("pump");
        for (int i = 0; i < count; i++) {
            commit.addSorted(Plant.TIMES.at("pump"), i, "m" + i);
        }
        return commit;
    }

    private void refusedUnsent(Commit commit) {
        Dump before = Dump.of(server);
        long sent = redis.figures().requests();
        assertThat(commit.run().failedBy(Reason.TOO_LARGE)).isTrue();
        assertThat(commit.send().join().failedBy(Reason.TOO_LARGE)).isTrue();
        assertThat(redis.figures().requests()).isEqualTo(sent);
        assertThat(Dump.of(server)).isEqualTo(before);
    }

    @Test
    void as_many_writes_as_are_allowed_and_one_more() {
        assertThat(writes(Commit.MAX_WRITES).run().isDone()).isTrue();
        assertThat(server.command("ZCARD", "times:pump")).isEqualTo((long) Commit.MAX_WRITES);
        refusedUnsent(writes(Commit.MAX_WRITES + 1));
    }

    @Test
    void as_many_checks_as_are_allowed_together_with_as_many_writes_and_one_more() {
        Commit most = writes(Commit.MAX_WRITES);
        Commit tooMany = writes(1);
        for (int i = 0; i < Commit.MAX_CHECKS; i++) {
            most.atMost(Plant.COUNTER.at("pump"), 1);
            tooMany.atMost(Plant.COUNTER.at("pump"), 1);
        }
        assertThat(most.run().isDone()).isTrue();
        refusedUnsent(tooMany.atMost(Plant.COUNTER.at("pump"), 1));
    }

    @Test
    void as_many_bytes_as_are_allowed_and_more() {
        byte[] large = new byte[LARGE];
        Arrays.fill(large, (byte) 'x');
        assertThat(keyspace.commit("pump").set(Plant.COUNTER.at("pump"), large).run().isDone())
                .isTrue();
        assertThat(server.command("STRLEN", "counter:pump")).isEqualTo((long) LARGE);
        refusedUnsent(
                keyspace.commit("pump")
                        .set(Plant.COUNTER.at("pump"), large)
                        .append(Plant.QUEUE.at("pump"), new byte[64], 9));
        assertThat(
                        keyspace.store(Plant.DOCUMENTS)
                                .create(new Plant.Document("doc", "x".repeat(Commit.MAX_BYTES)))
                                .failedBy(Reason.TOO_LARGE))
                .isTrue();
    }

    @Test
    void an_entity_is_in_a_basket_once() {
        Event event = new Event(Shards.mint("pump"), "pump", 1, 2);
        Event other = new Event(event.id(), "pump", 3, 0);
        assertThat(
                        keyspace.commit("pump")
                                .create(Plant.EVENTS, event)
                                .create(Plant.EVENTS, other)
                                .run()
                                .failedBy(Reason.DUPLICATE))
                .isTrue();
        Stored<Event> stored = keyspace.store(Plant.EVENTS).create(event).orThrow();
        assertThat(
                        keyspace.commit("pump")
                                .replace(Plant.EVENTS, stored, other)
                                .delete(Plant.EVENTS, stored)
                                .run()
                                .failedBy(Reason.DUPLICATE))
                .isTrue();
        assertThat(keyspace.store(Plant.EVENTS).get(event.id()).map(Stored::value)).contains(event);
    }

    @Test
    void a_unique_value_is_in_a_basket_once() {
        assertThat(
                        keyspace.commit("slug")
                                .create(Plant.NOTICES, notice("57ba04a1189b95b8afcdafd7"))
                                .create(Plant.NOTICES, notice("57ba04a1189b95b8afcdafd8"))
                                .run()
                                .failedBy(Reason.DUPLICATE))
                .isTrue();
        assertThat(server.command("DBSIZE")).isEqualTo(0L);
    }

    private static Notice notice(String id) {
        return new Notice(id, "slug", null, List.of());
    }

    @Test
    void a_commit_has_one_token() {
        Commit commit = keyspace.commit("pump").once("one");
        assertThatIllegalArgumentException().isThrownBy(() -> commit.once("two"));
    }

    @Test
    void a_time_to_live_that_redis_does_not_take_is_refused_when_declared() {
        Cell cell = Cell.of(KeyType.STRING, "brief:{id:name}").expires(Duration.ofNanos(5));
        assertThatIllegalArgumentException().isThrownBy(() -> Keyspace.catalogue(cell));
        Layout<Plant.Document> layout =
                Layout.json("brief:{key:name}", Plant.Document.class)
                        .ownedByItself()
                        .expires(Duration.ZERO);
        assertThatIllegalArgumentException().isThrownBy(() -> Keyspace.catalogue(layout));
    }

    @Test
    void one_that_fails_among_many_leaves_the_others_as_they_are() {
        server.command("SET", "tags:wrong", "text");
        server.command("SET", "counter:old", "1");
        int count = 6000;
        List<CompletableFuture<Outcome<Long>>> answers = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            answers.add(mixed(i).send());
        }
        for (int i = 0; i < count; i++) {
            Outcome<Long> outcome = answers.get(i).join();
            String as = i + " " + outcome;
            switch (i % 7) {
                case 0 -> assertThat(outcome.failedBy(Reason.WRONG_TYPE)).as(as).isTrue();
                case 1 -> assertThat(outcome.failedBy(Reason.DUPLICATE)).as(as).isTrue();
                case 2 -> assertThat(outcome.failedBy(Reason.CONFLICT)).as(as).isTrue();
                case 3 -> assertThat(outcome.failedBy(Reason.ABSENT)).as(as).isTrue();
                default -> assertThat(outcome).as(as).isEqualTo(Outcome.done(0L));
            }
            boolean stored = Long.valueOf(1).equals(server.command("EXISTS", "queue:q" + i));
            assertThat(stored).as(as).isEqualTo(outcome.isDone());
        }
        assertThat(server.command("ZCARD", "times:all"))
                .isEqualTo(answers.stream().filter(each -> each.join().isDone()).count());
        driftIsExpected();
    }

    /** Commits of one owner hash, so that they travel in one call; four of seven fail. */
    private Commit mixed(int i) {
        Commit commit = keyspace.commit("all").acrossOwners();
        switch (i % 7) {
            case 1 -> commit.absent(Plant.COUNTER.at("old"));
            case 2 -> commit.valueEquals(Plant.COUNTER.at("old"), new byte[] {'2'});
            case 3 -> commit.memberPresent(Plant.TIMES.at("none"), "m");
            default -> commit.valueEquals(Plant.COUNTER.at("old"), new byte[] {'1'});
        }
        commit.append(Plant.QUEUE.at("q" + i), new byte[] {'v'}, 9)
                .addSorted(Plant.TIMES.at("all"), i, "m" + i);
        if (i % 7 == 0) {
            commit.addMember(Plant.TAGS.at("wrong"), "m");
        }
        return commit;
    }
}
