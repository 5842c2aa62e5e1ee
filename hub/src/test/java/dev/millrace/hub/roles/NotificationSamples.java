package dev.millrace.hub.roles;

import static dev.millrace.hub.roles.Sample.changes;
import static dev.millrace.hub.roles.Sample.reads;

import dev.millrace.hub.http.Json;

import java.util.Map;

/** Notifications, their transmissions, and who gets them. */
final class NotificationSamples {
    private static final String NOTIFICATION = "/api/v1/notification";
    private static final String SUBSCRIPTION = "/api/v1/subscription";
    private static final String TRANSMISSION = "/api/v1/transmission";
    private static final String TIMES = "/start/0/end/9999999999999/5";

    private NotificationSamples() {}

    private static String notificationOf(String slug) {
        return notificationOf(slug, "CRITICAL");
    }

    /** A critical one is dealt with at once; a normal one waits for the next batch. */
    private static String notificationOf(String slug, String severity) {
        return """
        {"slug":"%s","sender":"boiler","category":"SW_HEALTH","severity":"%s","content":"It burns.",\
        "labels":["hot"]}\
        """
                .formatted(slug, severity);
    }

    /** Its slug. */
    private static String notification(Stage stage) {
        String slug = stage.fresh("slug");
        stage.prepare("POST", NOTIFICATION, notificationOf(slug));
        return slug;
    }

    private static String subscriptionOf(String slug, String receiver) {
        return """
        {"slug":"%s","receiver":"%s","subscribedCategories":["SECURITY"],"subscribedLabels":["cold"],\
        "channels":[{"type":"REST","url":"http://127.0.0.1:1/"}]}\
        """
                .formatted(slug, receiver);
    }

    /** Its slug. Nothing that is sent here is for it. */
    private static String subscription(Stage stage) {
        String slug = stage.fresh("slug");
        stage.prepare("POST", SUBSCRIPTION, subscriptionOf(slug, "ann"));
        return slug;
    }

    private static String idOf(Stage stage, String path, String slug) {
        return Json.MAPPER
                .readTree(stage.prepare("GET", path + "/slug/" + slug, ""))
                .get("id")
                .asString();
    }

    private static String transmissionOf(Stage stage, String status) {
        return """
        {"notification":%s,"receiver":"ann","channel":{"type":"REST","url":"http://127.0.0.1:1/"},\
        "status":"%s","resendcount":3}\
        """
                .formatted(notificationOf(stage.fresh("slug")), status);
    }

    static void put(Map<String, Sample> all) {
        all.put(
                "POST /api/v1/notification",
                changes(stage -> Call.of(NOTIFICATION, notificationOf(stage.fresh("slug")))));
        all.put(
                "GET /api/v1/notification/{id}",
                reads(
                        stage ->
                                Call.of(
                                        NOTIFICATION
                                                + "/"
                                                + idOf(stage, NOTIFICATION, notification(stage)))));
        all.put(
                "DELETE /api/v1/notification/{id}",
                changes(
                        stage ->
                                Call.of(
                                        NOTIFICATION
                                                + "/"
                                                + idOf(stage, NOTIFICATION, notification(stage)))));
        all.put(
                "GET /api/v1/notification/slug/{slug}",
                reads(stage -> Call.of(NOTIFICATION + "/slug/" + notification(stage))));
        all.put(
                "DELETE /api/v1/notification/slug/{slug}",
                changes(stage -> Call.of(NOTIFICATION + "/slug/" + notification(stage))));
        all.put("DELETE /api/v1/notification/age/{age:digits}", old(NOTIFICATION + "/age/0"));
        all.put(
                "GET /api/v1/notification/sender/{sender}/{limit:digits}",
                list("/sender/boiler/5"));
        all.put("GET /api/v1/notification/start/{start}/end/{end}/{limit:digits}", list(TIMES));
        all.put("GET /api/v1/notification/start/{start}/{limit:digits}", list("/start/0/5"));
        all.put("GET /api/v1/notification/end/{end}/{limit:digits}", list("/end/9999999999999/5"));
        all.put("GET /api/v1/notification/labels/{labels}/{limit:digits}", list("/labels/hot/5"));
        all.put(
                "GET /api/v1/notification/new/{limit:digits}",
                reads(
                        stage -> {
                            stage.prepare(
                                    "POST",
                                    NOTIFICATION,
                                    notificationOf(stage.fresh("slug"), "NORMAL"));
                            return Call.of(NOTIFICATION + "/new/5");
                        }));
        all.put("DELETE /api/v1/cleanup", old("/api/v1/cleanup"));
        all.put("DELETE /api/v1/cleanup/age/{age:digits}", old("/api/v1/cleanup/age/0"));
        subscriptions(all);
        transmissions(all);
    }

    private static Sample list(String path) {
        return reads(
                stage -> {
                    notification(stage);
                    return Call.of(NOTIFICATION + path);
                });
    }

    /** Deletes all that are there and done. */
    private static Sample old(String path) {
        return changes(
                stage -> {
                    notification(stage);
                    stage.settled();
                    return Call.of(path);
                });
    }

    private static void subscriptions(Map<String, Sample> all) {
        all.put("GET /api/v1/subscription", reads(SUBSCRIPTION));
        all.put(
                "POST /api/v1/subscription",
                changes(
                        stage ->
                                Call.of(SUBSCRIPTION, subscriptionOf(stage.fresh("slug"), "ann"))));
        all.put(
                "PUT /api/v1/subscription",
                changes(
                        stage ->
                                Call.of(SUBSCRIPTION, subscriptionOf(subscription(stage), "ben"))));
        all.put(
                "GET /api/v1/subscription/{id}",
                reads(
                        stage ->
                                Call.of(
                                        SUBSCRIPTION
                                                + "/"
                                                + idOf(stage, SUBSCRIPTION, subscription(stage)))));
        all.put(
                "DELETE /api/v1/subscription/{id}",
                changes(
                        stage ->
                                Call.of(
                                        SUBSCRIPTION
                                                + "/"
                                                + idOf(stage, SUBSCRIPTION, subscription(stage)))));
        all.put(
                "GET /api/v1/subscription/slug/{slug}",
                reads(stage -> Call.of(SUBSCRIPTION + "/slug/" + subscription(stage))));
        all.put(
                "DELETE /api/v1/subscription/slug/{slug}",
                changes(stage -> Call.of(SUBSCRIPTION + "/slug/" + subscription(stage))));
        all.put(
                "GET /api/v1/subscription/categories/{categories}",
                reads(SUBSCRIPTION + "/categories/SECURITY"));
        all.put("GET /api/v1/subscription/labels/{labels}", reads(SUBSCRIPTION + "/labels/cold"));
        all.put(
                "GET /api/v1/subscription/categories/{categories}/labels/{labels}",
                reads(SUBSCRIPTION + "/categories/SECURITY/labels/cold"));
        all.put(
                "GET /api/v1/subscription/receiver/{receiver}",
                reads(SUBSCRIPTION + "/receiver/ann"));
    }

    private static void transmissions(Map<String, Sample> all) {
        all.put(
                "POST /api/v1/transmission",
                changes(stage -> Call.of(TRANSMISSION, transmissionOf(stage, "SENT"))));
        all.put(
                "GET /api/v1/transmission/slug/{slug}/{limit:digits}",
                reads(TRANSMISSION + "/slug/slug-1/5"));
        all.put(
                "GET /api/v1/transmission/slug/{slug}/start/{start}/end/{end}/{limit}",
                reads(TRANSMISSION + "/slug/slug-1" + TIMES));
        all.put(
                "GET /api/v1/transmission/start/{start}/end/{end}/{limit:digits}",
                reads(TRANSMISSION + TIMES));
        all.put(
                "GET /api/v1/transmission/start/{start}/{limit:digits}",
                reads(TRANSMISSION + "/start/0/5"));
        all.put(
                "GET /api/v1/transmission/end/{end}/{limit:digits}",
                reads(TRANSMISSION + "/end/9999999999999/5"));
        all.put(
                "GET /api/v1/transmission/escalated/{limit:digits}",
                reads(TRANSMISSION + "/escalated/5"));
        all.put(
                "GET /api/v1/transmission/failed/{limit:digits}",
                reads(TRANSMISSION + "/failed/5"));
        Map<String, String> statuses =
                Map.of(
                        "sent", "SENT",
                        "escalated", "TRXESCALATED",
                        "acknowledged", "ACKNOWLEDGED",
                        "failed", "FAILED");
        statuses.forEach(
                (word, status) ->
                        all.put(
                                "DELETE /api/v1/transmission/%s/age/{age:digits}".formatted(word),
                                changes(
                                        stage -> {
                                            stage.prepare(
                                                    "POST",
                                                    TRANSMISSION,
                                                    transmissionOf(stage, status));
                                            return Call.of(
                                                    "%s/%s/age/0".formatted(TRANSMISSION, word));
                                        })));
    }
}
