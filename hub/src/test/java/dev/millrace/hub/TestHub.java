package dev.millrace.hub;

import dev.millrace.hub.access.Actor;
import dev.millrace.hub.access.Audit;
import dev.millrace.hub.access.Role;
import dev.millrace.hub.access.Scope;
import dev.millrace.hub.access.Tokens;
import dev.millrace.hub.http.Json;
import dev.millrace.hub.http.Route;
import dev.millrace.hub.ops.Logs;
import dev.millrace.hub.settings.SettingsSources;
import dev.millrace.hub.settings.Values;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.testing.TestServer;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A hub in this process, on a free port, with a client. */
public final class TestHub implements AutoCloseable {
    /** For tests of a Redis that is away, which have no time to wait. */
    public static final String IMPATIENT = TestHub.PATIENCE + "2s";

    private static final String PATIENCE = "redis.patience=";

    private final SiteRedis site;
    private final Hub hub;
    private final HttpClient client = HttpClient.newHttpClient();

    private TestHub(String redisUrl, String... settings) {
        List<String> set =
                new ArrayList<>(
                        List.of(
                                "redis.url=" + redisUrl,
                                // A machine that stands still for a moment is not a fault.
                                PATIENCE + "2m",
                                "http.port=0",
                                "mqtt.embedded.port=off"));
        set.addAll(List.of(settings));
        Values values = SettingsSources.read(Settings.KEYS, Optional.empty(), set, Map.of());
        Settings read = Settings.of(values);
        values.mustBeRight();
        site = SiteRedis.serve(read);
        hub = Hub.open(read, values, site, Logs.install("info", false));
    }

    static TestHub start(TestServer server, String... settings) {
        return new TestHub(server.url(), settings);
    }

    /** On any Redis, also a cluster. */
    public static TestHub start(String redisUrl, String... settings) {
        return new TestHub(redisUrl, settings);
    }

    /** An answer, read to its end. */
    public record Reply(int status, Map<String, List<String>> headers, String body) {
        public JsonNode json() {
            return Json.MAPPER.readTree(body);
        }

        public String header(String name) {
            return headers.getOrDefault(name, List.of("")).getFirst();
        }
    }

    Hub hub() {
        return hub;
    }

    public String url() {
        return hub.url();
    }

    /** Everything that can be asked over HTTP. */
    public List<Route> routes() {
        return hub.table().routes();
    }

    /** All layouts on the Redis of this hub. */
    public Keyspace keyspace() {
        return new Keyspace(site.redis(), Rooms.catalogue());
    }

    /** Makes a token, as the command line would. */
    public String token(String name, Role role, Scope... scopes) {
        Keyspace keyspace = keyspace();
        return new Tokens(keyspace, new Audit(keyspace), Clock.systemUTC(), System::nanoTime)
                .create(
                        new Tokens.Wish(name, role, List.of(scopes), Optional.empty()),
                        new Actor("test", "test"))
                .orThrow()
                .text();
    }

    public Reply get(String path) {
        return send("GET", path, "", Optional.empty());
    }

    public Reply send(String method, String path, String body) {
        return send(method, path, body, Optional.empty());
    }

    public Reply send(String method, String path, String body, Optional<String> token) {
        return send(hub.url(), client, method, path, body, token);
    }

    /** With headers. */
    public Reply send(String method, String path, String body, Map<String, String> headers) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(hub.url() + path))
                        .method(method, BodyPublishers.ofString(body));
        headers.forEach(request::header);
        return send(client, request);
    }

    /** A body of this type. */
    public Reply send(String method, String path, String contentType, byte[] body) {
        return send(
                client,
                HttpRequest.newBuilder(URI.create(hub.url() + path))
                        .header("Content-Type", contentType)
                        .method(method, BodyPublishers.ofByteArray(body)));
    }

    static Reply send(
            String url,
            HttpClient client,
            String method,
            String path,
            String body,
            Optional<String> token) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(url + path))
                        .method(
                                method,
                                body.isEmpty()
                                        ? BodyPublishers.noBody()
                                        : BodyPublishers.ofString(body));
        token.ifPresent(text -> request.header("Authorization", "Bearer " + text));
        return send(client, request);
    }

    private static Reply send(HttpClient client, HttpRequest.Builder request) {
        try {
            HttpResponse<InputStream> response =
                    client.send(request.build(), BodyHandlers.ofInputStream());
            try (InputStream in = response.body()) {
                // A stream has no end to wait for.
                boolean endless =
                        response.headers()
                                .firstValue("Content-Type")
                                .filter(type -> type.startsWith("text/event-stream"))
                                .isPresent();
                return new Reply(
                        response.statusCode(),
                        response.headers().map(),
                        endless ? "" : new String(in.readAllBytes(), StandardCharsets.UTF_8));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** As a signal would, while a client still waits for its answer. */
    public void stopServing() {
        hub.close();
    }

    @Override
    public void close() {
        client.shutdownNow();
        hub.close();
        site.close();
    }
}
