package dev.millrace.hub.shop.carts;

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

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/** Carts as an application sees them, and on the keys that other programs know. */
@OnEachSite
class CartsTest {
    private static final String TOKEN = "0123456789abcdefA";
    private static final String CART = "/shop/carts/" + TOKEN;

    @Parameter Site site;
    private TestHub hub;

    @BeforeEach
    void start() {
        String url = site.url();
        SharedServers.flushAll();
        hub = TestHub.start(url, "shop.carts.lines=20", "shop.carts.quantity=1000");
    }

    @AfterEach
    void stop() {
        hub.close();
    }

    private TestHub.Reply ok(String method, String path, String body) {
        TestHub.Reply reply = hub.send(method, path, body);
        assertThat(reply.status()).as(reply.body()).isEqualTo(200);
        return reply;
    }

    private static String lines(TestHub.Reply reply) {
        List<String> lines = new ArrayList<>();
        JsonNode cart = reply.json().has("cart") ? reply.json().get("cart") : reply.json();
        cart.get("items")
                .forEach(
                        each ->
                                lines.add(
                                        each.get("item").asString() + "=" + each.get("quantity")));
        return String.join(" ", lines);
    }

    @Test
    void a_cart_is_filled_changed_and_emptied() {
        TestHub.Reply empty = ok("GET", CART, "");
        assertThat(empty.header("etag")).isEqualTo("\"0\"");
        assertThat(empty.json().get("version").asInt()).isZero();
        assertThat(empty.json().get("items").size()).isZero();
        assertThat(Stored.in(site).ofVisitors()).isEmpty();

        TestHub.Reply one = ok("PUT", CART + "/items/item1", "{\"quantity\":10}");
        assertThat(one.header("etag")).isEqualTo("\"1\"");
        assertThat(Stored.in(site).at("cart:" + TOKEN)).isEqualTo(Map.of("item1", "10"));
        ok("POST", CART + "/items/a%2Fb", "{\"add\":3}");
        TestHub.Reply less = ok("POST", CART + "/items/item1", "{\"add\":-4}");
        assertThat(lines(less)).isEqualTo("a/b=3 item1=6");
        assertThat(less.json().get("totalQuantity").asInt()).isEqualTo(9);
        assertThat(less.json().get("version").asInt()).isEqualTo(3);
        assertThat(less.json().get("updatedAt").asString()).startsWith("20").endsWith("Z");
        assertThat(lines(ok("POST", CART + "/items/item1", "{\"add\":-100}"))).isEqualTo("a/b=3");
        assertThat(lines(ok("DELETE", CART + "/items/never", ""))).isEqualTo("a/b=3");
        assertThat(lines(ok("PUT", CART + "/items/a%2Fb", "{\"quantity\":-1}"))).isEmpty();
        assertThat(Stored.in(site).keys()).doesNotContain("cart:" + TOKEN);

        String all =
                "{\"items\":[{\"item\":\"x\",\"quantity\":2},{\"item\":\"y\",\"quantity\":0}]}";
        assertThat(lines(ok("PUT", CART, all))).isEqualTo("x=2");
        assertThat(lines(ok("PUT", CART, ok("GET", CART, "").body()))).isEqualTo("x=2");
        assertThat(hub.send("DELETE", CART, "").status()).isEqualTo(204);
        assertThat(Stored.in(site).keys()).doesNotContain("cart:" + TOKEN);
        assertThat(hub.send("GET", CART, "", Map.of("If-None-Match", "\"7\"")).status())
                .isEqualTo(304);
    }

    @Test
    void a_change_of_an_older_version_is_refused_with_the_present_cart() {
        ok("PUT", CART + "/items/i", "{\"quantity\":1}");
        Map<String, String> first = Map.of("If-Match", "\"1\"");
        assertThat(hub.send("PUT", CART + "/items/i", "{\"quantity\":5}", first).status())
                .isEqualTo(200);
        TestHub.Reply stale = hub.send("PUT", CART + "/items/i", "{\"quantity\":7}", first);
        assertThat(stale.status()).isEqualTo(412);
        assertThat(stale.header("content-type")).isEqualTo("application/problem+json");
        assertThat(stale.header("etag")).isEqualTo("\"2\"");
        assertThat(lines(stale)).isEqualTo("i=5");
        for (String match : List.of("\"7\"", "nonsense", "W/\"2\"", "\"02\"", "\"\"")) {
            assertThat(hub.send("DELETE", CART, "", Map.of("If-Match", match)).status())
                    .as(match)
                    .isEqualTo(412);
        }
        assertThat(hub.send("DELETE", CART, "", Map.of("If-Match", "*")).status()).isEqualTo(204);
    }

    @Test
    void a_hundred_who_add_one_add_a_hundred_and_one_of_two_writers_wins() throws Exception {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 100; i++) {
                threads.execute(() -> ok("POST", CART + "/items/i", "{\"add\":1}"));
            }
        }
        assertThat(Stored.in(site).at("cart:" + TOKEN)).isEqualTo(Map.of("i", "100"));
        List<Future<Integer>> writers = new ArrayList<>();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 1; i <= 2; i++) {
                String body = "{\"quantity\":" + i + "}";
                writers.add(
                        threads.submit(
                                () ->
                                        hub.send(
                                                        "PUT",
                                                        CART + "/items/i",
                                                        body,
                                                        Map.of("If-Match", "\"100\""))
                                                .status()));
            }
        }
        assertThat(List.of(writers.get(0).get(), writers.get(1).get()))
                .containsExactlyInAnyOrder(200, 412);
    }

    @Test
    void the_same_key_changes_a_cart_once() {
        Map<String, String> key = Map.of("Idempotency-Key", "order 7");
        TestHub.Reply first = hub.send("POST", CART + "/items/i", "{\"add\":2}", key);
        ok("POST", CART + "/items/j", "{\"add\":1}");
        TestHub.Reply again = hub.send("POST", CART + "/items/i", "{\"add\":2}", key);
        assertThat(again.status()).isEqualTo(200);
        assertThat(again.body()).isEqualTo(first.body());
        assertThat(lines(ok("GET", CART, ""))).isEqualTo("i=2 j=1");
        TestHub.Reply other = hub.send("POST", CART + "/items/i", "{\"add\":3}", key);
        assertThat(other.status()).isEqualTo(422);
        assertThat(other.json().get("code").asString()).isEqualTo("key-reused");
        assertThat(
                        hub.send(
                                        "POST",
                                        CART + "/items/i",
                                        "{\"add\":3}",
                                        Map.of("Idempotency-Key", " "))
                                .status())
                .isEqualTo(400);
        assertThat(lines(ok("GET", CART, ""))).isEqualTo("i=2 j=1");
    }

    @Test
    void two_carts_become_one() {
        // On the cluster, some of these live together and some do not.
        for (int i = 0; i < 12; i++) {
            String from = "from-a-visitor-" + i + "x".repeat(16);
            String target = "/shop/carts/to-a-customer-" + i + "x".repeat(16);
            String mode = List.of("max", "sum", "theirs", "ours").get(i % 4);
            ok("PUT", "/shop/carts/" + from, items("a", 5, "b", 1));
            ok("PUT", target, items("b", 7, "c", 999));
            String wish = "{\"from\":\"" + from + "\",\"mode\":\"" + mode + "\"}";
            Map<String, String> key = Map.of("Idempotency-Key", "login");
            TestHub.Reply merged = hub.send("POST", target + "/merge", wish, key);
            assertThat(lines(merged))
                    .as(mode)
                    .isEqualTo("a=5 b=%d c=999".formatted(List.of(7, 8, 1, 7).get(i % 4)));
            assertThat(lines(ok("GET", "/shop/carts/" + from, ""))).isEmpty();
            assertThat(hub.send("POST", target + "/merge", wish, key).body())
                    .isEqualTo(merged.body());
            // What came into the other cart since then stays there.
            ok("PUT", "/shop/carts/" + from + "/items/new", "{\"quantity\":1}");
            assertThat(hub.send("POST", target + "/merge", wish, key).body())
                    .isEqualTo(merged.body());
            assertThat(lines(ok("GET", "/shop/carts/" + from, ""))).isEqualTo("new=1");
        }
        // Nothing larger than the shop allows comes of it, and nothing is merged by halves.
        ok("PUT", CART, items("a", 999, "b", 1));
        ok("PUT", "/shop/carts/from-a-visitor-0" + "x".repeat(16), items("a", 5, "c", 1));
        String wish = "{\"from\":\"from-a-visitor-0" + "x".repeat(16) + "\",\"mode\":\"sum\"}";
        TestHub.Reply stale = hub.send("POST", CART + "/merge", wish, Map.of("If-Match", "\"9\""));
        assertThat(stale.status()).isEqualTo(412);
        assertThat(lines(ok("POST", CART + "/merge", wish))).isEqualTo("a=1000 b=1 c=1");
        assertThat(hub.send("POST", CART + "/merge", "{\"from\":\"" + TOKEN + "\"}").status())
                .isEqualTo(400);
    }

    private static String items(String first, int one, String second, int other) {
        return "{\"items\":[{\"item\":\"%s\",\"quantity\":%d},{\"item\":\"%s\",\"quantity\":%d}]}"
                .formatted(first, one, second, other);
    }

    @Test
    void what_another_program_puts_into_a_cart_is_there_and_changes_its_version() {
        ok("PUT", CART + "/items/i", "{\"quantity\":1}");
        String key = physical("cart:" + TOKEN);
        site.command(key, "HSET", key, "j", "3", "broken", "x", "half", "1.5");
        TestHub.Reply seen = ok("GET", CART, "");
        assertThat(lines(seen)).isEqualTo("i=1 j=3");
        assertThat(seen.json().get("version").asInt()).isEqualTo(2);
        assertThat(ok("GET", CART, "").json().get("version").asInt()).isEqualTo(2);
        site.command(key, "HSET", key, "j", "4");
        Map<String, String> two = Map.of("If-Match", "\"2\"");
        assertThat(hub.send("PUT", CART + "/items/i", "{\"quantity\":9}", two).status())
                .isEqualTo(412);
        assertThat(lines(ok("POST", CART + "/items/j", "{\"add\":1}"))).isEqualTo("i=1 j=5");
        site.command(key, "DEL", key);
        assertThat(lines(ok("GET", CART, ""))).isEmpty();
    }

    private String physical(String key) {
        return site.allKeys().stream()
                .filter(each -> each.endsWith(key) && !each.contains("millrace:"))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void a_cart_lives_with_its_session_and_without_one_for_a_while() {
        ok("PUT", CART + "/items/i", "{\"quantity\":1}");
        String cart = physical("cart:" + TOKEN);
        assertThat((Long) site.command(cart, "TTL", cart)).isBetween(2_591_000L, 2_592_000L);
        hub.send("PUT", "/shop/sessions/" + TOKEN, "{\"user\":\"ada\"}");
        assertThat(site.command(cart, "TTL", cart)).isEqualTo(-1L);
        Object before = Stored.in(site).at("recent:").get(TOKEN);
        ok("PUT", CART + "/items/i", "{\"quantity\":2}");
        assertThat((Double) Stored.in(site).at("recent:").get(TOKEN))
                .isGreaterThan((Double) before);
        assertThat(site.command(cart, "TTL", cart)).isEqualTo(-1L);
        assertThat(hub.send("DELETE", "/shop/sessions/" + TOKEN + "?cart=keep", "").status())
                .isEqualTo(204);
        assertThat((Long) site.command(cart, "TTL", cart)).isPositive();
        assertThat(lines(ok("GET", CART, ""))).isEqualTo("i=2");
        hub.send("PUT", "/shop/sessions/" + TOKEN, "{\"user\":\"ada\"}");
        hub.send("DELETE", "/shop/sessions/" + TOKEN, "");
        assertThat(Stored.in(site).ofVisitors()).isEmpty();
    }

    @Test
    void a_cart_has_limits() {
        for (int i = 0; i < 20; i++) {
            ok("PUT", CART + "/items/i" + i, "{\"quantity\":1000}");
        }
        TestHub.Reply many = hub.send("PUT", CART + "/items/more", "{\"quantity\":1}");
        assertThat(many.status()).isEqualTo(422);
        assertThat(hub.send("POST", CART + "/items/i1", "{\"add\":1}").status()).isEqualTo(422);
        assertThat(ok("GET", CART, "").json().get("totalQuantity").asInt()).isEqualTo(20_000);
        // What is there already may be taken from, or replaced.
        ok("POST", CART + "/items/i1", "{\"add\":-1}");
        ok("PUT", CART + "/items/i2", "{\"quantity\":3}");
    }
}
