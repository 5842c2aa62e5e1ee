package dev.millrace.hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.hub.cli.Millrace;
import dev.millrace.hub.notifications.Receiver;
import dev.millrace.keyspace.testing.TestServer;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.UncheckedIOException;
import java.net.http.HttpClient;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Collectors;

/**
 * A hub is killed in the middle of its deliveries, and another one goes on: no notification that
 * was taken is lost, and none whose delivery was written down is sent again.
 */
class NotificationsKillTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int NOTIFICATIONS = 60;

    private static final int ROUNDS = Boolean.getBoolean("millrace.full") ? 5 : 1;

    @TempDir private Path directory;

    private Millrace hub(TestServer server) throws InterruptedException {
        return Millrace.start(
                        directory,
                        "run",
                        "--set",
                        "redis.url=" + server.url(),
                        "--set",
                        "notifications.time-out=1s",
                        "--set",
                        "notifications.resend-limit=1000",
                        "--set",
                        "notifications.resend-wait=50ms",
                        "--set",
                        "notifications.resend-longest-wait=200ms")
                .awaitReady();
    }

    private static int post(Millrace hub, HttpClient client, String path, String body) {
        return TestHub.send(
                        String.valueOf(hub.url()).replaceAll("/$", ""),
                        client,
                        "POST",
                        path,
                        body,
                        Optional.empty())
                .status();
    }

    private static Set<String> members(TestServer server, String key) {
        return ((List<?>) server.command("ZRANGE", key, "0", "-1"))
                .stream().map(String::valueOf).collect(Collectors.toSet());
    }

    private static Set<String> sent(TestServer server) {
        return members(server, "transmission:status:SENT");
    }

    @Test
    void nothing_is_lost_and_nothing_confirmed_is_sent_again() throws Exception {
        for (int round = 0; round < ROUNDS; round++) {
            killed();
        }
    }

    private void killed() throws Exception {
        try (TestServer server = TestServer.start();
                Receiver receiver = Receiver.answering(200);
                HttpClient client = HttpClient.newHttpClient()) {
            Set<String> taken = ConcurrentHashMap.newKeySet();
            try (Millrace first = hub(server)) {
                post(
                        first,
                        client,
                        "/api/v1/subscription",
                        """
                        {"slug":"s","receiver":"ann","subscribedCategories":["SECURITY"],\
                        "channels":[{"type":"REST","url":"%s"},{"type":"REST","url":"%sb"}]}\
                        """
                                .formatted(receiver.url(), receiver.url()));
                Thread posting =
                        Thread.startVirtualThread(() -> postAll(first, client, receiver, taken));
                int enough = ThreadLocalRandom.current().nextInt(5, NOTIFICATIONS);
                await().atMost(PATIENCE).until(() -> receiver.got().size() >= enough);
                await().atMost(PATIENCE).until(() -> !sent(server).isEmpty());
                first.signal("KILL").end();
                posting.join();
            }
            receiver.answer(200);
            Set<String> confirmed = sent(server);
            int before = receiver.got().size();
            try (Millrace second = hub(server)) {
                await().atMost(PATIENCE).until(() -> delivered(server).containsAll(both(taken)));
                assertThat(second.url()).isNotNull();
            }
            List<Receiver.Got> after = receiver.got().subList(before, receiver.got().size());
            assertThat(after)
                    .extracting(Receiver.Got::transmission)
                    .doesNotContainAnyElementsOf(confirmed);
            assertThat(taken).isNotEmpty();
        }
    }

    /** Until the hub is gone; now and then the receiver refuses for a while. */
    private static void postAll(
            Millrace hub, HttpClient client, Receiver receiver, Set<String> taken) {
        try {
            for (int i = 0; i < NOTIFICATIONS; i++) {
                receiver.answer(i % 10 < 3 ? 500 : 200);
                String body =
                        """
                        {"slug":"n%d","sender":"x","category":"SECURITY","severity":"CRITICAL",\
                        "content":"n%d"}\
                        """
                                .formatted(i, i);
                if (post(hub, client, "/api/v1/notification", body) == 202) {
                    taken.add("n" + i);
                }
            }
        } catch (UncheckedIOException e) {
            // That is the point: it was killed.
        }
    }

    private static Set<String> both(Set<String> slugs) {
        Set<String> all = new HashSet<>();
        slugs.forEach(slug -> all.addAll(List.of(slug + " 0", slug + " 1")));
        return all;
    }

    /** For each slug, which of its two transmissions are there as sent. */
    private static Set<String> delivered(TestServer server) {
        Set<String> sent = sent(server);
        Set<String> all = new HashSet<>();
        for (int i = 0; i < NOTIFICATIONS; i++) {
            Set<String> ours = new HashSet<>(members(server, "transmission:slug:n" + i));
            ours.retainAll(sent);
            for (int j = 0; j < ours.size(); j++) {
                all.add("n" + i + " " + j);
            }
        }
        return all;
    }
}
