package dev.millrace.hub.pubsub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.hub.http.Json;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.WebSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Messages that are pushed: server-sent events and WebSockets over the cursors of polls. */
abstract class PushesContract extends PubsubContract {
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
}
