package dev.millrace.hub.shop.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.hub.TestHub;
import dev.millrace.keyspace.testing.SharedServers;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** Rows of a real database, which is away now and then. */
class PostgresRowsTest {
    @TempDir private static Path directory;
    private static TestPostgres postgres;
    private TestHub hub;

    @BeforeAll
    static void startDatabase() {
        postgres = TestPostgres.start(directory);
    }

    @AfterAll
    static void stopDatabase() {
        postgres.close();
    }

    @BeforeEach
    void start() {
        SharedServers.standalone();
        SharedServers.flushAll();
        hub =
                TestHub.start(
                        SharedServers.standalone().url(),
                        "shop.rows.url=" + postgres.url(),
                        "shop.rows.tables=inv=inv/id,price=shop.price/sku/amount+at+on+small+flag"
                                + "+raw+tree+tags",
                        "shop.rows.pool=4",
                        "shop.rows.patience=1s",
                        "shop.rows.fresh=1s",
                        "shop.rows.listen=rows_changed");
    }

    @AfterEach
    void stop() {
        hub.close();
    }

    private String inv(int id) {
        return String.valueOf(SharedServers.standalone().command("GET", "inv:" + id));
    }

    @Test
    void each_type_has_its_form() {
        assertThat(hub.get("/shop/rows/inv/7").body())
                .isEqualTo("{\"id\":7,\"name\":\"item 7\",\"qty\":7,\"price\":7.5000}");
        assertThat(hub.get("/shop/rows/price/a%2Fb").body())
                .isEqualTo(
                        "{\"amount\":12345678901234567890.0123456789,"
                                + "\"at\":\"2024-02-29T10:00:00.500Z\",\"on\":\"2024-02-29\","
                                + "\"small\":1.5,\"flag\":true,\"raw\":\"AP8=\","
                                + "\"tree\":{\"a\": [1, null]},\"tags\":[\"x\",null]}");
        assertThat(hub.get("/shop/rows/price/a%2Fb%20").status()).isEqualTo(404);
    }

    /** With a quote in it, and everything else that a statement could be ended with. */
    @Test
    void an_id_is_never_a_part_of_a_statement() {
        for (String id : new String[] {"1'%20OR%20'1'='1", "1;%20DROP%20TABLE%20inv", "?", "$1"}) {
            assertThat(hub.get("/shop/rows/price/" + id).status()).as(id).isEqualTo(404);
            assertThat(hub.get("/shop/rows/inv/" + id).status()).as(id).isEqualTo(404);
        }
    }

    @Test
    void a_change_that_the_database_tells_of_shows_at_once() {
        hub.send("PUT", "/shop/rows/inv/20/schedule", "{\"delay\":3600}");
        await().until(() -> inv(20).contains("\"qty\":20,"));
        // Whoever listens has to have begun.
        await().untilAsserted(
                        () -> {
                            postgres.execute(
                                    "UPDATE inv SET qty = qty + 1000 WHERE id = 20",
                                    "NOTIFY rows_changed, 'inv:20'");
                            await().atMost(Duration.ofSeconds(3))
                                    .until(() -> !inv(20).contains("\"qty\":20,"));
                        });
    }

    /** Nobody says goodbye when a firewall forgets a connection. */
    @Test
    void changes_are_heard_again_after_a_connection_died_without_a_word() {
        hub.close();
        try (Cable cable = new Cable(postgres.port());
                TestHub far =
                        TestHub.start(
                                SharedServers.standalone().url(),
                                "shop.rows.url=" + postgres.url(cable.port()),
                                "shop.rows.patience=1s",
                                "shop.rows.listen=rows_changed")) {
            for (int item : new int[] {21, 22}) {
                far.send("PUT", "/shop/rows/inv/" + item + "/schedule", "{\"delay\":3600}");
                String before = "\"qty\":" + item + ",";
                await().until(() -> inv(item).contains(before));
                await().until(
                                () -> {
                                    postgres.execute(
                                            "UPDATE inv SET qty = qty + 1000 WHERE id = " + item,
                                            "NOTIFY rows_changed, 'inv:%d'".formatted(item));
                                    return !inv(item).contains(before);
                                });
                cable.cut();
            }
        }
    }

    /** While the database is away, rows are given out with their age; then they follow again. */
    @Test
    void rows_outlive_a_database_that_is_killed() {
        hub.send("PUT", "/shop/rows/inv/10/schedule", "{\"delay\":0.2}");
        hub.get("/shop/rows/inv/11");
        await().until(() -> inv(10).contains("\"qty\":10,"));
        postgres.kill();
        try {
            await().until(
                            () ->
                                    hub.get("/shop/rows/inv/10")
                                            .header("cache-status")
                                            .equals("rowcache; fwd=stale"));
            // Not scheduled, and older than it may be without a look.
            await().until(
                            () ->
                                    hub.get("/shop/rows/inv/11")
                                            .header("cache-status")
                                            .equals("rowcache; fwd=stale"));
            assertThat(Integer.parseInt(hub.get("/shop/rows/inv/11").header("age")))
                    .isGreaterThanOrEqualTo(1);
            TestHub.Reply never = hub.get("/shop/rows/inv/12");
            assertThat(never.status()).as(never.body()).isEqualTo(503);
            assertThat(never.header("retry-after")).isEqualTo("1");
            assertThat(hub.get("/health/ready").status()).isEqualTo(200);
            hub.send("GET", "/shop/rows/inv/10/schedule", "");
            assertThat(hub.get("/shop/rows/inv/10/schedule").json().get("failures").asInt())
                    .isPositive();
            assertThat(hub.get("/metrics").body()).contains("millrace_shop_row_refresh_failures");
        } finally {
            postgres.start();
        }
        postgres.execute("UPDATE inv SET qty = 1010 WHERE id = 10");
        await().until(() -> inv(10).contains("\"qty\":1010,"));
        await().until(() -> hub.get("/shop/rows/inv/12").status() == 200);
        await().until(
                        () ->
                                !hub.get("/shop/rows/inv/11")
                                        .header("cache-status")
                                        .equals("rowcache; fwd=stale"));
    }

    /** One that hangs costs a few their patience, and nobody a connection for good. */
    @Test
    void a_database_that_hangs_does_not_use_up_the_connections() {
        hub.get("/shop/rows/inv/30");
        postgres.pause(true);
        AtomicInteger away = new AtomicInteger();
        AtomicInteger old = new AtomicInteger();
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 200; i++) {
                String path = "/shop/rows/inv/" + (100 + i);
                threads.execute(
                        () -> {
                            if (hub.get(path).status() == 503) {
                                away.incrementAndGet();
                            }
                            String how = hub.get("/shop/rows/inv/30").header("cache-status");
                            if (how.equals("rowcache; fwd=stale") || how.equals("rowcache; hit")) {
                                old.incrementAndGet();
                            }
                        });
            }
        }
        assertThat(away).hasValue(200);
        assertThat(old).hasValue(200);
        postgres.pause(false);
        await().until(() -> hub.get("/shop/rows/inv/100").status() == 200);
        for (int i = 0; i < 200; i++) {
            assertThat(hub.get("/shop/rows/inv/" + (100 + i)).status()).isEqualTo(200);
        }
    }
}
