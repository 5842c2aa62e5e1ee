package dev.millrace.hub.roles;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpServer;

import dev.millrace.hub.TestHub;
import dev.millrace.hub.http.Json;
import dev.millrace.keyspace.testing.SharedServers;
import dev.millrace.keyspace.testing.TestPorts;
import dev.millrace.keyspace.testing.TestServer;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * A hub in mode token with somebody of each role before it, and what is needed to prepare things.
 */
final class Stage implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    /** So many keys keep a walk over all of them busy for some seconds. */
    private static final String MANY = "200000";

    private final TestServer redis = SharedServers.standalone();
    private final HttpServer metadata;
    private final HttpClient client = HttpClient.newHttpClient();
    private final int mqttPort = TestPorts.take();
    private final TestHub hub;
    private final Map<Who, String> tokens = new EnumMap<>(Who.class);
    private int made;
    private boolean many;

    private Stage(Path directory) {
        SharedServers.flushAll();
        metadata = metadata();
        List<String> all =
                List.of(
                        "access.mode=token",
                        "data.dir=" + directory,
                        "mqtt.embedded.port=" + mqttPort,
                        // Longer than any test: what waits for a batch goes on waiting.
                        "notifications.normal-batch=30d",
                        "telemetry.offline-after=1d",
                        // What is recorded comes a moment later.
                        "history.record.on=false",
                        "history.rollups.on=false",
                        // They would come and go by themselves, between one look and the next.
                        "alarms.notifications.critical=off",
                        "alarms.notifications.major=off",
                        "readings.metadata.url=http://127.0.0.1:" + metadata.getAddress().getPort(),
                        "shop.rows.url=jdbc:h2:mem:roles;INIT=CREATE TABLE IF NOT EXISTS inv AS"
                                + " SELECT X AS id, X AS qty FROM SYSTEM_RANGE(1, 1000)",
                        // Nobody listens there: what is sent to it is a dead letter at once.
                        "pubsub.channels=[{regex: 'ch-.+'}, {regex: 'hooked-.+', webhooks:"
                                + " [{url: 'http://127.0.0.1:1/', retry: {count: 0}}]}]");
        hub = TestHub.start(redis.url(), all.toArray(String[]::new));
        for (Who who : Who.values()) {
            who.role().ifPresent(role -> tokens.put(who, hub.token(who.word(), role)));
        }
    }

    static Stage open(Path directory) {
        return new Stage(directory);
    }

    int mqttPort() {
        return mqttPort;
    }

    /** Knows every device. */
    private static HttpServer metadata() {
        try {
            HttpServer server =
                    HttpServer.create(
                            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            server.createContext(
                    "/",
                    exchange -> {
                        byte[] device =
                                "{\"profile\":{\"coreCommands\":[]}}"
                                        .getBytes(StandardCharsets.UTF_8);
                        exchange.sendResponseHeaders(200, device.length);
                        exchange.getResponseBody().write(device);
                        exchange.close();
                    });
            server.start();
            return server;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    TestHub hub() {
        return hub;
    }

    Optional<String> token(Who who) {
        return Optional.ofNullable(tokens.get(who));
    }

    @Nullable Object redis(String... words) {
        return redis.command(words);
    }

    // ---------------------------------------------------------------- calls

    record Reply(int status, String body) {
        JsonNode json() {
            return Json.MAPPER.readTree(body);
        }

        boolean done() {
            return status >= 200 && status < 300;
        }

        boolean refused() {
            return status == 401 || status == 403;
        }
    }

    /** Sends it; of a stream without end, up to its first event. */
    Reply send(Who who, String method, Call call) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(hub.url() + call.path()))
                        .timeout(PATIENCE)
                        .method(
                                method,
                                call.body().isEmpty()
                                        ? BodyPublishers.noBody()
                                        : BodyPublishers.ofString(
                                                call.body(), StandardCharsets.ISO_8859_1));
        call.headers().forEach(request::header);
        token(who).ifPresent(text -> request.header("Authorization", "Bearer " + text));
        try {
            HttpResponse<InputStream> response =
                    client.send(request.build(), BodyHandlers.ofInputStream());
            try (InputStream in = response.body()) {
                boolean endless =
                        response.headers()
                                .firstValue("Content-Type")
                                .filter(type -> type.startsWith("text/event-stream"))
                                .isPresent();
                return new Reply(
                        response.statusCode(),
                        endless
                                ? firstEvent(in)
                                : new String(in.readAllBytes(), StandardCharsets.UTF_8));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(method + " " + call.path(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static String firstEvent(InputStream in) throws IOException {
        BufferedReader lines =
                new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
        String line = lines.readLine();
        while (line != null && !line.startsWith("data:")) {
            line = lines.readLine();
        }
        return String.valueOf(line);
    }

    /** Prepares something, as an admin; gives the answer. */
    String prepare(String method, String path, String body) {
        Reply reply = send(Who.ADMIN, method, Call.of(path, body));
        assertThat(reply.done()).as("%s %s: %s", method, path, reply).isTrue();
        return reply.body();
    }

    /** A name that nothing has yet. */
    String fresh(String kind) {
        made++;
        return kind + "-" + made;
    }

    // ---------------------------------------------------------------- state

    State state() {
        return State.of(redis);
    }

    /** Waits until nothing that was begun goes on, and gives the state then. */
    State settled() {
        await().atMost(PATIENCE).pollDelay(Duration.ZERO).until(this::idle);
        if (many) {
            redis("EVAL", manyKeys("UNLINK', 'many:' .. i"), "0");
            many = false;
        }
        State[] last = {state()};
        await().atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(25))
                .until(
                        () -> {
                            State now = state();
                            boolean same = now.equals(last[0]);
                            last[0] = now;
                            return same;
                        });
        return last[0];
    }

    private boolean idle() {
        return !running("/ops/fsck")
                && !running("/ops/memory")
                && prepare("GET", "/metrics", "").contains("millrace_pubsub_waiting 0.0")
                && Objects.equals(
                        redis("ZCARD", "notification:status:NEW"),
                        redis("ZCARD", "notification:severity:NORMAL"))
                && ((List<?>) Objects.requireNonNull(redis("KEYS", "millrace:webhook-work:*")))
                        .isEmpty();
    }

    private boolean running(String chore) {
        return Json.MAPPER.readTree(prepare("GET", chore, "")).get("running").asBoolean();
    }

    /** Something that runs for a while, because there is so much to look at. */
    void busy(String chore) {
        if (!many) {
            redis("EVAL", manyKeys("SET', 'many:' .. i, i"), "0");
            many = true;
        }
        if (!running(chore)) {
            prepare("POST", chore, "");
        }
    }

    private static String manyKeys(String command) {
        return "for i = 1, %s do redis.call('%s) end".formatted(MANY, command);
    }

    /** How often the audit has this. */
    long audited(String what) {
        return Json.MAPPER
                .readTree(prepare("GET", "/ops/audit?limit=1000", ""))
                .get("entries")
                .valueStream()
                .filter(entry -> entry.get("what").asString().equals(what))
                .count();
    }

    @Override
    public void close() {
        client.shutdownNow();
        hub.close();
        metadata.stop(0);
    }
}
