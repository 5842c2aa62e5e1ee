package dev.millrace.hub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.hub.TestHub.Reply;
import dev.millrace.keyspace.testing.TestServer;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import tools.jackson.databind.JsonNode;

import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;

/**
 * Eight publish, eight read, and hubs and Redis are killed at random: what was confirmed arrives at
 * everybody, in one order, and not again once it was acknowledged.
 */
class PubsubKillTest {
    private static final int MANY = 8;
    private static final int KILLS = Boolean.getBoolean("millrace.full") ? 40 : 6;

    @TempDir private Path directory;

    private final AtomicReferenceArray<Millrace> hubs = new AtomicReferenceArray<>(2);
    private final HttpClient client = HttpClient.newHttpClient();
    private volatile boolean writing = true;
    private volatile boolean complete;

    private Millrace hub(TestServer server) throws InterruptedException {
        return Millrace.start(
                        directory,
                        "run",
                        "--set",
                        "redis.url=" + server.url(),
                        "--set",
                        "durability=fsync")
                .awaitReady();
    }

    /** Asks one hub after the other until one gives this answer. */
    private Reply insist(String method, String path, String body, int wanted, int first) {
        for (int i = first; ; i++) {
            try {
                Reply reply =
                        TestHub.send(
                                String.valueOf(hubs.get(i % 2).url()).replaceAll("/$", ""),
                                client,
                                method,
                                path,
                                body,
                                Optional.empty());
                assertThat(reply.status()).as(reply.body()).isIn(wanted, 500, 503);
                if (reply.status() == wanted) {
                    return reply;
                }
            } catch (UncheckedIOException e) {
                // This one was killed.
            }
            LockSupport.parkNanos(20_000_000);
        }
    }

    private void publish(int number, List<String> confirmed) {
        for (int n = 0; writing; n++) {
            String id = "p%d-%d".formatted(number, n);
            insist(
                    "PUT",
                    "/channel/kill/message/" + id,
                    "{\"n\":%d}".formatted(n),
                    200,
                    number + n);
            confirmed.add(id);
        }
    }

    /** Reads until everything that was confirmed has come; what came, in its order. */
    private List<String> read(int number, Set<String> expected) {
        String path = "/channel/kill/subscription/polling/s" + number;
        Set<String> seen = new LinkedHashSet<>();
        Set<String> acknowledged = new HashSet<>();
        for (int i = number; !complete || !seen.containsAll(expected); i++) {
            Reply page = insist("GET", path + "?timeout=500ms&max=20", "", 200, i);
            List<String> ids = new ArrayList<>();
            for (JsonNode message : page.json().get("messages")) {
                ids.add(message.get("messageID").asString());
            }
            assertThat(ids).as("acknowledged before").noneMatch(acknowledged::contains);
            seen.addAll(ids);
            if (!ids.isEmpty()) {
                String handle = page.json().get("ackHandle").asString();
                insist("DELETE", path + "/message?ackHandle=" + handle, "", 204, i);
                acknowledged.addAll(ids);
            }
        }
        return List.copyOf(seen);
    }

    @Test
    void whatever_is_killed_everything_confirmed_arrives_in_order_and_once_acknowledged_not_again()
            throws Exception {
        Random random = new Random(7);
        try (TestServer server =
                        TestServer.start("appendonly yes", "appendfsync always", "save \"\"");
                ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            hubs.set(0, hub(server));
            hubs.set(1, hub(server));
            List<List<String>> confirmed = new ArrayList<>();
            Set<String> all = ConcurrentHashMap.newKeySet();
            List<Future<List<String>>> readers = new ArrayList<>();
            List<Future<?>> publishers = new ArrayList<>();
            for (int i = 0; i < MANY; i++) {
                insist("PUT", "/channel/kill/subscription/polling/s" + i, "", 200, i);
            }
            for (int i = 0; i < MANY; i++) {
                int number = i;
                List<String> own = new CopyOnWriteArrayList<>();
                confirmed.add(own);
                readers.add(threads.submit(() -> read(number, all)));
                publishers.add(threads.submit(() -> publish(number, own)));
            }
            for (int kill = 0; kill < KILLS; kill++) {
                int before = confirmed.stream().mapToInt(List::size).sum();
                while (confirmed.stream().mapToInt(List::size).sum() < before + 50) {
                    LockSupport.parkNanos(10_000_000);
                }
                if (random.nextInt(3) == 0) {
                    server.kill();
                    server.restart();
                } else {
                    int which = random.nextInt(2);
                    hubs.get(which).signal("KILL").end();
                    hubs.get(which).close();
                    hubs.set(which, hub(server));
                }
            }
            writing = false;
            for (Future<?> publisher : publishers) {
                publisher.get();
            }
            confirmed.forEach(all::addAll);
            complete = true;
            List<String> order = null;
            for (Future<List<String>> reader : readers) {
                List<String> got = reader.get();
                assertThat(got).containsAll(all);
                if (order == null) {
                    order = got;
                } else {
                    List<String> shorter = got.size() < order.size() ? got : order;
                    List<String> longer = got.size() < order.size() ? order : got;
                    assertThat(longer.subList(0, shorter.size())).isEqualTo(shorter);
                }
            }
            for (List<String> own : confirmed) {
                List<String> arrived = new ArrayList<>(Objects.requireNonNull(order));
                arrived.retainAll(new HashSet<>(own));
                assertThat(arrived).isEqualTo(own);
            }
        } finally {
            for (int i = 0; i < 2; i++) {
                if (hubs.get(i) != null) {
                    hubs.get(i).close();
                }
            }
            client.shutdownNow();
        }
    }
}
