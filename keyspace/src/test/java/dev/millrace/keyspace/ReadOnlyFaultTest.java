package dev.millrace.keyspace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.keyspace.Plant.Document;
import dev.millrace.keyspace.commit.Stored;
import dev.millrace.keyspace.redis.Redis;
import dev.millrace.keyspace.redis.options.RedisOptions;
import dev.millrace.keyspace.redis.outcome.Outcome;
import dev.millrace.keyspace.redis.outcome.Reason;
import dev.millrace.keyspace.store.Store;
import dev.millrace.keyspace.testing.Dump;
import dev.millrace.keyspace.testing.TestServer;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** Connected to a replica, to a server that cannot save, and as a user with too few rights. */
final class ReadOnlyFaultTest {
    private static final Duration LONG = Duration.ofSeconds(60);

    private static Redis open(String url) {
        return Redis.open(RedisOptions.of(url).withTimes(LONG, LONG));
    }

    private static void eachWriteFailsBy(Reason reason, Keyspace keyspace) {
        Store<Document> documents = keyspace.store(Plant.DOCUMENTS);
        Stored<Document> stored = documents.get("doc").orElseThrow();
        assertThat(documents.create(new Document("new", "text"))).matches(by(reason));
        assertThat(documents.put(new Document("doc", "text2"))).matches(by(reason));
        assertThat(documents.replace(stored, new Document("doc", "text2"))).matches(by(reason));
        assertThat(documents.update("doc", old -> new Document("doc", "text2")))
                .matches(by(reason));
        assertThat(documents.delete(stored)).matches(by(reason));
        assertThat(documents.delete("doc")).matches(by(reason));
        assertThat(documents.query("plant-documents").delete(n -> {})).matches(by(reason));
        assertThat(keyspace.commit("x").increment(Plant.COUNTER.at("x"), 1).run())
                .matches(by(reason));
        assertThat(keyspace.commit("x").delete(Plant.COUNTER.at("x")).send().join())
                .matches(by(reason));
    }

    private static Predicate<Outcome<?>> by(Reason reason) {
        return outcome -> outcome.failedBy(reason);
    }

    private static void readsWork(Keyspace keyspace) {
        Store<Document> documents = keyspace.store(Plant.DOCUMENTS);
        assertThat(documents.get("doc")).isPresent();
        assertThat(documents.query("plant-documents").count()).isEqualTo(1);
        assertThat(documents.query("plant-documents").page().values()).hasSize(1);
        assertThat(keyspace.check().run().findings()).isEmpty();
    }

    @Test
    void a_replica_reads_and_refuses_to_write_until_it_is_promoted() {
        try (TestServer primary = TestServer.start();
                TestServer replica = TestServer.start();
                Redis writer = open(primary.url());
                Redis redis = open(replica.url())) {
            Keyspace keyspace = new Keyspace(redis, Plant.CATALOGUE);
            new Keyspace(writer, Plant.CATALOGUE)
                    .store(Plant.DOCUMENTS)
                    .create(new Document("doc", "text"))
                    .orThrow();
            replica.command("REPLICAOF", primary.host(), Integer.toString(primary.port()));
            await().atMost(120, TimeUnit.SECONDS)
                    .until(() -> Long.valueOf(1).equals(replica.command("EXISTS", "doc")));
            Dump before = Dump.of(replica);
            eachWriteFailsBy(Reason.READ_ONLY, keyspace);
            readsWork(keyspace);
            assertThat(Dump.of(replica)).isEqualTo(before);
            replica.command("REPLICAOF", "NO", "ONE");
            assertThat(keyspace.store(Plant.DOCUMENTS).put(new Document("doc", "text2")).isDone())
                    .isTrue();
            readsWork(keyspace);
        }
    }

    @Test
    void a_server_that_cannot_save_refuses_to_write_and_reads() {
        try (TestServer server = TestServer.start("dbfilename taken");
                Redis redis = open(server.url())) {
            Keyspace keyspace = new Keyspace(redis, Plant.CATALOGUE);
            keyspace.store(Plant.DOCUMENTS).create(new Document("doc", "text")).orThrow();
            // A directory where the snapshot should go: the save fails.
            assertThat(server.directory().resolve("taken").toFile().mkdir()).isTrue();
            server.command("CONFIG", "SET", "save", "3600 1");
            server.command("BGSAVE");
            await().atMost(120, TimeUnit.SECONDS)
                    .until(() -> server.info("rdb_last_bgsave_status").equals(Optional.of("err")));
            Dump before = Dump.of(server);
            eachWriteFailsBy(Reason.FULL, keyspace);
            readsWork(keyspace);
            assertThat(Dump.of(server)).isEqualTo(before);
            server.command("CONFIG", "SET", "save", "");
            server.command("CONFIG", "SET", "stop-writes-on-bgsave-error", "no");
            assertThat(keyspace.store(Plant.DOCUMENTS).create(new Document("new", "text")).isDone())
                    .isTrue();
        }
    }

    @Test
    void a_user_without_a_right_that_a_commit_needs_is_denied_before_anything_is_written() {
        for (String right :
                new String[] {
                    "-zadd", "-mset", "-evalsha", "-script", "-@write", "-zrem", "-xadd"
                }) {
            try (TestServer server = TestServer.start()) {
                server.command(
                        "ACL", "SETUSER", "guest", "on", ">secret", "~*", "&*", "+@all", right);
                try (Redis admin = open(server.url())) {
                    new Keyspace(admin, Plant.CATALOGUE)
                            .store(Plant.DOCUMENTS)
                            .create(new Document("doc", "text"))
                            .orThrow();
                }
                server.command("SCRIPT", "FLUSH");
                Dump before = Dump.of(server);
                String url = "redis://guest:secret@%s:%d".formatted(server.host(), server.port());
                try (Redis redis = open(url)) {
                    Keyspace keyspace = new Keyspace(redis, Plant.CATALOGUE);
                    Store<Document> documents = keyspace.store(Plant.DOCUMENTS);
                    assertThat(documents.get("doc")).as(right).isPresent();
                    for (int i = 0; i < 3; i++) {
                        assertThat(documents.create(new Document("new", "text")))
                                .as(right)
                                .matches(by(Reason.DENIED));
                        assertThat(documents.delete("doc")).as(right).matches(by(Reason.DENIED));
                    }
                    assertThat(documents.get("doc")).as(right).isPresent();
                    assertThat(Dump.of(server)).as(right).isEqualTo(before);
                    server.command("ACL", "SETUSER", "guest", "+@all");
                    assertThat(documents.create(new Document("new", "text")).isDone())
                            .as(right)
                            .isTrue();
                }
            }
        }
    }

    @Test
    void a_user_without_a_key_is_denied_before_anything_is_written() {
        try (TestServer server = TestServer.start()) {
            server.command(
                    "ACL", "SETUSER", "guest", "on", ">secret", "~doc*", "~other", "&*", "+@all");
            String url = "redis://guest:secret@%s:%d".formatted(server.host(), server.port());
            try (Redis redis = open(url)) {
                Keyspace keyspace = new Keyspace(redis, Plant.CATALOGUE);
                Store<Document> documents = keyspace.store(Plant.DOCUMENTS);
                assertThat(documents.create(new Document("doc", "text")))
                        .matches(by(Reason.DENIED));
                assertThat(server.command("DBSIZE")).isEqualTo(0L);
                server.command("ACL", "SETUSER", "guest", "~plant-documents");
                assertThat(documents.create(new Document("doc", "text")).isDone()).isTrue();
            }
        }
    }
}
