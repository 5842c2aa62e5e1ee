package dev.millrace.hub.http;

import dev.millrace.hub.access.Access;
import dev.millrace.hub.access.AccessLayouts;
import dev.millrace.hub.access.AccessSettings;
import dev.millrace.hub.settings.Keys;
import dev.millrace.hub.settings.SettingsSources;
import dev.millrace.hub.settings.Values;
import dev.millrace.keyspace.Catalogue;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.redis.Redis;
import dev.millrace.keyspace.redis.RedisOptions;
import dev.millrace.keyspace.testing.SharedServers;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A server with the routes of a test, on a free port and a real Redis. */
final class TestWeb implements AutoCloseable {
    private final Redis redis;
    private final Access access;
    private final WebServer server;
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private TestWeb(List<Route> routes, Owners owners, AccessSettings settings, String... set) {
        redis =
                Redis.open(
                        RedisOptions.of("redis://127.0.0.1:" + SharedServers.standalone().port()));
        Keyspace keyspace = new Keyspace(redis, Catalogue.of(AccessLayouts.all()));
        access = Access.open(keyspace, settings);
        server =
                WebServer.start(
                        settings(set),
                        new RouteTable(routes, owners),
                        access.gate(),
                        new SimpleMeterRegistry());
    }

    static TestWeb with(List<Route> routes, String... set) {
        return new TestWeb(routes, new Owners(Owner.own("test")), AccessSettings.defaults(), set);
    }

    static TestWeb with(List<Route> routes, Owners owners, AccessSettings access, String... set) {
        return new TestWeb(routes, owners, access, set);
    }

    private static HttpSettings settings(String... set) {
        List<String> all = new ArrayList<>(List.of("http.port=0"));
        all.addAll(List.of(set));
        Values values =
                SettingsSources.read(
                        new Keys(List.of(HttpSettings.KEYS)), Optional.empty(), all, Map.of());
        HttpSettings settings = HttpSettings.read(values);
        values.mustBeRight();
        return settings;
    }

    WebServer server() {
        return server;
    }

    Access access() {
        return access;
    }

    HttpResponse<String> get(String path, String... headers) {
        return send("GET", path, "", headers);
    }

    HttpResponse<String> send(String method, String path, String body, String... headers) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(server.url() + path))
                        .method(
                                method,
                                body.isEmpty()
                                        ? HttpRequest.BodyPublishers.noBody()
                                        : HttpRequest.BodyPublishers.ofString(body));
        if (headers.length > 0) {
            request.headers(headers);
        }
        try {
            return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Bytes as they are, and everything that comes back until the server closes. */
    String raw(String text) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
            socket.getOutputStream().flush();
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
        }
    }

    @Override
    public void close() {
        client.close();
        server.close();
        access.close();
        redis.close();
    }
}
