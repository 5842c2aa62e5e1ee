package dev.millrace.hub.site;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.hub.TestHub;
import dev.millrace.hub.access.Role;
import dev.millrace.hub.access.Scope;
import dev.millrace.keyspace.testing.TestServer;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import java.util.Optional;

/** Signing in with an API token, and what the session is good for. */
class SessionsTest {
    private static TestServer server;
    private static TestHub hub;
    private static String ada;

    @BeforeAll
    static void start() {
        server = TestServer.start();
        hub = TestHub.start(server.url(), "access.mode=token");
        ada = hub.token("ada", Role.OPERATOR);
    }

    @AfterAll
    static void stop() {
        hub.close();
        server.close();
    }

    private static TestHub.Reply login(String name, String password) {
        return hub.send(
                "POST",
                "/api/auth/login",
                "{\"username\":\"%s\",\"password\":\"%s\"}".formatted(name, password));
    }

    private static TestHub.Reply as(String token, String method, String path) {
        return hub.send(method, path, "", Optional.of(token));
    }

    private static String code(TestHub.Reply reply) {
        return reply.status() + " " + reply.json().at("/error/code").asString("");
    }

    @Test
    void a_session_lets_in_like_its_token_until_it_ends() {
        TestHub.Reply in = login("ada", ada);
        assertThat(in.status()).as(in.body()).isEqualTo(200);
        String session = in.json().at("/data/access_token").asString();
        assertThat(in.json().at("/data/user/roles/0").asString()).isEqualTo("operator");
        String key = "temp:session:" + session;
        assertThat(server.command("HGET", key, "username")).isEqualTo("ada");
        assertThat(Long.parseLong(String.valueOf(server.command("TTL", key)))).isBetween(1L, 1800L);
        assertThat(as(session, "GET", "/api/auth/profile").json().at("/data/username").asString())
                .isEqualTo("ada");
        assertThat(as(session, "GET", "/api/channels").status()).isEqualTo(200);
        assertThat(code(as(session, "DELETE", "/api/channels/1")))
                .isEqualTo("403 PERMISSION_DENIED");
        assertThat(as(session, "POST", "/api/auth/refresh").status()).isEqualTo(200);

        assertThat(as(session, "POST", "/api/auth/logout").status()).isEqualTo(200);
        assertThat(server.command("EXISTS", key)).isEqualTo(0L);
        assertThat(code(as(session, "GET", "/api/channels"))).isEqualTo("401 SESSION_EXPIRED");
    }

    @Test
    void a_session_that_somebody_deletes_ends_at_once() {
        String session = login("ada", ada).json().at("/data/access_token").asString();
        assertThat(as(session, "GET", "/api/channels").status()).isEqualTo(200);
        server.command("DEL", "temp:session:" + session);
        assertThat(code(as(session, "GET", "/api/channels"))).isEqualTo("401 SESSION_EXPIRED");
    }

    @Test
    void who_is_not_known_does_not_come_in() {
        assertThat(code(login("ada", "nonsense"))).isEqualTo("401 INVALID_TOKEN");
        assertThat(code(login("eve", ada))).isEqualTo("401 INVALID_TOKEN");
        assertThat(code(login("", ""))).isEqualTo("400 VALIDATION_ERROR");
        String limited = hub.token("limited", Role.ADMIN, Scope.parse("site"));
        assertThat(code(login("limited", limited))).isEqualTo("403 PERMISSION_DENIED");
        String session = login("ada", ada).json().at("/data/access_token").asString();
        assertThat(code(login("ada", session))).isEqualTo("401 INVALID_TOKEN");
        assertThat(as("session-made-up", "GET", "/api/channels").status()).isEqualTo(401);
    }
}
