package dev.millrace.hub.shop.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

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

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** Rows of a database in the process, which counts how often it is asked. */
@OnEachSite
class RowsTest {
    private static final AtomicInteger DATABASES = new AtomicInteger();

    @Parameter Site site;
    private TestHub hub;
    private String url;
    private Connection database;

    @BeforeEach
    void start() throws SQLException {
        url = "jdbc:h2:mem:rows%d;DB_CLOSE_DELAY=-1".formatted(DATABASES.incrementAndGet());
        database = DriverManager.getConnection(url);
        execute(
                "CREATE TABLE base (id INT PRIMARY KEY, name VARCHAR(50), qty INT)",
                "INSERT INTO base SELECT X, 'item ' || X, X FROM SYSTEM_RANGE(1, 300)",
                "CREATE ALIAS seen FOR '" + CountedReads.class.getName() + ".read'",
                "CREATE ALIAS slow FOR '" + CountedReads.class.getName() + ".readSlowly'",
                "CREATE VIEW inv AS SELECT id, name, seen(qty) AS qty FROM base",
                "CREATE VIEW slowly AS SELECT id, slow(qty) AS qty FROM base",
                "CREATE TABLE words (word VARCHAR(50) PRIMARY KEY, meaning VARCHAR(50))",
                "INSERT INTO words VALUES ('a/b c', 'slash'), ('é', NULL)");
        SharedServers.flushAll();
        hub = open();
        CountedReads.COUNT.set(0);
    }

    private TestHub open() {
        return TestHub.start(
                site.url(),
                "shop.rows.url=" + url,
                "shop.rows.tables=inv=inv/id,slowly=slowly/id,word=words/word/meaning",
                "shop.rows.fresh=1h");
    }

    @AfterEach
    void stop() throws SQLException {
        hub.close();
        execute("SHUTDOWN");
    }

    private void execute(String... statements) throws SQLException {
        try (Statement statement = database.createStatement()) {
            for (String each : statements) {
                statement.execute(each);
            }
        }
    }

    private TestHub.Reply ok(String method, String path, String body) {
        TestHub.Reply reply = hub.send(method, path, body);
        assertThat(reply.status()).as(reply.body()).isEqualTo(200);
        return reply;
    }

    private Object stored(String key) {
        return Stored.in(site).at(key).get("");
    }

    @Test
    void a_row_is_read_once_and_given_out_from_then_on() throws SQLException {
        TestHub.Reply first = ok("GET", "/shop/rows/inv/7", "");
        assertThat(first.body()).isEqualTo("{\"id\":7,\"name\":\"item 7\",\"qty\":7}");
        assertThat(first.header("cache-status")).isEqualTo("rowcache; fwd=miss; stored");
        assertThat(first.header("age")).isEqualTo("0");
        assertThat(stored("inv:7")).isEqualTo(first.body());
        TestHub.Reply second = ok("GET", "/shop/rows/inv/7", "");
        assertThat(second.header("cache-status")).isEqualTo("rowcache; hit");
        assertThat(second.body()).isEqualTo(first.body());
        assertThat(CountedReads.COUNT).hasValue(1);
        TestHub.Reply same =
                hub.send(
                        "GET",
                        "/shop/rows/inv/7",
                        "",
                        Map.of("If-None-Match", "\"x\", " + first.header("etag")));
        assertThat(same.status()).isEqualTo(304);
        assertThat(same.body()).isEmpty();

        execute("UPDATE base SET qty = 70 WHERE id = 7");
        assertThat(ok("GET", "/shop/rows/inv/7", "").json().get("qty").asInt()).isEqualTo(7);
        assertThat(ok("POST", "/shop/rows/inv/7/refresh", "").json().get("qty").asInt())
                .isEqualTo(70);
        execute("UPDATE base SET qty = 71 WHERE id = 7");
        assertThat(hub.send("POST", "/shop/rows/inv/7/invalidate", "").status()).isEqualTo(204);
        assertThat(stored("inv:7")).isNull();
        assertThat(ok("GET", "/shop/rows/inv/7", "").json().get("qty").asInt()).isEqualTo(71);
    }

    @Test
    void a_row_that_does_not_exist_is_not_asked_for_again() throws SQLException {
        for (String id : List.of("1000", "007", "7x", "-1", "99999999999999999999", "1e2")) {
            TestHub.Reply first = hub.get("/shop/rows/inv/" + id);
            assertThat(first.status()).as(id).isEqualTo(404);
            assertThat(first.header("cache-status")).isEqualTo("rowcache; fwd=miss; stored");
            assertThat(hub.get("/shop/rows/inv/" + id).header("cache-status"))
                    .isEqualTo("rowcache; hit");
        }
        assertThat(CountedReads.COUNT).hasValue(0);
        execute("INSERT INTO base VALUES (1000, 'new', 1)");
        // Not for long, and not if somebody says that it is there now.
        String known = physical("millrace:row:inv:1000");
        assertThat((Long) site.command(known, "TTL", known)).isBetween(0L, 5L);
        hub.send("POST", "/shop/rows/inv/1000/invalidate", "");
        assertThat(hub.get("/shop/rows/inv/1000").status()).isEqualTo(200);
    }

    @Test
    void however_many_ask_at_two_hubs_one_reads() {
        List<String> bodies = Collections.synchronizedList(new ArrayList<>());
        try (TestHub second = open();
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 100; i++) {
                TestHub at = i % 2 == 0 ? hub : second;
                threads.execute(() -> bodies.add(at.get("/shop/rows/slowly/5").body()));
            }
        }
        assertThat(bodies).hasSize(100).containsOnly("{\"id\":5,\"qty\":5}");
        assertThat(CountedReads.COUNT).hasValue(1);
    }

    @Test
    void many_rows_come_by_one_query() {
        ok("GET", "/shop/rows/inv/1", "");
        JsonNode rows =
                ok("POST", "/shop/rows/inv/get", "{\"ids\":[\"1\",\"2\",\"3\",\"no\",\"2\"]}")
                        .json()
                        .get("rows");
        assertThat(rows.size()).isEqualTo(4);
        assertThat(rows.get("3").get("name").asString()).isEqualTo("item 3");
        assertThat(rows.get("no").isNull()).isTrue();
        assertThat(CountedReads.COUNT).hasValue(3);
        assertThat(hub.get("/metrics").body())
                .contains("millrace_shop_row_queries_total 2.0")
                .contains("millrace_shop_row_requests_total{answer=\"hit\"} 1.0");
    }

    @Test
    void other_tables_have_keys_of_their_own_and_give_out_what_they_are_told_to() {
        TestHub.Reply row = ok("GET", "/shop/rows/word/a%2Fb%20c", "");
        assertThat(row.body()).isEqualTo("{\"meaning\":\"slash\"}");
        assertThat(stored("row:word:a/b c")).isEqualTo(row.body());
        assertThat(ok("GET", "/shop/rows/word/%C3%A9", "").body()).isEqualTo("{\"meaning\":null}");
        assertThat(hub.get("/shop/rows/secrets/1").status()).isEqualTo(404);
        assertThat(hub.get("/shop/rows/inv/row:word:x").status()).isEqualTo(400);
        hub.send("PUT", "/shop/rows/word/a%2Fb%20c/schedule", "{\"delay\":3600}");
        assertThat(Stored.in(site).at("delay:")).isEqualTo(Map.of("row:word:a/b c", 3600.0));
        hub.send("DELETE", "/shop/rows/word/a%2Fb%20c/schedule", "");
        assertThat(Stored.in(site).keys()).doesNotContain("row:word:a/b c", "delay:", "schedule:");
    }

    @Test
    void a_scheduled_row_follows_the_database_until_it_is_not_scheduled() throws SQLException {
        TestHub.Reply put = hub.send("PUT", "/shop/rows/inv/5/schedule", "{\"delay\":0.1}");
        assertThat(put.status()).isEqualTo(202);
        assertThat(put.json().get("delay").asDouble()).isEqualTo(0.1);
        assertThat(Stored.in(site).at("delay:")).isEqualTo(Map.of("5", 0.1));
        await().until(() -> String.valueOf(stored("inv:5")).contains("\"qty\":5}"));
        execute("UPDATE base SET qty = 55 WHERE id = 5");
        await().until(() -> String.valueOf(stored("inv:5")).contains("\"qty\":55}"));
        assertThat(hub.get("/shop/rows/inv/5").header("cache-status")).isEqualTo("rowcache; hit");

        JsonNode state = ok("GET", "/shop/rows/inv/5/schedule", "").json();
        assertThat(state.get("failures").asInt()).isZero();
        assertThat(state.get("lastOk").asString()).startsWith("20");
        assertThat(ok("GET", "/shop/rows/schedule?limit=5", "").json().get(0).get("id").asString())
                .isEqualTo("5");

        assertThat(hub.send("DELETE", "/shop/rows/inv/5/schedule", "").status()).isEqualTo(204);
        assertThat(Stored.in(site).keys())
                .doesNotContain("inv:5", "delay:", "schedule:", "millrace:row:inv:5");
        assertThat(hub.get("/shop/rows/inv/5/schedule").status()).isEqualTo(404);
        // A look of the worker that began before the answer is over when another row was read
        // twice.
        hub.send("PUT", "/shop/rows/inv/6/schedule", "{\"delay\":0.05}");
        String first = awaitLoaded("millrace:row:inv:6", "");
        awaitLoaded("millrace:row:inv:6", first);
        assertThat(stored("inv:5")).isNull();
        hub.send("PUT", "/shop/rows/inv/6/schedule", "{\"delay\":0}");
        assertThat(stored("inv:6")).isNull();
    }

    private String awaitLoaded(String key, String before) {
        String[] loaded = {before};
        await().until(
                        () -> {
                            Object now = Stored.in(site).at(key).get("loaded");
                            loaded[0] = now == null ? before : now.toString();
                            return !loaded[0].equals(before);
                        });
        return loaded[0];
    }

    @Test
    void many_due_rows_are_read_in_few_queries_and_by_one_hub() {
        double before = metric("millrace_shop_row_queries_total");
        // Claimed together: scheduled by another program, whose rows they are too.
        for (int i = 1; i <= 200; i++) {
            hub.send("PUT", "/shop/rows/inv/" + i + "/schedule", "{\"delay\":3600}");
        }
        await().until(
                        () ->
                                Stored.in(site).keys().stream()
                                                .filter(key -> key.startsWith("inv:"))
                                                .count()
                                        == 200);
        assertThat(CountedReads.COUNT).hasValue(200);
        assertThat(metric("millrace_shop_row_queries_total") - before).isLessThanOrEqualTo(200);
        try (TestHub second = open()) {
            hub.send("PUT", "/shop/rows/inv/250/schedule", "{\"delay\":3600}");
            await().until(() -> stored("inv:250") != null);
            assertThat(second.get("/shop/rows/inv/250").header("cache-status"))
                    .isEqualTo("rowcache; hit");
        }
        assertThat(CountedReads.COUNT).hasValue(201);
    }

    private double metric(String name) {
        return hub.get("/metrics")
                .body()
                .lines()
                .filter(line -> line.startsWith(name + " "))
                .mapToDouble(line -> Double.parseDouble(line.substring(name.length() + 1)))
                .sum();
    }

    @Test
    void what_another_program_schedules_is_refreshed_and_what_is_broken_is_dropped() {
        hub.send("PUT", "/shop/rows/inv/9/schedule", "{\"delay\":3600}");
        await().until(() -> stored("inv:9") != null);
        String delay = physical("delay:");
        String schedule = physical("schedule:");
        // Of the same shard on a cluster: what other programs write there they find by our keys.
        site.command(schedule, "ZADD", schedule, "1", "no-delay");
        site.command(delay, "ZADD", delay, "0", "9");
        site.command(schedule, "ZADD", schedule, "1", "9");
        await().until(() -> !Stored.in(site).keys().contains("schedule:"));
        assertThat(Stored.in(site).keys()).doesNotContain("inv:9", "delay:", "millrace:row:inv:9");
        if (site == Site.STANDALONE) {
            site.command(delay, "ZADD", delay, "3600", "11");
            site.command(schedule, "ZADD", schedule, "1", "11");
            await().until(() -> stored("inv:11") != null);
        }
    }

    private String physical(String key) {
        return site.allKeys().stream().filter(each -> each.endsWith(key)).findFirst().orElseThrow();
    }

    @Test
    void a_row_that_vanishes_goes_and_comes_back() throws SQLException {
        hub.send("PUT", "/shop/rows/inv/5/schedule", "{\"delay\":0.05}");
        await().until(() -> stored("inv:5") != null);
        execute("DELETE FROM base WHERE id = 5");
        await().until(() -> stored("inv:5") == null);
        assertThat(hub.get("/shop/rows/inv/5").status()).isEqualTo(404);
        assertThat(ok("GET", "/shop/rows/inv/5/schedule", "").json().get("missingSince").asString())
                .startsWith("20");
        execute("INSERT INTO base VALUES (5, 'again', 1)");
        await().until(() -> String.valueOf(stored("inv:5")).contains("again"));
    }

    @Test
    void a_cart_shows_what_the_shop_has_of_its_items() {
        String cart = "/shop/carts/a-token-of-a-cart-1";
        ok("PUT", cart + "/items/3", "{\"quantity\":3}");
        ok("PUT", cart + "/items/4", "{\"quantity\":5}");
        ok("PUT", cart + "/items/none", "{\"quantity\":1}");
        JsonNode items = ok("GET", cart + "?expand=rows", "").json().get("items");
        assertThat(items.get(0).at("/row/name").asString()).isEqualTo("item 3");
        assertThat(items.get(0).get("available").asBoolean()).isTrue();
        assertThat(items.get(1).get("available").asBoolean()).isFalse();
        assertThat(items.get(2).has("row")).isFalse();
        assertThat(items.get(2).get("available").asBoolean()).isFalse();
    }
}
