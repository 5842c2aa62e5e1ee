package dev.millrace.hub.telemetry.realtime;

import static org.awaitility.Awaitility.await;

import dev.millrace.hub.http.Json;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.WebSocket;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;

/** A client of {@code /ws}, and everything that it has heard. */
final class Ear implements WebSocket.Listener, AutoCloseable {
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    final List<JsonNode> heard = new CopyOnWriteArrayList<>();
    private final StringBuilder partial = new StringBuilder();
    private final WebSocket socket;
    volatile int closeCode;
    private volatile boolean ended;

    private Ear(String url) {
        socket = CLIENT.newWebSocketBuilder().buildAsync(URI.create(url), this).join();
    }

    static Ear open(String url) {
        return at(url, "/ws");
    }

    static Ear at(String url, String path) {
        return new Ear(url.replaceFirst("http", "ws") + path);
    }

    void say(String text) {
        var _ = socket.sendText(text.replace('\'', '"'), true).exceptionally(gone -> null).join();
    }

    /** Says it and gives the first message that is no news. */
    JsonNode ask(String text) {
        int from = heard.size();
        say(text);
        return next(from, each -> !List.of("data_update", "heartbeat").contains(type(each)));
    }

    static String type(JsonNode message) {
        return message.path("type").asString("");
    }

    JsonNode next(int from, Predicate<JsonNode> wanted) {
        await().until(() -> ended || find(from, wanted).isPresent());
        return find(from, wanted)
                .orElseThrow(
                        () ->
                                new AssertionError(
                                        "It ended with %d: %s".formatted(closeCode, heard)));
    }

    JsonNode next(String type) {
        return next(0, each -> type(each).equals(type));
    }

    private Optional<JsonNode> find(int from, Predicate<JsonNode> wanted) {
        return heard.stream().skip(from).filter(wanted).findFirst();
    }

    List<JsonNode> all(String type) {
        return heard.stream().filter(each -> type(each).equals(type)).toList();
    }

    /** Until everything that was put before this is here. */
    void settle() {
        String id = "settle-" + heard.size() + "-" + System.nanoTime();
        say("{'type':'ping','id':'%s'}".formatted(id));
        next(0, each -> each.at("/data/request_id").asString("").equals(id));
    }

    int awaitEnd() {
        await().until(() -> ended);
        return closeCode;
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
        closeCode = code;
        ended = true;
        return null;
    }

    @Override
    public void onError(WebSocket from, Throwable error) {
        ended = true;
    }

    @Override
    public void close() {
        socket.abort();
    }
}
