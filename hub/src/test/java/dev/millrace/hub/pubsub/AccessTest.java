package dev.millrace.hub.pubsub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.hub.TestHub;
import dev.millrace.hub.access.Role;
import dev.millrace.keyspace.testing.OnEachSite;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Who may do what with a channel, and what everybody is told, row by row of the description. */
@OnEachSite
final class AccessTest extends PubsubContract {
    private static final byte[] SECRET = "for tests".getBytes(StandardCharsets.US_ASCII);
    private static final String UNAUTHORIZED =
            "{\"code\":\"dsps.auth.rejected\",\"error\":\"Unauthorized\"}\n";
    private static final String INVALID_CHANNEL =
            "{\"error\":\"Invalid \\\"channelID\\\" parameter\"}\n";
    private final long later = Instant.now().getEpochSecond() + 3600;

    @TempDir private static Path directory;

    private final HttpClient client = HttpClient.newHttpClient();

    @AfterEach
    void closeClient() {
        client.close();
    }

    @Override
    List<String> settings() {
        Path secret = SignedTokens.write(directory.resolve("secret"), SECRET);
        String channels =
                """
                [{regex: 'open-.+'},
                 {regex: 'jwt-(?P<room>.+)',
                  jwt: {iss: me, keys: {HS256: [KEY]}, clockSkewLeeway: 90s}},
                 {regex: 'jwt-both', jwt: {iss: [me, you], keys: {HS256: [KEY]}, claims: {room: both}}}]
                """
                        .replace("KEY", secret.toString());
        return List.of(
                "pubsub.channels=" + channels,
                "pubsub.admin.auth.bearer=[sesame, '2nd']",
                "pubsub.storage-id=main",
                "pubsub.http.realIpHeader=X-Forwarded-For",
                "pubsub.http.defaultHeaders={X-Own: here, Expires: ''}",
                "pubsub.http.cors={origins: ['https://page.example'], headers: [authorization],"
                        + " maxAge: 1m, credentials: true}");
    }

    private void restart(String... more) {
        hub.close();
        List<String> all = new ArrayList<>(settings());
        all.addAll(List.of(more));
        hub = TestHub.start(url(), all.toArray(String[]::new));
    }

    private HttpResponse<String> call(String method, String path, String... headers) {
        HttpRequest.Builder request =
                HttpRequest.newBuilder(URI.create(hub.url() + path))
                        .method(
                                method,
                                method.equals("PUT") && path.contains("/message/")
                                        ? HttpRequest.BodyPublishers.ofString("1")
                                        : HttpRequest.BodyPublishers.noBody());
        if (headers.length > 0) {
            request.headers(headers);
        }
        try {
            return client.send(request.build(), BodyHandlers.ofString());
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private HttpResponse<String> publish(String channel, String authorization) {
        return authorization.isEmpty()
                ? call("PUT", message(channel, "m1"))
                : call("PUT", message(channel, "m1"), "Authorization", authorization);
    }

    private static void mustBe(HttpResponse<String> reply, int status, String body) {
        assertThat(reply.body()).as(reply.toString()).isEqualTo(body);
        assertThat(reply.statusCode()).isEqualTo(status);
        assertThat(reply.headers().firstValue("Content-Type")).contains("application/json");
    }

    private static String jwt(String claims) {
        return SignedTokens.token("HS256", claims, SignedTokens.secret("HmacSHA256", SECRET));
    }

    // ---------------------------------------------------------------- channels

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "A",
                "-a",
                "a.b",
                "a%0A",
                "%C3%A9",
                "a%20b",
                "0123456789012345678901234567890123456789012345678901234567890123"
            })
    void a_name_that_is_none_is_told_first(String channel) {
        for (String call :
                List.of(
                        "PUT /message/BAD",
                        "PUT /subscription/polling/BAD",
                        "GET /subscription/polling/BAD?max=x",
                        "DELETE /subscription/polling/BAD",
                        "DELETE /subscription/polling/BAD/message")) {
            String[] words = call.split(" ", 2);
            mustBe(call(words[0], "/channel/" + channel + words[1]), 400, INVALID_CHANNEL);
        }
    }

    @Test
    void a_name_that_no_entry_matches_is_told_next() {
        HttpResponse<String> reply = call("PUT", message("other", "BAD"));
        mustBe(
                reply,
                400,
                "{\"code\":\"dsps.storage.invalid-channel\",\"error\":\"Invalid \\\"channelID\\\""
                        + " parameter\",\"reason\":\"No entry of the channel configuration matches"
                        + " other.\"}\n");
    }

    @Test
    void then_comes_the_token_and_only_then_the_other_ids() {
        mustBe(call("PUT", message("jwt-1", "BAD")), 403, UNAUTHORIZED);
        mustBe(call("GET", polling("jwt-1", "BAD") + "?max=x"), 403, UNAUTHORIZED);
        String bearer = "Bearer " + jwt("{\"iss\":\"me\"}");
        mustBe(
                call("PUT", message("jwt-1", "BAD"), "Authorization", bearer),
                400,
                "{\"error\":\"Invalid \\\"messageID\\\" parameter\"}\n");
    }

    @Test
    void a_slash_in_a_name_is_another_path() {
        assertThat(call("PUT", "/channel/open-a%2Fb/message/m1").statusCode()).isEqualTo(404);
    }

    // ---------------------------------------------------------------- tokens

    @Test
    void a_channel_without_a_rule_takes_any_token_and_none() {
        assertThat(publish("open-1", "").statusCode()).isEqualTo(200);
        assertThat(publish("open-1", "Bearer nonsense").statusCode()).isEqualTo(200);
        assertThat(publish("open-1", "Basic YTpi").statusCode()).isEqualTo(200);
        assertThat(publish("open-1", "Bearer " + jwt("{\"jti\":7}")).statusCode()).isEqualTo(200);
    }

    @Test
    void a_channel_with_a_rule_takes_tokens_that_fit_and_no_others() {
        String good = jwt("{\"iss\":\"me\",\"exp\":%d}".formatted(later));
        assertThat(publish("jwt-1", "Bearer " + good).statusCode()).isEqualTo(200);
        mustBe(publish("jwt-1", ""), 403, UNAUTHORIZED);
        mustBe(publish("jwt-1", "Bearer "), 403, UNAUTHORIZED);
        mustBe(publish("jwt-1", "bearer " + good), 403, UNAUTHORIZED);
        mustBe(publish("jwt-1", "Bearer  " + good), 403, UNAUTHORIZED);
        mustBe(publish("jwt-1", "Basic YTpi"), 403, UNAUTHORIZED);
        mustBe(publish("jwt-1", "Bearer " + good + "x"), 403, UNAUTHORIZED);
        mustBe(publish("jwt-1", "Bearer " + jwt("{\"iss\":\"you\"}")), 403, UNAUTHORIZED);
        mustBe(publish("jwt-1", "Bearer " + jwt("{\"iss\":\"me\",\"exp\":7}")), 403, UNAUTHORIZED);
        mustBe(publish("jwt-1", "Bearer " + jwt("{\"iss\":\"me\",\"jti\":7}")), 403, UNAUTHORIZED);
    }

    @Test
    void every_rule_that_matches_must_accept_the_token() {
        assertThat(
                        publish("jwt-both", "Bearer " + jwt("{\"iss\":\"me\",\"room\":\"both\"}"))
                                .statusCode())
                .isEqualTo(200);
        mustBe(publish("jwt-both", "Bearer " + jwt("{\"iss\":\"me\"}")), 403, UNAUTHORIZED);
        mustBe(
                publish("jwt-both", "Bearer " + jwt("{\"iss\":\"you\",\"room\":\"both\"}")),
                403,
                UNAUTHORIZED);
    }

    @Test
    void the_reason_is_told_where_that_is_wanted() {
        restart("pubsub.http.discloseAuthRejectionDetail=true");
        String reason =
                "{\"code\":\"dsps.auth.rejected\",\"error\":\"Unauthorized\",\"reason\":\"JWT"
                        + " verification failure: %s\"}\n";
        mustBe(publish("jwt-1", ""), 403, reason.formatted("no JWT presented"));
        mustBe(publish("jwt-1", "Bearer x"), 403, reason.formatted("it is not a JWT"));
        mustBe(
                publish("jwt-1", "Bearer " + jwt("{\"iss\":\"me\",\"exp\":7}")),
                403,
                reason.formatted("it has expired"));
        revoke("gone", later);
        mustBe(
                publish("jwt-1", "Bearer " + jwt("{\"iss\":\"me\",\"jti\":\"gone\"}")),
                403,
                reason.formatted("it was revoked"));
    }

    @Test
    void in_mode_token_the_hub_itself_looks_after_channels_without_a_rule() {
        restart("access.mode=token");
        String viewer = "Bearer " + hub.token("viewer", Role.VIEWER);
        String operator = "Bearer " + hub.token("operator", Role.OPERATOR);
        mustBe(publish("open-1", ""), 403, UNAUTHORIZED);
        mustBe(publish("open-1", "Bearer nonsense"), 403, UNAUTHORIZED);
        mustBe(publish("open-1", viewer), 403, UNAUTHORIZED);
        assertThat(publish("open-1", operator).statusCode()).isEqualTo(200);
        String poll = polling("open-1", "s1");
        assertThat(call("PUT", poll, "Authorization", operator).statusCode()).isEqualTo(200);
        assertThat(call("GET", poll, "Authorization", viewer).statusCode()).isEqualTo(200);
        mustBe(call("GET", poll), 403, UNAUTHORIZED);
        // A rule of the channel is for other people than the users of the hub.
        mustBe(publish("jwt-1", operator), 403, UNAUTHORIZED);
        assertThat(publish("jwt-1", "Bearer " + jwt("{\"iss\":\"me\"}")).statusCode())
                .isEqualTo(200);
        String revoke = "/admin/jwt/revoke?jti=x&exp=" + later;
        String admin = "Bearer " + hub.token("admin", Role.ADMIN);
        mustBe(call("PUT", revoke, "Authorization", operator), 403, "{\"error\":\"\"}\n");
        assertThat(call("PUT", revoke, "Authorization", admin).statusCode()).isEqualTo(200);
    }

    // ---------------------------------------------------------------- revoking

    private HttpResponse<String> admin(String path, String... headers) {
        List<String> all = new ArrayList<>(List.of("Authorization", "Bearer sesame"));
        all.addAll(List.of(headers));
        return call("PUT", "/admin" + path, all.toArray(String[]::new));
    }

    private HttpResponse<String> revoke(String jti, long exp) {
        String text = URLEncoder.encode(jti, StandardCharsets.UTF_8);
        return admin("/jwt/revoke?jti=%s&exp=%d".formatted(text, exp));
    }

    @Test
    void a_revoked_token_is_refused_at_once_on_every_channel() {
        String token = "Bearer " + jwt("{\"iss\":\"me\",\"jti\":\"t-1\"}");
        String other = "Bearer " + jwt("{\"iss\":\"me\",\"jti\":\"t-2\"}");
        assertThat(publish("jwt-1", token).statusCode()).isEqualTo(200);
        mustBe(revoke("t-1", later), 200, "{\"exp\":%d,\"jti\":\"t-1\"}\n".formatted(later + 300));
        mustBe(publish("jwt-1", token), 403, UNAUTHORIZED);
        mustBe(publish("open-1", token), 403, UNAUTHORIZED);
        assertThat(publish("jwt-1", other).statusCode()).isEqualTo(200);
        assertThat(publish("open-1", other).statusCode()).isEqualTo(200);
        assertThat(get("jwt.{t-1}.revoke")).isEqualTo(Long.toString(later + 300));
        assertThat(secondsLeft("jwt.{t-1}.revoke"))
                .isBetween(later + 300 - Instant.now().getEpochSecond(), 3600L + 300 + 15);
        assertThat(revoke("t-1", later).statusCode()).as("again").isEqualTo(200);
    }

    /** Such a body is looked at on another thread. */
    @Test
    void a_large_message_comes_with_a_token_like_any_other() {
        String large = "\"%s\"".formatted("x".repeat(100_000));
        String token = jwt("{\"iss\":\"me\",\"jti\":\"t-5\"}");
        Optional<String> known = Optional.of(token);
        assertThat(hub.send("PUT", message("jwt-1", "m1"), large, known).status()).isEqualTo(200);
        assertThat(hub.send("PUT", message("jwt-1", "m2"), large + "]", known).status())
                .isEqualTo(400);
        assertThat(revoke("t-5", later).statusCode()).isEqualTo(200);
        assertThat(hub.send("PUT", message("jwt-1", "m3"), large, known).body())
                .isEqualTo(UNAUTHORIZED);
    }

    @Test
    void a_token_that_another_server_revoked_is_refused() {
        set("jwt.{t-3}.revoke", "9999999999");
        String token = "Bearer " + jwt("{\"iss\":\"me\",\"jti\":\"t-3\"}");
        mustBe(publish("jwt-1", token), 403, UNAUTHORIZED);
    }

    @Test
    void what_has_ended_long_ago_is_not_kept() {
        long past = Instant.now().getEpochSecond() - 330;
        mustBe(revoke("t-4", past), 200, "{\"exp\":%d,\"jti\":\"t-4\"}\n".formatted(past + 300));
        assertThat(get("jwt.{t-4}.revoke")).isNull();
        mustBe(revoke("t-4", -5), 200, "{\"exp\":295,\"jti\":\"t-4\"}\n");
        assertThat(revoke("t-4", Long.MAX_VALUE - 300).statusCode()).isEqualTo(200);
        assertThat(secondsLeft("jwt.{t-4}.revoke")).isGreaterThan(1_000_000_000L);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"a b", "a:b/c?d", "ä€", "}", "{", "{}", "{a}", "a}b", "long", "\n", " "})
    void any_text_can_be_an_id(String jti) {
        String id = jti.equals("long") ? "x".repeat(3000) : jti;
        String claims = "{\"iss\":\"me\",\"jti\":\"%s\"}".formatted(id.replace("\n", "\\n"));
        assertThat(publish("jwt-1", "Bearer " + jwt(claims)).statusCode()).isEqualTo(200);
        assertThat(revoke(id, later).statusCode()).isEqualTo(200);
        mustBe(publish("jwt-1", "Bearer " + jwt(claims)), 403, UNAUTHORIZED);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "/jwt/revoke?exp=1 | Missing \\\"jti\\\" parameter",
                "/jwt/revoke?jti=&exp=1 | Missing \\\"jti\\\" parameter",
                "/jwt/revoke?jti=x | Invalid \\\"exp\\\" parameter",
                "/jwt/revoke?jti=x&exp= | Invalid \\\"exp\\\" parameter",
                "/jwt/revoke?jti=x&exp=1.5 | Invalid \\\"exp\\\" parameter",
                "/jwt/revoke?jti=x&exp=9223372036854775808 | Invalid \\\"exp\\\" parameter",
                "/log/level?level=INFO | Missing \\\"category\\\" parameter",
                "/log/level?category=&level=INFO | Missing \\\"category\\\" parameter",
                "/log/level?category=http | Invalid \\\"level\\\" parameter",
                "/log/level?category=http&level=LOUD | Invalid \\\"level\\\" parameter"
            })
    void a_wrong_parameter_of_an_admin_is_told(String path, String error) {
        mustBe(admin(path), 400, "{\"error\":\"%s\"}\n".formatted(error));
    }

    // ---------------------------------------------------------------- admins

    @Test
    void an_admin_needs_a_token_and_an_address() {
        String path = "/admin/log/level?category=none&level=INFO";
        String nobody = "{\"error\":\"\"}\n";
        assertThat(call("PUT", path, "Authorization", "Bearer sesame").statusCode()).isEqualTo(204);
        assertThat(call("PUT", path, "Authorization", "Bearer 2nd").statusCode()).isEqualTo(204);
        mustBe(call("PUT", path), 403, nobody);
        mustBe(call("PUT", path, "Authorization", "Bearer Sesame"), 403, nobody);
        mustBe(call("PUT", path, "Authorization", "Bearer sesame2"), 403, nobody);
        mustBe(call("PUT", path, "Authorization", "bearer sesame"), 403, nobody);
        mustBe(call("PUT", path, "Authorization", "sesame"), 403, nobody);
        mustBe(
                admin("/log/level?category=none&level=INFO", "X-Forwarded-For", "192.0.2.1"),
                403,
                nobody);
        mustBe(
                admin("/log/level?category=none&level=INFO", "X-Forwarded-For", "unknown"),
                403,
                nobody);
        assertThat(
                        admin("/log/level?category=none&level=INFO", "X-Forwarded-For", "10.0.0.7")
                                .statusCode())
                .isEqualTo(204);
    }

    @Test
    void the_level_of_a_category_changes() {
        ch.qos.logback.classic.Logger logger =
                (ch.qos.logback.classic.Logger) LoggerFactory.getLogger("dev.millrace.keyspace");
        for (String level : List.of("debug", "WARN", "Error", "info")) {
            HttpResponse<String> reply = admin("/log/level?category=storage&level=" + level);
            assertThat(reply.statusCode()).isEqualTo(204);
            assertThat(reply.body()).isEmpty();
            assertThat(logger.getLevel().toString()).isEqualToIgnoringCase(level);
        }
        assertThat(admin("/log/level?category=storage&level=FATAL").statusCode()).isEqualTo(204);
        assertThat(logger.isErrorEnabled()).isFalse();
        assertThat(admin("/log/level?category=storage&level=INFO").statusCode()).isEqualTo(204);
        assertThat(admin("/log/level?category=whatever&level=INFO").statusCode()).isEqualTo(204);
    }

    // ---------------------------------------------------------------- probes

    @ParameterizedTest
    @ValueSource(strings = {"liveness", "readiness"})
    void probes_need_no_token_and_name_the_storage(String probe) {
        mustBe(call("GET", "/probe/" + probe), 200, "{\"storage\":{\"children\":{\"main\":{}}}}\n");
    }

    // ---------------------------------------------------------------- headers

    @Test
    void answers_of_routes_have_the_default_headers_and_others_not() {
        for (HttpResponse<String> reply :
                List.of(
                        publish("open-1", ""),
                        publish("jwt-1", ""),
                        call("PUT", message("BAD", "m")),
                        call("GET", polling("open-1", "nobody")),
                        call("PUT", "/admin/jwt/revoke"),
                        admin("/log/level?category=none&level=INFO"),
                        call("GET", "/probe/liveness"))) {
            assertThat(reply.headers().map())
                    .as(reply.toString())
                    .containsEntry("x-frame-options", List.of("deny"))
                    .containsEntry("x-content-type-options", List.of("nosniff"))
                    .containsEntry(
                            "cache-control",
                            List.of("no-cache, no-store, max-age=0, must-revalidate"))
                    .containsEntry("pragma", List.of("no-cache"))
                    .containsEntry("x-own", List.of("here"))
                    .doesNotContainKey("expires");
        }
        HttpResponse<String> nothing = call("GET", "/channel/open-1/nothing");
        assertThat(nothing.statusCode()).isEqualTo(404);
        assertThat(nothing.body()).isEqualTo("404 page not found");
        HttpResponse<String> method = call("POST", message("open-1", "m1"));
        assertThat(method.statusCode()).isEqualTo(405);
        assertThat(method.headers().firstValue("Allow")).contains("PUT");
        for (HttpResponse<String> reply : List.of(nothing, method)) {
            assertThat(reply.headers().firstValue("Content-Type").orElse(""))
                    .startsWith("text/plain");
            assertThat(reply.headers().map()).doesNotContainKeys("x-frame-options", "x-own");
        }
    }

    @Test
    void a_page_of_an_allowed_site_may_ask_without_a_token() {
        HttpResponse<String> reply =
                call(
                        "OPTIONS",
                        message("jwt-1", "m1"),
                        "Origin",
                        "https://page.example",
                        "Access-Control-Request-Method",
                        "PUT",
                        "Access-Control-Request-Headers",
                        "x-other");
        assertThat(reply.statusCode()).isEqualTo(204);
        assertThat(reply.headers().map())
                .containsEntry("access-control-allow-origin", List.of("https://page.example"))
                .containsEntry("access-control-allow-headers", List.of("authorization"))
                .containsEntry("access-control-max-age", List.of("60"))
                .containsEntry("access-control-allow-credentials", List.of("true"));
        HttpResponse<String> put =
                call("PUT", message("open-1", "m1"), "Origin", "https://page.example");
        assertThat(put.statusCode()).isEqualTo(200);
        assertThat(put.headers().firstValue("Access-Control-Allow-Origin"))
                .contains("https://page.example");
    }

    @Test
    void a_page_of_another_site_may_not() {
        HttpResponse<String> reply =
                call(
                        "OPTIONS",
                        message("open-1", "m1"),
                        "Origin",
                        "https://other.example",
                        "Access-Control-Request-Method",
                        "PUT");
        assertThat(reply.statusCode()).isEqualTo(405);
        assertThat(reply.headers().map()).doesNotContainKey("access-control-allow-origin");
        assertThat(
                        call("PUT", message("open-1", "m1"), "Origin", "https://other.example")
                                .statusCode())
                .isEqualTo(403);
        // The rule is of this room alone.
        HttpResponse<String> elsewhere =
                call(
                        "OPTIONS",
                        "/ops/status",
                        "Origin",
                        "https://page.example",
                        "Access-Control-Request-Method",
                        "GET");
        assertThat(elsewhere.statusCode()).isNotEqualTo(204);
    }

    @Test
    void a_prefix_moves_the_whole_room() {
        restart("pubsub.http.pathPrefix=/my/messages/");
        assertThat(call("PUT", "/my/messages" + message("open-1", "m1")).statusCode())
                .isEqualTo(200);
        assertThat(call("GET", "/my/messages/probe/readiness").statusCode()).isEqualTo(200);
        mustBe(call("PUT", "/my/messages/admin/jwt/revoke"), 403, "{\"error\":\"\"}\n");
        assertThat(call("GET", "/my/messages/channel/x").body()).isEqualTo("404 page not found");
        for (String path : List.of(message("open-1", "m1"), "/probe/readiness", "/admin/x")) {
            HttpResponse<String> reply = call("GET", path);
            assertThat(reply.statusCode()).isEqualTo(404);
            assertThat(reply.headers().firstValue("Content-Type"))
                    .contains("application/problem+json");
        }
    }
}
