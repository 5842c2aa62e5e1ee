package dev.millrace.hub.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.awaitility.Awaitility.await;

import dev.millrace.hub.access.AccessSettings.Mode;
import dev.millrace.hub.access.Decision.Admitted;
import dev.millrace.hub.access.Decision.Unavailable;
import dev.millrace.hub.access.Tokens.Made;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.redis.Redis;
import dev.millrace.keyspace.redis.options.RedisOptions;
import dev.millrace.keyspace.testing.SharedServers;
import dev.millrace.keyspace.testing.TestServer;

import org.junit.jupiter.api.Test;

import java.net.InetAddress;
import java.time.Duration;
import java.util.Optional;

/** Two whole hubs of one site, as far as access goes. */
class AccessTest {
    private static final InetAddress PEER = InetAddress.ofLiteral("203.0.113.7");
    private static final Door DOOR = Door.of(Role.VIEWER, "alarms");
    private static final AccessSettings SETTINGS = AccessSettings.defaults().withMode(Mode.TOKEN);

    private static Access open(Redis redis) {
        return Access.open(new Keyspace(redis, Keyspace.catalogue(AccessLayouts.all())), SETTINGS);
    }

    private static final Duration PATIENT = Duration.ofMinutes(1);

    /** For a Redis that is away, for which nobody wants to wait. */
    private static final Duration IMPATIENT = Duration.ofMillis(300);

    private static Redis connect(TestServer server, Duration patience) {
        return Redis.open(RedisOptions.of(server.url()).withTimes(patience, PATIENT));
    }

    private static boolean admits(Access access, String token) {
        return access.gate()
                .admitAtOnce(DOOR, Optional.of(token), PEER)
                .filter(Admitted.class::isInstance)
                .isPresent();
    }

    @Test
    void another_hub_hears_of_a_revocation_by_itself() {
        TestServer server = SharedServers.standalone();
        SharedServers.flushAll();
        try (Redis one = connect(server, PATIENT);
                Redis other = connect(server, PATIENT);
                Access here = open(one);
                Access there = open(other)) {
            Made made =
                    here.tokens()
                            .create(TokensTest.wish("x", Role.VIEWER), TokensTest.ANNA)
                            .orThrow();
            await().until(() -> admits(there, made.text()));
            here.tokens().revoke(made.token().id(), TokensTest.ANNA).orThrow();
            assertThat(admits(here, made.text())).isFalse();
            await().pollInterval(Duration.ofMillis(2)).until(() -> !admits(there, made.text()));
        }
    }

    @Test
    void what_was_used_and_refused_is_written_down_at_the_end() {
        TestServer server = SharedServers.standalone();
        SharedServers.flushAll();
        try (Redis redis = connect(server, PATIENT)) {
            Access access = open(redis);
            Made made =
                    access.tokens()
                            .create(TokensTest.wish("x", Role.VIEWER), TokensTest.ANNA)
                            .orThrow();
            assertThat(admits(access, made.text())).isTrue();
            for (int i = 0; i < 30; i++) {
                access.gate().admit(DOOR, Optional.of("wrong"), PEER);
            }
            access.close();
            assertThat(access.tokens().list().getFirst().lastUsed()).isPresent();
            assertThat(access.audit().latest(1))
                    .extracting(Audit.Entry::what, Audit.Entry::about)
                    .containsExactly(tuple("tokens refused", "30 from 203.0.113.7"));
        }
    }

    @Test
    void it_begins_without_redis_and_goes_on_when_that_comes() {
        try (TestServer server = TestServer.start();
                Redis redis = connect(server, IMPATIENT)) {
            String token;
            try (Redis patient = connect(server, PATIENT);
                    Access first = open(patient)) {
                token =
                        first.tokens()
                                .create(TokensTest.wish("x", Role.VIEWER), TokensTest.ANNA)
                                .orThrow()
                                .text();
            }
            server.kill();
            try (Access access = open(redis)) {
                assertThat(access.gate().admit(DOOR, Optional.of(token), PEER))
                        .isInstanceOf(Unavailable.class);
                server.restart();
                // Whether it kept the token does not matter here; only that it was looked up.
                await().until(
                                () ->
                                        !(access.gate().admit(DOOR, Optional.of(token), PEER)
                                                instanceof Unavailable));
            }
        }
    }
}
