package dev.millrace.hub.shop.pages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.hub.TestHub;
import dev.millrace.hub.shop.visits.PopularItems;
import dev.millrace.keyspace.testing.TestServer;

import org.junit.jupiter.api.Test;

/** A shop goes on without Redis: the cache never makes a request fail. */
class PagesWithoutRedisTest {
    @Test
    void pages_come_from_memory_and_from_the_application() {
        try (TestServer server = TestServer.start();
                Shopfront shop =
                        Shopfront.open(
                                server.url(),
                                new Application(Application.page("page")),
                                TestHub.IMPATIENT)) {
            String[] items = Shopfront.items(3);
            PopularItems.seen(shop.hub.keyspace(), items);
            String kept = "/?item=" + items[0];
            shop.visitor.get(kept);
            assertThat(shop.visitor.get(kept).hit()).isTrue();
            server.pause();
            assertThat(shop.visitor.get(kept).hit()).isTrue();
            String fresh = "/?item=" + items[1];
            assertThat(shop.visitor.get(fresh).text()).isEqualTo("page");
            assertThat(shop.visitor.get(fresh).text()).isEqualTo("page");
            assertThat(shop.visitor.get("/anything").text()).isEqualTo("page");
            assertThat(shop.visitor.send("PURGE", kept, "").status()).isEqualTo(503);
            server.resume();
            String later = "/?item=" + items[2];
            await().until(
                            () -> {
                                shop.visitor.get(later);
                                return shop.hub.get("/shop/cache/pages").body().contains(items[2]);
                            });
        }
    }
}
