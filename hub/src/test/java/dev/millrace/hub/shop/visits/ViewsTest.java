package dev.millrace.hub.shop.visits;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.hub.TestHub;
import dev.millrace.hub.shop.Stored;
import dev.millrace.keyspace.testing.OnEachSite;
import dev.millrace.keyspace.testing.SharedServers;
import dev.millrace.keyspace.testing.Site;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;

import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;

/** What visitors look at, and what that makes popular. */
@OnEachSite
class ViewsTest {
    @Parameter Site site;

    private TestHub start(String... settings) {
        String url = site.url();
        SharedServers.flushAll();
        return TestHub.start(url, settings);
    }

    private static String made(TestHub hub) {
        return hub.send("POST", "/shop/sessions", "{}").json().get("token").asString();
    }

    private static TestHub.Reply view(TestHub hub, String token, String item) {
        return hub.send(
                "POST", "/shop/sessions/" + token + "/views", "{\"item\":\"" + item + "\"}");
    }

    @Test
    void the_last_twenty_five_views_are_kept_in_their_order() {
        try (TestHub hub = start()) {
            String token = made(hub);
            for (int i = 0; i < 26; i++) {
                assertThat(view(hub, token, "item" + i).status()).isEqualTo(200);
            }
            String path = "/shop/sessions/" + token + "/views";
            List<String> items = new ArrayList<>();
            hub.get(path).json().forEach(each -> items.add(each.get("item").asString()));
            assertThat(items)
                    .isEqualTo(IntStream.range(0, 25).mapToObj(i -> "item" + (25 - i)).toList());
            view(hub, token, "item7");
            assertThat(hub.get(path + "?limit=1").json().get(0).get("item").asString())
                    .isEqualTo("item7");
            assertThat(Stored.in(site).at("viewed:" + token)).hasSize(25);

            assertThat(hub.send("DELETE", path + "/item7", "").status()).isEqualTo(204);
            assertThat(hub.get(path).json().size()).isEqualTo(24);
            assertThat(hub.send("DELETE", path, "").status()).isEqualTo(204);
            assertThat(hub.get(path).json().size()).isZero();
            assertThat(view(hub, "0123456789abcdef", "item1").status()).isEqualTo(404);
        }
    }

    @Test
    void views_count_once_per_visitor_in_a_while_and_are_halved() {
        try (TestHub hub = start()) {
            for (int i = 0; i < 23; i++) {
                String token = made(hub);
                view(hub, token, "much");
                // A reload within the window counts as the same.
                view(hub, token, "much");
            }
            view(hub, made(hub), "little");
            assertThat(Stored.in(site).at("viewed:"))
                    .isEqualTo(Map.of("much", -23.0, "little", -1.0));
            JsonNode much = hub.get("/shop/items/much/popularity").json();
            assertThat(much.get("rank").asInt()).isZero();
            assertThat(much.get("views").asDouble()).isEqualTo(23);
            assertThat(much.get("cacheable").asBoolean()).isTrue();
            JsonNode never = hub.get("/shop/items/never%2Fseen/popularity").json();
            assertThat(never.get("rank").isNull()).isTrue();
            assertThat(never.get("cacheable").asBoolean()).isFalse();
            assertThat(hub.get("/shop/items/popular").json().toString())
                    .isEqualTo(
                            "[{\"item\":\"much\",\"rank\":0,\"views\":23.0},"
                                    + "{\"item\":\"little\",\"rank\":1,\"views\":1.0}]");

            assertThat(hub.send("POST", "/shop/popularity/rescale", "").json().toString())
                    .isEqualTo("{\"kept\":2,\"dropped\":0}");
            assertThat(Stored.in(site).at("viewed:"))
                    .isEqualTo(Map.of("much", -11.5, "little", -0.5));
            for (int i = 0; i < 6; i++) {
                hub.send("POST", "/shop/popularity/rescale", "");
            }
            // What has faded goes, so that nothing is halved for ever.
            assertThat(Stored.in(site).at("viewed:")).containsOnlyKeys("much");
        }
    }

    @Test
    void a_window_of_nothing_counts_every_view() {
        try (TestHub hub = start("shop.views.window=0s")) {
            String token = made(hub);
            view(hub, token, "i");
            view(hub, token, "i");
            assertThat(Stored.in(site).at("viewed:")).isEqualTo(Map.of("i", -2.0));
        }
    }

    @Test
    void only_the_most_popular_are_kept_and_the_first_ones_are_cacheable() throws Exception {
        try (TestHub hub = start()) {
            PopularStore popular =
                    new PopularStore(
                            hub.keyspace(),
                            new ViewSettings(
                                    25, Duration.ZERO, 20_000, 10_000, Duration.ofSeconds(300)));
            try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
                for (int i = 0; i < 20_005; i++) {
                    String item = "item%05d".formatted(i);
                    threads.execute(() -> popular.count(item));
                }
            }
            assertThat(Stored.in(site).at("viewed:")).hasSize(20_005);
            assertThat(hub.send("POST", "/shop/popularity/rescale", "").json().toString())
                    .isEqualTo("{\"kept\":20000,\"dropped\":5}");
            assertThat(Stored.in(site).at("viewed:"))
                    .hasSize(20_000)
                    .containsKey("item00000")
                    .doesNotContainKey("item20000");
            JsonNode last = hub.get("/shop/items/item09999/popularity").json();
            assertThat(last.get("rank").asInt()).isEqualTo(9_999);
            assertThat(last.get("cacheable").asBoolean()).isTrue();
            JsonNode beyond = hub.get("/shop/items/item10000/popularity").json();
            assertThat(beyond.get("rank").asInt()).isEqualTo(10_000);
            assertThat(beyond.get("cacheable").asBoolean()).isFalse();
        }
    }

    @Test
    void popularity_is_halved_by_itself_by_one_hub() {
        try (TestHub hub = start("shop.views.rescale=1s");
                TestHub second = TestHub.start(site.url(), "shop.views.rescale=1s")) {
            view(hub, made(hub), "i");
            // However often, until nothing of it is left.
            await().until(() -> !Double.valueOf(-1).equals(Stored.in(site).at("viewed:").get("i")));
            assertThat(second.get("/shop/items/popular").status()).isEqualTo(200);
        }
    }
}
