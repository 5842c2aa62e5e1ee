package dev.millrace.hub.shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.millrace.hub.TestHub;
import dev.millrace.keyspace.testing.SharedServers;
import dev.millrace.keyspace.testing.Site;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Whatever somebody sends, he is told what is wrong with it, and nothing is stored. */
class ShopBadInputTest {
    private static final String TOKEN = "0123456789abcdef";
    private static final String LONG = "x".repeat(1 << 20);
    private static final String MANY =
            IntStream.range(0, 10_000)
                    .mapToObj(i -> "{\"item\":\"i" + i + "\",\"quantity\":1}")
                    .collect(Collectors.joining(",", "{\"items\":[", "]}"));

    private static TestHub hub;

    @BeforeAll
    static void start() {
        SharedServers.standalone();
        SharedServers.flushAll();
        hub = TestHub.start(SharedServers.standalone().url());
    }

    @AfterAll
    static void stop() {
        hub.close();
    }

    static Stream<Arguments> requests() {
        return Stream.of(sessions(), views(), carts(), lines(), merges(), rows(), purges())
                .flatMap(each -> each);
    }

    private static Stream<Arguments> sessions() {
        String one = "/shop/sessions/" + TOKEN;
        return Stream.of(
                arguments("GET", "/shop/sessions/", "", 404),
                arguments("GET", "/shop/sessions/short", "", 400),
                arguments("PUT", "/shop/sessions/short", "{\"user\":\"u\"}", 400),
                arguments("PUT", "/shop/sessions/" + "t".repeat(129), "{\"user\":\"u\"}", 400),
                arguments("PUT", "/shop/sessions/0123456789abcde%20", "{\"user\":\"u\"}", 400),
                arguments("PUT", "/shop/sessions/0123456789abcd%C3%A9", "{}", 400),
                arguments("DELETE", "/shop/sessions/short", "", 400),
                arguments("DELETE", one + "?cart=burn", "", 400),
                arguments("POST", "/shop/sessions", "[]", 400),
                arguments("POST", "/shop/sessions", "{\"user\":{}}", 400),
                arguments("POST", "/shop/sessions", "{\"user\":\"a\\u0007b\"}", 400),
                arguments("POST", "/shop/sessions", "{\"user\":\"a\\ud800\"}", 400),
                arguments("POST", "/shop/sessions", "{\"user\":\"" + "u".repeat(257) + "\"}", 400),
                arguments("POST", "/shop/sessions", "{\"ttl\":0}", 400),
                arguments("POST", "/shop/sessions", "{\"ttl\":1.5}", 400),
                arguments("POST", "/shop/sessions", "{\"ttl\":\"60\"}", 400),
                arguments("POST", "/shop/sessions", "{\"ttl\":1e400}", 400),
                arguments("POST", "/shop/sessions", "{\"ttl\":1000000000000}", 400),
                arguments("POST", "/shop/sessions", "{\"attributes\":[1]}", 400),
                arguments("POST", "/shop/sessions", "{\"attributes\":{\"\":1}}", 422),
                arguments(
                        "POST", "/shop/sessions", "{\"attributes\":{\"a\":\"" + LONG + "\"}}", 422),
                arguments("POST", "/shop/sessions", "{\"user\":\"u\"", 400),
                arguments("POST", "/shop/sessions", LONG + LONG + LONG, 413),
                arguments("PATCH", one, "3", 400),
                arguments("PATCH", one, "{\"a\":1}", 404),
                arguments("POST", one + "/rotate", "{}", 404),
                arguments("GET", "/shop/sessions?limit=0", "", 400),
                arguments("GET", "/shop/sessions?limit=x", "", 400),
                arguments("GET", "/shop/sessions?cursor=%00", "", 400),
                arguments("POST", "/shop/sessions/clean", "{\"limit\":-1}", 400),
                arguments("POST", "/shop/sessions/clean", "{\"batch\":1.5}", 400),
                arguments("GET", "/shop/users/a%01b/sessions", "", 400),
                arguments("PUT", "/shop/sessions/" + LONG, "{}", 414));
    }

    private static Stream<Arguments> views() {
        String views = "/shop/sessions/" + TOKEN + "/views";
        return Stream.of(
                arguments("POST", views, "{}", 400),
                arguments("POST", views, "{\"item\":\"\"}", 400),
                arguments("POST", views, "{\"item\":\"a\\nb\"}", 400),
                arguments("POST", views, "{\"item\":\"" + LONG + "\"}", 413),
                arguments("POST", views, "{\"item\":\"" + "x".repeat(257) + "\"}", 400),
                arguments("POST", views, "{\"item\":\"i\"}", 404),
                arguments("DELETE", views + "/a%1Fb", "", 400),
                arguments("GET", views + "?limit=1001", "", 400),
                arguments("GET", "/shop/items/popular?limit=-1", "", 400),
                arguments("GET", "/shop/items/popular?offset=99999999999", "", 400),
                arguments("GET", "/shop/items/a%00b/popularity", "", 400));
    }

    private static Stream<Arguments> carts() {
        String cart = "/shop/carts/" + TOKEN;
        return Stream.of(
                arguments("GET", "/shop/carts/", "", 404),
                arguments("GET", "/shop/carts/viewed:", "", 400),
                arguments("GET", cart + "?expand=prices", "", 400),
                arguments("PUT", cart, "{}", 400),
                arguments("PUT", cart, "{\"items\":{}}", 400),
                arguments("PUT", cart, "{\"items\":[null]}", 400),
                arguments("PUT", cart, "{\"items\":[{\"item\":\"i\"}]}", 400),
                arguments(
                        "PUT",
                        cart,
                        "{\"items\":[{\"item\":\"i\",\"quantity\":1},"
                                + "{\"item\":\"i\",\"quantity\":2}]}",
                        400),
                arguments("PUT", cart, MANY, 422));
    }

    private static Stream<Arguments> lines() {
        String line = "/shop/carts/" + TOKEN + "/items/i";
        String thirty = "1" + "0".repeat(30);
        return Stream.of(
                arguments("PUT", line, "", 400),
                arguments("PUT", line, "{}", 400),
                arguments("PUT", line, "{\"quantity\":null}", 400),
                arguments("PUT", line, "{\"quantity\":\"3\"}", 400),
                arguments("PUT", line, "{\"quantity\":true}", 400),
                arguments("PUT", line, "{\"quantity\":" + thirty + "}", 422),
                arguments("PUT", line, "{\"quantity\":1e30}", 422),
                arguments("PUT", line, "{\"quantity\":1e400}", 422),
                arguments("PUT", line, "{\"quantity\":1.5}", 422),
                arguments("PUT", line, "{\"quantity\":10001}", 422),
                // These are right, and there is nothing to remove.
                arguments("PUT", line, "{\"quantity\":-1}", 200),
                arguments("PUT", line, "{\"quantity\":-" + thirty + "}", 200),
                arguments("PUT", line, "{\"quantity\":0.0}", 200),
                arguments("POST", line, "{\"add\":-3}", 200),
                arguments("POST", line, "{\"add\":0.5}", 422),
                arguments("POST", line, "{\"add\":" + thirty + "}", 422),
                arguments("POST", line, "{\"add\":[]}", 400),
                arguments("PUT", "/shop/carts/" + TOKEN + "/items/a%0Ab", "{\"quantity\":1}", 400),
                arguments(
                        "PUT",
                        "/shop/carts/" + TOKEN + "/items/" + "i".repeat(257),
                        "{\"quantity\":1}",
                        400));
    }

    private static Stream<Arguments> merges() {
        String merge = "/shop/carts/" + TOKEN + "/merge";
        return Stream.of(
                arguments("POST", merge, "{}", 400),
                arguments("POST", merge, "{\"from\":\"x\"}", 400),
                arguments("POST", merge, "{\"from\":\"" + TOKEN + "\"}", 400),
                arguments("POST", merge, "{\"from\":\"fedcba9876543210\",\"mode\":\"mean\"}", 400));
    }

    private static Stream<Arguments> rows() {
        String schedule = "/shop/rows/inv/1/schedule";
        return Stream.of(
                arguments("GET", "/shop/rows/none/1", "", 404),
                arguments("GET", "/shop/rows/inv/a%00b", "", 400),
                arguments("GET", "/shop/rows/inv/" + "i".repeat(257), "", 400),
                arguments("POST", "/shop/rows/none/get", "{\"ids\":[\"1\"]}", 404),
                arguments("POST", "/shop/rows/inv/get", "{}", 400),
                arguments("POST", "/shop/rows/inv/get", "{\"ids\":\"1\"}", 400),
                arguments("POST", "/shop/rows/inv/get", "{\"ids\":[null]}", 400),
                arguments("POST", "/shop/rows/inv/get", "{\"ids\":[\"\"]}", 400),
                arguments("POST", "/shop/rows/inv/get", "{\"ids\":[\"a\\u0000\"]}", 400),
                arguments(
                        "POST",
                        "/shop/rows/inv/get",
                        IntStream.range(0, 501)
                                .mapToObj(i -> "\"" + i + "\"")
                                .collect(Collectors.joining(",", "{\"ids\":[", "]}")),
                        400),
                arguments("PUT", schedule, "{}", 400),
                arguments("PUT", schedule, "{\"delay\":\"5\"}", 400),
                arguments("PUT", schedule, "{\"delay\":null}", 400),
                arguments("PUT", schedule, "{\"delay\":1e300}", 400),
                arguments("PUT", schedule, "{\"delay\":1e400}", 400),
                arguments("PUT", "/shop/rows/none/1/schedule", "{\"delay\":5}", 404),
                // Right, and there is nothing to remove.
                arguments("PUT", schedule, "{\"delay\":-1}", 200),
                arguments("PUT", schedule, "{\"delay\":0}", 200));
    }

    private static Stream<Arguments> purges() {
        return Stream.of(
                arguments("POST", "/shop/cache/purge", "{}", 400),
                arguments("POST", "/shop/cache/purge", "{\"all\":false}", 400),
                arguments("POST", "/shop/cache/purge", "{\"all\":true,\"item\":\"1\"}", 400),
                arguments("POST", "/shop/cache/purge", "{\"item\":\"a\\nb\"}", 400),
                arguments("POST", "/shop/cache/purge", "{\"tag\":\"\"}", 400),
                arguments("POST", "/shop/cache/purge", "{\"url\":\"/relative\"}", 400),
                arguments("POST", "/shop/cache/purge", "{\"url\":\"http://a b\"}", 400));
    }

    @ParameterizedTest(name = "{index}")
    @MethodSource("requests")
    void it_is_refused(String method, String path, String body, int status) {
        TestHub.Reply reply = hub.send(method, path, body);
        String about = "%s %.80s %.80s".formatted(method, path, body);
        assertThat(reply.status()).as(about + " " + reply.body()).isEqualTo(status);
        if (status >= 400 && status != 414) {
            assertThat(reply.header("content-type")).isEqualTo("application/problem+json");
            assertThat(reply.json().get("detail").asString()).isNotEmpty();
        }
        assertThat(Stored.in(Site.STANDALONE).ofVisitors()).as(about).isEmpty();
        for (String key : List.of("viewed:", "delay:", "schedule:")) {
            assertThat(Stored.in(Site.STANDALONE).at(key)).as(about).isEmpty();
        }
    }

    /** Cookies by the hundred do not hurt: the API takes tokens from paths alone. */
    @org.junit.jupiter.api.Test
    void cookies_by_the_hundred_are_nobodys() {
        String cookies =
                IntStream.range(0, 200)
                        .mapToObj(i -> "session=0123456789abcde" + i)
                        .collect(Collectors.joining("; "));
        assertThat(hub.send("GET", "/shop/carts/" + TOKEN, "", Map.of("Cookie", cookies)).status())
                .isEqualTo(200);
        assertThat(Stored.in(Site.STANDALONE).ofVisitors()).isEmpty();
    }
}
