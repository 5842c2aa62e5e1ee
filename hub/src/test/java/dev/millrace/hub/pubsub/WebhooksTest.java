package dev.millrace.hub.pubsub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.hub.TestHub;
import dev.millrace.hub.pubsub.HookReceiver.Got;
import dev.millrace.hub.pubsub.HookReceiver.Reply;
import dev.millrace.hub.pubsub.webhooks.WebhookWork;
import dev.millrace.keyspace.testing.OnEachSite;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** Which messages webhooks get, how they look, and in which order they come. */
@OnEachSite
final class WebhooksTest extends HooksContract {
    @Test
    void a_message_is_sent_as_receivers_know_it() {
        publish("plain-a", "m1", " {\"a\" : [1.50, null]} ");
        awaitIds(List.of("m1"));
        Got got = receiver.got().getFirst();
        assertThat(got.method()).isEqualTo("PUT");
        assertThat(got.path()).isEqualTo("/plain");
        assertThat(got.header("Content-type")).isEqualTo("application/json");
        assertThat(got.body())
                .isEqualTo(
                        "{\"type\":\"dsps.channel.outgoing-webhook\",\"channelID\":\"plain-a\","
                                + "\"messageID\":\"m1\",\"content\":{\"a\" : [1.50, null]}}");
    }

    @Test
    void method_address_and_headers_are_those_of_the_channel() {
        publish("room-blue", "m1", "1");
        awaitIds(List.of("m1"));
        Got got = receiver.got().getFirst();
        assertThat(got.method()).isEqualTo("POST");
        assertThat(got.path()).isEqualTo("/rooms/blue");
        assertThat(got.header("X-room")).isEqualTo("blue");
        assertThat(got.headers().get("Content-type")).containsExactly("application/vnd.room+json");
    }

    @Test
    void messages_come_in_order_and_once() {
        publishAll("plain-a", 0, 150);
        awaitIds(names(0, 150));
        awaitIdle();
        assertThat(receiver.ids()).isEqualTo(names(0, 150));
        assertThat(get("c.{plain-a}.clock")).isEqualTo("150");
    }

    @Test
    void every_matching_configuration_sends() {
        publishAll("two-a", 0, 5);
        awaitIds(names(0, 10));
        awaitIdle();
        assertThat(receiver.got().stream().filter(got -> got.path().equals("/one")).map(Got::id))
                .containsExactlyElementsOf(names(0, 5));
        assertThat(receiver.got().stream().filter(got -> got.path().equals("/other")).map(Got::id))
                .containsExactlyElementsOf(names(0, 5));
    }

    @Test
    void a_duplicate_calls_nobody_again() {
        publish("plain-a", "m0", "1");
        awaitIdle();
        publish("plain-a", "m0", "2");
        publish("plain-a", "m1", "3");
        awaitIds(names(0, 2));
        awaitIdle();
        assertThat(receiver.ids()).isEqualTo(names(0, 2));
    }

    @Test
    void a_webhook_is_a_subscriber_with_a_cursor_that_follows() {
        publishAll("plain-a", 0, 3);
        awaitIdle();
        String subscriber = onlyWebhook("plain-a");
        assertThat(subscriber).startsWith("webhook-");
        assertThat(get("c.{plain-a}.r." + subscriber)).isEqualTo("3");
        assertThat(secondsLeft("c.{plain-a}.r." + subscriber)).isBetween(1700L, 1815L);
    }

    private String onlyWebhook(String channel) {
        List<?> seen =
                (List<?>) redis("ZRANGE", "millrace:seen:{%s}".formatted(channel), "0", "-1");
        assertThat(seen).hasSize(1);
        return String.valueOf(seen.getFirst());
    }

    @Test
    void the_publisher_does_not_wait_for_a_receiver() throws InterruptedException {
        CountDownLatch release = new CountDownLatch(1);
        receiver.answering(
                got -> {
                    waitFor(release);
                    return Reply.of(200);
                });
        publishAll("plain-a", 0, 5);
        // All five were answered while the first call still waits.
        assertThat(receiver.ids().size()).isLessThan(2);
        release.countDown();
        awaitIds(names(0, 5));
    }

    static void waitFor(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void one_slow_channel_holds_up_no_other() {
        CountDownLatch release = new CountDownLatch(1);
        receiver.answering(
                got -> {
                    if (got.body().contains("\"plain-slow\"")) {
                        waitFor(release);
                    }
                    return Reply.of(200);
                });
        publish("plain-slow", "held", "1");
        awaitIds(List.of("held"));
        publishAll("plain-quick", 0, 20);
        awaitIds(names(0, 21));
        release.countDown();
        awaitIdle();
    }

    @Test
    void no_more_connections_are_used_than_the_webhook_may_have() {
        AtomicInteger now = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        receiver.answering(
                got -> {
                    most.accumulateAndGet(now.incrementAndGet(), Math::max);
                    Thread.onSpinWait();
                    now.decrementAndGet();
                    return Reply.of(200);
                });
        for (int i = 0; i < 20; i++) {
            publish("one-" + i, "m", "1");
        }
        await().atMost(PATIENCE).until(() -> receiver.got().size() >= 20);
        awaitIdle();
        assertThat(receiver.got()).hasSize(20);
        assertThat(most).hasValue(1);
    }

    @Test
    void a_receiver_that_was_away_gets_everything_in_order() {
        int port = receiver.port();
        receiver.close();
        publishAll("patient-a", 0, 100);
        receiver = HookReceiver.at(port);
        awaitIds(names(0, 100));
        awaitIdle();
        assertThat(receiver.ids()).isEqualTo(names(0, 100));
    }

    @Test
    void a_message_that_expired_meanwhile_is_skipped() {
        receiver.answering(500);
        publishAll("patient-a", 0, 3);
        awaitIds(names(0, 1));
        // Both at once, so that nobody reads the second without the first.
        redis("DEL", "c.{patient-a}.m.1", "c.{patient-a}.m.2");
        // Whoever has read them before would send them; this one has looked since then.
        await().atMost(PATIENCE).until(() -> receiver.ids().contains("m2"));
        receiver.answering(200);
        awaitIdle();
        assertThat(receiver.ids().getLast()).isEqualTo("m2");
        assertThat(receiver.ids()).doesNotContain("m1");
    }

    @Test
    void two_hubs_share_the_work_and_change_no_order() throws Exception {
        try (TestHub second =
                TestHub.start(url(), settings(receiver.url()).toArray(String[]::new))) {
            List<Thread> publishers = new ArrayList<>();
            for (int channel = 0; channel < 8; channel++) {
                String name = "patient-" + channel;
                publishers.add(
                        Thread.startVirtualThread(
                                () -> {
                                    for (int i = 0; i < 40; i++) {
                                        TestHub one = i % 2 == 0 ? hub : second;
                                        one.send("PUT", message(name, name + "-m" + i), "" + i);
                                    }
                                }));
            }
            Set<String> once = ConcurrentHashMap.newKeySet();
            // Every seventh is refused the first time.
            receiver.answering(
                    got -> Reply.of(got.id().endsWith("7") && once.add(got.id()) ? 500 : 200));
            for (Thread each : publishers) {
                each.join();
            }
            awaitIdle();
            for (int channel = 0; channel < 8; channel++) {
                String name = "patient-" + channel + "-m";
                List<String> taken = new ArrayList<>();
                receiver.ids().stream()
                        .filter(id -> id.startsWith(name))
                        .forEach(
                                id -> {
                                    if (taken.isEmpty() || !taken.getLast().equals(id)) {
                                        taken.add(id);
                                    }
                                });
                List<String> expected = new ArrayList<>();
                for (int i = 0; i < 40; i++) {
                    expected.add(name + i);
                }
                assertThat(taken).isEqualTo(expected);
            }
        }
    }

    @Test
    void a_hub_that_stops_leaves_its_work_to_others_at_once() {
        CountDownLatch release = new CountDownLatch(1);
        receiver.answering(
                got -> {
                    waitFor(release);
                    return Reply.of(200);
                });
        publishAll("plain-a", 0, 5);
        awaitIds(names(0, 1));
        hub.close();
        Object due = redis("ZSCORE", workOf("plain-a"), work().iterator().next());
        assertThat((long) Double.parseDouble(String.valueOf(due)))
                .isLessThanOrEqualTo(System.currentTimeMillis());
        release.countDown();
        hub = TestHub.start(url(), settings(receiver.url()).toArray(String[]::new));
        awaitIdle();
        assertThat(receiver.ids().subList(1, receiver.ids().size())).isEqualTo(names(0, 5));
    }

    private static String workOf(String channel) {
        return "millrace:webhook-work:{%d}".formatted(WebhookWork.part(channel));
    }

    @Test
    void nothing_is_forgotten_when_publishes_meet_the_end_of_a_round() {
        // Each publish comes when the one before has just been dealt with.
        for (int i = 0; i < 90; i++) {
            publish("plain-race", "m" + i, "1");
            String last = "m" + i;
            if (i % 3 == 0) {
                await().atMost(PATIENCE).until(() -> receiver.ids().contains(last));
            }
        }
        awaitIds(names(0, 90));
        awaitIdle();
        assertThat(receiver.ids()).isEqualTo(names(0, 90));
    }

    @Test
    void a_channel_without_webhooks_has_no_work() {
        publish("silent-a", "m0", "1");
        assertThat(work()).isEmpty();
        assertThat(redis("EXISTS", "millrace:seen:{silent-a}")).isEqualTo(0L);
    }

    @Test
    void work_of_a_webhook_that_nobody_knows_ends_with_its_cursor() {
        int part = WebhookWork.part("plain-a");
        redis("ZADD", "millrace:webhook-work:{%d}".formatted(part), "1", "plain-a.gone");
        redis("HSET", "millrace:webhook-notes:{%d}".formatted(part), "plain-a.gone", "1 ");
        awaitIdle();
        set("c.{plain-a}.r.webhook-known", "0");
        redis("ZADD", "millrace:webhook-work:{%d}".formatted(part), "1", "plain-a.known");
        await().atMost(PATIENCE)
                .until(
                        () ->
                                !"1"
                                        .equals(
                                                redis(
                                                        "ZSCORE",
                                                        "millrace:webhook-work:{%d}"
                                                                .formatted(part),
                                                        "plain-a.known")));
        assertThat(work()).containsExactly("plain-a.known");
        redis("DEL", "c.{plain-a}.r.webhook-known");
    }

    @Test
    void there_is_work_before_there_is_a_message() {
        // A publish that ends half-way, as if the hub had died in the middle of it.
        redis("RPUSH", "c.{plain-a}.clock", "no clock");
        assertThat(hub.send("PUT", message("plain-a", "m"), "1").status())
                .isGreaterThanOrEqualTo(400);
        assertThat(work()).anyMatch(id -> id.startsWith("plain-a."));
        redis("DEL", "c.{plain-a}.clock");
    }
}
