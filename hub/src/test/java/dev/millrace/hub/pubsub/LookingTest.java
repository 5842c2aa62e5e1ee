package dev.millrace.hub.pubsub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.hub.TestHub;
import dev.millrace.hub.TestHub.Reply;
import dev.millrace.hub.access.Role;
import dev.millrace.hub.http.Json;
import dev.millrace.keyspace.testing.OnEachSite;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A viewer reads the messages of a subscriber, and the subscriber never notices. */
@OnEachSite
final class LookingTest extends PubsubContract {
    private static final byte[] SECRET = "for tests".getBytes(StandardCharsets.US_ASCII);
    private static final String CURSOR = "c.{ch}.r.s";
    private static final String CLOCK = "c.{ch}.clock";
    private static final String SEEN = "millrace:seen:{ch}";

    @TempDir private static Path directory;

    private final HttpClient client = HttpClient.newHttpClient();
    private String viewer = "";
    private String operator = "";

    @Override
    List<String> settings() {
        Path secret = SignedTokens.write(directory.resolve("secret"), SECRET);
        return List.of(
                "access.mode=token",
                "pubsub.channels=[{regex: 'ch'}, {regex: 'jwt', jwt: {iss: me, keys: {HS256: [%s]}}}]"
                        .formatted(secret));
    }

    @BeforeEach
    void tokens() {
        viewer = hub.token("viewer", Role.VIEWER);
        operator = hub.token("operator", Role.OPERATOR);
    }

    @AfterEach
    void close() {
        client.shutdownNow();
    }

    // ---------------------------------------------------------------- what is there

    private Reply as(String token, String method, String path, String body) {
        return hub.send(method, path, body, Optional.of(token));
    }

    private void given(String... messages) {
        assertThat(as(operator, "PUT", polling("ch", "s"), "").status()).isEqualTo(200);
        for (String id : messages) {
            assertThat(as(operator, "PUT", message("ch", id), "1").status()).isEqualTo(200);
        }
    }

    /** Its life is nearly over: whatever renews it, and be it at once, shows. */
    private void nearlyOver() {
        for (String key : List.of(CURSOR, CLOCK, SEEN)) {
            redis("EXPIRE", key, "500");
        }
        // So that a note that the subscriber was seen shows too.
        redis("ZADD", SEEN, "1", "s");
    }

    /** Everything that is known of the subscriber. */
    private List<@Nullable Object> state() {
        List<@Nullable Object> state = new ArrayList<>();
        for (String key : List.of(CURSOR, CLOCK, SEEN)) {
            state.add(redis("PEXPIRETIME", key));
        }
        state.add(get(CURSOR));
        state.add(get(CLOCK));
        state.add(redis("ZSCORE", SEEN, "s"));
        return state;
    }

    private List<String> seenBy(String token) {
        return ids(as(token, "GET", polling("ch", "s"), ""));
    }

    // ---------------------------------------------------------------- polls

    @Test
    void a_poll_of_a_viewer_neither_renews_a_subscriber_nor_counts_as_its_sign_of_life() {
        given("m1", "m2");
        // As if the hub had just started: whoever polls first is noted.
        restart();
        nearlyOver();
        List<@Nullable Object> before = state();
        assertThat(seenBy(viewer)).containsExactly("m1", "m2");
        assertThat(as(viewer, "GET", polling("ch", "s") + "?timeout=1s", "").status())
                .isEqualTo(200);
        assertThat(state()).isEqualTo(before);
        assertThat(seenBy(operator)).containsExactly("m1", "m2");
        assertThat(secondsLeft(CURSOR)).isGreaterThan(500);
        assertThat(redis("ZSCORE", SEEN, "s")).isNotEqualTo("1");
    }

    private void restart() {
        hub.close();
        hub = TestHub.start(url(), settings().toArray(String[]::new));
    }

    @Test
    void a_viewer_passes_expired_messages_and_the_cursor_stays() {
        given();
        // The first three expired before anybody had read them.
        set(CLOCK, "3");
        as(operator, "PUT", message("ch", "m4"), "4");
        assertThat(seenBy(viewer)).containsExactly("m4");
        assertThat(get(CURSOR)).isEqualTo("0");
        assertThat(seenBy(operator)).containsExactly("m4");
        assertThat(get(CURSOR)).isEqualTo("3");
    }

    @Test
    void a_viewer_finds_its_way_over_a_long_stretch_of_expired_messages() {
        given();
        set(CLOCK, "20000");
        as(operator, "PUT", message("ch", "last"), "1");
        assertThat(seenBy(viewer)).containsExactly("last");
        assertThat(get(CURSOR)).isEqualTo("0");
    }

    @Test
    void a_viewer_does_not_put_back_a_cursor_whose_clock_has_gone_back() {
        given("m1", "m2");
        set(CURSOR, "50");
        assertThat(seenBy(viewer)).containsExactly("m1", "m2");
        assertThat(get(CURSOR)).isEqualTo("50");
        assertThat(seenBy(operator)).containsExactly("m1", "m2");
        assertThat(get(CURSOR)).isEqualTo("0");
    }

    @Test
    void a_viewer_may_not_acknowledge_and_an_operator_may() {
        given("m1", "m2");
        Reply page = as(viewer, "GET", polling("ch", "s") + "?max=1", "");
        String call = polling("ch", "s") + "/message?ackHandle=" + handle(page);
        assertThat(as(viewer, "DELETE", call, "").status()).isEqualTo(403);
        assertThat(seenBy(operator)).containsExactly("m1", "m2");
        assertThat(as(operator, "DELETE", call, "").status()).isEqualTo(204);
        assertThat(seenBy(operator)).containsExactly("m2");
    }

    /** Publishers and readers of such a channel are other people than the users of the hub. */
    @Test
    void a_jwt_that_is_accepted_acknowledges_as_it_always_did() {
        String jwt =
                SignedTokens.token(
                        "HS256", "{\"iss\":\"me\"}", SignedTokens.secret("HmacSHA256", SECRET));
        assertThat(as(jwt, "PUT", polling("jwt", "s"), "").status()).isEqualTo(200);
        assertThat(as(jwt, "PUT", message("jwt", "m1"), "1").status()).isEqualTo(200);
        redis("EXPIRE", "c.{jwt}.r.s", "500");
        Reply page = as(jwt, "GET", polling("jwt", "s"), "");
        assertThat(secondsLeft("c.{jwt}.r.s")).isGreaterThan(500);
        String call = polling("jwt", "s") + "/message?ackHandle=" + handle(page);
        assertThat(as(jwt, "DELETE", call, "").status()).isEqualTo(204);
        assertThat(ids(as(jwt, "GET", polling("jwt", "s"), ""))).isEmpty();
    }

    // ---------------------------------------------------------------- server-sent events

    /** The ids of the events that come, until it is closed. */
    private final class Events implements AutoCloseable {
        final List<String> handles = new CopyOnWriteArrayList<>();
        final List<String> messages = new CopyOnWriteArrayList<>();
        private final Stream<String> lines;

        Events(String token, String... headers) throws IOException, InterruptedException {
            HttpRequest.Builder request =
                    HttpRequest.newBuilder(URI.create(hub.url() + "/channel/ch/subscription/sse/s"))
                            .header("Authorization", "Bearer " + token);
            if (headers.length > 0) {
                request.headers(headers);
            }
            HttpResponse<Stream<String>> response =
                    client.send(request.build(), BodyHandlers.ofLines());
            assertThat(response.statusCode()).isEqualTo(200);
            lines = response.body();
            Thread.startVirtualThread(
                    () -> {
                        try {
                            lines.forEach(this::line);
                        } catch (RuntimeException e) {
                            // The test has closed it.
                        }
                    });
        }

        private void line(String line) {
            if (line.startsWith("id: ")) {
                handles.add(line.substring(4));
            } else if (line.startsWith("data: ")) {
                messages.add(Json.MAPPER.readTree(line.substring(6)).get("messageID").asString());
            }
        }

        void awaitMessages(String... expected) {
            await().atMost(60, TimeUnit.SECONDS)
                    .untilAsserted(() -> assertThat(messages).containsExactly(expected));
        }

        @Override
        public void close() {
            lines.close();
        }
    }

    @Test
    void a_viewer_that_comes_back_goes_on_behind_its_last_event_and_acknowledges_nothing()
            throws Exception {
        given("m1", "m2", "m3");
        nearlyOver();
        List<@Nullable Object> before = state();
        String second;
        try (Events first = new Events(viewer)) {
            first.awaitMessages("m1", "m2", "m3");
            second = first.handles.get(1);
        }
        try (Events again = new Events(viewer, "Last-Event-ID", second)) {
            again.awaitMessages("m3");
            assertThat(state()).isEqualTo(before);
            as(operator, "PUT", message("ch", "m4"), "4");
            again.awaitMessages("m3", "m4");
        }
        assertThat(seenBy(operator)).containsExactly("m1", "m2", "m3", "m4");
        try (Events own = new Events(operator, "Last-Event-ID", second)) {
            own.awaitMessages("m3", "m4");
        }
        assertThat(seenBy(operator)).containsExactly("m3", "m4");
    }

    /** It cannot acknowledge, so it would stop for good where others may be asked to. */
    @Test
    void a_viewer_gets_more_than_others_may_without_acknowledgement() throws Exception {
        given();
        List<String> expected = new ArrayList<>();
        for (int batch = 0; batch < 2; batch++) {
            List<String> messages = new ArrayList<>();
            for (int i = 0; i < 1000; i++) {
                expected.add("m%d-%d".formatted(batch, i));
                messages.add("{\"messageID\":\"%s\",\"content\":0}".formatted(expected.getLast()));
            }
            String body = "[" + String.join(",", messages) + "]";
            assertThat(as(operator, "POST", "/channel/ch/messages", body).status()).isEqualTo(200);
        }
        try (Events events = new Events(viewer)) {
            events.awaitMessages(expected.toArray(String[]::new));
        }
        assertThat(get(CURSOR)).isEqualTo("0");
    }

    // ---------------------------------------------------------------- WebSockets

    private static final class Frames implements WebSocket.Listener {
        final List<JsonNode> all = new CopyOnWriteArrayList<>();
        private final StringBuilder text = new StringBuilder();

        @Override
        public CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
            text.append(data);
            if (last) {
                all.add(Json.MAPPER.readTree(text.toString()));
                text.setLength(0);
            }
            from.request(1);
            return CompletableFuture.completedFuture(null);
        }

        JsonNode awaitFrame(int number) {
            await().atMost(60, TimeUnit.SECONDS).until(() -> all.size() > number);
            return all.get(number);
        }
    }

    private WebSocket socket(String token, Frames frames) {
        return client.newWebSocketBuilder()
                .header("Authorization", "Bearer " + token)
                .buildAsync(
                        URI.create(
                                hub.url().replace("http", "ws") + "/channel/ch/subscription/ws/s"),
                        frames)
                .join();
    }

    @Test
    void a_viewer_that_acknowledges_over_a_web_socket_is_told_which_role_that_needs() {
        given("m1");
        nearlyOver();
        List<@Nullable Object> before = state();
        Frames frames = new Frames();
        WebSocket looking = socket(viewer, frames);
        String ack = "{\"ack\":\"%s\"}".formatted(frames.awaitFrame(0).get("ackHandle").asString());
        looking.sendText(ack, true).join();
        assertThat(frames.awaitFrame(1).get("error").asString()).contains("operator");
        assertThat(state()).isEqualTo(before);
        // It goes on to hear what comes.
        as(operator, "PUT", message("ch", "m2"), "2");
        assertThat(frames.awaitFrame(2).get("messageID").asString()).isEqualTo("m2");
        looking.abort();
        WebSocket acting = socket(operator, new Frames());
        acting.sendText(ack, true).join();
        await().atMost(60, TimeUnit.SECONDS)
                .until(() -> seenBy(operator).equals(Arrays.asList("m2")));
        acting.abort();
    }
}
