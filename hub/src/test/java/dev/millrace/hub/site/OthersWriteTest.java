package dev.millrace.hub.site;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.hub.TestHub;
import dev.millrace.keyspace.testing.TestServer;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import java.util.List;

/** What other programs write into the keys of the site, on a single server. */
class OthersWriteTest {
    private static TestServer server;
    private static TestHub hub;

    @BeforeAll
    static void start() {
        server = TestServer.start();
        server.command("SET", "temp:cache:before", "1");
        hub = TestHub.start(server.url(), "site.heartbeat=1s");
    }

    @AfterAll
    static void stop() {
        hub.close();
        server.close();
    }

    private static long left(String key) {
        return Long.parseLong(String.valueOf(server.command("PTTL", key)));
    }

    @Test
    void a_temporary_key_that_somebody_forgot_goes_by_itself() {
        server.command("SET", "temp:cache:x", "1");
        server.command("SET", "temp:calculation:y", "1", "EX", "7000");
        server.command("HSET", "temp:session:s1", "user_id", "7");
        await().until(() -> left("temp:cache:x") > 0 && left("temp:session:s1") > 0);
        assertThat(left("temp:cache:x")).isLessThanOrEqualTo(300_000);
        assertThat(left("temp:session:s1")).isBetween(300_001L, 1_800_000L);
        assertThat(left("temp:calculation:y")).isGreaterThan(3_600_000);
        await().until(() -> left("temp:cache:before") > 0);
    }

    @Test
    void a_configuration_that_somebody_has_set_is_stamped_and_counted() {
        server.command("SET", "config:channel:5", "{\"protocol\":\"virtual\",\"name\":\"p\"}");
        await().until(
                        () ->
                                String.valueOf(server.command("GET", "config:channel:5"))
                                        .contains("_version"));
        long version = Long.parseLong(String.valueOf(server.command("GET", "config:version")));
        server.command("SET", "config:service:mine", "{\"a\":1}");
        await().until(
                        () ->
                                hub.get("/api/config/services/mine")
                                                .json()
                                                .at("/data/_version")
                                                .asLong(0)
                                        > version);
        assertThat(String.valueOf(server.command("SMEMBERS", "idx:channel:protocol:virtual")))
                .contains("5");
        await().until(() -> hub.keyspace().check().run().drift() == 0);
    }

    @Test
    void a_service_that_is_silent_is_in_error_until_it_is_heard_of_again() {
        server.command(
                "HSET",
                "status:service:netsrv",
                "status",
                "running",
                "last_heartbeat",
                "1754530782");
        await().until(
                        () ->
                                "error"
                                        .equals(
                                                server.command(
                                                        "HGET",
                                                        "status:service:netsrv",
                                                        "status")));
        assertThat(hub.get("/api/queues/service").body()).contains("netsrv");
        assertThat(hub.get("/api/status/services/comsrv").json().at("/data/status").asString())
                .isEqualTo("running");
        assertThat(String.valueOf(server.command("GET", "sync:lock:supervisor"))).contains(":");
    }

    @Test
    void services_say_that_they_run_and_that_they_have_been_stopped() {
        try (TestServer own = TestServer.start()) {
            TestHub other = TestHub.start(own.url(), "site.heartbeat=1s");
            for (String name :
                    List.of("comsrv", "modsrv", "alarmsrv", "rulesrv", "hissrv", "apigateway")) {
                String key = "status:service:" + name;
                await().until(() -> "running".equals(own.command("HGET", key, "status")));
                assertThat(String.valueOf(own.command("HGET", key, "last_heartbeat")))
                        .matches("[0-9]{10}");
                assertThat(String.valueOf(own.command("HGET", key, "uptime"))).matches("[0-9]+");
                assertThat(own.command("HGET", key, "version")).isNotNull();
            }
            other.close();
            assertThat(own.command("HGET", "status:service:comsrv", "status")).isEqualTo("stopped");
            assertThat(own.command("TTL", "status:service:comsrv"))
                    .as("it stays to be seen")
                    .isEqualTo(-1L);
        }
    }

    @Test
    void a_foreign_lock_without_a_time_is_held_for_ever() {
        server.command("SET", "sync:lock:theirs", "them:1754530782");
        assertThat(hub.send("POST", "/api/locks/theirs", "{}").status()).isEqualTo(409);
        assertThat(hub.get("/api/locks/theirs").json().at("/data/ttl").isNull()).isTrue();
        assertThat(hub.get("/api/locks/theirs").json().at("/data/since").asString())
                .isEqualTo("2025-08-07T01:39:42Z");
    }

    @Test
    void a_count_that_somebody_has_spoilt_is_put_right() {
        hub.send("POST", "/api/channels", "{\"id\":77,\"protocol\":\"virtual\"}");
        server.command("HSET", "status:system", "active_alarms", "-3");
        await().until(() -> "0".equals(server.command("HGET", "status:system", "active_alarms")));
    }

    @Test
    void a_queue_that_is_something_else_is_said_to_be() {
        server.command("SET", "event:queue:broken", "x");
        TestHub.Reply reply = hub.send("POST", "/api/queues/broken", "{}");
        assertThat(reply.status()).as(reply.body()).isEqualTo(500);
        assertThat(reply.json().at("/error/code").asString()).isEqualTo("STORE_TYPE_CONFLICT");
    }
}
