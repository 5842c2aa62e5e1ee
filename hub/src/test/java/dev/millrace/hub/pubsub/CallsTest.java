package dev.millrace.hub.pubsub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.hub.TestHub;
import dev.millrace.keyspace.testing.SharedServers;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The lines about calls: silent unless they are wanted, and harmless whatever a caller writes. */
class CallsTest {
    private static final String MESSAGE = "/channel/c1/message/m1";
    private static final String POLLING = "/channel/c1/subscription/polling/s1";

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private TestHub hub;

    @BeforeEach
    void start() {
        SharedServers.flushAll();
        hub = with();
    }

    @AfterEach
    void stop() {
        hub.close();
        client.close();
    }

    private static TestHub with(String... settings) {
        List<String> all = new ArrayList<>(List.of("pubsub.admin.auth.bearer=[sesame]"));
        all.addAll(List.of(settings));
        return TestHub.start(SharedServers.standalone().url(), all.toArray(String[]::new));
    }

    private void restart(String... settings) {
        hub.close();
        hub = with(settings);
    }

    private void level(String category, String level) {
        String path = "/admin/log/level?category=%s&level=%s".formatted(category, level);
        assertThat(hub.send("PUT", path, "", Optional.of("sesame")).status()).isEqualTo(204);
    }

    private int call(String method, String path, String body, String... headers) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(hub.url() + path))
                        .method(method, BodyPublishers.ofString(body));
        if (headers.length > 0) {
            request.headers(headers);
        }
        try {
            return client.send(request.build(), BodyHandlers.discarding()).statusCode();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Those that are about this path, and not about the admin who asked for them. */
    private List<String> lines(String path) {
        List<String> lines = new ArrayList<>();
        for (JsonNode line : hub.get("/ops/log?lines=1000").json().get("lines")) {
            String message = line.get("message").asString();
            if (line.get("logger").asString().equals(LogCategory.CALLS)
                    && message.contains(" path=" + path)) {
                lines.add(message);
            }
        }
        return lines;
    }

    /** The line is written behind the answer. */
    private String line(String path) {
        Awaitility.await().until(() -> !lines(path).isEmpty());
        assertThat(lines(path)).hasSize(1);
        return lines(path).getFirst();
    }

    /** A call behind others: when its line is there, theirs would be. */
    private void mustBeSilent(String path) {
        assertThat(call("PUT", path, "1")).isEqualTo(200);
        level("http", "INFO");
        assertThat(call("GET", "/probe/readiness", "")).isEqualTo(200);
        line("/probe/readiness");
        assertThat(lines(path)).isEmpty();
    }

    @Test
    void without_a_wish_there_are_none() {
        mustBeSilent(MESSAGE);
    }

    @Test
    void a_level_of_the_whole_log_is_no_wish() {
        restart("log.level=debug");
        mustBeSilent(MESSAGE);
    }

    @Test
    void each_call_has_one_line_with_all_its_fields() {
        level("http", "INFO");
        assertThat(
                        call(
                                "PUT",
                                MESSAGE + "?access_token=hush",
                                "[1, 2]",
                                "User-Agent",
                                "tester/1 (a b)",
                                "Referer",
                                "https://page.example/a?token=hush#b",
                                "Authorization",
                                "Bearer hush"))
                .isEqualTo(200);
        assertThat(line(MESSAGE))
                .matches(
                        "A call has ended\\. method=PUT path=/channel/c1/message/m1"
                                + " ip=127\\.0\\.0\\.1 ua=\"tester/1 \\(a b\\)\""
                                + " referer=https://page\\.example/a reqLength=6 status=200"
                                + " elapsedMs=[0-9.]+ resLength=36 channelID=c1");
        assertThat(hub.get("/ops/log?lines=1000").body()).doesNotContain("hush");
        assertThat(call("PUT", POLLING, "")).isEqualTo(200);
        assertThat(line(POLLING))
                .contains(" ua=", " referer=\"\" ", " channelID=c1", " subscriberID=s1");
    }

    @Test
    void a_talk_has_one_when_it_is_over() {
        assertThat(call("PUT", POLLING, "")).isEqualTo(200);
        level("http", "INFO");
        String path = POLLING.replace("polling", "ws");
        WebSocket socket =
                client.newWebSocketBuilder()
                        .buildAsync(
                                URI.create(hub.url().replace("http:", "ws:") + path),
                                new WebSocket.Listener() {})
                        .join();
        assertThat(lines(path)).isEmpty();
        socket.abort();
        assertThat(line(path)).contains(" status=101 ", " channelID=c1", " subscriberID=s1");
    }

    @Test
    void refused_calls_have_one_as_well() {
        level("http", "DEBUG");
        assertThat(call("GET", "/channel/BAD/subscription/polling/x", "")).isEqualTo(400);
        assertThat(line("/channel/BAD")).contains(" status=400 ", " channelID=BAD");
        assertThat(call("PUT", "/admin/jwt/revoke", "")).isEqualTo(403);
        assertThat(line("/admin/jwt/revoke")).contains(" status=403 ").doesNotContain("channelID");
    }

    @Test
    void other_rooms_have_none() {
        level("http", "INFO");
        assertThat(hub.get("/api/v1/event").status()).isEqualTo(200);
        mustBeSilentAbout("/api/v1/event");
    }

    private void mustBeSilentAbout(String path) {
        assertThat(call("GET", "/probe/readiness", "")).isEqualTo(200);
        line("/probe/readiness");
        assertThat(lines(path)).isEmpty();
    }

    @Test
    void they_are_wanted_in_the_configuration_or_with_all_others() {
        for (String wish : List.of("{http: info}", "{'*': info}", "{'*': warn, http: debug}")) {
            restart("pubsub.logging.category=" + wish);
            assertThat(call("PUT", MESSAGE, "1")).isEqualTo(200);
            line(MESSAGE);
        }
        restart("pubsub.logging.category={http: warn}");
        level("*", "INFO");
        mustBeSilent(MESSAGE);
    }

    @Test
    void nobody_forges_a_line() {
        level("http", "INFO");
        String forged = "%0A2026-01-01T00:00:00.000Z%20ERROR%20Hub:%20gone%20status=200";
        assertThat(call("PUT", "/channel/a" + forged + "/message/m", "1")).isEqualTo(400);
        assertThat(line("\"/channel/a"))
                .contains("path=\"/channel/a\\u000a2026", " channelID=\"a\\u000a2026")
                .doesNotContain("\n");
        assertThat(call("PUT", "/channel/%E2%80%A8%22x%5C/message/m", "1")).isEqualTo(400);
        assertThat(line("\"/channel/\\u2028\\\"x\\u005c/")).contains(" status=400 ");
    }

    @Test
    void long_words_are_cut() {
        level("http", "INFO");
        String emoji = "%F0%9F%8D%BA".repeat(1000);
        assertThat(call("PUT", "/channel/a/message/" + emoji, "1", "User-Agent", "x".repeat(5000)))
                .isEqualTo(400);
        assertThat(line("/channel/a/message/"))
                .contains("🍺… ", " ua=" + "x".repeat(512) + "… ")
                .hasSizeLessThan(1400);
    }

    @Test
    void a_refused_admin_forges_none_either() {
        assertThat(call("GET", "/admin/channel/a%0Aforged", "")).isEqualTo(403);
        assertThat(hub.get("/ops/log?lines=1000").body())
                .contains("An admin call was refused. path=/admin/channel/a\\\\u000aforged")
                .doesNotContain("a\\nforged");
    }
}
