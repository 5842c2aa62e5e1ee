package dev.millrace.hub.live;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Reads server-sent events as the standard describes it. */
final class SseListener extends Listener {
    private static final HttpClient HTTP = HttpClient.newHttpClient();

    private final InputStream body;
    private volatile String lastId = "";

    private SseListener(InputStream body) {
        this.body = body;
    }

    static HttpResponse<InputStream> ask(
            String url, String feeds, String after, Optional<String> token) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(
                        URI.create(
                                url
                                        + "/live?feeds="
                                        + URLEncoder.encode(feeds, StandardCharsets.UTF_8)));
        if (!after.isEmpty()) {
            request.header("Last-Event-ID", after);
        }
        token.ifPresent(text -> request.header("Authorization", "Bearer " + text));
        try {
            return HTTP.send(request.build(), HttpResponse.BodyHandlers.ofInputStream());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    static SseListener open(String url, String feeds, String after, Optional<String> token) {
        HttpResponse<InputStream> response = ask(url, feeds, after, token);
        if (response.statusCode() != 200) {
            throw new IllegalStateException("Status " + response.statusCode());
        }
        SseListener listener = new SseListener(response.body());
        listener.lastId = after;
        Thread.ofVirtual().start(listener::read);
        return listener;
    }

    private void read() {
        try (BufferedReader lines =
                new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8))) {
            String event = "";
            String data = "";
            String id = lastId;
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                if (line.startsWith("event: ")) {
                    event = line.substring(7);
                } else if (line.startsWith("data: ")) {
                    data = line.substring(6);
                } else if (line.startsWith("id: ")) {
                    id = line.substring(4);
                } else if (line.isEmpty()) {
                    if (!data.isEmpty()) {
                        heard.add(heard(event, data));
                    }
                    lastId = id;
                    event = "";
                    data = "";
                }
            }
        } catch (IOException e) {
            // the connection is gone
        }
        ended = true;
    }

    private static Heard heard(String event, String data) {
        return switch (event) {
            case "snapshot", "reload", "ready", "bye" -> new Heard(event, "", data);
            default -> new Heard("fact", event, data);
        };
    }

    @Override
    String after() {
        return lastId;
    }

    @Override
    public void close() {
        try {
            body.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
