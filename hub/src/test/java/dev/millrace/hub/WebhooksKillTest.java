package dev.millrace.hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.hub.cli.Millrace;
import dev.millrace.hub.pubsub.HookReceiver;
import dev.millrace.keyspace.testing.TestServer;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ThreadLocalRandom;

/**
 * A hub is killed while it publishes and calls webhooks, and another one goes on: every message
 * whose publish was answered arrives at least once, and in order.
 */
class WebhooksKillTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int MESSAGES = 200;

    private static final int ROUNDS = Boolean.getBoolean("millrace.full") ? 5 : 1;

    @TempDir private Path directory;

    private Millrace hub(TestServer server, HookReceiver receiver) throws InterruptedException {
        return Millrace.start(
                        directory,
                        "run",
                        "--set",
                        "redis.url=" + server.url(),
                        "--set",
                        "pubsub.channels=[{regex: .+, webhooks: [{url: '%s/', retry: {count: 100000, interval: 20ms, intervalMultiplier: 1, intervalJitter: 10ms}}]}]"
                                .formatted(receiver.url()))
                .awaitReady();
    }

    @Test
    void what_was_answered_arrives_at_least_once_and_in_order() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            killed();
        }
    }

    private void killed() throws Exception {
        try (TestServer server = TestServer.start();
                HookReceiver receiver = HookReceiver.start();
                HttpClient client = HttpClient.newHttpClient()) {
            // Some are refused now and then, and come again.
            receiver.answering(
                    got ->
                            HookReceiver.Reply.of(
                                    ThreadLocalRandom.current().nextInt(10) == 0 ? 500 : 200));
            List<String> answered = new CopyOnWriteArrayList<>();
            try (Millrace first = hub(server, receiver)) {
                Thread publishing =
                        Thread.startVirtualThread(() -> publishAll(first, client, answered));
                int enough = ThreadLocalRandom.current().nextInt(5, MESSAGES / 2);
                await().atMost(PATIENCE).until(() -> receiver.got().size() >= enough);
                first.signal("KILL").end();
                publishing.join();
            }
            assertThat(answered).isNotEmpty();
            try (Millrace second = hub(server, receiver)) {
                await().atMost(PATIENCE).until(() -> receiver.ids().containsAll(answered));
                assertThat(second.url()).isNotNull();
            }
            List<String> arrived = new ArrayList<>(new LinkedHashSet<>(receiver.ids()));
            // One more may be there: stored, and not answered before the end.
            assertThat(arrived.subList(0, answered.size())).isEqualTo(answered);
            assertThat(arrived.size()).isLessThanOrEqualTo(answered.size() + 1);
        }
    }

    /** Until the hub is gone. */
    private static void publishAll(Millrace hub, HttpClient client, List<String> answered) {
        String url = String.valueOf(hub.url()).replaceAll("/$", "");
        try {
            for (int i = 0; i < MESSAGES; i++) {
                TestHub.Reply reply =
                        TestHub.send(
                                url,
                                client,
                                "PUT",
                                "/channel/a/message/m" + i,
                                "1",
                                Optional.empty());
                assertThat(reply.status()).isEqualTo(200);
                answered.add("m" + i);
            }
        } catch (UncheckedIOException e) {
            // That is the point: it was killed.
        }
    }
}
