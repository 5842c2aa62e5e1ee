package dev.millrace.hub.live;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.hub.access.AccessSettings.Mode;
import dev.millrace.hub.access.Role;
import dev.millrace.keyspace.feed.Topic;
import dev.millrace.keyspace.testing.SharedServers;
import dev.millrace.keyspace.testing.TestServer;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;

/** What is refused, and how; and what happens when Redis is replaced. */
class LiveRefusalTest {
    private static final LiveFeed PLANT =
            LiveFeed.of("plant", Topic.named("live-plant"), Role.VIEWER, "plant");
    private static final LiveFeed SECRET =
            LiveFeed.of("secret", Topic.named("live-secret"), Role.ADMIN, "secret");

    @BeforeEach
    void begin() {
        SharedServers.flushAll();
    }

    private static TestHub hub(Mode mode) {
        return new TestHub(SharedServers.standalone().url(), TestHub.SETTINGS, mode, PLANT, SECRET);
    }

    private static HttpResponse<InputStream> ask(
            TestHub hub, String feeds, Optional<String> token) {
        return SseListener.ask(hub.url(), feeds, "", token);
    }

    private static String text(HttpResponse<InputStream> response) throws IOException {
        return new String(response.body().readAllBytes(), StandardCharsets.UTF_8);
    }

    @Test
    void a_feed_that_does_not_exist_is_named_in_the_answer() throws Exception {
        try (TestHub hub = hub(Mode.OPEN)) {
            HttpResponse<InputStream> response = ask(hub, "plant,nonsense", Optional.empty());
            assertThat(response.statusCode()).isEqualTo(400);
            assertThat(text(response)).contains("nonsense").contains("plant, secret");
            assertThat(ask(hub, "", Optional.empty()).statusCode()).isEqualTo(400);
            assertThat(hub.figure("millrace.live.clients")).isZero();
        }
    }

    @Test
    void every_feed_asks_for_its_own_role() {
        try (TestHub hub = hub(Mode.TOKEN)) {
            Optional<String> viewer = Optional.of(LiveContract.token(hub, "v", Role.VIEWER).text());
            Optional<String> admin = Optional.of(LiveContract.token(hub, "a", Role.ADMIN).text());
            assertThat(ask(hub, "plant", Optional.empty()).statusCode()).isEqualTo(401);
            assertThat(ask(hub, "plant,secret", viewer).statusCode()).isEqualTo(403);
            assertThat(ask(hub, "plant", viewer).statusCode()).isEqualTo(200);
            assertThat(ask(hub, "plant,secret", admin).statusCode()).isEqualTo(200);
        }
    }

    @Test
    void streams_are_never_kept_or_collected_on_their_way() {
        try (TestHub hub = hub(Mode.OPEN)) {
            HttpResponse<InputStream> response = ask(hub, "plant", Optional.empty());
            assertThat(response.headers().firstValue("Content-Type")).hasValue("text/event-stream");
            assertThat(response.headers().firstValue("Cache-Control")).hasValue("no-store");
            assertThat(response.headers().firstValue("X-Accel-Buffering")).hasValue("no");
            assertThat(response.headers().firstValue("Content-Encoding")).isEmpty();
        }
    }

    @Test
    void more_clients_than_allowed_are_told_to_come_again() {
        LiveSettings one =
                new LiveSettings(1, Duration.ofSeconds(15), Duration.ofSeconds(60), 4096);
        try (TestHub hub = new TestHub(SharedServers.standalone().url(), one, Mode.OPEN, PLANT)) {
            assertThat(ask(hub, "plant", Optional.empty()).statusCode()).isEqualTo(200);
            HttpResponse<InputStream> second = ask(hub, "plant", Optional.empty());
            assertThat(second.statusCode()).isEqualTo(503);
            assertThat(second.headers().firstValue("Retry-After")).isPresent();
        }
    }

    @Test
    void a_server_that_may_have_lost_facts_makes_everybody_reload() {
        try (TestServer server = TestServer.start();
                TestHub hub = new TestHub(server.url(), TestHub.SETTINGS, Mode.OPEN, PLANT);
                Listener listener = SseListener.open(hub.url(), "plant", "", Optional.empty())) {
            listener.awaitEvent("ready");
            hub.write(PLANT.topic(), "x", "1");
            listener.awaitFacts("plant", 1);
            server.restart();
            listener.awaitEvent("reload");
            // Connections of the hub may still be those to the server that is gone.
            try (TestHub writer = new TestHub(server.url(), TestHub.SETTINGS, Mode.OPEN)) {
                writer.write(PLANT.topic(), "x", "2");
            }
            listener.awaitFacts("plant", 2);
            assertThat(listener.facts("plant")).containsExactly("1", "2");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "hello",
                "{}",
                "null",
                "[1]",
                "{\"subscribe\":[]}",
                "{\"subscribe\":[\"nonsense\"]}",
                "{\"subscribe\":[\"plant\",\"plant\"]}",
                "{\"subscribe\":\"plant\"}"
            })
    void a_message_that_is_no_use_is_answered_with_a_sentence_and_closed(String message) {
        try (TestHub hub = hub(Mode.OPEN);
                TalkListener talk = TalkListener.connect(hub.url(), Optional.empty())) {
            talk.say(message);
            talk.awaitEnd();
            assertThat(talk.closeCode).isEqualTo(1008);
            assertThat(talk.closeReason).isNotEmpty();
            assertThat(talk.has("error")).isTrue();
        }
    }

    @Test
    void a_socket_may_say_its_token_and_unsubscribe() {
        try (TestHub hub = hub(Mode.TOKEN);
                TalkListener talk = TalkListener.connect(hub.url(), Optional.empty());
                TalkListener stranger = TalkListener.connect(hub.url(), Optional.empty())) {
            String token = LiveContract.token(hub, "v", Role.VIEWER).text();
            stranger.say("{\"subscribe\":[\"plant\"]}");
            stranger.awaitEnd();
            assertThat(stranger.closeCode).isEqualTo(1008);
            talk.say("{\"token\":\"" + token + "\",\"subscribe\":[\"plant\"]}");
            talk.awaitEvent("ready");
            hub.write(PLANT.topic(), "x", "1");
            talk.awaitFacts("plant", 1);
            talk.say("{\"unsubscribe\":[\"plant\"]}");
            hub.write(PLANT.topic(), "x", "2");
            talk.say("{\"subscribe\":[\"plant\"],\"after\":\"" + talk.after() + "\"}");
            talk.awaitFacts("plant", 2);
            assertThat(talk.facts("plant")).containsExactly("1", "2");
        }
    }
}
