package dev.millrace.hub.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.hub.access.AccessSettings.Mode;
import dev.millrace.hub.access.Decision.Admitted;
import dev.millrace.hub.access.Decision.Forbidden;
import dev.millrace.hub.access.Decision.SlowDown;
import dev.millrace.hub.access.Decision.Unavailable;
import dev.millrace.hub.access.Decision.Unknown;
import dev.millrace.hub.settings.Network;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.redis.Redis;
import dev.millrace.keyspace.redis.options.RedisOptions;
import dev.millrace.keyspace.testing.Patience;
import dev.millrace.keyspace.testing.SharedServers;
import dev.millrace.keyspace.testing.TestServer;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Who may pass which door. */
class GateTest {
    private static final InetAddress OUTSIDE = InetAddress.ofLiteral("203.0.113.7");
    private static final InetAddress INSIDE = InetAddress.ofLiteral("10.1.2.3");
    private static final Door PUBLIC = Door.open("hub");
    private static final AccessSettings SETTINGS =
            AccessSettings.defaults()
                    .withMode(Mode.TOKEN)
                    .withNetworks(Map.of(Network.of("10.0.0.0/8"), Role.VIEWER));

    private final Times times = new Times();
    private Redis redis;
    private Tokens tokens;
    private Gate gate;

    private static final Duration PATIENT = Duration.ofMinutes(1);

    @BeforeEach
    void open() {
        SharedServers.flushAll();
        begin(connect(SharedServers.standalone(), PATIENT), SETTINGS);
        SharedServers.flushAll();
        tokens.refresh();
    }

    private static Redis connect(TestServer server, Duration patience) {
        return Redis.open(RedisOptions.of(server.url()).withTimes(patience, PATIENT));
    }

    private void begin(Redis connected, AccessSettings settings) {
        redis = connected;
        tokens = tokens(redis);
        tokens.refresh();
        gate = gate(settings, tokens);
    }

    private Tokens tokens(Redis on) {
        Keyspace keyspace = new Keyspace(on, Keyspace.catalogue(AccessLayouts.all()));
        return new Tokens(keyspace, new Audit(keyspace), times, times::nanos);
    }

    private Gate gate(AccessSettings settings, Tokens with) {
        Guesses guesses =
                new Guesses(settings.freeAttempts(), settings.longestDelay(), times::nanos);
        return new Gate(settings, with, guesses, new Refusals());
    }

    @AfterEach
    void close() {
        redis.close();
    }

    private String token(String name, Role role, String... scopes) {
        return tokens.create(TokensTest.wish(name, role, scopes), TokensTest.ANNA).orThrow().text();
    }

    private Decision admit(Door door, String token, InetAddress peer) {
        Decision decision = gate.admit(door, Optional.of(token), peer);
        return decision;
    }

    private Decision admit(Door door, InetAddress peer) {
        return gate.admit(door, Optional.empty(), peer);
    }

    @Test
    void each_role_passes_the_doors_of_its_own_and_lesser_roles() {
        for (Role role : Role.values()) {
            String token = token(role.word(), role);
            for (Role needed : Role.values()) {
                Decision decision = admit(Door.of(needed, "alarms"), token, OUTSIDE);
                if (role.compareTo(needed) >= 0) {
                    assertThat(decision).isInstanceOf(Admitted.class);
                } else {
                    assertThat(decision)
                            .isEqualTo(
                                    new Forbidden(
                                            "This needs the role %s; the token %s is %s."
                                                    .formatted(
                                                            needed.word(),
                                                            role.word(),
                                                            role.word())));
                }
            }
            assertThat(admit(PUBLIC, token, OUTSIDE)).isInstanceOf(Admitted.class);
        }
    }

    @Test
    void without_a_token_only_a_public_door_is_passed_from_outside() {
        assertThat(admit(PUBLIC, OUTSIDE)).isEqualTo(new Admitted(Caller.NOBODY));
        for (Role needed : Role.values()) {
            assertThat(admit(Door.of(needed, "alarms"), OUTSIDE)).isInstanceOf(Unknown.class);
        }
    }

    @Test
    void a_network_gives_its_role_without_a_token() {
        Decision viewer = admit(Door.of(Role.VIEWER, "alarms"), INSIDE);
        assertThat(viewer)
                .isInstanceOfSatisfying(
                        Admitted.class,
                        in -> assertThat(in.caller().name()).isEqualTo("network 10.0.0.0/8"));
        assertThat(admit(Door.of(Role.OPERATOR, "alarms"), INSIDE))
                .isEqualTo(
                        new Unknown(
                                "Without a token the network 10.0.0.0/8 is only viewer here; this"
                                        + " needs operator."));
    }

    @Test
    void a_token_has_what_its_network_gives_too_but_not_a_mixture() {
        String token = token("x", Role.OPERATOR, "documents/brewery");
        assertThat(admit(Door.of(Role.VIEWER, "alarms"), token, OUTSIDE))
                .isInstanceOf(Forbidden.class);
        assertThat(admit(Door.of(Role.VIEWER, "alarms"), token, INSIDE))
                .isInstanceOf(Admitted.class);
        assertThat(admit(Door.of(Role.OPERATOR, "alarms"), token, INSIDE))
                .isInstanceOf(Forbidden.class);
    }

    @Test
    void a_wrong_token_is_refused_also_where_the_network_would_do() {
        assertThat(admit(Door.of(Role.VIEWER, "alarms"), TokenText.random().text(), INSIDE))
                .isInstanceOf(Unknown.class);
        assertThat(admit(PUBLIC, TokenText.random().text(), OUTSIDE)).isInstanceOf(Admitted.class);
    }

    @Test
    void a_scope_ends_at_its_room_and_a_namespace_at_doors_that_look_at_it() {
        String token = token("x", Role.ENGINEER, "documents/brewery", "rules");
        assertThat(admit(Door.of(Role.VIEWER, "rules"), token, OUTSIDE))
                .isInstanceOf(Admitted.class);
        assertThat(admit(Door.of(Role.VIEWER, "alarms"), token, OUTSIDE))
                .isEqualTo(
                        new Forbidden(
                                "The token x may use documents/brewery, rules only, not all of"
                                        + " alarms."));
        assertThat(admit(Door.of(Role.VIEWER, "documents"), token, OUTSIDE))
                .isInstanceOf(Forbidden.class);
        assertThat(admit(Door.partOf(Role.VIEWER, "alarms"), token, OUTSIDE))
                .isInstanceOf(Forbidden.class);
        assertThat(admit(Door.partOf(Role.VIEWER, "documents"), token, OUTSIDE))
                .isInstanceOfSatisfying(
                        Admitted.class,
                        in -> {
                            Caller caller = in.caller();
                            assertThat(caller.mayUse(Role.VIEWER, "documents", "brewery")).isTrue();
                            assertThat(caller.mayUse(Role.VIEWER, "documents", "other")).isFalse();
                        });
    }

    @Test
    void in_mode_open_everybody_is_an_admin_whatever_token_they_send() {
        gate = gate(SETTINGS.withMode(Mode.OPEN), tokens);
        for (String text : List.of("", "nonsense", TokenText.random().text())) {
            for (int i = 0; i < 20; i++) {
                assertThat(admit(Door.of(Role.ADMIN, "ops"), text, OUTSIDE))
                        .isEqualTo(new Admitted(Caller.ANYONE_HERE));
            }
        }
        assertThat(admit(Door.of(Role.ADMIN, "ops"), OUTSIDE))
                .isEqualTo(new Admitted(Caller.ANYONE_HERE));
    }

    @Test
    void an_expired_token_says_so_and_is_no_guess() {
        String token =
                tokens.create(
                                new Tokens.Wish(
                                        "x",
                                        Role.ADMIN,
                                        List.of(),
                                        Optional.of(Duration.ofSeconds(10))),
                                TokensTest.ANNA)
                        .orThrow()
                        .text();
        times.pass(Duration.ofSeconds(10));
        for (int i = 0; i < 20; i++) {
            assertThat(admit(Door.of(Role.VIEWER, "alarms"), token, OUTSIDE))
                    .isEqualTo(
                            new Unknown(
                                    "The token x expired at 2026-11-16T12:00:10Z; an admin makes"
                                            + " another one."));
        }
    }

    @Test
    void a_token_made_by_another_hub_a_moment_ago_is_good() {
        try (Redis other = Redis.open(Patience.options(SharedServers.standalone().url()))) {
            String token =
                    tokens(other)
                            .create(TokensTest.wish("x", Role.VIEWER), TokensTest.ANNA)
                            .orThrow()
                            .text();
            Door door = Door.of(Role.VIEWER, "alarms");
            assertThat(gate.admitAtOnce(door, Optional.of(token), OUTSIDE)).isEmpty();
            assertThat(admit(door, token, OUTSIDE)).isInstanceOf(Admitted.class);
            assertThat(gate.admitAtOnce(door, Optional.of(token), OUTSIDE)).isPresent();
        }
    }

    @Test
    void who_guesses_is_slowed_down_and_nobody_else() {
        Door door = Door.of(Role.VIEWER, "alarms");
        String right = token("right", Role.VIEWER);
        for (String text : wrongTexts()) {
            times.pass(Duration.ofHours(1)); // all is forgotten
            tokens.refresh();
            for (int i = 0; i < 5; i++) {
                assertThat(admit(door, text, OUTSIDE)).as(text).isInstanceOf(Unknown.class);
            }
            assertThat(admit(door, text, OUTSIDE)).isEqualTo(new SlowDown(Duration.ofSeconds(1)));
            times.pass(Duration.ofSeconds(1));
            assertThat(admit(door, text, OUTSIDE)).isInstanceOf(Unknown.class);
            assertThat(admit(door, text, OUTSIDE)).isEqualTo(new SlowDown(Duration.ofSeconds(2)));
            assertThat(gate.admitAtOnce(door, Optional.of(TokenText.random().text()), OUTSIDE))
                    .contains(new SlowDown(Duration.ofSeconds(2)));
            assertThat(admit(door, "nonsense", INSIDE)).isInstanceOf(Unknown.class);
            assertThat(admit(door, right, OUTSIDE)).isInstanceOf(Admitted.class);
            assertThat(admit(door, INSIDE)).isInstanceOf(Admitted.class);
            assertThat(admit(PUBLIC, OUTSIDE)).isInstanceOf(Admitted.class);
        }
    }

    private List<String> wrongTexts() {
        String id = tokens.list().getFirst().id();
        return Stream.of(
                        "nonsense",
                        TokenText.random().text(),
                        new TokenText(id, TokenText.random().secret()).text())
                .toList();
    }

    @Test
    void many_addresses_that_try_one_token_are_slowed_down_together() {
        Door door = Door.of(Role.VIEWER, "alarms");
        String right = token("right", Role.VIEWER);
        String wrong =
                new TokenText(tokens.list().getFirst().id(), TokenText.random().secret()).text();
        for (int i = 0; i < 5; i++) {
            InetAddress peer = InetAddress.ofLiteral("198.51.100." + i);
            assertThat(admit(door, wrong, peer)).isInstanceOf(Unknown.class);
        }
        assertThat(admit(door, wrong, OUTSIDE)).isInstanceOf(SlowDown.class);
        assertThat(admit(door, right, OUTSIDE)).isInstanceOf(Admitted.class);
    }

    @Test
    void no_token_at_all_is_no_guess() {
        for (int i = 0; i < 20; i++) {
            assertThat(admit(Door.of(Role.VIEWER, "alarms"), OUTSIDE)).isInstanceOf(Unknown.class);
        }
    }

    @Test
    void without_redis_known_tokens_stay_good_for_a_minute_and_unknown_ones_are_not_wrong() {
        redis.close();
        try (TestServer server = TestServer.start()) {
            begin(connect(server, PATIENT), SETTINGS);
            String known = token("x", Role.VIEWER);
            redis.close();
            // From here on nobody wants to wait for a Redis that is away.
            begin(connect(server, Duration.ofMillis(300)), SETTINGS);
            Door door = Door.of(Role.VIEWER, "alarms");
            await().until(
                            () -> {
                                tokens.refresh();
                                return admit(door, known, OUTSIDE) instanceof Admitted;
                            });
            server.kill();
            assertThat(admit(door, known, OUTSIDE)).isInstanceOf(Admitted.class);
            for (int i = 0; i < 7; i++) {
                assertThat(admit(door, TokenText.random().text(), OUTSIDE))
                        .isInstanceOf(Unavailable.class);
            }
            times.pass(Duration.ofSeconds(61));
            assertThat(admit(door, known, OUTSIDE)).isInstanceOf(Unavailable.class);
            assertThat(admit(PUBLIC, known, OUTSIDE)).isInstanceOf(Admitted.class);
            assertThat(admit(door, INSIDE)).isInstanceOf(Admitted.class);
            assertThat(admit(door, OUTSIDE)).isInstanceOf(Unknown.class);
            redis.close();
        }
    }

    @Test
    void the_time_to_wait_is_told_in_whole_seconds_and_never_0() {
        assertThat(new SlowDown(Duration.ofNanos(1)).retryAfterSeconds()).isEqualTo(1);
        assertThat(new SlowDown(Duration.ofMillis(1001)).retryAfterSeconds()).isEqualTo(2);
        assertThat(new SlowDown(Duration.ofSeconds(60)).why()).endsWith("try again in 60 s.");
    }
}
