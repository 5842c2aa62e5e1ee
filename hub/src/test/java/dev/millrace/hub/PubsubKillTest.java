package dev.millrace.hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.hub.TestHub.Reply;
import dev.millrace.hub.cli.Millrace;
import dev.millrace.keyspace.testing.TestServer;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import tools.jackson.databind.JsonNode;

import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntSupplier;

/**
 * Eight publish, eight read, and hubs and Redis are killed at random: what was confirmed arrives at
 * everybody, in one order, and not again once it was acknowledged. The same when the power fails: a
 * killed server's file is whole, and says nothing about what was synced.
 */
class PubsubKillTest {
    private static final Logger log = LoggerFactory.getLogger(PubsubKillTest.class);
    private static final int MANY = 8;
    private static final boolean FULL = Boolean.getBoolean("millrace.full");

    /** Far away: only a hang reaches it. */
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    @TempDir private Path directory;

    private final AtomicReferenceArray<Millrace> hubs = new AtomicReferenceArray<>(2);
    private final HttpClient client = HttpClient.newHttpClient();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private volatile boolean writing = true;
    private volatile boolean complete;

    @AfterEach
    void end() {
        threads.shutdownNow();
        for (int i = 0; i < 2; i++) {
            if (hubs.get(i) != null) {
                hubs.get(i).close();
            }
        }
        client.shutdownNow();
    }

    private Millrace hub(TestServer server, String durability) throws InterruptedException {
        return Millrace.start(
                        directory,
                        "run",
                        "--set",
                        "redis.url=" + server.url(),
                        "--set",
                        "durability=" + durability)
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

    /** Reads until nothing more comes; what came, in its order. */
    private List<String> read(int number) {
        String path = "/channel/kill/subscription/polling/s" + number;
        Set<String> seen = new LinkedHashSet<>();
        Set<String> acknowledged = new HashSet<>();
        for (int i = number; ; i++) {
            boolean last = complete;
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
            } else if (last) {
                return List.copyOf(seen);
            }
        }
    }

    /** What happens to Redis, after which it is there again. */
    private interface Blow {
        void fall();
    }

    private static TestServer server(String fsync) {
        return TestServer.start("appendonly yes", "appendfsync " + fsync, "save \"\"");
    }

    @Test
    void whatever_is_killed_everything_confirmed_arrives_in_order_and_once_acknowledged_not_again()
            throws Exception {
        try (TestServer server = server("always")) {
            // It kills a running server first.
            survives(server, server::restart, FULL ? 40 : 2, 3);
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void a_power_cut_takes_nothing_confirmed_and_brings_back_nothing_acknowledged()
            throws Exception {
        try (TestServer server = server("always")) {
            PowerCuts cuts = new PowerCuts(server);
            survives(server, cuts::cut, FULL ? 30 : 2, 1);
            cuts.tookSomethingAlong();
            log.info("Power cuts during publishing: {}", cuts);
        }
    }

    /** If it lost nothing, the test above would prove nothing. */
    @Test
    @EnabledOnOs(OS.LINUX)
    void without_fsync_a_power_cut_takes_confirmed_messages_along() throws Exception {
        try (TestServer server = server("everysec")) {
            hubs.set(0, hub(server, "memory"));
            hubs.set(1, hubs.get(0));
            PowerCuts cuts = new PowerCuts(server);
            List<String> confirmed = new CopyOnWriteArrayList<>();
            List<Future<?>> publishers = new ArrayList<>();
            for (int i = 0; i < MANY; i++) {
                int number = i;
                publishers.add(threads.submit(() -> publish(number, confirmed)));
            }
            awaitMore(confirmed::size, 500);
            cuts.cut();
            writing = false;
            for (Future<?> publisher : publishers) {
                publisher.get();
            }
            insist("PUT", "/channel/kill/subscription/polling/s0?from=earliest", "", 200, 0);
            complete = true;
            Set<String> lost = new HashSet<>(confirmed);
            lost.removeAll(new HashSet<>(read(0)));
            log.info("Power cut, no fsync: confirmed={} lost={}", confirmed.size(), lost.size());
            assertThat(lost).isNotEmpty();
        }
    }

    private static void awaitMore(IntSupplier count, int more) {
        int enough = count.getAsInt() + more;
        await().atMost(PATIENCE)
                .pollInterval(Duration.ofMillis(5))
                .until(() -> count.getAsInt() >= enough);
    }

    /**
     * Publishes and reads while something is hit again and again, and compares.
     *
     * @param oneIn how many of the blows are for Redis; the others are for one of the hubs
     */
    private void survives(TestServer server, Blow blow, int blows, int oneIn) throws Exception {
        Random random = new Random(7);
        hubs.set(0, hub(server, "fsync"));
        hubs.set(1, hub(server, "fsync"));
        List<List<String>> confirmed = new ArrayList<>();
        List<Future<List<String>>> readers = new ArrayList<>();
        List<Future<?>> publishers = new ArrayList<>();
        for (int i = 0; i < MANY; i++) {
            insist("PUT", "/channel/kill/subscription/polling/s" + i, "", 200, i);
        }
        for (int i = 0; i < MANY; i++) {
            int number = i;
            List<String> own = new CopyOnWriteArrayList<>();
            confirmed.add(own);
            readers.add(threads.submit(() -> read(number)));
            publishers.add(threads.submit(() -> publish(number, own)));
        }
        IntSupplier soFar = () -> confirmed.stream().mapToInt(List::size).sum();
        for (int i = 0; i < blows; i++) {
            awaitMore(soFar, 50);
            // In a short run, too, both are hit.
            if (oneIn == 1 || i == 0 || (i > 1 && random.nextInt(oneIn) == 0)) {
                blow.fall();
            } else {
                int which = random.nextInt(2);
                hubs.get(which).signal("KILL").end();
                hubs.get(which).close();
                hubs.set(which, hub(server, "fsync"));
            }
        }
        awaitMore(soFar, 50);
        writing = false;
        for (Future<?> publisher : publishers) {
            publisher.get();
        }
        complete = true;
        List<List<String>> orders = new ArrayList<>();
        for (Future<List<String>> reader : readers) {
            orders.add(reader.get());
        }
        compare(confirmed, orders);
    }

    private static void compare(List<List<String>> confirmed, List<List<String>> orders) {
        List<String> first = orders.getFirst();
        for (List<String> each : orders) {
            confirmed.forEach(own -> assertThat(each).containsAll(own));
            List<String> shorter = each.size() < first.size() ? each : first;
            List<String> longer = each.size() < first.size() ? first : each;
            assertThat(longer.subList(0, shorter.size())).isEqualTo(shorter);
        }
        for (List<String> own : confirmed) {
            List<String> arrived = new ArrayList<>(first);
            arrived.retainAll(new HashSet<>(own));
            assertThat(arrived).isEqualTo(own);
        }
    }
}
