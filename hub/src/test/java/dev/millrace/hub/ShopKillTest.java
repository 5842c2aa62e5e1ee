package dev.millrace.hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.hub.cli.Millrace;
import dev.millrace.keyspace.testing.TestServer;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A hub is killed amid everything that visitors do. Nothing is left half done: what belongs to no
 * session ends by itself, and the next hub finds a shop that is whole.
 */
class ShopKillTest {
    private static final int ROUNDS = Boolean.getBoolean("millrace.full") ? 20 : 2;
    private static final int CLIENTS = 8;
    private static final int OPERATIONS = 400;
    private static final List<String> OF_A_TOKEN =
            List.of("viewed:", "millrace:session:", "cart:", "millrace:cart:");

    @TempDir private Path directory;

    private Millrace hub(TestServer server) throws InterruptedException {
        return Millrace.start(
                        directory,
                        "run",
                        "--set",
                        "redis.url=" + server.url(),
                        "--set",
                        "mqtt.embedded.port=off",
                        "--set",
                        "shop.sessions.limit=30",
                        "--set",
                        "shop.sessions.pause=10ms",
                        "--set",
                        "shop.demo=true")
                .awaitReady();
    }

    @Test
    void no_orphans_are_left_of_what_a_killed_hub_was_doing() throws Exception {
        try (TestServer server = TestServer.start();
                HttpClient client = HttpClient.newHttpClient()) {
            for (int round = 0; round < ROUNDS; round++) {
                try (Millrace hub = hub(server)) {
                    AtomicInteger done = new AtomicInteger();
                    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
                        for (int i = 0; i < CLIENTS; i++) {
                            long seed = new Random().nextLong();
                            threads.execute(() -> visit(hub, client, new Random(seed), done));
                        }
                        int enough = OPERATIONS + new Random().nextInt(OPERATIONS);
                        await().until(() -> done.get() > enough);
                        hub.signal("KILL").end();
                    }
                }
                mustBeWhole(server);
            }
            try (Millrace hub = hub(server)) {
                // The next one cleans on, and serves.
                await().until(() -> all(server, "HKEYS", "login:").size() <= 30);
                assertThat(send(hub, client, "GET", "/shop/rows/inv/1", "")).isEqualTo(200);
            }
            mustBeWhole(server);
        }
    }

    private static int send(
            Millrace hub, HttpClient client, String method, String path, String body) {
        return TestHub.send(
                        String.valueOf(hub.url()).replaceAll("/$", ""),
                        client,
                        method,
                        path,
                        body,
                        Optional.empty())
                .status();
    }

    private static void visit(Millrace hub, HttpClient client, Random random, AtomicInteger done) {
        try {
            while (true) {
                String token = "token-of-a-visitor-" + random.nextInt(60);
                String other = "token-of-a-visitor-" + random.nextInt(60);
                String session = "/shop/sessions/" + token;
                String cart = "/shop/carts/" + token;
                String row = "/shop/rows/inv/" + (1 + random.nextInt(40));
                int status =
                        switch (random.nextInt(10)) {
                            case 0, 1, 2 ->
                                    send(
                                            hub,
                                            client,
                                            "PUT",
                                            session,
                                            "{\"user\":\"u\",\"item\":\"i\"}");
                            case 3 -> send(hub, client, "POST", session + "/rotate", "{}");
                            case 4 -> send(hub, client, "DELETE", session, "");
                            case 5 -> send(hub, client, "DELETE", session + "?cart=keep", "");
                            case 6 -> send(hub, client, "POST", cart + "/items/i", "{\"add\":1}");
                            case 7 ->
                                    send(
                                            hub,
                                            client,
                                            "POST",
                                            cart + "/merge",
                                            "{\"from\":\"" + other + "\"}");
                            case 8 ->
                                    send(hub, client, "PUT", row + "/schedule", "{\"delay\":0.1}");
                            default -> send(hub, client, "DELETE", row + "/schedule", "");
                        };
                // Not there any more, and merged with itself: both are answers.
                assertThat(status).isIn(200, 201, 202, 204, 400, 404);
                done.incrementAndGet();
            }
        } catch (UncheckedIOException e) {
            // It was killed.
        }
    }

    private static Set<String> all(TestServer server, String... command) {
        Set<String> all = new HashSet<>();
        ((List<?>) Objects.requireNonNull(server.command(command)))
                .forEach(each -> all.add(String.valueOf(each)));
        return all;
    }

    private static void mustBeWhole(TestServer server) {
        Set<String> logins = all(server, "HKEYS", "login:");
        assertThat(all(server, "ZRANGE", "recent:", "0", "-1")).isEqualTo(logins);
        assertThat(all(server, "ZRANGE", "millrace:session-ends", "0", "-1")).isEqualTo(logins);
        assertThat(all(server, "ZRANGE", "millrace:user-sessions:u", "0", "-1")).isSubsetOf(logins);
        assertThat(all(server, "ZRANGE", "delay:", "0", "-1"))
                .isEqualTo(all(server, "ZRANGE", "schedule:", "0", "-1"));
        for (String key : all(server, "KEYS", "*")) {
            for (String prefix : OF_A_TOKEN) {
                if (key.startsWith(prefix)
                        && !key.equals(prefix)
                        && !logins.contains(key.substring(prefix.length()))) {
                    assertThat(prefix).as(key).contains("cart:");
                    assertThat((Long) server.command("TTL", key)).as(key).isNotEqualTo(-1);
                }
            }
            if (key.startsWith("inv:") || key.startsWith("millrace:row")) {
                // It may end at this very moment; what it must not do is stay.
                assertThat((Long) server.command("TTL", key)).as(key).isNotEqualTo(-1);
            }
        }
    }
}
