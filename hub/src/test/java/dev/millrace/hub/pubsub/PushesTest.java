package dev.millrace.hub.pubsub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.hub.http.Json;
import dev.millrace.keyspace.testing.OnEachSite;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Messages that are pushed: server-sent events and WebSockets over the cursors of polls. */
@OnEachSite
final class PushesTest extends PubsubContract {
    private final HttpClient client = HttpClient.newHttpClient();

    @AfterEach
    void close() {
        client.shutdownNow();
    }

    private static String ofMessage(String json) {
        JsonNode message = Json.MAPPER.readTree(json);
        return message.get("messageID").asString() + "=" + message.get("content");
    }

    /** Server-sent events, as a browser reads them. */
    private final class Events {
        final List<String> ids = new CopyOnWriteArrayList<>();
        final List<String> messages = new CopyOnWriteArrayList<>();
        final List<String> kinds = new CopyOnWriteArrayList<>();
        private final Stream<String> lines;
        volatile boolean ended;

        Events(String channel, String subscriber, String last) throws Exception {
            HttpRequest.Builder request =
                    HttpRequest.newBuilder(
                            URI.create(
                                    hub.url()
                                            + "/channel/%s/subscription/sse/%s"
                                                    .formatted(channel, subscriber)));
            if (!last.isEmpty()) {
                request.header("Last-Event-ID", last);
            }
            HttpResponse<Stream<String>> response =
                    client.send(request.build(), BodyHandlers.ofLines());
            assertThat(response.statusCode()).isEqualTo(200);
            assertThat(response.headers().firstValue("content-type")).hasValue("text/event-stream");
            lines = response.body();
            Thread.startVirtualThread(
                    () -> {
                        try {
                            lines.forEach(this::line);
                        } catch (RuntimeException e) {
                            // The test has closed it.
                        }
                        ended = true;
                    });
        }

        private void line(String line) {
            if (line.startsWith("id: ")) {
                ids.add(line.substring(4));
            } else if (line.startsWith("event: ")) {
                kinds.add(line.substring(7));
            } else if (line.startsWith("data: ") && kinds.isEmpty()) {
                messages.add(ofMessage(line.substring(6)));
            }
        }

        void awaitMessages(int count) {
            await().atMost(60, TimeUnit.SECONDS).until(() -> messages.size() >= count);
        }
    }

    @Test
    void events_come_as_they_are_published_and_again_until_they_are_acknowledged()
            throws Exception {
        subscribe("ch", "s");
        publish("ch", "m1", "{\"a\":\n 1}");
        Events first = new Events("ch", "s", "");
        first.awaitMessages(1);
        publish("ch", "m2", "2");
        publish("ch", "m3", "3");
        first.awaitMessages(3);
        assertThat(first.messages).containsExactly("m1={\"a\":1}", "m2=2", "m3=3");
        first.lines.close();
        assertThat(unread("ch", "s")).containsExactly("m1", "m2", "m3");
        // A browser that comes back says which event was its last.
        Events second = new Events("ch", "s", first.ids.get(1));
        second.awaitMessages(1);
        assertThat(second.messages).containsExactly("m3=3");
        assertThat(unread("ch", "s")).containsExactly("m3");
        assertThat(acknowledge("ch", "s", second.ids.getFirst()).status()).isEqualTo(204);
        assertThat(unread("ch", "s")).isEmpty();
        hub.send("DELETE", polling("ch", "s"), "");
        await().atMost(60, TimeUnit.SECONDS).until(() -> second.ended);
        assertThat(second.kinds).containsExactly("gone");
    }

    @Test
    void no_more_is_sent_than_may_be_without_acknowledgement() throws Exception {
        subscribe("ch", "s");
        for (int batch = 0; batch < 3; batch++) {
            StringBuilder body = new StringBuilder("[");
            for (int i = 0; i < 1000; i++) {
                body.append(i == 0 ? "" : ",")
                        .append("{\"messageID\":\"m%d-%d\",\"content\":0}".formatted(batch, i));
            }
            assertThat(hub.send("POST", "/channel/ch/messages", body + "]").status())
                    .isEqualTo(200);
        }
        Events events = new Events("ch", "s", "");
        events.awaitMessages(1024);
        await().during(1500, TimeUnit.MILLISECONDS)
                .atMost(60, TimeUnit.SECONDS)
                .until(() -> events.messages.size() < 1100);
        while (events.messages.size() < 3000) {
            int before = events.messages.size();
            acknowledge("ch", "s", events.ids.getLast());
            events.awaitMessages(Math.min(3000, before + 500));
        }
        assertThat(events.messages).hasSize(3000).doesNotHaveDuplicates().endsWith("m2-999=0");
    }

    @Test
    void a_stream_of_nobody_is_refused() {
        assertThat(hub.get("/channel/ch/subscription/sse/nobody").status()).isEqualTo(404);
        assertThat(hub.get("/channel/CH/subscription/sse/s").status()).isEqualTo(400);
        assertThat(hub.get("/channel/ch/subscription/sse/S").status()).isEqualTo(400);
    }

    private final class Frames implements WebSocket.Listener {
        final List<String> messages = new CopyOnWriteArrayList<>();
        final List<String> handles = new CopyOnWriteArrayList<>();
        final List<String> errors = new CopyOnWriteArrayList<>();
        final CompletableFuture<String> closed = new CompletableFuture<>();
        private final StringBuilder text = new StringBuilder();
        final WebSocket socket;

        Frames(String channel, String subscriber) {
            socket =
                    client.newWebSocketBuilder()
                            .buildAsync(
                                    URI.create(
                                            hub.url().replace("http", "ws")
                                                    + "/channel/%s/subscription/ws/%s"
                                                            .formatted(channel, subscriber)),
                                    this)
                            .join();
        }

        @Override
        public CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
            text.append(data);
            if (last) {
                JsonNode frame = Json.MAPPER.readTree(text.toString());
                text.setLength(0);
                if (frame.has("error")) {
                    errors.add(frame.get("error").asString());
                } else {
                    handles.add(frame.get("ackHandle").asString());
                    messages.add(ofMessage(frame.toString()));
                }
            }
            from.request(1);
            return CompletableFuture.completedFuture(null);
        }

        @Override
        public CompletionStage<?> onClose(WebSocket from, int code, String reason) {
            closed.complete(code + " " + reason);
            return CompletableFuture.completedFuture(null);
        }

        void say(String what) {
            socket.sendText(what, true).join();
        }

        void awaitMessages(int count) {
            await().atMost(60, TimeUnit.SECONDS).until(() -> messages.size() >= count);
        }
    }

    @Test
    void a_web_socket_brings_messages_and_takes_acknowledgements() throws Exception {
        subscribe("ch", "s");
        publish("ch", "m1", "[1]");
        Frames frames = new Frames("ch", "s");
        frames.awaitMessages(1);
        publish("ch", "m2", "\"" + "x".repeat(200_000) + "\"");
        frames.awaitMessages(2);
        assertThat(frames.messages.getFirst()).isEqualTo("m1=[1]");
        frames.say("{\"ack\":\"" + frames.handles.getFirst() + "\"}");
        await().atMost(60, TimeUnit.SECONDS).until(() -> unread("ch", "s").equals(List.of("m2")));
        frames.say("{\"ack\":\"nonsense\"}");
        frames.say("what?");
        frames.say("{}");
        await().atMost(60, TimeUnit.SECONDS).until(() -> frames.errors.size() == 3);
        hub.send("DELETE", polling("ch", "s"), "");
        assertThat(frames.closed.get(60, TimeUnit.SECONDS))
                .isEqualTo("1008 dsps.storage.subscription-not-found");
        Frames nobody = new Frames("ch", "nobody");
        assertThat(nobody.closed.get(60, TimeUnit.SECONDS)).startsWith("1008");
    }

    @Test
    void pushes_and_polls_of_many_channels_get_everything_in_order() throws Exception {
        List<Events> all = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            subscribe("ch" + i, "s");
            all.add(new Events("ch" + i, "s", ""));
        }
        for (int n = 0; n < 40; n++) {
            for (int i = 0; i < 5; i++) {
                publish("ch" + i, "m" + n, Integer.toString(n));
            }
        }
        for (Events events : all) {
            events.awaitMessages(40);
            for (int n = 0; n < 40; n++) {
                assertThat(events.messages.get(n)).isEqualTo("m%d=%d".formatted(n, n));
            }
        }
    }

    @Test
    void an_acknowledgement_that_fails_is_told_over_the_web_socket() throws Exception {
        subscribe("ch", "s");
        publish("ch", "m1", "1");
        Frames frames = new Frames("ch", "s");
        frames.awaitMessages(1);
        // Expired, and nobody has noticed.
        redis("DEL", "c.{ch}.r.s");
        frames.say("{\"ack\":\"" + frames.handles.getFirst() + "\"}");
        await().atMost(60, TimeUnit.SECONDS)
                .until(() -> frames.errors.size() == 1 || frames.closed.isDone());
        assertThat(frames.errors).hasSize(1);
    }

    // ---------------------------------------------------------------- cursors under a push

    @Test
    void a_push_that_passes_expired_messages_acknowledges_nothing() throws Exception {
        subscribe("ch", "s");
        publish("ch", "m1", "1");
        Events events = new Events("ch", "s", "");
        events.awaitMessages(1);
        // The second has expired before anybody has seen it.
        set("c.{ch}.clock", "2");
        publish("ch", "m3", "3");
        events.awaitMessages(2);
        assertThat(events.messages).containsExactly("m1=1", "m3=3");
        assertThat(get("c.{ch}.r.s")).isEqualTo("0");
        assertThat(unread("ch", "s")).containsExactly("m1", "m3");
    }

    @Test
    void a_push_ahead_of_a_clock_that_went_back_begins_again_at_the_cursor() throws Exception {
        subscribe("ch", "s");
        publish("ch", "m1", "1");
        publish("ch", "m2", "2");
        publish("ch", "m3", "3");
        Events events = new Events("ch", "s", "");
        events.awaitMessages(3);
        redis("DEL", "c.{ch}.m.2");
        redis("DEL", "c.{ch}.m.3");
        set("c.{ch}.clock", "1");
        publish("ch", "m4", "4");
        await().atMost(60, TimeUnit.SECONDS).until(() -> events.messages.contains("m4=4"));
    }

    @Test
    void a_push_whose_messages_another_reader_has_acknowledged_goes_on_behind_them()
            throws Exception {
        subscribe("ch", "s");
        publish("ch", "m1", "1");
        Events events = new Events("ch", "s", "");
        events.awaitMessages(1);
        // Another server has published a second one, and another reader was quicker.
        set("c.{ch}.clock", "2");
        set("c.{ch}.r.s", "2");
        publish("ch", "m3", "3");
        events.awaitMessages(2);
        assertThat(events.messages).containsExactly("m1=1", "m3=3");
    }

    @Test
    void a_push_that_waits_keeps_its_subscriber_alive() throws Exception {
        subscribe("ch", "s");
        Events events = new Events("ch", "s", "");
        await().atMost(60, TimeUnit.SECONDS).until(() -> waiting(1));
        redis("EXPIRE", "c.{ch}.r.s", "100");
        redis("EXPIRE", "c.{ch}.clock", "100");
        await().atMost(120, TimeUnit.SECONDS)
                .until(() -> secondsLeft("c.{ch}.r.s") > 100 && secondsLeft("c.{ch}.clock") > 100);
        assertThat(events.ended).isFalse();
    }

    // ---------------------------------------------------------------- ends

    private boolean waiting(int count) {
        return hub.get("/metrics").body().contains("millrace_pubsub_waiting %d.0".formatted(count));
    }

    @Test
    void a_client_that_goes_leaves_nobody_waiting() throws Exception {
        subscribe("ch", "s");
        Events events = new Events("ch", "s", "");
        Frames frames = new Frames("ch", "s");
        await().atMost(60, TimeUnit.SECONDS).until(() -> waiting(2));
        events.lines.close();
        await().atMost(60, TimeUnit.SECONDS).until(() -> waiting(1));
        frames.socket.abort();
        await().atMost(60, TimeUnit.SECONDS).until(() -> waiting(0));
    }

    @Test
    void a_hub_that_stops_ends_its_streams() throws Exception {
        subscribe("ch", "s");
        Events events = new Events("ch", "s", "");
        Frames frames = new Frames("ch", "s");
        await().atMost(60, TimeUnit.SECONDS).until(() -> waiting(2));
        hub.stopServing();
        await().atMost(60, TimeUnit.SECONDS).until(() -> events.ended);
        assertThat(frames.closed.get(60, TimeUnit.SECONDS)).startsWith("1001");
    }

    @Test
    void a_client_that_reads_slowly_gets_everything_in_the_end() throws Exception {
        subscribe("ch", "s");
        String large = "\"" + "x".repeat(200_000) + "\"";
        for (int i = 0; i < 100; i++) {
            publish("ch", "m" + i, large);
        }
        CountDownLatch go = new CountDownLatch(1);
        List<String> ids = new CopyOnWriteArrayList<>();
        HttpRequest request =
                HttpRequest.newBuilder(URI.create(hub.url() + "/channel/ch/subscription/sse/s"))
                        .build();
        try (Stream<String> lines = client.send(request, BodyHandlers.ofLines()).body()) {
            Thread reading =
                    Thread.startVirtualThread(
                            () -> {
                                try {
                                    go.await();
                                    lines.filter(line -> line.startsWith("id: "))
                                            .limit(100)
                                            .forEach(ids::add);
                                } catch (InterruptedException e) {
                                    Thread.currentThread().interrupt();
                                }
                            });
            // The hub has put into the connection what it takes, and waits.
            await().during(1, TimeUnit.SECONDS)
                    .atMost(60, TimeUnit.SECONDS)
                    .until(() -> waiting(1));
            go.countDown();
            reading.join(Duration.ofSeconds(60));
        }
        assertThat(ids).hasSize(100).doesNotHaveDuplicates();
    }
}
