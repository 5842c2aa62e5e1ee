package dev.millrace.hub.alarms;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.hub.TestHub;
import dev.millrace.keyspace.testing.SharedServers;

import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;

/** Who learns of an alarm besides those who ask. */
class TellingTest {
    private static TestHub hub(String... settings) {
        return TestHub.start(SharedServers.standalone().url(), settings);
    }

    private static void rule(TestHub hub, String id, String level) {
        hub.send(
                "PUT",
                "/api/alarm-rules/" + id,
                "{\"source_key\":\"comsrv:1:T\",\"field\":\"101\",\"threshold\":85,\"alarm_level\":\"%s\",\"alarm_title\":\"Too hot: {value}\"}"
                        .formatted(level));
    }

    private static void value(TestHub hub, int value) {
        hub.send("POST", "/api/channels/1/T", "{\"101\":%d}".formatted(value));
    }

    private static JsonNode notification(TestHub hub, String slug) {
        TestHub.Reply reply = hub.get("/api/v1/notification/slug/" + slug);
        return reply.status() == 200 ? reply.json() : reply.json().path("nothing");
    }

    @Test
    void a_grave_alarm_becomes_a_notification_and_closes_it() {
        SharedServers.flushAll();
        try (TestHub hub = hub()) {
            rule(hub, "hot", "Critical");
            rule(hub, "warm", "Warning");
            value(hub, 90);
            await().until(() -> hub.get("/api/v1/notification/slug/alarm-hot-1").status() == 200);
            JsonNode told = notification(hub, "alarm-hot-1");
            assertThat(told.path("content").asString()).isEqualTo("Too hot: 90");
            assertThat(told.path("severity").asString()).isEqualTo("CRITICAL");
            value(hub, 80);
            await().until(
                            () ->
                                    notification(hub, "alarm-hot-1")
                                            .path("labels")
                                            .toString()
                                            .contains("cleared"));
            assertThat(hub.get("/api/v1/notification/slug/alarm-warm-1").status()).isEqualTo(404);
            value(hub, 91);
            await().until(() -> hub.get("/api/v1/notification/slug/alarm-hot-2").status() == 200);
            assertThat(hub.keyspace().check().run().findings()).isEmpty();
        }
    }

    @Test
    void what_is_shelved_is_told_when_it_is_shown_again() {
        SharedServers.flushAll();
        try (TestHub hub = hub()) {
            rule(hub, "hot", "Critical");
            rule(hub, "other", "Critical");
            hub.send("POST", "/api/alarms/hot/shelve", "{\"duration\":600}");
            value(hub, 90);
            await().until(() -> hub.get("/api/v1/notification/slug/alarm-other-1").status() == 200);
            assertThat(hub.get("/api/v1/notification/slug/alarm-hot-1").status()).isEqualTo(404);
            hub.send("POST", "/api/alarms/hot/unshelve", "");
            await().until(() -> hub.get("/api/v1/notification/slug/alarm-hot-1").status() == 200);
        }
    }

    @Test
    void levels_and_categories_decide_who_is_told() {
        SharedServers.flushAll();
        try (TestHub hub =
                hub(
                        "alarms.notifications.warning=normal",
                        "alarms.notifications.critical=off",
                        "alarms.message-channel=alarms",
                        "pubsub.channels=[{regex: 'alarms'}]")) {
            rule(hub, "warm", "Warning");
            rule(hub, "hot", "Critical");
            value(hub, 90);
            await().until(() -> hub.get("/api/v1/notification/slug/alarm-warm-1").status() == 200);
            assertThat(hub.get("/api/v1/notification/slug/alarm-hot-1").status()).isEqualTo(404);
            await().until(
                            () ->
                                    SharedServers.standalone()
                                            .command("EXISTS", "c.{alarms}.clock")
                                            .equals(1L));
        }
    }
}
