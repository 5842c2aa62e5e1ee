package dev.millrace.hub.plant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.hub.cli.Millrace;
import dev.millrace.keyspace.testing.TestServer;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A hub is killed while values come in, and another goes on: no alarm is missed and none doubled.
 */
class PlantKillTest {
    private static final int WRITERS = 50;
    private static final int WRITES = 10;
    private static final int ROUNDS = Boolean.getBoolean("millrace.full") ? 10 : 1;

    @TempDir private Path directory;
    private TestServer server;
    private Somebody somebody;

    @BeforeEach
    void start() {
        server = TestServer.start();
        somebody = new Somebody(server);
    }

    @AfterEach
    void stop() {
        server.close();
    }

    private Millrace hub() throws InterruptedException {
        return Millrace.start(directory, "run", "--set", "redis.url=" + server.url()).awaitReady();
    }

    private static Client client(Millrace hub) {
        return new Client(String.valueOf(hub.url()));
    }

    @Test
    void fifty_writers_of_one_watched_point() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            server.flushAll();
            killedUnderWriters();
        }
    }

    private void killedUnderWriters() throws Exception {
        try (Millrace first = hub();
                Client client = client(first)) {
            client.rule("hot", 1, 101, ">", "");
            AtomicInteger answered = new AtomicInteger();
            int enough = ThreadLocalRandom.current().nextInt(1, WRITERS * WRITES / 2);
            Thread killing =
                    Thread.startVirtualThread(
                            () -> {
                                await().until(() -> answered.get() >= enough);
                                kill(first);
                            });
            try (ExecutorService writers = Executors.newVirtualThreadPerTaskExecutor()) {
                for (int writer = 0; writer < WRITERS; writer++) {
                    var _ = writers.submit(() -> write(client, answered));
                }
            }
            killing.join();
        }
        // Nothing stands half-way, also before anybody repairs anything.
        assertThatAllAgree();
        try (Millrace second = hub();
                Client client = client(second)) {
            AtomicInteger answered = new AtomicInteger();
            try (ExecutorService writers = Executors.newVirtualThreadPerTaskExecutor()) {
                for (int writer = 0; writer < WRITERS; writer++) {
                    var _ = writers.submit(() -> write(client, answered));
                }
            }
            assertThat(answered.get()).isEqualTo(WRITERS * WRITES);
            assertThatAllAgree();
        }
    }

    private void assertThatAllAgree() {
        List<JsonNode> events = new ArrayList<>(somebody.events());
        Collections.reverse(events);
        ManyWritersTest.assertThatTheyAreWithoutGapsAndInTurn(events, "hot");
        if (somebody.exists("alarm:hot")) {
            ManyWritersTest.assertThatStateAndValueAgree(somebody);
            assertThat(somebody.field("alarm:hot", "count"))
                    .isEqualTo(Long.toString(ManyWritersTest.count(events, "hot", "triggered")));
        }
    }

    /** Until the hub is gone. */
    private static void write(Client client, AtomicInteger answered) {
        try {
            for (int i = 0; i < WRITES; i++) {
                client.value(1, 101, ThreadLocalRandom.current().nextBoolean() ? "90" : "20");
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

    @Test
    void a_value_that_somebody_wrote_while_no_hub_lived_triggers_when_one_starts()
            throws Exception {
        try (Millrace first = hub();
                Client client = client(first)) {
            client.rule("hot", 1, 101, ">", "");
            client.value(1, 101, "20");
            kill(first);
        }
        somebody.line("HSET comsrv:1:T 101 90");
        try (Millrace second = hub();
                Client client = client(second)) {
            await().until(() -> client.status("hot").equals("active"));
            assertThat(somebody.field("alarm:hot", "trigger_value")).isEqualTo("90");
            assertThat(somebody.events("hot", "triggered")).hasSize(1);
        }
    }

    @Test
    void a_delay_goes_on_although_the_hub_was_killed_in_it() throws Exception {
        try (Millrace first = hub();
                Client client = client(first)) {
            client.rule("hot", 1, 101, ">", ",\"on_delay\":2");
            client.value(1, 101, "90");
            assertThat(somebody.field("alarm:hot", "pending_since")).isNotBlank();
            kill(first);
        }
        assertThat(somebody.events("hot", "triggered")).isEmpty();
        try (Millrace second = hub()) {
            assertThat(second.url()).isNotNull();
            await().until(() -> somebody.field("alarm:hot", "status").equals("active"));
            assertThat(somebody.field("alarm:hot", "trigger_value")).isEqualTo("90");
            assertThat(somebody.members("idx:alarm:active")).containsExactly("hot");
            assertThat(somebody.hash("alarm:hot")).doesNotContainKey("pending_since");
            assertThat(somebody.events("hot", "triggered")).hasSize(1);
        }
    }

    @Test
    void a_shelving_ends_although_the_hub_was_killed_in_it() throws Exception {
        try (Millrace first = hub();
                Client client = client(first)) {
            client.rule("hot", 1, 101, ">", "");
            client.value(1, 101, "90");
            client.post("/api/alarms/hot/shelve", "{\"duration\":2,\"reason\":\"repair\"}");
            assertThat(client.alarm("hot").path("state").asString()).isEqualTo("SHELVED");
            kill(first);
        }
        try (Millrace second = hub();
                Client client = client(second)) {
            await().until(
                            () ->
                                    !client.events("hot").isEmpty()
                                            && client.events("hot").getFirst().equals("unshelved"));
            assertThat(client.alarm("hot").path("state").asString()).isEqualTo("UNACK");
            assertThat(somebody.field("alarm:hot", "status")).isEqualTo("active");
        }
    }
}
