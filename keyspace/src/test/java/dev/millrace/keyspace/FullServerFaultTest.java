package dev.millrace.keyspace;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.keyspace.Plant.Document;
import dev.millrace.keyspace.commit.Commit;
import dev.millrace.keyspace.commit.Stored;
import dev.millrace.keyspace.redis.Redis;
import dev.millrace.keyspace.redis.options.RedisOptions;
import dev.millrace.keyspace.redis.outcome.Outcome;
import dev.millrace.keyspace.redis.outcome.Reason;
import dev.millrace.keyspace.store.Store;
import dev.millrace.keyspace.testing.TestServer;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** A server at its maxmemory refuses creates whole, and can be emptied. */
final class FullServerFaultTest {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static final String BODY = "x".repeat(20_000);

    private static TestServer start() {
        return TestServer.start("maxmemory-policy noeviction");
    }

    private static void fill(TestServer server) {
        server.command("CONFIG", "SET", "maxmemory", "1");
    }

    private static void makeRoom(TestServer server) {
        server.command("CONFIG", "SET", "maxmemory", "0");
    }

    private static Document document(String key) {
        return new Document(key, BODY);
    }

    @Test
    void creates_are_refused_whole_deletes_work_and_room_helps() {
        try (TestServer server = start();
                Redis redis = Redis.open(RedisOptions.of(server.url()).withTimes(LONG, LONG))) {
            Keyspace keyspace = new Keyspace(redis, Plant.CATALOGUE);
            Store<Document> documents = keyspace.store(Plant.DOCUMENTS);
            String used = server.info("used_memory").orElseThrow();
            long limit = Long.parseLong(used) + 3_000_000;
            server.command("CONFIG", "SET", "maxmemory", Long.toString(limit));
            List<Stored<Document>> stored = new ArrayList<>();
            Outcome<Stored<Document>> last = null;
            for (int i = 0; last == null || last.isDone(); i++) {
                last = documents.create(document("doc" + i));
                if (last instanceof Outcome.Done<Stored<Document>>(Stored<Document> each)) {
                    stored.add(each);
                }
            }
            assertThat(last.failedBy(Reason.FULL)).isTrue();
            assertThat(stored).hasSizeGreaterThan(10);
            assertThat(documents.get("doc" + stored.size())).isEmpty();
            assertThat(documents.query("plant-documents").count()).isEqualTo(stored.size());
            assertThat(documents.get("doc0")).isPresent();
            // What the server uses beside its data goes up and down; from here on it is full.
            fill(server);
            // A replace writes too; it is refused with the old state untouched.
            assertThat(
                            documents
                                    .replace(stored.getFirst(), new Document("doc0", "small"))
                                    .failedBy(Reason.FULL))
                    .isTrue();
            assertThat(documents.get("doc0").map(Stored::value)).contains(document("doc0"));
            for (Stored<Document> each : stored) {
                assertThat(documents.delete(each).isDone()).isTrue();
            }
            server.command("CONFIG", "SET", "maxmemory", Long.toString(limit));
            assertThat(documents.create(document("new")).isDone()).isTrue();
            assertThat(keyspace.check().run().findings()).isEmpty();
        }
    }

    @Test
    void creates_and_deletes_in_one_batch_each_get_their_due() {
        int count = 2000;
        try (TestServer server = start();
                Redis redis = Redis.open(RedisOptions.of(server.url()).withTimes(LONG, LONG))) {
            Keyspace keyspace = new Keyspace(redis, Plant.CATALOGUE);
            for (int round = 0; round < 3; round++) {
                makeRoom(server);
                for (int i = 0; i < count; i++) {
                    var _ = stuff(keyspace, "old" + i).send().join();
                }
                fill(server);
                List<CompletableFuture<Outcome<Long>>> creates = new ArrayList<>();
                List<CompletableFuture<Outcome<Long>>> deletes = new ArrayList<>();
                for (int i = 0; i < count; i++) {
                    creates.add(stuff(keyspace, "new" + i).send());
                    deletes.add(unstuff(keyspace, "old" + i).send());
                }
                assertThat(creates).allMatch(each -> each.join().failedBy(Reason.FULL));
                assertThat(deletes).allMatch(each -> each.join().isDone());
                assertThat(server.command("DBSIZE")).isEqualTo(0L);
            }
            makeRoom(server);
            assertThat(stuff(keyspace, "new").run().isDone()).isTrue();
        }
    }

    private static Commit stuff(Keyspace keyspace, String owner) {
        return keyspace.commit(owner)
                .set(Plant.COUNTER.at(owner), "1")
                .addMember(Plant.TAGS.at(owner), "m")
                .addSorted(Plant.TIMES.at(owner), 1, "m");
    }

    private static Commit unstuff(Keyspace keyspace, String owner) {
        return keyspace.commit(owner)
                .delete(Plant.COUNTER.at(owner))
                .removeMember(Plant.TAGS.at(owner), "m")
                .removeSorted(Plant.TIMES.at(owner), "m");
    }

    @Test
    void an_owner_s_order_stays_when_the_server_gets_full_and_empty_under_load() {
        int rounds = Boolean.getBoolean("millrace.full") ? 50 : 6;
        List<String> owners = List.of("a", "b", "c", "d", "e");
        try (TestServer server = start();
                Redis redis = Redis.open(RedisOptions.of(server.url()).withTimes(LONG, LONG));
                OwnerLogs logs =
                        OwnerLogs.start(new Keyspace(redis, Plant.CATALOGUE), owners, 2000)) {
            for (int round = 0; round < rounds; round++) {
                logs.awaitDone(200);
                fill(server);
                logs.awaitRefused(Reason.FULL, 200);
                makeRoom(server);
            }
            logs.awaitDone(200).stop();
            logs.noneUnknown();
            logs.agree(true);
        }
    }

    @Test
    void a_delete_by_range_empties_a_full_server() {
        try (TestServer server = start();
                Redis redis = Redis.open(RedisOptions.of(server.url()).withTimes(LONG, LONG))) {
            Keyspace keyspace = new Keyspace(redis, Plant.CATALOGUE);
            Store<Document> documents = keyspace.store(Plant.DOCUMENTS);
            for (int i = 0; i < 250; i++) {
                documents.create(document("doc" + i)).orThrow();
            }
            fill(server);
            assertThat(documents.query("plant-documents").delete(progress -> {}))
                    .isEqualTo(Outcome.done(250L));
            assertThat(server.command("DBSIZE")).isEqualTo(0L);
            assertThat(Optional.of(documents.create(document("x"))))
                    .hasValueSatisfying(end -> assertThat(end.failedBy(Reason.FULL)).isTrue());
        }
    }
}
