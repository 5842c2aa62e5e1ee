package dev.millrace.hub.shop.pages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.hub.TestHub;
import dev.millrace.keyspace.testing.SharedServers;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;

/** The small shop in the jar, through the cache before it: what a visitor does is counted. */
class DemoShopTest {
    private static TestHub hub;
    private static Visitor visitor;

    @BeforeAll
    static void open(@TempDir Path data) {
        SharedServers.flushAll();
        hub =
                TestHub.start(
                        SharedServers.standalone().url(),
                        "shop.demo=true",
                        "shop.proxy.port=0",
                        "shop.views.window=0s",
                        "data.dir=" + data);
        visitor = new Visitor(hub.get("/shop/cache/stats").json().get("address").asString());
    }

    @AfterAll
    static void close() {
        hub.close();
    }

    private static String login(String user) {
        Visitor.Reply reply = visitor.send("POST", "/login", "user=" + user);
        assertThat(reply.status()).isEqualTo(303);
        return "Cookie: " + reply.header("Set-Cookie").split(";")[0];
    }

    private static String token(String cookie) {
        return cookie.substring(cookie.indexOf('=') + 1);
    }

    @Test
    void what_visitors_look_at_becomes_popular_and_is_kept_and_still_counted() {
        String cookie = login("ada");
        String page = "/product?item=273";
        assertThat(visitor.get(page, cookie).text()).contains("GTab 7inch").contains("629");
        await().until(() -> visitor.get(page, cookie).hit());
        int views = hub.get("/shop/items/273/popularity").json().get("views").asInt();
        assertThat(visitor.get(page, cookie).hit()).isTrue();
        await().until(
                        () ->
                                hub.get("/shop/items/273/popularity").json().get("views").asInt()
                                        > views);
        assertThat(
                        hub.get("/shop/sessions/" + token(cookie) + "/views")
                                .json()
                                .get(0)
                                .get("item")
                                .asString())
                .isEqualTo("273");
        // Nobody else's cookie, and none of his.
        Visitor.Reply other = visitor.get(page);
        assertThat(other.hit()).isTrue();
        assertThat(other.header("Set-Cookie")).isEmpty();
    }

    @Test
    void the_newest_view_is_the_first() {
        String cookie = login("bob");
        for (int item = 1; item <= 26; item++) {
            visitor.get("/product?item=" + item, cookie);
        }
        await().until(
                        () ->
                                hub.get("/shop/sessions/" + token(cookie) + "/views?limit=25")
                                                .json()
                                                .size()
                                        == 25);
        await().until(
                        () ->
                                hub.get("/shop/sessions/" + token(cookie) + "/views")
                                        .json()
                                        .get(0)
                                        .get("item")
                                        .asString()
                                        .equals("26"));
    }

    @Test
    void carts_are_of_their_visitors_alone() {
        String ada = login("ada");
        String bob = login("bob");
        visitor.send(
                "POST", "/cart", "item=3", ada, "Content-Type: application/x-www-form-urlencoded");
        assertThat(visitor.get("/cart", ada).text())
                .contains("ada")
                .contains("1 ×".replace("×", "\u00c3\u0097"));
        assertThat(visitor.get("/cart", bob).text()).contains("bob").contains("nothing yet");
        assertThat(visitor.get("/cart").text()).doesNotContain("ada").doesNotContain("bob");
        assertThat(hub.get("/shop/carts/" + token(ada)).json().get("totalQuantity").asInt())
                .isOne();
        Visitor.Reply first = visitor.send("POST", "/cart", "item=5");
        assertThat(first.header("Set-Cookie")).startsWith("session=");
    }

    @Test
    void what_is_not_there_is_missing() {
        assertThat(visitor.get("/nowhere").status()).isEqualTo(404);
        assertThat(visitor.get("/product?item=9999").status()).isEqualTo(404);
        assertThat(visitor.get("/product?item=%3Cscript%3E").text()).doesNotContain("<script>");
        assertThat(visitor.send("POST", "/cart", "item=9999").status()).isEqualTo(404);
    }
}
