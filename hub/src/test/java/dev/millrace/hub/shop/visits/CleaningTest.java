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

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;

/** Sessions go because of their number and age, and those that are in use stay. */
@OnEachSite
class CleaningTest {
    private static final boolean FULL = Boolean.getBoolean("millrace.full");
    private static final int CLIENTS = 50;

    /** Of each client, while the cleaner is at work. */
    private static final int TOUCHES = FULL ? 2000 : 60;

    @Parameter Site site;

    private String url() {
        String url = site.url();
        SharedServers.flushAll();
        return url;
    }

    /**
     * At limit 0 the cleaner wants every session, while their owners use them: a session is whole
     * or gone, whenever somebody looks.
     */
    @Test
    void the_cleaner_beside_clients_leaves_no_half_of_a_session() throws Exception {
        try (TestHub hub = TestHub.start(url(), "shop.sessions.pause=10ms")) {
            AtomicBoolean over = new AtomicBoolean();
            Set<String> bad = ConcurrentHashMap.newKeySet();
            try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
                threads.execute(
                        () -> {
                            while (!over.get()) {
                                clean(hub, 0);
                            }
                        });
                try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
                    for (int i = 0; i < CLIENTS; i++) {
                        String token = "client-with-a-token-" + i;
                        clients.execute(() -> use(hub, token, bad));
                    }
                }
                over.set(true);
            }
            assertThat(bad).isEmpty();
            Stored stored = Stored.in(site);
            assertThat(stored.at("login:").keySet()).isEqualTo(stored.at("recent:").keySet());
            assertThat(stored.at("millrace:session-ends").keySet())
                    .isEqualTo(stored.at("recent:").keySet());
            await().until(() -> clean(hub, 0) == 0);
            // A cart that was changed when its session was gone already ends by itself.
            for (String key : site.allKeys()) {
                if (Stored.isOfVisitor(key)) {
                    assertThat(key).contains("cart:");
                    assertThat((Long) site.command(key, "TTL", key)).as(key).isPositive();
                }
            }
            assertThat(hub.keyspace().check().run().findings()).isEmpty();
        }
    }

    private static long clean(TestHub hub, int limit) {
        return hub.send("POST", "/shop/sessions/clean", "{\"limit\":" + limit + "}")
                .json()
                .get("removed")
                .asLong();
    }

    private static void use(TestHub hub, String token, Set<String> bad) {
        for (int i = 0; i < TOUCHES; i++) {
            String item = "item" + i;
            TestHub.Reply put =
                    hub.send(
                            "PUT",
                            "/shop/sessions/" + token,
                            "{\"user\":\"u\",\"item\":\"" + item + "\"}");
            if (put.status() / 100 != 2) {
                bad.add(put.body());
            }
            TestHub.Reply cart =
                    hub.send("POST", "/shop/carts/" + token + "/items/" + item, "{\"add\":1}");
            if (cart.status() != 200 || !cart.body().contains(item)) {
                bad.add(cart.body());
            }
        }
    }

    /** One that is in use is not among the oldest, so with room for all in use none is lost. */
    @Test
    void the_cleaner_takes_those_that_nobody_uses() throws Exception {
        try (TestHub hub =
                TestHub.start(
                        url(), "shop.sessions.limit=" + CLIENTS, "shop.sessions.pause=10ms")) {
            for (int i = 0; i < 300; i++) {
                hub.send("PUT", "/shop/sessions/nobody-uses-this-" + i, "{\"user\":\"u\"}");
            }
            Set<String> bad = ConcurrentHashMap.newKeySet();
            try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
                for (int i = 0; i < CLIENTS; i++) {
                    String token = "client-with-a-token-" + i;
                    clients.execute(() -> use(hub, token, bad));
                }
            }
            assertThat(bad).isEmpty();
            await().until(() -> Stored.in(site).at("login:").size() == CLIENTS);
            assertThat(Stored.in(site).at("login:").keySet())
                    .allMatch(token -> token.startsWith("client-with"));
            // Whatever was in the carts of those in use is there still.
            assertThat(Stored.in(site).at("cart:client-with-a-token-7")).hasSize(TOUCHES);
        }
    }

    @Test
    void sessions_end_by_their_age_and_leave_nothing() {
        try (TestHub hub =
                TestHub.start(url(), "shop.sessions.idle=3s", "shop.sessions.pause=50ms")) {
            for (int i = 0; i < 250; i++) {
                String token = "a-token-of-somebody-" + i;
                hub.send("PUT", "/shop/carts/" + token + "/items/i", "{\"quantity\":1}");
                hub.send(
                        "PUT",
                        "/shop/sessions/" + token,
                        "{\"user\":\"u" + i % 7 + "\",\"item\":\"i\"}");
            }
            hub.send("POST", "/shop/sessions", "{\"user\":\"u1\",\"ttl\":3600}");
            await().until(() -> Stored.in(site).at("login:").size() == 1);
            Stored stored = Stored.in(site);
            assertThat(stored.at("login:")).containsValue("u1");
            assertThat(stored.ofVisitors())
                    .hasSize(5)
                    .contains("millrace:user-sessions:u1", "login:", "recent:");
        }
    }

    /** What the original leaves behind when it is ended between two commands, and whole ones. */
    @Test
    void what_another_program_leaves_is_taken_note_of_and_ends_too() {
        try (TestHub hub =
                TestHub.start(url(), "shop.sessions.idle=2s", "shop.sessions.pause=50ms")) {
            // Names of keys and shards are known from a session of our own.
            String token =
                    hub.send("POST", "/shop/sessions", "{\"user\":\"u\",\"ttl\":3600}")
                            .json()
                            .get("token")
                            .asString();
            String login = physical("login:");
            String recent = physical("recent:");
            site.command(login, "HSET", login, "login-without-a-time", "ada");
            site.command(recent, "ZADD", recent, "1234567890.5", "time-without-a-login");
            await().untilAsserted(
                            () -> {
                                Stored stored = Stored.in(site);
                                assertThat(stored.at("login:")).containsOnlyKeys(token);
                                assertThat(stored.at("recent:")).containsOnlyKeys(token);
                                assertThat(stored.ofVisitors()).hasSize(5);
                            });
        }
    }

    private String physical(String key) {
        return site.allKeys().stream().filter(each -> each.endsWith(key)).findFirst().orElseThrow();
    }
}
