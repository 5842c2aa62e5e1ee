package dev.millrace.hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.keyspace.testing.TestServer;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Is it alive, can it work, and if not, why. */
class HealthTest {
    /** Far away: only a hang reaches it. */
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @Test
    void it_is_ready_when_redis_takes_writes() {
        try (TestServer server = TestServer.start();
                TestHub hub = TestHub.start(server)) {
            TestHub.Reply ready = hub.get("/health/ready");
            assertThat(ready.status()).isEqualTo(200);
            assertThat(ready.json().get("status").asString()).isEqualTo("ready");
            assertThat(ready.json().get("reasons").isEmpty()).isTrue();
            TestHub.Reply health = hub.get("/health");
            assertThat(health.status()).isEqualTo(200);
            assertThat(health.json().get("status").asString()).isEqualTo("healthy");
            assertThat(health.json().get("service").asString()).isEqualTo("millrace");
        }
    }

    @Test
    void a_redis_that_hangs_is_a_reason_and_does_not_pile_up_questions() throws Exception {
        try (TestServer server = TestServer.start();
                TestHub hub = TestHub.start(server, TestHub.IMPATIENT)) {
            await().atMost(PATIENCE).until(() -> hub.get("/health/ready").status() == 200);
            long before = connections(server);
            server.pause();
            try {
                await().atMost(PATIENCE).until(() -> hub.get("/health/ready").status() == 503);
                try (ExecutorService many = Executors.newFixedThreadPool(32)) {
                    List<Callable<TestHub.Reply>> asking = new ArrayList<>();
                    for (int i = 0; i < 200; i++) {
                        asking.add(() -> hub.get("/health/ready"));
                    }
                    for (Future<TestHub.Reply> each : many.invokeAll(asking)) {
                        assertThat(each.get().status()).isEqualTo(503);
                        assertThat(each.get().json().get("reasons").get(0).asString())
                                .contains("127.0.0.1:" + server.port());
                    }
                }
                TestHub.Reply health = hub.get("/health");
                assertThat(health.status()).isEqualTo(503);
                assertThat(health.json().get("status").asString()).isEqualTo("unhealthy");
                assertThat(health.json().get("reasons").get(0).asString())
                        .contains("127.0.0.1:" + server.port());
                assertThat(hub.get("/health/live").status()).isEqualTo(200);
                assertThat(hub.get("/metrics").status()).isEqualTo(200);
            } finally {
                server.resume();
            }
            await().atMost(PATIENCE).until(() -> hub.get("/health/ready").status() == 200);
            // Some reconnect; what counts is that it is not one for each of the two hundred.
            assertThat(connections(server) - before).isLessThan(100);
        }
    }

    private static long connections(TestServer server) {
        return Long.parseLong(server.info("total_connections_received").orElseThrow());
    }

    @Test
    void a_full_memory_is_a_reason_and_passes() {
        try (TestServer server = TestServer.start();
                TestHub hub = TestHub.start(server)) {
            server.command("CONFIG", "SET", "maxmemory", "1");
            await().atMost(PATIENCE)
                    .untilAsserted(
                            () ->
                                    assertThat(hub.get("/health/ready").body())
                                            .contains("not ready", "maxmemory; free memory"));
            server.command("CONFIG", "SET", "maxmemory", "0");
            await().atMost(PATIENCE).until(() -> hub.get("/health/ready").status() == 200);
        }
    }

    @Test
    void a_server_that_became_a_replica_is_a_reason() {
        try (TestServer server = TestServer.start();
                TestHub hub = TestHub.start(server)) {
            server.command("REPLICAOF", "127.0.0.1", "1");
            await().atMost(PATIENCE)
                    .untilAsserted(
                            () ->
                                    assertThat(hub.get("/health/ready").body())
                                            .contains("not ready", "replica"));
        }
    }

    @Test
    void a_server_that_begins_to_throw_keys_away_is_a_reason() {
        try (TestServer server = TestServer.start();
                TestHub hub = TestHub.start(server)) {
            server.command("CONFIG", "SET", "maxmemory-policy", "allkeys-lru");
            await().atMost(PATIENCE)
                    .untilAsserted(
                            () ->
                                    assertThat(hub.get("/health/ready").body())
                                            .contains("CONFIG SET maxmemory-policy noeviction"));
        }
    }

    @Test
    void a_promise_that_the_server_keeps_no_more_is_a_reason() {
        try (TestServer server = TestServer.start("appendonly yes", "appendfsync always");
                TestHub hub = TestHub.start(server, "durability=fsync")) {
            assertThat(hub.get("/health/ready").status()).isEqualTo(200);
            server.command("CONFIG", "SET", "appendfsync", "everysec");
            await().atMost(PATIENCE)
                    .untilAsserted(
                            () ->
                                    assertThat(hub.get("/health/ready").body())
                                            .contains("Type CONFIG SET appendfsync always"));
        }
    }
}
