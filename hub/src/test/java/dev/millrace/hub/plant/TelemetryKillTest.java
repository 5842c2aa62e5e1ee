package dev.millrace.hub.plant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.hub.cli.Millrace;
import dev.millrace.keyspace.testing.TestServer;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/** A hub is killed while values come in: what was acknowledged is stored, and stored whole. */
class TelemetryKillTest {
    private static final int WRITERS = 20;
    private static final int ENOUGH = 400;
    private static final int ROUNDS = Boolean.getBoolean("millrace.full") ? 10 : 1;

    @TempDir private Path directory;

    private Millrace hub(TestServer server) throws InterruptedException {
        return Millrace.start(directory, "run", "--set", "redis.url=" + server.url()).awaitReady();
    }

    @Test
    void what_was_acknowledged_is_there_and_no_write_is_half() throws Exception {
        try (TestServer server = TestServer.start()) {
            Somebody somebody = new Somebody(server);
            for (int round = 0; round < ROUNDS; round++) {
                server.flushAll();
                Map<Integer, Integer> acknowledged = new ConcurrentHashMap<>();
                killed(server, acknowledged);
                mustBeWhole(somebody, acknowledged);
                try (Millrace next = hub(server);
                        Client client = new Client(String.valueOf(next.url()))) {
                    client.value(1, 1, "1");
                    assertThat(client.get("/api/channels").path("total").asInt())
                            .isEqualTo(WRITERS);
                    await().until(
                                    () ->
                                            somebody.field("status:system", "active_channels")
                                                    .equals(Integer.toString(WRITERS)));
                }
            }
        }
    }

    /** Each writer counts in a channel of its own, three points at once. */
    private void killed(TestServer server, Map<Integer, Integer> acknowledged) throws Exception {
        try (Millrace hub = hub(server);
                Client client = new Client(String.valueOf(hub.url()))) {
            AtomicInteger answered = new AtomicInteger();
            int enough = ThreadLocalRandom.current().nextInt(WRITERS, ENOUGH);
            Thread killing =
                    Thread.startVirtualThread(
                            () -> {
                                await().until(
                                                () ->
                                                        answered.get() >= enough
                                                                && acknowledged.size() == WRITERS);
                                kill(hub);
                            });
            try (ExecutorService writers = Executors.newVirtualThreadPerTaskExecutor()) {
                for (int i = 1; i <= WRITERS; i++) {
                    int channel = i;
                    var _ = writers.submit(() -> count(client, channel, acknowledged, answered));
                }
            }
            killing.join();
        }
    }

    private static void count(
            Client client,
            int channel,
            Map<Integer, Integer> acknowledged,
            AtomicInteger answered) {
        try {
            for (int number = 1; ; number++) {
                String body = "{\"1\":%d,\"2\":%d,\"3\":%d}".formatted(number, number, number);
                client.post("/api/channels/" + channel + "/T", body);
                acknowledged.put(channel, number);
                answered.incrementAndGet();
            }
        } catch (UncheckedIOException e) {
            // That is the point: it was killed.
        }
    }

    private static void kill(Millrace hub) {
        try {
            hub.signal("KILL").end();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void mustBeWhole(Somebody somebody, Map<Integer, Integer> acknowledged) {
        acknowledged.forEach(
                (channel, number) -> {
                    Map<String, String> values = somebody.hash("comsrv:" + channel + ":T");
                    // One more may have been stored and not answered any more.
                    assertThat(Integer.parseInt(values.getOrDefault("1", "0")))
                            .isBetween(number, number + 1);
                    assertThat(values.get("2")).isEqualTo(values.get("1"));
                    assertThat(values.get("3")).isEqualTo(values.get("1"));
                    Map<String, String> times = somebody.hash("comsrv:" + channel + ":T:ts");
                    assertThat(times.keySet()).containsExactlyInAnyOrder("1", "2", "3");
                    assertThat(times.get("2")).isEqualTo(times.get("1"));
                    assertThat(Long.parseLong(times.getOrDefault("1", "0")) / 1000)
                            .isEqualTo(Long.parseLong(values.getOrDefault("_updated_at", "-1")));
                    assertThat(somebody.members("idx:point:channel:" + channel))
                            .containsExactlyInAnyOrder("1", "2", "3");
                    assertThat(somebody.members("comsrv:index"))
                            .contains(Integer.toString(channel));
                    assertThat(somebody.field("status:channel:" + channel, "status"))
                            .isEqualTo("online");
                    assertThat(somebody.field("comsrv:" + channel + ":status", "online"))
                            .isEqualTo("true");
                });
    }
}
