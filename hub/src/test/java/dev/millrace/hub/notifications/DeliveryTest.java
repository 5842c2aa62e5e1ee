package dev.millrace.hub.notifications;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.hub.TestHub;
import dev.millrace.hub.TestHub.Reply;
import dev.millrace.hub.notifications.delivery.RestSender;
import dev.millrace.hub.notifications.kept.NotificationStore;
import dev.millrace.hub.notifications.kept.Outboxes;
import dev.millrace.keyspace.testing.OnEachSite;

import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** What becomes of a notification, with real receivers. */
@OnEachSite
final class DeliveryTest extends RoomContract {
    /** Far away: only a hang reaches it. */
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    @Override
    String[] settings() {
        return new String[] {
            "notifications.resend-wait=20ms",
            "notifications.time-out=20s",
            "notifications.parallel=2"
        };
    }

    private TestHub hub(String... more) {
        List<String> settings = new ArrayList<>(List.of(settings()));
        settings.addAll(List.of(more));
        return TestHub.start(url(), settings.toArray(String[]::new));
    }

    private void subscribed(String slug, String matching, String... channels) {
        Reply reply =
                hub.send(
                        "POST",
                        "/api/v1/subscription",
                        "{\"slug\":\"%s\",\"receiver\":\"ann\",%s,\"channels\":[%s]}"
                                .formatted(slug, matching, String.join(",", channels)));
        assertThat(reply.status()).as(reply.body()).isEqualTo(201);
    }

    private static String rest(String url, String... more) {
        return "{\"type\":\"REST\",\"url\":\"%s\"%s}"
                .formatted(url, more.length == 0 ? "" : "," + String.join(",", more));
    }

    private static final String HEALTH = "\"subscribedCategories\":[\"SW_HEALTH\"]";

    private String post(String slug, String severity, String... more) {
        Reply reply = hub.send("POST", "/api/v1/notification", Samples.json(slug, severity, more));
        assertThat(reply.status()).as(reply.body()).isEqualTo(202);
        return reply.body();
    }

    private List<JsonNode> transmissions(String slug) {
        List<JsonNode> all = new ArrayList<>();
        hub.get("/api/v1/transmission/slug/" + slug + "/0").json().forEach(all::add);
        return all;
    }

    private JsonNode awaitStatus(String slug, String status) {
        await().atMost(PATIENCE)
                .until(
                        () ->
                                transmissions(slug).stream()
                                        .anyMatch(
                                                each ->
                                                        each.get("status")
                                                                .asString()
                                                                .equals(status)));
        return transmissions(slug).stream()
                .filter(each -> each.get("status").asString().equals(status))
                .findFirst()
                .orElseThrow();
    }

    private void awaitEmptyOutboxes() {
        await().atMost(PATIENCE)
                .until(
                        () ->
                                new Outboxes(hub.keyspace())
                                        .waiting(subscriptionIds()).stream()
                                                .allMatch(each -> each.count() == 0));
        await().atMost(PATIENCE)
                .until(() -> new NotificationStore(hub.keyspace()).distribution().size() == 0);
    }

    private List<String> subscriptionIds() {
        List<String> ids = new ArrayList<>();
        hub.get("/api/v1/subscription").json().forEach(each -> ids.add(each.get("id").asString()));
        return ids;
    }

    @Test
    void each_matching_subscription_is_served_once_over_each_of_its_channels() {
        try (Receiver one = Receiver.answering(200);
                Receiver two = Receiver.answering(204)) {
            subscribed(
                    "both",
                    HEALTH + ",\"subscribedLabels\":[\"hot\"]",
                    rest(one.url()),
                    rest(two.url() + "b"));
            subscribed("label", "\"subscribedLabels\":[\"hot\"]", rest(two.url() + "l"));
            subscribed("other", "\"subscribedCategories\":[\"SECURITY\"]", rest(one.url()));
            subscribed("none", "\"subscribedLabels\":[]", rest(one.url()));
            String id = post("a", "NORMAL", "\"labels\":[\"hot\",\"red\"]");
            await().atMost(PATIENCE).until(() -> transmissions("a").size() == 3);
            awaitEmptyOutboxes();
            assertThat(one.got()).hasSize(1);
            assertThat(two.got()).hasSize(2);
            assertThat(one.got().getFirst().body()).isEqualTo("It burns.");
            assertThat(one.got().getFirst().header("Content-type")).isEqualTo("text/plain");
            assertThat(one.got().getFirst().header("X-millrace-signature")).isEmpty();
            for (JsonNode each : transmissions("a")) {
                assertThat(each.get("status").asString()).isEqualTo("SENT");
                assertThat(each.get("receiver").asString()).isEqualTo("ann");
                assertThat(each.get("resendcount").asInt()).isZero();
                assertThat(each.at("/notification/id").asString()).isEqualTo(id);
                assertThat(each.get("records")).hasSize(1);
                assertThat(each.at("/records/0/response").asString())
                        .isIn(
                                "Got response status code: 200 OK",
                                "Got response status code: 204 No Content");
            }
            assertThat(transmissions("a").stream().map(each -> each.get("id").asString()))
                    .contains(one.got().getFirst().transmission());
        }
    }

    @Test
    void what_is_sent_is_signed_where_there_is_a_secret() {
        try (Receiver receiver = Receiver.answering(200)) {
            subscribed("s", HEALTH, rest(receiver.url(), "\"secret\":\"geheim\""));
            post("a", "NORMAL", "\"contenttype\":\"text/html\"");
            assertThat(awaitStatus("a", "SENT").toString()).doesNotContain("geheim");
            Receiver.Got got = receiver.got().getFirst();
            assertThat(got.header("X-millrace-signature"))
                    .isEqualTo(
                            RestSender.signed(
                                    "It burns.".getBytes(StandardCharsets.UTF_8), "geheim"));
            assertThat(got.header("Content-type")).isEqualTo("text/html");
        }
    }

    @Test
    void a_critical_one_that_fails_is_sent_again_and_then_escalated() {
        try (Receiver broken = Receiver.answering(500);
                Receiver boss = Receiver.answering(200)) {
            subscribed("s", HEALTH, rest(broken.url()), rest(broken.url() + "second"));
            subscribed("ESCALATION", "\"description\":\"the boss\"", rest(boss.url()));
            post("a", "CRITICAL", "\"labels\":[\"hot\"]");
            await().atMost(PATIENCE).until(() -> escalated("a") == 2);
            awaitStatus("escalated-a", "SENT");
            awaitEmptyOutboxes();
            for (JsonNode each : transmissions("a")) {
                assertThat(each.get("resendcount").asInt()).isEqualTo(2);
                assertThat(each.get("records")).hasSize(3);
                assertThat(each.at("/records/2/response").asString())
                        .isEqualTo("Got response status code: 500 Internal Server Error");
            }
            assertThat(broken.got()).hasSize(6);
            assertThat(broken.got().stream().map(Receiver.Got::transmission).distinct()).hasSize(2);
            assertThat(boss.got()).hasSize(1);
            assertThat(boss.got().getFirst().body())
                    .contains("\"status\":\"FAILED\"", "\"resendcount\":2")
                    .endsWith(" It burns.");
            JsonNode made = hub.get("/api/v1/notification/slug/escalated-a").json();
            assertThat(made.get("status").asString()).isEqualTo("ESCALATED");
            assertThat(made.get("sender").asString()).isEqualTo("escalated-boiler");
            assertThat(made.get("contenttype").asString()).isEqualTo("text/plain");
            assertThat(made.at("/labels/0").asString()).isEqualTo("hot");
            assertThat(hub.get("/api/v1/notification/slug/a").json().get("status").asString())
                    .isEqualTo("PROCESSED");
            assertThat(hub.get("/api/v1/transmission/escalated/0").json()).hasSize(2);
            assertThat(hub.get("/metrics").body())
                    .contains("millrace_notifications_escalated_total 2.0")
                    .contains("millrace_notifications_failed_total 6.0")
                    .contains("millrace_notifications_sent_total 1.0");
        }
    }

    private long escalated(String slug) {
        return transmissions(slug).stream()
                .filter(each -> each.get("status").asString().equals("TRXESCALATED"))
                .count();
    }

    @Test
    void what_is_escalated_and_fails_is_not_sent_again() {
        try (Receiver broken = Receiver.answering(500)) {
            subscribed("s", HEALTH, rest(broken.url()));
            subscribed("ESCALATION", "\"receiver\":\"boss\"", rest(broken.url() + "boss"));
            post("a", "CRITICAL");
            awaitStatus("a", "TRXESCALATED");
            JsonNode failed = awaitStatus("escalated-a", "FAILED");
            awaitEmptyOutboxes();
            assertThat(failed.get("records")).hasSize(1);
            assertThat(broken.got()).hasSize(4);
            assertThat(transmissions("escalated-a")).hasSize(1);
        }
    }

    @Test
    void without_somebody_to_escalate_to_it_is_given_up() {
        try (Receiver broken = Receiver.answering(404)) {
            subscribed("s", HEALTH, rest(broken.url()));
            post("a", "CRITICAL");
            awaitStatus("a", "TRXESCALATED");
            awaitEmptyOutboxes();
            assertThat(broken.got()).hasSize(3);
            assertThat(hub.get("/api/v1/notification/slug/escalated-a").status()).isEqualTo(404);
        }
    }

    @Test
    void a_normal_one_that_fails_is_left_at_that() {
        try (Receiver broken = Receiver.answering(500)) {
            subscribed("s", HEALTH, rest(broken.url()));
            post("a", "NORMAL");
            awaitStatus("a", "FAILED");
            awaitEmptyOutboxes();
            assertThat(broken.got()).hasSize(1);
            assertThat(transmissions("a").getFirst().get("status").asString()).isEqualTo("FAILED");
        }
    }

    @Test
    void a_receiver_that_comes_back_gets_it() {
        int port;
        try (Receiver gone = Receiver.answering(200)) {
            port = gone.port();
        }
        hub.close();
        hub = hub("notifications.resend-limit=1000", "notifications.resend-longest-wait=50ms");
        subscribed("s", HEALTH, rest("http://127.0.0.1:%d/".formatted(port)));
        post("a", "CRITICAL");
        await().atMost(PATIENCE)
                .until(() -> awaitStatus("a", "FAILED").get("resendcount").asInt() >= 1);
        try (Receiver back = Receiver.at(port)) {
            JsonNode sent = awaitStatus("a", "SENT");
            awaitEmptyOutboxes();
            assertThat(back.got()).hasSize(1);
            assertThat(sent.get("records").size())
                    .isEqualTo(sent.get("resendcount").asInt() + 1)
                    .isGreaterThan(2);
            assertThat(sent.at("/records/0/response").asString()).contains("It was not reached");
        }
    }

    @Test
    void a_redirect_is_a_failure_and_nobody_else_gets_it() {
        try (Receiver moved = Receiver.answering(302)) {
            subscribed("s", HEALTH, rest(moved.url()));
            post("a", "NORMAL");
            assertThat(awaitStatus("a", "FAILED").at("/records/0/response").asString())
                    .isEqualTo("Got response status code: 302 Found (redirects are not followed)");
            assertThat(moved.got()).extracting(Receiver.Got::path).containsExactly("/");
        }
    }

    @Test
    void what_cannot_be_an_address_fails_with_a_sentence() {
        subscribed(
                "s",
                HEALTH,
                rest("ftp://127.0.0.1/"),
                rest("no url"),
                rest("http://169.254.169.254/latest"),
                rest(""),
                "{\"type\":\"EMAIL\",\"mailAddresses\":[\"ann@x\"]}");
        post("a", "NORMAL");
        await().atMost(PATIENCE).until(() -> transmissions("a").size() == 5);
        awaitEmptyOutboxes();
        assertThat(transmissions("a"))
                .extracting(each -> each.at("/records/0/response").asString())
                .anyMatch(text -> text.contains("begins with http:// or https://"))
                .anyMatch(text -> text.contains("notifications.rest.denied-networks"))
                .anyMatch(text -> text.contains("set notifications.smtp.host"));
    }

    @Test
    void one_that_is_silent_is_seen_at_once_and_holds_up_nobody_else() {
        try (Receiver silent = Receiver.answering(200).holdingThem();
                Receiver quick = Receiver.answering(200)) {
            subscribed("silent", HEALTH, rest(silent.url()));
            subscribed("quick", "\"subscribedLabels\":[\"q\"]", rest(quick.url()));
            for (int i = 0; i < 5; i++) {
                post("s" + i, "CRITICAL");
            }
            // It has two places, and both are taken.
            await().atMost(PATIENCE).until(() -> silent.got().size() == 2);
            for (int i = 0; i < 20; i++) {
                post("q" + i, "NORMAL", "\"labels\":[\"q\"]");
            }
            await().atMost(PATIENCE).until(() -> quick.got().size() == 20);
            assertThat(silent.got()).hasSize(2);
            await().atMost(PATIENCE)
                    .until(() -> hub.get("/api/v1/transmission/failed/0").json().size() == 2);
            assertThat(
                            hub.get("/api/v1/transmission/failed/1")
                                    .json()
                                    .at("/0/records/0/response")
                                    .asString())
                    .isEqualTo("No answer yet; it is awaited.");
            silent.release();
            for (int i = 0; i < 5; i++) {
                assertThat(awaitStatus("s" + i, "SENT").get("records")).hasSize(1);
            }
            awaitEmptyOutboxes();
            // All were sent to it by q as well: each notification matched its category.
            assertThat(silent.got()).hasSize(25);
        }
    }

    @Test
    void one_that_never_answers_is_given_up_in_time() {
        hub.close();
        hub = hub("notifications.time-out=300ms");
        try (Receiver silent = Receiver.answering(200).holdingThem()) {
            subscribed("s", HEALTH, rest(silent.url()));
            post("a", "CRITICAL");
            JsonNode given = awaitStatus("a", "TRXESCALATED");
            assertThat(given.get("records")).hasSize(3);
            awaitEmptyOutboxes();
        }
    }

    @Test
    void normal_ones_wait_for_their_batch_where_that_is_set() {
        hub.close();
        hub = hub("notifications.normal-batch=1000d");
        try (Receiver receiver = Receiver.answering(200)) {
            subscribed("s", HEALTH, rest(receiver.url()));
            post("waits", "NORMAL");
            post("now", "CRITICAL");
            awaitStatus("now", "SENT");
            assertThat(hub.get("/api/v1/notification/new/0").json().at("/0/slug").asString())
                    .isEqualTo("waits");
            assertThat(transmissions("waits")).isEmpty();
        }
    }

    @Test
    void a_batch_goes_out_when_it_is_due() {
        hub.close();
        hub = hub("notifications.normal-batch=50ms");
        try (Receiver receiver = Receiver.answering(200)) {
            subscribed("s", HEALTH, rest(receiver.url()));
            post("waits", "NORMAL");
            awaitStatus("waits", "SENT");
            assertThat(hub.get("/api/v1/notification/slug/waits").json().get("status").asString())
                    .isEqualTo("PROCESSED");
            assertThat(hub.get("/api/v1/notification/new/0").status()).isEqualTo(404);
        }
    }

    @Test
    void a_subscription_that_goes_takes_its_outbox_along() {
        try (Receiver silent = Receiver.answering(200).holdingThem()) {
            subscribed("s", HEALTH, rest(silent.url()));
            String id = subscriptionIds().getFirst();
            for (int i = 0; i < 4; i++) {
                post("n" + i, "CRITICAL");
            }
            Outboxes outboxes = new Outboxes(hub.keyspace());
            await().atMost(PATIENCE)
                    .until(() -> outboxes.waiting(List.of(id)).getFirst().count() == 4);
            assertThat(hub.send("DELETE", "/api/v1/subscription/slug/s", "").status())
                    .isEqualTo(200);
            assertThat(outboxes.waiting(List.of(id)).getFirst().count()).isZero();
            silent.release();
            await().atMost(PATIENCE)
                    .until(() -> hub.get("/api/v1/transmission/start/0/0").json().size() >= 1);
            assertThat(outboxes.waiting(List.of(id)).getFirst().count()).isZero();
            assertThat(silent.got().size()).isLessThanOrEqualTo(2);
        }
    }

    @Test
    void what_waits_for_a_notification_that_was_deleted_is_dropped() {
        hub.close();
        hub = hub("notifications.resend-limit=1000", "notifications.resend-longest-wait=50ms");
        try (Receiver broken = Receiver.answering(500)) {
            subscribed("s", HEALTH, rest(broken.url()));
            String id = post("a", "CRITICAL");
            await().atMost(PATIENCE).until(() -> broken.got().size() >= 2);
            assertThat(hub.send("DELETE", "/api/v1/notification/" + id, "").status())
                    .isEqualTo(200);
            awaitEmptyOutboxes();
            assertThat(transmissions("a")).isEmpty();
        }
    }

    @Test
    void a_hub_that_comes_later_delivers_what_another_one_left() {
        int port;
        try (Receiver gone = Receiver.answering(200)) {
            port = gone.port();
        }
        hub.close();
        hub = hub("notifications.resend-wait=1s", "notifications.resend-limit=1000");
        subscribed("s", HEALTH, rest("http://127.0.0.1:%d/".formatted(port)));
        post("a", "CRITICAL");
        awaitStatus("a", "FAILED");
        hub.close();
        try (Receiver back = Receiver.at(port)) {
            hub = hub();
            awaitStatus("a", "SENT");
            awaitEmptyOutboxes();
            assertThat(back.got()).hasSize(1);
        }
    }

    @Test
    void a_live_page_sees_what_is_posted() {
        post("a", "NORMAL");
        assertThat(
                        hub.keyspace().feed(NotificationStore.TOPIC).now().numbers().stream()
                                .mapToLong(Long::longValue)
                                .sum())
                .isEqualTo(1);
    }
}
