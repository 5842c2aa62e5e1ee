package dev.millrace.hub.notifications;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.hub.notifications.kept.Category;
import dev.millrace.hub.notifications.kept.Channel;
import dev.millrace.hub.notifications.kept.Notification;
import dev.millrace.hub.notifications.kept.NotificationStatus;
import dev.millrace.hub.notifications.kept.NotificationsLayouts;
import dev.millrace.hub.notifications.kept.Severity;
import dev.millrace.hub.notifications.kept.Subscription;
import dev.millrace.hub.notifications.kept.Transmission;
import dev.millrace.hub.notifications.kept.TransmissionStatus;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.redis.Redis;
import dev.millrace.keyspace.testing.Patience;
import dev.millrace.keyspace.testing.SharedServers;
import dev.millrace.keyspace.testing.TestServer;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The three tables of the key description, as they lie in a Redis: every key and no other. */
class GoldenNotificationsTest {
    private static final String ID = "117a2504-85b7-43c4-a48d-37bf5d6821cd";

    private final TestServer server = SharedServers.standalone();
    private Redis redis;
    private Keyspace keyspace;

    @BeforeEach
    void open() {
        SharedServers.flushAll();
        redis = Redis.open(Patience.options(server.url()));
        keyspace = new Keyspace(redis, Keyspace.catalogue(NotificationsLayouts.all()));
    }

    @AfterEach
    void close() {
        redis.close();
    }

    private Map<String, String> everything() {
        Map<String, String> all = new TreeMap<>();
        for (Object each : (List<?>) server.command("KEYS", "*")) {
            String key = String.valueOf(each);
            String type = String.valueOf(server.command("TYPE", key));
            Object content =
                    switch (type) {
                        case "string" -> server.command("GET", key);
                        case "hash" -> server.command("HGETALL", key);
                        case "zset" -> server.command("ZRANGE", key, "0", "-1", "WITHSCORES");
                        case "set" -> server.command("SMEMBERS", key);
                        default -> "?";
                    };
            all.put(key, type + " " + content);
        }
        return all;
    }

    private void assertLies(String... keysAndContents) {
        Map<String, String> expected = new TreeMap<>();
        for (int i = 0; i < keysAndContents.length; i += 2) {
            expected.put(keysAndContents[i], keysAndContents[i + 1].replace("ID", ID));
        }
        assertThat(everything()).isEqualTo(expected);
    }

    @Test
    void a_notification() {
        keyspace.store(NotificationsLayouts.NOTIFICATIONS)
                .create(
                        new Notification(
                                1,
                                2,
                                3,
                                ID,
                                "fire-1",
                                "boiler",
                                Category.HW_HEALTH,
                                Severity.NORMAL,
                                "It burns.",
                                "words",
                                NotificationStatus.PROCESSED,
                                List.of("hot"),
                                "text/html"))
                .orThrow();
        assertLies(
                ID,
                """
                string {"created":1,"modified":2,"origin":3,"id":"ID","slug":"fire-1",\
                "sender":"boiler","category":"HW_HEALTH","severity":"NORMAL","content":"It burns.",\
                "description":"words","status":"PROCESSED","labels":["hot"],\
                "contenttype":"text/html"}\
                """,
                "notification",
                "zset [ID, 0]",
                "notification:slug",
                "hash [fire-1, ID]",
                "notification:sender:boiler",
                "zset [ID, 0]",
                "notification:status:PROCESSED",
                "zset [ID, 0]",
                "notification:severity:NORMAL",
                "zset [ID, 0]",
                "notification:created",
                "zset [ID, 1]",
                "notification:modified",
                "zset [ID, 2]",
                "notification:label:hot",
                "zset [ID, 0]");
    }

    @Test
    void a_subscription() {
        keyspace.store(NotificationsLayouts.SUBSCRIPTIONS)
                .create(
                        new Subscription(
                                1,
                                2,
                                0,
                                ID,
                                "ops",
                                "ann",
                                "",
                                List.of(Category.SECURITY),
                                List.of("hot"),
                                List.of(Channel.rest("http://x/"), Channel.email("ann@x"))))
                .orThrow();
        assertLies(
                ID,
                """
                string {"created":1,"modified":2,"id":"ID","slug":"ops","receiver":"ann",\
                "subscribedCategories":["SECURITY"],"subscribedLabels":["hot"],\
                "channels":[{"type":"REST","url":"http://x/"},\
                {"type":"EMAIL","mailAddresses":["ann@x"]}]}\
                """,
                "subscription",
                "zset [ID, 0]",
                "subscription:slug",
                "hash [ops, ID]",
                "subscription:receiver:ann",
                "zset [ID, 0]",
                "subscription:label:hot",
                "set [ID]",
                "subscription:category:SECURITY",
                "set [ID]");
    }

    @Test
    void a_subscription_from_before_there_was_mqtt_is_written_as_it_was() {
        String before =
                """
                {"created":1,"modified":2,"id":"ID","slug":"ops","receiver":"ann",\
                "subscribedCategories":["SECURITY"],\
                "channels":[{"type":"REST","url":"http://x/"},\
                {"type":"REST","url":"http://y/","secret":"s"},\
                {"type":"EMAIL","mailAddresses":["ann@x","bob@x"]}]}\
                """
                        .replace("ID", ID);
        server.command("SET", ID, before);
        server.command("ZADD", "subscription", "0", ID);
        server.command("HSET", "subscription:slug", "ops", ID);
        server.command("ZADD", "subscription:receiver:ann", "0", ID);
        server.command("SADD", "subscription:category:SECURITY", ID);
        Map<String, String> asItWas = everything();
        var store = keyspace.store(NotificationsLayouts.SUBSCRIPTIONS);
        Subscription read = store.get(ID).orElseThrow().value();
        store.delete(ID).orThrow();
        assertThat(everything()).isEmpty();
        store.create(read).orThrow();
        assertThat(everything()).isEqualTo(asItWas);
    }

    @Test
    void a_transmission() {
        Transmission transmission =
                Samples.transmission(ID, "fire-1", TransmissionStatus.FAILED, 2, 9);
        keyspace.store(NotificationsLayouts.TRANSMISSIONS).create(transmission).orThrow();
        assertLies(
                ID,
                """
                string {"created":9,"modified":9,"id":"ID","notification":{"created":5,"modified":6,\
                "slug":"fire-1","sender":"boiler","category":"SW_HEALTH","severity":"CRITICAL",\
                "content":"It burns.","status":"NEW","labels":["hot"]},"receiver":"ann",\
                "channel":{"type":"REST","url":"http://example.org/"},"status":"FAILED",\
                "resendcount":2}\
                """,
                "transmission",
                "zset [ID, 0]",
                "transmission:slug:fire-1",
                "zset [ID, 2]",
                "transmission:status:FAILED",
                "zset [ID, 2]",
                "transmission:resendcount:2",
                "zset [ID, 2]",
                "transmission:created",
                "zset [ID, 9]",
                "transmission:modified",
                "zset [ID, 9]");
    }

    @Test
    void a_resend_count_of_zero_is_written() {
        keyspace.store(NotificationsLayouts.TRANSMISSIONS)
                .create(Samples.transmission(ID, "fire-1", TransmissionStatus.SENT, 0, 9))
                .orThrow();
        assertThat(everything().get(ID)).endsWith("\"status\":\"SENT\",\"resendcount\":0}");
    }
}
