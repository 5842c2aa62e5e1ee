package dev.millrace.hub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.hub.access.Access;
import dev.millrace.hub.access.AccessSettings;
import dev.millrace.hub.access.Actor;
import dev.millrace.hub.access.Role;
import dev.millrace.hub.access.Tokens;
import dev.millrace.hub.http.Owners;
import dev.millrace.hub.http.Route;
import dev.millrace.hub.http.RouteTable;
import dev.millrace.hub.http.server.HttpSettings;
import dev.millrace.hub.http.server.WebServer;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.redis.outcome.Reason;
import dev.millrace.keyspace.redis.outcome.RedisException;
import dev.millrace.keyspace.testing.SharedServers;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.net.http.HttpClient;
import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Every path has an owner, and the owner's clients find the errors they know, whatever is wrong.
 */
class PathOwnersTest {
    private static SiteRedis site;
    private static Access access;
    private static WebServer server;
    private static String admin;
    private static String viewer;
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    /** Paths of one owner: those below which it owns everything, and those it owns exactly. */
    enum Shape {
        EDGEX(
                List.of(
                        "/api/v1/event",
                        "/api/v1/events",
                        "/api/v1/reading",
                        "/api/v1/valuedescriptor",
                        "/api/v1/notification",
                        "/api/v1/subscription",
                        "/api/v1/transmission",
                        "/api/v1/cleanup",
                        "/api/v1/ping",
                        "/api/v1/metrics",
                        "/api/v1/nobody-knows"),
                List.of("/api/v1/config", "/api/version")),
        EMS(
                List.of(
                        "/api/v1/auth",
                        "/api/v1/devices",
                        "/api/v1/realtime",
                        "/api/v1/history",
                        "/api/v1/alarms",
                        "/api/v1/control",
                        "/api/v1/users",
                        "/api/v1/stats",
                        "/api/v1/status",
                        "/api/v1/config/part",
                        "/api/channels",
                        "/api/v2",
                        "/alarmApi"),
                List.of("/ws", "/ws/v1/realtime", "/health", "/health/detailed")),
        BREWBLOX(List.of("/history/datastore", "/history/other", "/eventbus"), List.of()),
        PUBSUB(List.of("/channel", "/admin", "/probe"), List.of()),
        OURS(
                List.of("/shop", "/ui", "/docs", "/live", "/ops", "/health/live", "/nowhere"),
                List.of("/openapi.json", "/metrics", "/health/ready"));

        private final String below;
        private final String exactly;

        Shape(List<String> below, List<String> exactly) {
            this.below = String.join(" ", below);
            this.exactly = String.join(" ", exactly);
        }

        List<String> below() {
            return List.of(below.split(" ", -1));
        }

        /** One path for each, at which this test has a route. */
        List<String> paths() {
            List<String> paths = new ArrayList<>();
            if (!exactly.isEmpty()) {
                paths.addAll(List.of(exactly.split(" ", -1)));
            }
            below().forEach(path -> paths.add(path + "/of-this-test"));
            return paths;
        }

        void mustBe(TestHub.Reply reply, int status, String code) {
            String what = this + " " + reply;
            assertThat(reply.status()).as(what).isEqualTo(status);
            switch (this) {
                case EDGEX ->
                        assertThat(reply.header("content-type")).as(what).startsWith("text/plain");
                case EMS -> {
                    assertThat(reply.json().get("success").asBoolean()).as(what).isFalse();
                    assertThat(reply.json().at("/error/code").asString()).as(what).isEqualTo(code);
                    assertThat(reply.json().get("request_id").asString()).as(what).isNotEmpty();
                }
                case BREWBLOX ->
                        assertThat(reply.json().propertyNames()).as(what).containsExactly("detail");
                case PUBSUB -> {
                    if (status == 404 || status == 405) {
                        assertThat(reply.header("content-type")).startsWith("text/plain");
                    } else {
                        // Only its probes fail so, and they have a shape of their own.
                        assertThat(reply.json().propertyNames())
                                .as(what)
                                .containsExactly(status == 500 ? "storage" : "error");
                    }
                }
                case OURS -> {
                    assertThat(reply.header("content-type"))
                            .as(what)
                            .isEqualTo("application/problem+json");
                    assertThat(reply.json().get("status").asInt()).as(what).isEqualTo(status);
                }
            }
            // Security headers are ours alone; other systems' clients never saw them.
            assertThat(reply.headers().containsKey("content-security-policy"))
                    .as(what)
                    .isEqualTo(this == OURS);
        }
    }

    @BeforeAll
    static void start() {
        SharedServers.flushAll();
        Settings settings =
                Settings.read(
                        Optional.empty(),
                        List.of(
                                "redis.url=" + SharedServers.standalone().url(),
                                "http.port=0",
                                "access.mode=token"),
                        Map.of());
        HttpSettings http = settings.http();
        site = SiteRedis.serve(settings);
        access =
                Access.open(
                        new Keyspace(site.redis(), Rooms.catalogue()),
                        AccessSettings.defaults().withMode(AccessSettings.Mode.TOKEN));
        admin = token("admin", Role.ADMIN);
        viewer = token("viewer", Role.VIEWER);
        List<Route> routes = new ArrayList<>();
        for (Shape shape : Shape.values()) {
            for (String path : shape.paths()) {
                routes.add(
                        Route.post(path)
                                .needs(Role.ADMIN, "ops")
                                .about("Cannot reach Redis.")
                                .maxBody(10)
                                .by(
                                        request -> {
                                            throw new RedisException(
                                                    Reason.UNAVAILABLE, "Redis is away.");
                                        }));
            }
        }
        Owners owners = PathOwners.table(Clock.systemUTC());
        Rooms.all().forEach(room -> room.claim(owners, settings.rooms()));
        server =
                WebServer.start(
                        http,
                        new RouteTable(routes, owners),
                        access.gate(),
                        new SimpleMeterRegistry());
    }

    private static String token(String name, Role role) {
        return access.tokens()
                .create(
                        new Tokens.Wish(name, role, List.of(), Optional.empty()),
                        new Actor("test", "test"))
                .orThrow()
                .text();
    }

    @AfterAll
    static void stop() {
        server.close();
        access.close();
        site.close();
    }

    private static TestHub.Reply send(String method, String path, String body, String token) {
        return TestHub.send(
                server.url(),
                CLIENT,
                method,
                path,
                body,
                Optional.of(token).filter(text -> !text.isEmpty()));
    }

    @ParameterizedTest
    @EnumSource
    void an_unknown_path(Shape shape) {
        for (String path : shape.below()) {
            shape.mustBe(send("GET", path + "/no/such/thing", "", ""), 404, "NOT_FOUND");
        }
    }

    @ParameterizedTest
    @EnumSource
    void a_wrong_method(Shape shape) {
        for (String path : shape.paths()) {
            TestHub.Reply reply = send("PUT", path, "", "");
            if (shape == Shape.EDGEX) {
                assertThat(reply.body()).as(path).isEmpty();
                assertThat(reply.headers()).as(path).doesNotContainKey("allow");
            } else {
                assertThat(reply.header("allow")).as(path).isEqualTo("POST");
            }
            shape.mustBe(reply, 405, "METHOD_NOT_ALLOWED");
        }
    }

    @ParameterizedTest
    @EnumSource
    void a_surplus_slash(Shape shape) {
        for (String path : shape.below()) {
            TestHub.Reply reply = send("POST", path + "/of-this-test/", "", admin);
            if (shape == Shape.BREWBLOX) {
                assertThat(reply.status()).as(path).isEqualTo(307);
                assertThat(reply.header("location")).isEqualTo(path + "/of-this-test");
            } else {
                shape.mustBe(reply, 404, "NOT_FOUND");
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void a_body_that_is_too_large(Shape shape) {
        for (String path : shape.paths()) {
            shape.mustBe(
                    send("POST", path, "more than ten bytes", admin), 413, "PAYLOAD_TOO_LARGE");
        }
    }

    @ParameterizedTest
    @EnumSource
    void nobody_and_somebody_who_may_not(Shape shape) {
        for (String path : shape.paths()) {
            shape.mustBe(send("POST", path, "", ""), 401, "AUTH_REQUIRED");
            shape.mustBe(send("POST", path, "", viewer), 403, "PERMISSION_DENIED");
        }
    }

    @ParameterizedTest
    @EnumSource
    void a_redis_that_is_away(Shape shape) {
        for (String path : shape.paths()) {
            TestHub.Reply reply = send("POST", path, "", admin);
            shape.mustBe(reply, path.startsWith("/probe") ? 500 : 503, "STORE_UNAVAILABLE");
            assertThat(reply.header("retry-after")).as(path).isEqualTo("1");
        }
    }
}
