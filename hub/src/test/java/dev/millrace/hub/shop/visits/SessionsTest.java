package dev.millrace.hub.shop.visits;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.hub.TestHub;
import dev.millrace.hub.shop.Stored;
import dev.millrace.keyspace.testing.OnEachSite;
import dev.millrace.keyspace.testing.SharedServers;
import dev.millrace.keyspace.testing.Site;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;

import tools.jackson.databind.JsonNode;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Sessions as an application sees them, and on the keys that other programs know. */
@OnEachSite
class SessionsTest {
    @Parameter Site site;
    private TestHub hub;

    @BeforeEach
    void start() {
        String url = site.url();
        SharedServers.flushAll();
        hub = TestHub.start(url);
    }

    @AfterEach
    void stop() {
        hub.close();
    }

    private String made(String body) {
        TestHub.Reply made = hub.send("POST", "/shop/sessions", body);
        assertThat(made.status()).as(made.body()).isEqualTo(201);
        return made.json().get("token").asString();
    }

    private TestHub.Reply ok(String method, String path, String body) {
        TestHub.Reply reply = hub.send(method, path, body);
        assertThat(reply.status()).as(reply.body()).isEqualTo(200);
        return reply;
    }

    @Test
    void a_session_is_made_seen_and_ended() {
        TestHub.Reply made =
                hub.send(
                        "POST",
                        "/shop/sessions",
                        "{\"user\":\"ada\",\"attributes\":{\"theme\":\"dark\",\"n\":[1]}}");
        assertThat(made.status()).as(made.body()).isEqualTo(201);
        String token = made.json().get("token").asString();
        assertThat(token).matches("[A-Za-z0-9_-]{22,128}");
        assertThat(made.header("location")).isEqualTo("/shop/sessions/" + token);
        assertThat(made.header("set-cookie"))
                .startsWith("session=" + token + ";")
                .contains("; Path=/", "; HttpOnly", "; Secure", "; SameSite=Lax");

        Stored stored = Stored.in(site);
        assertThat(stored.at("login:")).isEqualTo(Map.of(token, "ada"));
        JsonNode seen = made.json().get("lastSeenEpoch");
        assertThat((Double) stored.at("recent:").get(token)).isEqualTo(seen.asDouble());

        JsonNode read = ok("GET", "/shop/sessions/" + token, "").json();
        assertThat(read.get("user").asString()).isEqualTo("ada");
        assertThat(read.at("/attributes/n/0").asInt()).isEqualTo(1);
        Instant lastSeen = Instant.parse(read.get("lastSeen").asString());
        assertThat(Instant.parse(read.get("expiresAt").asString()))
                .isEqualTo(lastSeen.plusSeconds(30 * 24 * 3600));
        assertThat(Stored.in(site).at("recent:").get(token)).isEqualTo(seen.asDouble());

        JsonNode touched = ok("GET", "/shop/sessions/" + token + "?touch=true", "").json();
        assertThat(touched.get("lastSeenEpoch").asDouble()).isGreaterThan(seen.asDouble());

        assertThat(hub.send("DELETE", "/shop/sessions/" + token, "").status()).isEqualTo(204);
        assertThat(hub.get("/shop/sessions/" + token).status()).isEqualTo(404);
        assertThat(hub.get("/shop/sessions/" + token + "?touch=true").status()).isEqualTo(404);
        assertThat(hub.send("DELETE", "/shop/sessions/" + token, "").status()).isEqualTo(204);
        assertThat(Stored.in(site).ofVisitors()).isEmpty();
    }

    @Test
    void a_token_of_the_shops_own_is_a_session_and_may_change_its_user() {
        String path = "/shop/sessions/EB9382CA-0376-4558-B271-EA230BDB7EAF";
        TestHub.Reply made = hub.send("PUT", path, "{\"user\":\"user1\",\"item\":\"item1\"}");
        assertThat(made.status()).as(made.body()).isEqualTo(201);
        assertThat(made.header("location")).isEqualTo(path);
        assertThat(ok("PUT", path, "{\"user\":\"user2\"}").json().get("user").asString())
                .isEqualTo("user2");
        assertThat(ok("PUT", path, "{}").json().get("user").asString()).isEqualTo("user2");
        Stored stored = Stored.in(site);
        String token = path.substring(path.lastIndexOf('/') + 1);
        assertThat(stored.at("login:")).isEqualTo(Map.of(token, "user2"));
        assertThat(stored.at("viewed:" + token)).containsOnlyKeys("item1");
        assertThat(stored.at("viewed:")).isEqualTo(Map.of("item1", -1.0));
        assertThat(stored.keys()).doesNotContain("millrace:user-sessions:user1");
        assertThat(stored.at("millrace:user-sessions:user2")).containsOnlyKeys(token);
    }

    @Test
    void attributes_are_merged_and_bounded() {
        String token = made("{\"attributes\":{\"a\":{\"x\":1,\"y\":2},\"b\":true}}");
        String path = "/shop/sessions/" + token;
        assertThat(
                        ok(
                                        "PATCH",
                                        path,
                                        "{\"attributes\":{\"a\":{\"x\":null,\"z\":[3]},\"b\":null}}")
                                .json()
                                .get("attributes")
                                .toString())
                .isEqualTo("{\"a\":{\"y\":2,\"z\":[3]}}");
        // A patch of the attributes alone says the same.
        ok("PATCH", path, "{\"c\":\"d\",\"a\":7}");
        assertThat(ok("GET", path, "").json().get("attributes").toString())
                .isEqualTo("{\"a\":7,\"c\":\"d\"}");
        String large = "{\"large\":\"" + "x".repeat(70_000) + "\"}";
        assertThat(hub.send("PATCH", path, large).status()).isEqualTo(422);
        assertThat(hub.send("POST", "/shop/sessions", "{\"attributes\":" + large + "}").status())
                .isEqualTo(422);
        assertThat(ok("GET", path, "").json().get("attributes").toString())
                .isEqualTo("{\"a\":7,\"c\":\"d\"}");
        assertThat(hub.send("PATCH", "/shop/sessions/0123456789abcdef", "{\"a\":1}").status())
                .isEqualTo(404);
    }

    @Test
    void a_login_gets_a_new_token_and_keeps_views_and_cart() {
        String old = made("");
        ok("POST", "/shop/sessions/" + old + "/views", "{\"item\":\"itemX\"}");
        ok("PUT", "/shop/carts/" + old + "/items/itemY", "{\"quantity\":3}");
        TestHub.Reply rotated =
                ok("POST", "/shop/sessions/" + old + "/rotate", "{\"user\":\"ada\"}");
        String token = rotated.json().get("token").asString();
        assertThat(token).isNotEqualTo(old);
        assertThat(rotated.header("set-cookie")).startsWith("session=" + token + ";");
        assertThat(hub.get("/shop/sessions/" + old).status()).isEqualTo(404);
        assertThat(hub.send("POST", "/shop/sessions/" + old + "/rotate", "").status())
                .isEqualTo(404);
        Stored stored = Stored.in(site);
        assertThat(stored.at("login:")).isEqualTo(Map.of(token, "ada"));
        assertThat(stored.at("recent:")).containsOnlyKeys(token);
        assertThat(stored.at("viewed:" + token)).containsOnlyKeys("itemX");
        assertThat(stored.at("cart:" + token)).isEqualTo(Map.of("itemY", "3"));
        assertThat(stored.keys()).noneMatch(key -> key.contains(old));
        assertThat(ok("GET", "/shop/carts/" + token, "").json().get("version").asInt())
                .isEqualTo(1);
    }

    @Test
    void a_user_has_all_his_sessions_and_can_end_them() {
        Set<String> tokens = new HashSet<>();
        for (int i = 0; i < 12; i++) {
            tokens.add(made("{\"user\":\"ada lovelace/é\"}"));
        }
        String other = made("{\"user\":\"bob\"}");
        String path = "/shop/users/ada%20lovelace%2F%C3%A9/sessions";
        Set<String> listed = new HashSet<>();
        ok("GET", path, "").json().get("sessions").forEach(each -> listed.add(token(each)));
        assertThat(listed).isEqualTo(tokens);
        assertThat(ok("DELETE", path, "").json().get("count").asInt()).isEqualTo(12);
        assertThat(ok("DELETE", path, "").json().get("count").asInt()).isZero();
        assertThat(ok("GET", path, "").json().get("sessions").size()).isZero();
        assertThat(Stored.in(site).at("login:")).containsOnlyKeys(other);
    }

    private static String token(JsonNode session) {
        return session.get("token").asString();
    }

    @Test
    void all_sessions_are_listed_page_by_page_the_last_one_first() {
        List<String> made = new ArrayList<>();
        for (int i = 0; i < 25; i++) {
            made.addFirst(made("{}"));
        }
        List<String> listed = new ArrayList<>();
        String cursor = "";
        do {
            JsonNode page = ok("GET", "/shop/sessions?limit=10" + cursor, "").json();
            page.get("sessions").forEach(each -> listed.add(token(each)));
            cursor = page.get("cursor").isNull() ? "" : "&cursor=" + page.get("cursor").asString();
        } while (!cursor.isEmpty());
        assertThat(listed).isEqualTo(made);
        assertThat(hub.get("/shop/sessions?cursor=nonsense").status()).isEqualTo(400);
        JsonNode stats = ok("GET", "/shop/sessions/stats", "").json();
        assertThat(stats.get("count").asInt()).isEqualTo(25);
        assertThat(stats.get("limit").asInt()).isEqualTo(10_000_000);
    }

    @Test
    void the_cleaner_keeps_as_many_as_it_may_the_most_recent_ones() {
        List<String> made = new ArrayList<>();
        for (int i = 0; i < 150; i++) {
            String token = made("{\"user\":\"u" + i + "\"}");
            ok("POST", "/shop/sessions/" + token + "/views", "{\"item\":\"i\"}");
            ok("PUT", "/shop/carts/" + token + "/items/i", "{\"quantity\":1}");
            made.add(token);
        }
        TestHub.Reply round = ok("POST", "/shop/sessions/clean", "{\"limit\":100,\"batch\":30}");
        assertThat(round.json().get("removed").asInt()).isEqualTo(30);
        round = ok("POST", "/shop/sessions/clean", "{\"limit\":100,\"batch\":1000}");
        assertThat(round.json().get("removed").asInt()).isEqualTo(20);
        round = ok("POST", "/shop/sessions/clean", "{\"limit\":100}");
        assertThat(round.json().get("removed").asInt()).isZero();

        Stored stored = Stored.in(site);
        List<String> kept = made.subList(50, 150);
        assertThat(stored.at("login:")).containsOnlyKeys(kept);
        assertThat(stored.at("recent:")).containsOnlyKeys(kept);
        for (String gone : made.subList(0, 50)) {
            assertThat(stored.keys()).noneMatch(key -> key.endsWith(gone));
        }
        assertThat(stored.at("viewed:")).isEqualTo(Map.of("i", -150.0));
        assertThat(ok("GET", "/shop/sessions/stats", "").json().get("cleaned").asInt())
                .isEqualTo(50);
    }
}
