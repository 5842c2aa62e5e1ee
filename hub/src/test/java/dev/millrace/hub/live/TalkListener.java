package dev.millrace.hub.live;

import dev.millrace.hub.http.Json;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ConcurrentHashMap;

/** Listens on a WebSocket. */
final class TalkListener extends Listener implements WebSocket.Listener {
    private final Map<String, String> cursors = new ConcurrentHashMap<>();
    private final StringBuilder partial = new StringBuilder();
    private final WebSocket socket;
    volatile int closeCode;
    volatile String closeReason = "";

    private TalkListener(String url, Optional<String> token) {
        WebSocket.Builder builder = HttpClient.newHttpClient().newWebSocketBuilder();
        token.ifPresent(text -> builder.header("Authorization", "Bearer " + text));
        socket =
                builder.buildAsync(URI.create(url.replace("http", "ws") + "/live/ws"), this).join();
    }

    static TalkListener connect(String url, Optional<String> token) {
        return new TalkListener(url, token);
    }

    static TalkListener open(String url, String feeds, String after, Optional<String> token) {
        TalkListener listener = new TalkListener(url, token);
        listener.keep(after);
        Map<String, Object> message = new LinkedHashMap<>();
        message.put("subscribe", Arrays.asList(feeds.split(",", -1)));
        if (!after.isEmpty()) {
            message.put("after", after);
        }
        listener.say(Json.MAPPER.writeValueAsString(message));
        return listener;
    }

    private void keep(String marks) {
        Mark.split(marks).forEach((feed, cursor) -> cursors.put(feed, feed + ":" + cursor));
    }

    void say(String text) {
        socket.sendText(text, true).join();
    }

    @Override
    public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
        partial.append(data);
        if (last) {
            JsonNode message = Json.MAPPER.readTree(partial.toString());
            partial.setLength(0);
            String feed = message.path("feed").asString("");
            heard.add(
                    new Heard(
                            message.path("event").asString(""),
                            feed,
                            message.path("data").toString()));
            if (message.has("cursor")) {
                keep(message.path("cursor").asString());
            }
        }
        from.request(1);
        return null;
    }

    @Override
    public @Nullable CompletionStage<?> onClose(WebSocket from, int code, String reason) {
        closeCode = code;
        closeReason = reason;
        ended = true;
        return null;
    }

    @Override
    public void onError(WebSocket from, Throwable error) {
        ended = true;
    }

    @Override
    String after() {
        return String.join(",", List.copyOf(cursors.values()));
    }

    @Override
    public void close() {
        socket.abort();
    }
}
