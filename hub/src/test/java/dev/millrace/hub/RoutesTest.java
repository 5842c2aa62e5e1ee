package dev.millrace.hub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.hub.access.Role;
import dev.millrace.hub.access.Scope;
import dev.millrace.hub.http.Guard;
import dev.millrace.hub.http.Route;
import dev.millrace.keyspace.testing.SharedServers;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** Every route of the hub has a decision who may ask, and a place in the documentation. */
class RoutesTest {
    private static TestHub hub;
    private static final Map<Role, String> TOKENS = new EnumMap<>(Role.class);
    private static String elsewhere;

    @BeforeAll
    static void start() {
        SharedServers.flushAll();
        hub = TestHub.start(SharedServers.standalone(), "access.mode=token");
        for (Role role : Role.values()) {
            TOKENS.put(role, hub.token(role.word(), role));
        }
        elsewhere = hub.token("elsewhere", Role.ADMIN, Scope.parse("nowhere"));
    }

    @AfterAll
    static void stop() {
        hub.close();
    }

    @Test
    void each_route_lets_in_whom_it_should_and_nobody_else() {
        for (Route route : hub.hub().table().routes()) {
            expect(route, Optional.empty(), "");
            for (Role role : Role.values()) {
                expect(route, Optional.of(role), TOKENS.get(role));
            }
        }
    }

    private static void expect(Route route, Optional<Role> role, String token) {
        int expected =
                switch (route.guard()) {
                    case Guard.Anyone anyone -> 200;
                    case Guard.OwnCheck own -> 0;
                    case Guard.Needs needs ->
                            needs.door().needed().isEmpty()
                                            || role.filter(
                                                            has ->
                                                                    has.atLeast(
                                                                            needs.door()
                                                                                    .needed()
                                                                                    .get()))
                                                    .isPresent()
                                    ? 200
                                    : role.isPresent() ? 403 : 401;
                };
        if (expected == 0 || (expected == 200 && route.parked())) {
            return;
        }
        int status = status(route, token);
        String line = "%s as %s: %d".formatted(route.name(), role, status);
        if (expected == 200) {
            assertThat(status).as(line).isNotIn(401, 403, 500);
        } else {
            assertThat(status).as(line).isEqualTo(expected);
        }
    }

    private static int status(Route route, String token) {
        return hub.send(
                        route.method().name(),
                        path(route),
                        Set.of("POST", "PUT", "PATCH").contains(route.method().name()) ? "{}" : "",
                        Optional.of(token).filter(text -> !text.isEmpty()))
                .status();
    }

    private static String path(Route route) {
        return route.path().replaceAll("\\{[a-zA-Z]+:digits}", "1").replaceAll("\\{[^}]*}", "x");
    }

    @Test
    void a_token_for_another_room_is_refused() {
        for (Route route : hub.hub().table().routes()) {
            if (route.guard() instanceof Guard.Needs needs && needs.door().needed().isPresent()) {
                assertThat(status(route, elsewhere)).as(route.name()).isEqualTo(403);
            }
        }
    }

    /** Whoever asks the others is told that the hub stops, so that no more is sent to it. */
    @Test
    void only_liveness_is_answered_while_the_hub_stops() {
        assertThat(hub.hub().table().routes().stream().filter(Route::whileStopping))
                .extracting(Route::name)
                .containsExactly("GET /probe/liveness");
    }

    @Test
    void only_these_are_for_everybody() {
        Set<String> open =
                hub.hub().table().routes().stream()
                        .filter(route -> route.guard() instanceof Guard.Anyone)
                        .map(Route::name)
                        .collect(Collectors.toSet());
        assertThat(open)
                .containsExactlyInAnyOrder(
                        "GET /",
                        "GET /api/comsrv/health",
                        "GET /api/alarmsrv/health",
                        "GET /api/rulesrv/health",
                        "GET /api/apigateway/health",
                        "POST /api/auth/login",
                        "POST /api/auth/refresh",
                        "POST /api/v1/auth/refresh",
                        "POST /api/v1/auth/login",
                        "GET /api/hissrv/health",
                        "GET /api/modsrv/health",
                        "GET /api/v1/ping",
                        "GET /api/version",
                        "GET /docs",
                        "GET /docs/",
                        "GET /health",
                        "GET /health/live",
                        "GET /health/ready",
                        "GET /history/api/doc",
                        "GET /history/api/redoc",
                        "GET /history/api/{file}",
                        "GET /history/openapi.json",
                        "GET /openapi.json",
                        "GET /probe/liveness",
                        "GET /probe/readiness",
                        "GET /ui",
                        "GET /ui/alarms",
                        "GET /ui/lib/{library}/{version}/{file}",
                        "GET /ui/lib/{library}/{version}/{folder}/{file}",
                        "GET /ui/models",
                        "GET /ui/rules",
                        "GET /ui/history",
                        "GET /ui/shop",
                        "GET /ui/why/{id}",
                        "GET /ui/values",
                        "GET /ui/channels",
                        "GET /ui/{file}");
    }

    @Test
    void in_mode_open_everybody_on_this_machine_may_do_everything() {
        try (TestHub open = TestHub.start(SharedServers.standalone())) {
            for (Route route : open.hub().table().routes()) {
                // Those with a check of their own keep it in every mode.
                if (route.method().name().equals("GET")
                        && !route.parked()
                        && !(route.guard() instanceof Guard.OwnCheck)) {
                    assertThat(open.get(path(route)).status())
                            .as(route.name())
                            .isNotIn(401, 403, 500);
                }
            }
        }
    }

    @Test
    void the_documentation_has_every_route_and_no_other() {
        Set<String> documented = new TreeSet<>();
        hub.get("/openapi.json")
                .json()
                .get("paths")
                .properties()
                .forEach(
                        path ->
                                path.getValue()
                                        .propertyNames()
                                        .forEach(
                                                method ->
                                                        documented.add(
                                                                method.toUpperCase(Locale.ROOT)
                                                                        + " "
                                                                        + path.getKey())));
        Set<String> there =
                hub.hub().table().routes().stream()
                        .map(route -> route.name().replaceAll(":(digits|any|slashed)}", "}"))
                        .collect(Collectors.toCollection(TreeSet::new));
        assertThat(documented).isEqualTo(there);
    }

    @Test
    void each_documented_body_has_a_shape() {
        assertThat(
                        hub.get("/openapi.json")
                                .json()
                                .at("/components/schemas/LogApiChange/properties")
                                .propertyNames())
                .containsExactlyInAnyOrder("logger", "level", "for");
    }
}
