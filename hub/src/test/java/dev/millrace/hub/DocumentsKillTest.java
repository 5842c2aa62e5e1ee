package dev.millrace.hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.hub.cli.Millrace;
import dev.millrace.hub.documents.Listener;
import dev.millrace.hub.mqtt.TestMosquitto;
import dev.millrace.keyspace.testing.TestServer;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** A hub is killed while it announces changes, and another one goes on: every event arrives. */
class DocumentsKillTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private static final int ROUNDS = Boolean.getBoolean("millrace.full") ? 5 : 1;

    @TempDir private Path directory;

    private Millrace hub(TestServer server, TestMosquitto broker) throws InterruptedException {
        return Millrace.start(
                        directory,
                        "run",
                        "--set",
                        "redis.url=" + server.url(),
                        "--set",
                        "mqtt.url=" + broker.address())
                .awaitReady();
    }

    private static int set(Millrace hub, HttpClient client, int n) {
        return TestHub.send(
                        String.valueOf(hub.url()).replaceAll("/$", ""),
                        client,
                        "POST",
                        "/history/datastore/set",
                        "{\"value\":{\"namespace\":\"a\",\"id\":\"x\",\"n\":%d}}".formatted(n),
                        Optional.empty())
                .status();
    }

    @Test
    void after_a_kill_every_event_arrives_in_order() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            killed();
        }
    }

    private void killed() throws Exception {
        try (TestServer server = TestServer.start();
                TestMosquitto broker = TestMosquitto.start(directory);
                Listener listener = new Listener(broker.url());
                HttpClient client = HttpClient.newHttpClient()) {
            AtomicInteger confirmed = new AtomicInteger();
            try (Millrace first = hub(server, broker)) {
                Thread writing =
                        Thread.startVirtualThread(
                                () -> {
                                    try {
                                        for (int n = 1; set(first, client, n) == 200; n++) {
                                            confirmed.set(n);
                                        }
                                    } catch (UncheckedIOException e) {
                                        // It was killed.
                                    }
                                });
                await().atMost(PATIENCE).until(() -> listener.heard().size() > 50);
                first.signal("KILL").end();
                writing.join();
            }
            try (Millrace second = hub(server, broker)) {
                assertThat(set(second, client, 0)).isEqualTo(200);
                await().atMost(PATIENCE)
                        .until(() -> listener.heard().getLast().text().contains("\"n\":0"));
            }
            List<Long> numbers = listener.numbers();
            assertThat(numbers.size()).isGreaterThan(confirmed.get());
            List<Long> expected = new ArrayList<>();
            for (long n = 1; n <= numbers.size(); n++) {
                expected.add(n);
            }
            assertThat(numbers).isEqualTo(expected);
        }
    }
}
