package dev.millrace.hub.roles;

import static dev.millrace.hub.roles.Sample.changes;
import static dev.millrace.hub.roles.Sample.changesFrom;
import static dev.millrace.hub.roles.Sample.reads;

import static org.awaitility.Awaitility.await;

import dev.millrace.hub.http.Json;

import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.util.Map;

/** Message channels, and what their admins may. */
final class ChannelSamples {
    private static final String OF_CHANNEL = "/channel/{channel:any}";
    private static final String POLLING = OF_CHANNEL + "/subscription/polling/{subscriber:any}";

    private ChannelSamples() {}

    /** A channel with a subscriber {@code s}, two messages that it has not acknowledged. */
    static String channel(Stage stage) {
        String channel = "/channel/" + stage.fresh("ch");
        stage.prepare("PUT", polling(channel), "");
        stage.prepare("PUT", channel + "/message/m1", "1");
        stage.prepare("PUT", channel + "/message/m2", "2");
        return channel;
    }

    private static String polling(String channel) {
        return channel + "/subscription/polling/s";
    }

    /** What acknowledges its first message. */
    static String handle(Stage stage, String channel) {
        return Json.MAPPER
                .readTree(stage.prepare("GET", polling(channel) + "?max=1", ""))
                .get("ackHandle")
                .asString();
    }

    /** A channel one of whose messages its webhook did not take. */
    private static String dead(Stage stage) {
        String channel = stage.fresh("hooked");
        stage.prepare("PUT", "/channel/" + channel + "/message/m1", "1");
        String admin = "/admin/channel/" + channel;
        await().atMost(Duration.ofSeconds(60))
                .until(
                        () ->
                                Json.MAPPER
                                                .readTree(stage.prepare("GET", admin + "/dead", ""))
                                                .get("count")
                                                .asInt()
                                        == 1);
        return admin;
    }

    static void put(Map<String, Sample> all) {
        all.put(
                "PUT " + OF_CHANNEL + "/message/{message:any}",
                changes(stage -> Call.of(channel(stage) + "/message/m3", "3")));
        all.put(
                "POST " + OF_CHANNEL + "/messages",
                changes(
                        stage ->
                                Call.of(
                                        channel(stage) + "/messages",
                                        "[{\"messageID\":\"m3\",\"content\":3}]")));
        all.put(
                "PUT " + POLLING,
                changes(stage -> Call.of(channel(stage) + "/subscription/polling/new")));
        all.put("DELETE " + POLLING, changes(stage -> Call.of(polling(channel(stage)))));
        // An operator's fetch renews the life of the subscriber, and notes that it was seen.
        all.put(
                "GET " + POLLING,
                changesFrom(Who.OPERATOR, stage -> Call.of(polling(channel(stage)))));
        all.put(
                "DELETE " + POLLING + "/message",
                changes(
                        stage -> {
                            String channel = channel(stage);
                            return Call.of(
                                    polling(channel)
                                            + "/message?ackHandle="
                                            + handle(stage, channel));
                        }));
        all.put(
                "PUT " + POLLING + "/cursor",
                changes(stage -> Call.of(polling(channel(stage)) + "/cursor?from=latest")));
        String sse = "GET " + OF_CHANNEL + "/subscription/sse/{subscriber:any}";
        all.put(
                sse,
                changesFrom(
                        Who.OPERATOR, stage -> Call.of(channel(stage) + "/subscription/sse/s")));
        all.put(
                sse + " (with Last-Event-ID)",
                changesFrom(
                        Who.OPERATOR,
                        stage -> {
                            String channel = channel(stage);
                            return Call.of(channel + "/subscription/sse/s")
                                    .with("Last-Event-ID", handle(stage, channel));
                        }));
        admin(all);
    }

    private static void admin(Map<String, Sample> all) {
        all.put(
                "PUT /admin/jwt/revoke",
                changes(
                        stage ->
                                Call.of(
                                        "/admin/jwt/revoke?exp=9999999999&jti="
                                                + stage.fresh("jti"))));
        all.put(
                "PUT /admin/log/level",
                changes(
                        stage -> {
                            quiet("dev.millrace.hub.pubsub.webhook-out");
                            return Call.of("/admin/log/level?category=webhook-out&level=DEBUG");
                        }));
        String view = "/admin/channel/{channel:any}";
        all.put("GET " + view, reads(stage -> Call.of("/admin" + channel(stage))));
        all.put("GET " + view + "/dead", reads(stage -> Call.of(dead(stage) + "/dead")));
        all.put(
                "POST " + view + "/dead/replay",
                changes(stage -> Call.of(dead(stage) + "/dead/replay")));
        all.put("DELETE " + view + "/dead", changes(stage -> Call.of(dead(stage) + "/dead")));
        all.put("GET /probe/liveness", reads("/probe/liveness"));
        all.put("GET /probe/readiness", reads("/probe/readiness"));
    }

    static void quiet(String logger) {
        ((ch.qos.logback.classic.Logger) LoggerFactory.getLogger(logger))
                .setLevel(ch.qos.logback.classic.Level.WARN);
    }
}
