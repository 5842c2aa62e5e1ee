package dev.millrace.hub.roles;

import static org.awaitility.Awaitility.await;

import dev.millrace.hub.http.Json;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.net.http.WebSocketHandshakeException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;

/** A WebSocket, and everything that was heard on it. */
final class Talking implements WebSocket.Listener, AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final List<JsonNode> heard = new CopyOnWriteArrayList<>();
    private final StringBuilder partial = new StringBuilder();
    private final HttpClient client = HttpClient.newHttpClient();
    private volatile boolean ended;
    private volatile @Nullable WebSocket socket;

    /** One that is refused has ended. */
    static Talking to(String url, Optional<String> token) {
        Talking talking = new Talking();
        WebSocket.Builder builder = talking.client.newWebSocketBuilder();
        token.ifPresent(text -> builder.header("Authorization", "Bearer " + text));
        try {
            talking.socket =
                    builder.buildAsync(URI.create(url.replaceFirst("http", "ws")), talking).join();
        } catch (CompletionException e) {
            if (!(e.getCause() instanceof WebSocketHandshakeException)) {
                throw e;
            }
            talking.ended = true;
        }
        return talking;
    }

    /** What is said too late is said to nobody. */
    void say(String text) {
        WebSocket open = socket;
        if (open != null && !ended) {
            var _ = open.sendText(text, true).exceptionally(gone -> null).join();
        }
    }

    /** The frame with this number, or nothing if it ended before. */
    Optional<JsonNode> frame(int number) {
        await().atMost(PATIENCE).until(() -> ended || heard.size() > number);
        return heard.size() > number ? Optional.of(heard.get(number)) : Optional.empty();
    }

    @Override
    public @Nullable CompletionStage<?> onText(WebSocket from, CharSequence data, boolean last) {
        partial.append(data);
        if (last) {
            heard.add(Json.MAPPER.readTree(partial.toString()));
            partial.setLength(0);
        }
        from.request(1);
        return null;
    }

    @Override
    public @Nullable CompletionStage<?> onClose(WebSocket from, int code, String reason) {
        ended = true;
        return null;
    }

    @Override
    public void onError(WebSocket from, Throwable error) {
        ended = true;
    }

    @Override
    public void close() {
        client.shutdownNow();
    }
}
