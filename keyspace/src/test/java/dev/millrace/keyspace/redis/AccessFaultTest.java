package dev.millrace.keyspace.redis;

import static dev.millrace.keyspace.redis.Sent.outcome;
import static dev.millrace.keyspace.redis.Sent.read;
import static dev.millrace.keyspace.redis.Sent.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import dev.millrace.keyspace.redis.options.RedisOptions;
import dev.millrace.keyspace.redis.outcome.Outcome;
import dev.millrace.keyspace.redis.outcome.Reason;
import dev.millrace.keyspace.redis.outcome.RedisException;
import dev.millrace.keyspace.testing.RawConnection;
import dev.millrace.keyspace.testing.TestServer;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Users, passwords and rights that are missing, wrong, or change meanwhile. */
final class AccessFaultTest {
    private static final Duration LONG = Duration.ofSeconds(60);

    private static RedisException refusal(String url) {
        return catchThrowableOfType(
                RedisException.class, () -> Redis.open(RedisOptions.of(url)).close());
    }

    private static String address(TestServer server) {
        return server.host() + ":" + server.port();
    }

    @Test
    void a_missing_or_wrong_password_is_denied_at_once_and_not_repeated_in_the_message() {
        try (TestServer server = TestServer.start("requirepass secret")) {
            for (String credentials : new String[] {"", ":wrongword@", "nobody:wrongword@"}) {
                RedisException failure = refusal("redis://" + credentials + address(server));
                assertThat(failure.reason()).as(credentials).isEqualTo(Reason.DENIED);
                assertThat(failure.getMessage()).doesNotContain("wrongword");
            }
            Redis.open(RedisOptions.of(server.url())).close();
        }
    }

    @Test
    void a_password_that_changes_is_noticed_with_the_next_connection() {
        try (TestServer server = TestServer.start("requirepass secret");
                RawConnection admin = server.connect();
                Redis redis =
                        Redis.open(
                                RedisOptions.of(server.url()).withLanes(1).withTimes(LONG, LONG))) {
            assertThat(outcome(redis, write("SET", "a", "1")).isDone()).isTrue();
            admin.command("CONFIG", "SET", "requirepass", "other");
            assertThat(outcome(redis, write("SET", "a", "2")).isDone()).isTrue();
            admin.command("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
            // The first write may have gone into the dead connection; the others are not sent, and
            // do not wait until their patience ends.
            outcome(redis, write("SET", "a", "3"));
            assertThat(outcome(redis, write("SET", "a", "4")).failedBy(Reason.DENIED)).isTrue();
            assertThat(outcome(redis, read("GET", "a")).failedBy(Reason.DENIED)).isTrue();
            assertThat(admin.command("GET", "a")).isEqualTo("2");
            admin.command("CONFIG", "SET", "requirepass", "secret");
            await().atMost(120, TimeUnit.SECONDS)
                    .until(() -> outcome(redis, write("SET", "a", "5")).isDone());
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"plain", "p@ss:w/rd", "100%+ä ü", "#?&=", "%41"})
    void user_and_password_may_contain_anything(String secret) {
        String user = "us:er@" + secret.hashCode();
        try (TestServer server = TestServer.start()) {
            server.command("ACL", "SETUSER", user, "on", ">" + secret, "~*", "&*", "+@all");
            server.command("ACL", "SETUSER", "default", "off");
            String url =
                    "redis://%s:%s@%s".formatted(encode(user), encode(secret), address(server));
            try (Redis redis = Redis.open(RedisOptions.of(url))) {
                assertThat(outcome(redis, write("SET", "a", "1")).isDone()).isTrue();
            }
            assertThat(refusal(url.replace("@127", "x@127")).reason()).isEqualTo(Reason.DENIED);
        }
    }

    private static String encode(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    @Test
    void a_user_without_rights_is_denied_and_others_are_not_held_up() {
        try (TestServer server = TestServer.start()) {
            server.command("ACL", "SETUSER", "guest", "on", ">secret", "~open:*", "+@all", "-incr");
            String url = "redis://guest:secret@" + address(server);
            try (Redis redis =
                    Redis.open(RedisOptions.of(url).withLanes(1).withTimes(LONG, LONG))) {
                assertThat(outcome(redis, write("SET", "open:a", "1")).isDone()).isTrue();
                assertThat(outcome(redis, write("INCR", "open:a")).failedBy(Reason.DENIED))
                        .isTrue();
                assertThat(outcome(redis, write("SET", "b", "1")).failedBy(Reason.DENIED)).isTrue();
                assertThat(outcome(redis, read("GET", "b")).failedBy(Reason.DENIED)).isTrue();
                assertThat(outcome(redis, read("GET", "open:a"))).isEqualTo(Outcome.done("1"));
            }
        }
    }

    @Test
    void a_user_who_is_switched_off_is_denied_soon() {
        try (TestServer server = TestServer.start()) {
            server.command("ACL", "SETUSER", "guest", "on", ">secret", "~*", "&*", "+@all");
            String url = "redis://guest:secret@" + address(server);
            try (Redis redis =
                    Redis.open(RedisOptions.of(url).withLanes(1).withTimes(LONG, LONG))) {
                assertThat(outcome(redis, write("SET", "a", "1")).isDone()).isTrue();
                server.command("ACL", "DELUSER", "guest");
                outcome(redis, write("SET", "a", "2"));
                assertThat(outcome(redis, write("SET", "a", "3")).failedBy(Reason.DENIED)).isTrue();
                assertThat(server.command("GET", "a")).isEqualTo("1");
            }
        }
    }

    @Test
    void a_user_who_may_not_end_connections_works_all_the_same() {
        try (TestServer server = TestServer.start()) {
            server.command(
                    "ACL",
                    "SETUSER",
                    "guest",
                    "on",
                    ">secret",
                    "~*",
                    "&*",
                    "+@all",
                    "-@dangerous",
                    "+info");
            String url = "redis://guest:secret@" + address(server);
            try (Redis redis =
                    Redis.open(RedisOptions.of(url).withLanes(1).withTimes(LONG, LONG))) {
                for (int round = 0; round < 3; round++) {
                    assertThat(outcome(redis, write("INCR", "n")).isDone()).isTrue();
                    server.command("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
                    outcome(redis, write("SET", "a", "1"));
                }
            }
        }
    }
}
