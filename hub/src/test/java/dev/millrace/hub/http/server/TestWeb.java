package dev.millrace.hub.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.hub.access.Access;
import dev.millrace.hub.access.AccessLayouts;
import dev.millrace.hub.access.AccessSettings;
import dev.millrace.hub.http.Owner;
import dev.millrace.hub.http.Owners;
import dev.millrace.hub.http.Route;
import dev.millrace.hub.http.RouteTable;
import dev.millrace.hub.settings.Keys;
import dev.millrace.hub.settings.SettingsSources;
import dev.millrace.hub.settings.Values;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.redis.Redis;
import dev.millrace.keyspace.redis.options.RedisOptions;
import dev.millrace.keyspace.testing.SharedServers;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

import org.awaitility.Awaitility;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A server with the routes of a test, on a free port and a real Redis. */
public final class TestWeb implements AutoCloseable {
    private static final long ENOUGH = 256 << 20;

    /** Only a hang ever reaches it. */
    private static final int CAP_MILLIS = 60_000;

    private final Redis redis;
    private final Access access;
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final WebServer server;
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private TestWeb(
            List<Route> routes,
            Owners owners,
            AccessSettings settings,
            long memory,
            String... set) {
        redis =
                Redis.open(
                        RedisOptions.of("redis://127.0.0.1:" + SharedServers.standalone().port()));
        Keyspace keyspace = new Keyspace(redis, Keyspace.catalogue(AccessLayouts.all()));
        access = Access.open(keyspace, settings);
        server =
                WebServer.start(
                        settings(set),
                        new RouteTable(routes, owners),
                        access.gate(),
                        registry,
                        memory);
    }

    public static TestWeb with(List<Route> routes, String... set) {
        return withMemory(routes, ENOUGH, set);
    }

    /** With so many bytes for the bodies of all requests, and for their answers. */
    static TestWeb withMemory(List<Route> routes, long memory, String... set) {
        Owners owners = new Owners(Owner.own("test"));
        return new TestWeb(routes, owners, AccessSettings.defaults(), memory, set);
    }

    public static TestWeb with(
            List<Route> routes, Owners owners, AccessSettings access, String... set) {
        return new TestWeb(routes, owners, access, ENOUGH, set);
    }

    private static HttpSettings settings(String... set) {
        List<String> all = new ArrayList<>(List.of("http.port=0"));
        all.addAll(List.of(set));
        Values values =
                SettingsSources.read(
                        new Keys(List.of(HttpSettings.BLOCK.keys())),
                        Optional.empty(),
                        all,
                        Map.of());
        HttpSettings settings = HttpSettings.BLOCK.read(values);
        values.mustBeRight();
        return settings;
    }

    WebServer server() {
        return server;
    }

    Access access() {
        return access;
    }

    public HttpResponse<String> get(String path, String... headers) {
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

    SimpleMeterRegistry registry() {
        return registry;
    }

    /** What {@code /metrics} says of {@code millrace.http.…}. */
    double gauge(String name) {
        return registry.get("millrace.http." + name).gauge().value();
    }

    /** Waits until nothing is left of all that was asked: no request, no memory. */
    void awaitQuiet() {
        Awaitility.await()
                .atMost(Duration.ofMillis(CAP_MILLIS))
                .untilAsserted(
                        () -> {
                            assertThat(gauge("in.flight")).as("in flight").isZero();
                            assertThat(gauge("bodies.bytes")).as("bodies").isZero();
                            assertThat(gauge("answers.bytes")).as("answers").isZero();
                        });
    }

    Socket connect() throws IOException {
        Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port());
        socket.setSoTimeout(CAP_MILLIS);
        return socket;
    }

    /** Bytes as they are, and everything that comes back until the server closes. */
    String raw(String text) throws IOException {
        try (Socket socket = connect()) {
            socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
            return readAll(socket);
        }
    }

    /** The same for one that would not close for long. */
    String firstLine(String text) throws IOException {
        try (Socket socket = connect()) {
            socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
            StringBuilder line = new StringBuilder();
            for (int c = socket.getInputStream().read();
                    c >= 0 && c != '\n';
                    c = socket.getInputStream().read()) {
                line.append((char) c);
            }
            return line.toString();
        }
    }

    /** Everything until the server closes; a reset is an end like any other. */
    static String readAll(Socket socket) {
        StringBuilder all = new StringBuilder();
        try {
            byte[] bytes = new byte[8192];
            for (int n = socket.getInputStream().read(bytes);
                    n >= 0;
                    n = socket.getInputStream().read(bytes)) {
                all.append(new String(bytes, 0, n, StandardCharsets.ISO_8859_1));
            }
        } catch (SocketTimeoutException e) {
            throw new AssertionError("The server neither answers nor closes: " + all, e);
        } catch (IOException e) {
            // Cut off.
        }
        return all.toString();
    }

    @Override
    public void close() {
        client.close();
        server.close();
        access.close();
        redis.close();
    }
}
