package dev.millrace.hub.shop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.hub.TestHub;
import dev.millrace.keyspace.testing.SharedServers;
import dev.millrace.keyspace.testing.TestServer;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Objects;

/**
 * The original's own tests, with its functions replaced by ours; and its functions, command by
 * command, on what we have written.
 */
class ReferenceShopTest {
    private static final String TOKEN = "EB9382CA-0376-4558-B271-EA230BDB7EAF";
    private TestServer redis;
    private TestHub hub;

    @BeforeEach
    void start() {
        redis = SharedServers.standalone();
        SharedServers.flushAll();
        hub =
                TestHub.start(
                        redis.url(),
                        "shop.rows.url=jdbc:h2:mem:reference;INIT=CREATE TABLE IF NOT EXISTS inv AS"
                                + " SELECT 'itemX' AS id, 'data to cache...' AS data");
    }

    @AfterEach
    void stop() {
        hub.close();
    }

    private void update(String user, String item) {
        hub.send(
                "PUT",
                "/shop/sessions/" + TOKEN,
                "{\"user\":\"" + user + "\",\"item\":\"" + item + "\"}");
    }

    private void clean() {
        hub.send("POST", "/shop/sessions/clean", "{\"limit\":0}");
    }

    @Test
    void login_cookies() {
        update("username", "itemX");
        assertThat(redis.command("HGET", "login:", TOKEN)).isEqualTo("username");
        clean();
        assertThat(redis.command("HLEN", "login:")).isEqualTo(0L);
    }

    @Test
    void cart_cookies() {
        update("username", "itemX");
        hub.send("PUT", "/shop/carts/" + TOKEN + "/items/itemY", "{\"quantity\":3}");
        assertThat(redis.command("HGETALL", "cart:" + TOKEN)).isEqualTo(List.of("itemY", "3"));
        clean();
        assertThat(redis.command("HGETALL", "cart:" + TOKEN)).isEqualTo(List.of());
    }

    @Test
    void row_cache() {
        hub.send("PUT", "/shop/rows/inv/itemX/schedule", "{\"delay\":0.5}");
        assertThat(redis.command("ZCARD", "schedule:")).isEqualTo(1L);
        await().until(() -> redis.command("GET", "inv:itemX") != null);
        assertThat(redis.command("GET", "inv:itemX"))
                .isEqualTo("{\"id\":\"itemX\",\"data\":\"data to cache...\"}");
        hub.send("PUT", "/shop/rows/inv/itemX/schedule", "{\"delay\":-1}");
        assertThat(redis.command("GET", "inv:itemX")).isNull();
        assertThat(redis.command("EXISTS", "delay:", "schedule:")).isEqualTo(0L);
    }

    /** What the original calls schedule_row_cache, with a delay and without. */
    @Test
    void a_row_that_the_original_schedules_is_kept_until_it_says_otherwise() {
        redis.command("ZADD", "delay:", "5", "itemX");
        redis.command("ZADD", "schedule:", "1700000000.25", "itemX");
        await().until(() -> redis.command("GET", "inv:itemX") != null);
        redis.command("ZADD", "delay:", "-1", "itemX");
        redis.command("ZADD", "schedule:", "1700000000.25", "itemX");
        await().until(() -> redis.command("GET", "inv:itemX") == null);
        assertThat(redis.command("EXISTS", "delay:", "schedule:")).isEqualTo(0L);
    }

    /** What it calls update_token, check_token and add_to_cart. */
    @Test
    void sessions_and_carts_of_the_original_are_ours_too() {
        String now = "" + System.currentTimeMillis() / 1000.0;
        redis.command("HSET", "login:", TOKEN, "user1");
        redis.command("ZADD", "recent:", now, TOKEN);
        redis.command("ZADD", "viewed:" + TOKEN, now, "item1");
        redis.command("ZREMRANGEBYRANK", "viewed:" + TOKEN, "0", "-26");
        redis.command("ZINCRBY", "viewed:", "-1", "item1");
        redis.command("HSET", "cart:" + TOKEN, "item1", "10");
        String session = "/shop/sessions/" + TOKEN;
        assertThat(hub.get(session).json().get("user").asString()).isEqualTo("user1");
        assertThat(hub.get(session + "/views").json().get(0).get("item").asString())
                .isEqualTo("item1");
        assertThat(hub.get("/shop/items/item1/popularity").json().get("rank").asInt()).isZero();
        assertThat(hub.get("/shop/carts/" + TOKEN).json().get("totalQuantity").asInt())
                .isEqualTo(10);
        assertThat(hub.get("/shop/users/user1/sessions").json().get("sessions").size())
                .isLessThanOrEqualTo(1);
        assertThat(hub.send("DELETE", session, "").status()).isEqualTo(204);
        assertThat(redis.command("EXISTS", "login:", "recent:", "viewed:" + TOKEN, "cart:" + TOKEN))
                .isEqualTo(0L);
    }

    /** What it calls clean_full_sessions, and rescale_viewed. */
    @Test
    void the_cleaner_of_the_original_works_on_what_we_have_written() {
        update("username", "itemX");
        hub.send("PUT", "/shop/carts/" + TOKEN + "/items/itemY", "{\"quantity\":3}");
        List<?> tokens = (List<?>) redis.command("ZRANGE", "recent:", "0", "0");
        String token = String.valueOf(Objects.requireNonNull(tokens).getFirst());
        redis.command("DEL", "viewed:" + token, "cart:" + token);
        redis.command("HDEL", "login:", token);
        redis.command("ZREM", "recent:", token);
        assertThat(hub.get("/shop/sessions/" + TOKEN).status()).isEqualTo(404);
        assertThat(hub.get("/shop/carts/" + TOKEN).json().get("items").size()).isZero();
        redis.command("ZREMRANGEBYRANK", "viewed:", "20000", "-1");
        redis.command("ZINTERSTORE", "viewed:", "1", "viewed:", "WEIGHTS", "0.5");
        assertThat(hub.get("/shop/items/itemX/popularity").json().get("views").asDouble())
                .isEqualTo(0.5);
        // The same visitor comes again.
        update("username", "itemX");
        assertThat(hub.get("/shop/sessions/" + TOKEN).status()).isEqualTo(200);
    }
}
