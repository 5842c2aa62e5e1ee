package dev.millrace.keyspace.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.keyspace.redis.options.RedisOptions;
import dev.millrace.keyspace.testing.TestCluster;
import dev.millrace.keyspace.testing.TestServer;

import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** A subscription outlives its connection and its server, and says when it missed something. */
final class SubscriptionFaultTest {
    private static final List<String> CHANNELS = List.of("news", "weather");

    private static void until(Callable<Boolean> condition) {
        await().atMost(120, TimeUnit.SECONDS).until(condition);
    }

    private static final class Ears implements Subscription.Listener {
        final List<String> heard = new CopyOnWriteArrayList<>();
        final AtomicInteger listening = new AtomicInteger();

        @Override
        public void message(String channel, byte[] body) {
            heard.add(channel + " " + new String(body, StandardCharsets.UTF_8));
            if (heard.getLast().endsWith("bad")) {
                throw new IllegalStateException("a listener with a bug");
            }
        }

        @Override
        public void listening(String channel) {
            listening.incrementAndGet();
        }
    }

    @Test
    void it_comes_back_after_its_connection_was_killed_and_says_so() {
        Ears ears = new Ears();
        try (TestServer server = TestServer.start();
                Redis redis = Redis.open(RedisOptions.of(server.url()));
                Subscription subscription = redis.subscribe(CHANNELS, ears)) {
            for (int round = 1; round <= 3; round++) {
                int expected = round;
                until(() -> ears.listening.get() == 2 * expected);
                server.command("PUBLISH", "news", "n" + round);
                server.command("PUBLISH", "weather", "w" + round);
                until(() -> ears.heard.size() == 2 * expected);
                assertThat(ears.heard).endsWith("news n" + round, "weather w" + round);
                server.command("CLIENT", "KILL", "TYPE", "pubsub");
            }
            assertThat(subscription).isNotNull();
        }
    }

    @Test
    void it_comes_back_after_the_server_was_restarted() {
        Ears ears = new Ears();
        try (TestServer server = TestServer.start();
                Redis redis = Redis.open(RedisOptions.of(server.url()));
                Subscription subscription = redis.subscribe(CHANNELS, ears)) {
            until(() -> ears.listening.get() == 2);
            server.restart();
            until(() -> ears.listening.get() == 4);
            server.command("PUBLISH", "news", "again");
            until(() -> ears.heard.equals(List.of("news again")));
            assertThat(subscription).isNotNull();
        }
    }

    @Test
    void a_listener_that_throws_goes_on_listening() {
        Ears ears = new Ears();
        try (TestServer server = TestServer.start();
                Redis redis = Redis.open(RedisOptions.of(server.url()));
                Subscription subscription = redis.subscribe(CHANNELS, ears)) {
            until(() -> ears.listening.get() == 2);
            server.command("PUBLISH", "news", "bad");
            server.command("PUBLISH", "news", "good");
            until(() -> ears.heard.equals(List.of("news bad", "news good")));
            assertThat(ears.listening).hasValue(2);
            assertThat(subscription).isNotNull();
        }
    }

    @Test
    void it_ends_with_the_connection_to_redis() {
        Ears ears = new Ears();
        try (TestServer server = TestServer.start()) {
            Redis redis = Redis.open(RedisOptions.of(server.url()));
            redis.subscribe(CHANNELS, ears);
            until(() -> ears.listening.get() == 2);
            String before = server.info("total_connections_received").orElseThrow();
            redis.close();
            until(() -> server.info("pubsub_channels").orElseThrow().equals("0"));
            await().during(600, TimeUnit.MILLISECONDS)
                    .atMost(120, TimeUnit.SECONDS)
                    .until(
                            () ->
                                    server.info("total_connections_received")
                                            .orElseThrow()
                                            .equals(before));
            assertThat(ears.listening).hasValue(2);
        }
    }

    @Test
    void in_a_cluster_it_moves_to_a_node_that_lives() {
        Ears ears = new Ears();
        try (TestCluster cluster = TestCluster.start();
                Redis redis = Redis.open(RedisOptions.of(cluster.url()));
                Subscription subscription = redis.subscribe(CHANNELS, ears)) {
            until(() -> ears.listening.get() == 2);
            TestServer used =
                    cluster.nodes().stream()
                            .filter(node -> !node.info("pubsub_channels").orElseThrow().equals("0"))
                            .findFirst()
                            .orElseThrow();
            used.kill();
            until(() -> ears.listening.get() == 4);
            cluster.nodes().stream()
                    .filter(TestServer::alive)
                    .forEach(node -> node.command("PUBLISH", "news", "still"));
            until(() -> ears.heard.contains("news still"));
            assertThat(subscription).isNotNull();
        }
    }

    @Test
    void channels_come_and_go_while_it_listens() {
        Ears ears = new Ears();
        try (TestServer server = TestServer.start();
                Redis redis = Redis.open(RedisOptions.of(server.url()));
                Subscription subscription = redis.subscribe(List.of(), ears)) {
            subscription.listen("news");
            until(() -> ears.listening.get() == 1);
            server.command("PUBLISH", "news", "first");
            server.command("PUBLISH", "weather", "unheard");
            subscription.listen("weather");
            until(() -> ears.listening.get() == 2);
            server.command("PUBLISH", "weather", "rain");
            subscription.leave("news");
            until(() -> server.info("pubsub_channels").orElseThrow().equals("1"));
            server.command("PUBLISH", "news", "unheard");
            server.command("CLIENT", "KILL", "TYPE", "pubsub");
            until(() -> ears.listening.get() == 3);
            server.command("PUBLISH", "weather", "sun");
            until(() -> ears.heard.size() == 3);
            assertThat(ears.heard).containsExactly("news first", "weather rain", "weather sun");
        }
    }
}
