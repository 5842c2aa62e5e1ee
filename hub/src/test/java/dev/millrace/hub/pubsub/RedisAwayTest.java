package dev.millrace.hub.pubsub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.hub.TestHub;
import dev.millrace.hub.TestHub.Reply;
import dev.millrace.keyspace.testing.TestServer;

import org.junit.jupiter.api.Test;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** What clients are told while Redis does not answer. */
class RedisAwayTest {
    private static final String LONG_POLLS = "pubsub.http.longPollingMaxTimeout=1h";

    /** An impatient hub may be told on a busy machine that Redis is away when it is not. */
    private static void subscribe(TestHub hub, String name) {
        String path = "/channel/c/subscription/polling/" + name;
        await().until(() -> hub.send("PUT", path, "").status() == 200);
    }

    @Test
    void it_is_alive_but_not_ready_and_a_publish_is_told_to_come_again() {
        try (TestServer server = TestServer.start();
                TestHub hub = TestHub.start(server.url(), TestHub.IMPATIENT)) {
            await().until(() -> hub.get("/probe/readiness").status() == 200);
            server.pause();
            try {
                Reply ready = hub.get("/probe/readiness");
                assertThat(ready.status()).isEqualTo(500);
                assertThat(ready.body()).isEqualTo("{\"storage\":{}}\n");
                assertThat(ready.header("content-type")).isEqualTo("application/json");
                assertThat(hub.get("/probe/liveness").status()).isEqualTo(200);
                Reply publish = hub.send("PUT", "/channel/c/message/m", "1");
                assertThat(publish.status()).isEqualTo(503);
                assertThat(publish.json().propertyNames()).containsExactly("error");
                assertThat(publish.header("x-frame-options")).isEqualTo("deny");
            } finally {
                server.resume();
            }
        }
    }

    @Test
    void who_waits_need_not_know_that_redis_was_away() throws Exception {
        try (TestServer server = TestServer.start("appendonly yes", "appendfsync always");
                TestHub hub = TestHub.start(server.url(), TestHub.IMPATIENT, LONG_POLLS);
                HttpClient client = HttpClient.newHttpClient()) {
            subscribe(hub, "poll");
            subscribe(hub, "push");
            CompletableFuture<Reply> poll =
                    CompletableFuture.supplyAsync(
                            () -> hub.get("/channel/c/subscription/polling/poll?timeout=1h"),
                            Thread::startVirtualThread);
            HttpRequest request =
                    HttpRequest.newBuilder(
                                    URI.create(hub.url() + "/channel/c/subscription/sse/push"))
                            .build();
            try (Stream<String> push = client.send(request, BodyHandlers.ofLines()).body()) {
                await().atMost(60, TimeUnit.SECONDS)
                        .until(
                                () ->
                                        hub.get("/metrics")
                                                .body()
                                                .contains("millrace_pubsub_waiting 2.0"));
                server.kill();
                // Each takes as long as a look: those who wait have looked meanwhile, in vain.
                for (int i = 0; i < 6; i++) {
                    assertThat(hub.send("PUT", "/channel/c/message/m", "1").status())
                            .isEqualTo(503);
                }
                assertThat(poll).isNotDone();
                server.restart();
                await().atMost(60, TimeUnit.SECONDS)
                        .until(() -> hub.send("PUT", "/channel/c/message/m", "1").status() == 200);
                Reply page = poll.get(120, TimeUnit.SECONDS);
                assertThat(page.status()).isEqualTo(200);
                assertThat(page.json().get("messages").size()).isEqualTo(1);
                assertThat(push.filter(line -> line.startsWith("data: ")).findFirst())
                        .hasValue("data: {\"messageID\":\"m\",\"content\":1}");
            }
        }
    }

    @Test
    void a_poll_that_begins_while_redis_is_away_is_told_so_before_its_time_is_over()
            throws Exception {
        try (TestServer server = TestServer.start();
                TestHub hub = TestHub.start(server.url(), TestHub.IMPATIENT, LONG_POLLS)) {
            subscribe(hub, "s");
            server.kill();
            CompletableFuture<Reply> poll =
                    CompletableFuture.supplyAsync(
                            () -> hub.get("/channel/c/subscription/polling/s?timeout=1h"),
                            Thread::startVirtualThread);
            assertThat(poll.get(120, TimeUnit.SECONDS).status()).isEqualTo(503);
        }
    }

    @Test
    void where_nothing_can_be_heard_who_waits_looks_by_himself() throws Exception {
        try (TestServer server = TestServer.start();
                TestHub hub = TestHub.start(server.url(), TestHub.IMPATIENT, LONG_POLLS)) {
            subscribe(hub, "s");
            server.command("ACL", "SETUSER", "default", "-subscribe");
            server.command("CLIENT", "KILL", "TYPE", "pubsub");
            CompletableFuture<Reply> poll =
                    CompletableFuture.supplyAsync(
                            () -> hub.get("/channel/c/subscription/polling/s?timeout=1h"),
                            Thread::startVirtualThread);
            await().atMost(60, TimeUnit.SECONDS)
                    .until(
                            () ->
                                    hub.get("/metrics")
                                            .body()
                                            .contains("millrace_pubsub_waiting 1.0"));
            await().until(() -> hub.send("PUT", "/channel/c/message/m", "1").status() == 200);
            assertThat(poll.get(120, TimeUnit.SECONDS).json().get("messages").size()).isEqualTo(1);
        }
    }
}
