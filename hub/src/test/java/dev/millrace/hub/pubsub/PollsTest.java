package dev.millrace.hub.pubsub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.hub.TestHub;
import dev.millrace.hub.TestHub.Reply;
import dev.millrace.keyspace.testing.OnEachSite;

import org.junit.jupiter.api.Test;

import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Polls that wait, and what wakes them. */
@OnEachSite
final class PollsTest extends PubsubContract {

    /** So long that a poll which is not woken never ends: its last look would find everything. */
    @Override
    List<String> settings() {
        return List.of("pubsub.http.longPollingMaxTimeout=1h");
    }

    private int waiting() {
        return hub.get("/metrics")
                .body()
                .lines()
                .filter(line -> line.startsWith("millrace_pubsub_waiting"))
                .mapToInt(line -> (int) Double.parseDouble(line.substring(line.indexOf(' ') + 1)))
                .sum();
    }

    private void awaitWaiting(int count) {
        await().atMost(60, TimeUnit.SECONDS).until(() -> waiting() == count);
    }

    private static Reply reply(CompletableFuture<Reply> poll) throws Exception {
        return poll.get(120, TimeUnit.SECONDS);
    }

    @Test
    void a_poll_waits_for_the_first_message() throws Exception {
        subscribe("ch", "s");
        CompletableFuture<Reply> poll = later("ch", "s", "?timeout=1h");
        awaitWaiting(1);
        publish("ch", "m", "1");
        assertThat(ids(reply(poll))).containsExactly("m");
        awaitWaiting(0);
    }

    @Test
    void it_answers_empty_when_its_time_is_over_and_not_before() {
        subscribe("ch", "s");
        long began = System.nanoTime();
        assertThat(ids(fetch("ch", "s", "?timeout=700ms"))).isEmpty();
        assertThat(Duration.ofNanos(System.nanoTime() - began))
                .isGreaterThan(Duration.ofMillis(690));
        assertThat(ids(fetch("ch", "s", "?timeout=-5s"))).isEmpty();
        assertThat(ids(fetch("ch", "s", "?timeout=0"))).isEmpty();
    }

    @Test
    void messages_that_are_there_are_given_at_once() {
        subscribe("ch", "s");
        publish("ch", "m", "1");
        assertThat(ids(fetch("ch", "s", "?timeout=8760h"))).containsExactly("m");
    }

    @Test
    void all_polls_of_a_channel_wake_and_those_of_others_do_not() throws Exception {
        List<CompletableFuture<Reply>> polls = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            subscribe("ch", "s" + i);
            polls.add(later("ch", "s" + i, "?timeout=1h"));
            polls.add(later("ch", "s" + i, "?timeout=1h"));
        }
        subscribe("quiet", "s");
        CompletableFuture<Reply> other = later("quiet", "s", "?timeout=1h");
        awaitWaiting(21);
        publish("ch", "m", "1");
        for (CompletableFuture<Reply> poll : polls) {
            assertThat(ids(reply(poll))).containsExactly("m");
        }
        awaitWaiting(1);
        publish("quiet", "m", "1");
        assertThat(ids(reply(other))).containsExactly("m");
    }

    @Test
    void a_poll_wakes_whichever_server_stores_the_message() throws Exception {
        subscribe("ch", "s");
        CompletableFuture<Reply> poll = later("ch", "s", "?timeout=1h");
        awaitWaiting(1);
        try (TestHub other = TestHub.start(url(), settings().toArray(String[]::new))) {
            assertThat(other.send("PUT", message("ch", "m"), "1").status()).isEqualTo(200);
            assertThat(ids(reply(poll))).containsExactly("m");
        }
        acknowledge("ch", "s", handle(fetch("ch", "s", "")));
        // As a server of the key description does it: the keys first, then the word.
        CompletableFuture<Reply> second = later("ch", "s", "?timeout=1h");
        awaitWaiting(1);
        set("c.{ch}.m.2", "{\"id\":\"foreign\",\"content\":1}");
        set("c.{ch}.clock", "2");
        redis("PUBLISH", "dsps.c.{ch}", "new message");
        assertThat(ids(reply(second))).containsExactly("foreign");
    }

    @Test
    void a_poll_on_a_subscriber_that_is_deleted_is_told_so() throws Exception {
        subscribe("ch", "s");
        CompletableFuture<Reply> poll = later("ch", "s", "?timeout=1h");
        awaitWaiting(1);
        hub.send("DELETE", polling("ch", "s"), "");
        assertThat(reply(poll).status()).isEqualTo(404);
    }

    @Test
    void no_message_falls_between_two_looks() throws Exception {
        subscribe("ch", "s");
        int count = 300;
        CompletableFuture<Void> publisher =
                CompletableFuture.runAsync(
                        () -> {
                            for (int i = 0; i < count; i++) {
                                publish("ch", "m" + i, "1");
                            }
                        },
                        Thread::startVirtualThread);
        List<String> got = new ArrayList<>();
        while (got.size() < count) {
            Reply page = reply(later("ch", "s", "?timeout=1h&max=3"));
            List<String> ids = ids(page);
            assertThat(ids).isNotEmpty();
            got.addAll(ids);
            acknowledge("ch", "s", handle(page));
        }
        publisher.get(60, TimeUnit.SECONDS);
        for (int i = 0; i < count; i++) {
            assertThat(got.get(i)).isEqualTo("m" + i);
        }
    }

    @Test
    void a_message_that_comes_while_a_poll_begins_is_not_missed() throws Exception {
        // On a channel to which nobody listens yet, and on one to which somebody does.
        for (int i = 0; i < 200; i++) {
            String channel = "ch" + i / 2;
            subscribe(channel, "s");
            CompletableFuture<Reply> poll = later(channel, "s", "?timeout=1h");
            publish(channel, "m" + i, "1");
            Reply page = reply(poll);
            assertThat(ids(page)).containsExactly("m" + i);
            acknowledge(channel, "s", handle(page));
        }
    }

    @Test
    void a_client_that_goes_ends_its_poll() throws Exception {
        subscribe("ch", "s");
        try (Socket socket =
                new Socket(InetAddress.getLoopbackAddress(), URI.create(hub.url()).getPort())) {
            socket.getOutputStream()
                    .write(
                            ("GET "
                                            + polling("ch", "s")
                                            + "?timeout=1h HTTP/1.1\r\nHost: localhost\r\n\r\n")
                                    .getBytes(StandardCharsets.US_ASCII));
            awaitWaiting(1);
        }
        awaitWaiting(0);
    }

    @Test
    void a_hub_that_stops_answers_all_who_wait() throws Exception {
        subscribe("ch", "s");
        CompletableFuture<Reply> answer;
        try (TestHub stopping = TestHub.start(url(), settings().toArray(String[]::new))) {
            answer =
                    CompletableFuture.supplyAsync(
                            () -> stopping.get(polling("ch", "s") + "?timeout=1h"),
                            Thread::startVirtualThread);
            await().atMost(60, TimeUnit.SECONDS)
                    .until(
                            () ->
                                    stopping.get("/metrics")
                                            .body()
                                            .contains("millrace_pubsub_waiting 1.0"));
            stopping.stopServing();
            assertThat(ids(reply(answer))).isEmpty();
        }
    }
}
