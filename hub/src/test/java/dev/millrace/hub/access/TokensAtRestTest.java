package dev.millrace.hub.access;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.hub.access.Tokens.Made;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.redis.Redis;
import dev.millrace.keyspace.testing.Dump;
import dev.millrace.keyspace.testing.Patience;
import dev.millrace.keyspace.testing.TestServer;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.HexFormat;
import java.util.List;

/** What lies in Redis, and what a request costs there. */
class TokensAtRestTest {
    private TestServer server;
    private Redis redis;
    private Tokens tokens;

    @BeforeEach
    void open() {
        server = TestServer.start("rdbcompression no");
        redis = Redis.open(Patience.options(server.url()));
        Keyspace keyspace = new Keyspace(redis, Keyspace.catalogue(AccessLayouts.all()));
        Times times = new Times();
        tokens = new Tokens(keyspace, new Audit(keyspace), times, times::nanos);
        tokens.refresh();
    }

    @AfterEach
    void close() {
        redis.close();
        server.close();
    }

    private Made make() {
        return tokens.create(
                        TokensTest.wish("grafana", Role.OPERATOR, "documents/brewery"),
                        TokensTest.ANNA)
                .orThrow();
    }

    @Test
    void the_secret_is_nowhere() {
        Made made = make();
        TokenText text = TokenText.parse(made.text()).orElseThrow();
        tokens.verify(made.text());
        tokens.keepLastUse();
        String all = Dump.of(server).values().toString();
        assertThat(all).contains(hex("grafana"));
        assertThat(all).contains(hex(HexFormat.of().formatHex(text.hash())));
        assertThat(all).doesNotContain(hex(text.secret()));
        assertThat(all).doesNotContain(hex(text.secret().substring(0, 8)));
        assertThat(all).doesNotContain(hex(text.secret().substring(22)));
        assertThat(all).doesNotContain(hex(made.text().substring(made.text().length() - 6)));
    }

    private static String hex(String text) {
        return HexFormat.of().formatHex(text.getBytes(UTF_8));
    }

    @Test
    void its_keys_are_those_of_the_reference() {
        String id = make().token().id();
        assertThat(Dump.of(server).values().keySet())
                .contains(
                        "millrace:token:" + id,
                        "millrace:tokens",
                        "millrace:tokens:name",
                        "millrace:access:tokens",
                        "millrace:feed:audit");
        assertThat(String.valueOf(server.command("GET", "millrace:token:" + id)))
                .startsWith("{\"id\":\"" + id + "\",\"name\":\"grafana\",\"role\":\"operator\"")
                .contains(
                        "\"scopes\":[\"documents/brewery\"]",
                        "\"created\":\"2026-11-16T12:00:00Z\"")
                .doesNotContain("expires", "used");
    }

    @Test
    void a_request_costs_redis_nothing() {
        Made made = make();
        TokenText other = TokenText.random();
        long before = commands();
        for (int i = 0; i < 10_000; i++) {
            assertThat(tokens.verify(made.text())).isInstanceOf(Verdict.Good.class);
            assertThat(tokens.verify(other.text())).isInstanceOf(Verdict.Absent.class);
        }
        // The feed looks after itself now and then; these would be 20 000.
        assertThat(commands() - before).isLessThan(100);
    }

    private long commands() {
        return Long.parseLong(server.info("total_commands_processed").orElseThrow());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ",\"scopes\":[\"documents/brewery\"]",
                "\"documents/brewery\"",
                "\"role\":\"operator\",",
                "\"name\":\"grafana\",",
                "{"
            })
    void a_token_with_something_missing_is_no_token(String missing) {
        Made made = make();
        String key = "millrace:token:" + made.token().id();
        String json = String.valueOf(server.command("GET", key));
        String damaged =
                missing.startsWith("\"doc")
                        ? json.replace(missing, "\"documents/*\"")
                        : json.replace(missing, "");
        assertThat(damaged).isNotEqualTo(json);
        server.command("SET", key, damaged);
        server.command("SET", "millrace:access:tokens", "{\"about\":\"tokens\",\"mark\":\"new\"}");
        tokens.refresh();
        assertThat(tokens.verify(made.text())).isInstanceOf(Verdict.Absent.class);
        assertThat(tokens.list()).isEqualTo(List.of());
    }
}
