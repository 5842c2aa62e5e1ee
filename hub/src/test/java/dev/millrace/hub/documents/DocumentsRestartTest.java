package dev.millrace.hub.documents;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.hub.TestHub;
import dev.millrace.hub.TestHub.Reply;
import dev.millrace.keyspace.testing.TestServer;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** Redis is killed and started again while documents are read and written. */
final class DocumentsRestartTest {
    private static final String ROOT = DocumentsTest.ROOT;

    @Test
    void nobody_sees_a_500_and_nothing_confirmed_is_lost() {
        try (TestServer server = TestServer.start("appendonly yes", "appendfsync always");
                TestHub hub = TestHub.start(server.url(), "mqtt.embedded.port=off")) {
            AtomicBoolean over = new AtomicBoolean();
            AtomicInteger confirmed = new AtomicInteger();
            Set<Integer> seen = ConcurrentHashMap.newKeySet();
            Map<Integer, Integer> last = new ConcurrentHashMap<>();
            List<CompletableFuture<Void>> clients = new ArrayList<>();
            for (int client = 0; client < 6; client++) {
                int id = client;
                clients.add(
                        CompletableFuture.runAsync(
                                () -> {
                                    for (int n = 1; !over.get(); n++) {
                                        Reply set = hub.send("POST", ROOT + "set", body(id, n));
                                        seen.add(set.status());
                                        if (set.status() == 200) {
                                            last.put(id, n);
                                            confirmed.incrementAndGet();
                                        }
                                        seen.add(
                                                hub.send(
                                                                "POST",
                                                                ROOT + "mget",
                                                                "{\"namespace\":\"a\"}")
                                                        .status());
                                        seen.add(hub.get(ROOT + "ping").status());
                                    }
                                },
                                Thread::startVirtualThread));
            }
            for (int restart = 0; restart < 3; restart++) {
                int before = confirmed.get();
                await().atMost(Duration.ofMinutes(2)).until(() -> confirmed.get() > before + 50);
                server.restart();
            }
            int before = confirmed.get();
            await().atMost(Duration.ofMinutes(2)).until(() -> confirmed.get() > before + 50);
            over.set(true);
            CompletableFuture.allOf(clients.toArray(CompletableFuture[]::new)).join();

            assertThat(seen).contains(200).isSubsetOf(200, 503);
            last.forEach(
                    (id, n) ->
                            assertThat(
                                            hub.send(
                                                            "POST",
                                                            ROOT + "get",
                                                            "{\"namespace\":\"a\",\"id\":\"%d\"}"
                                                                    .formatted(id))
                                                    .json()
                                                    .at("/value/n")
                                                    .asInt())
                                    .isGreaterThanOrEqualTo(n));
            assertThat(hub.keyspace().check().run().findings()).isEmpty();
        }
    }

    private static String body(int id, int n) {
        return "{\"value\":{\"namespace\":\"a\",\"id\":\"%d\",\"n\":%d}}".formatted(id, n);
    }
}
