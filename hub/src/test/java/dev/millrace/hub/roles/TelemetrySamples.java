package dev.millrace.hub.roles;

import static dev.millrace.hub.roles.Sample.changes;
import static dev.millrace.hub.roles.Sample.reads;

import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** Device channels and the values of their points, under both of their paths. */
final class TelemetrySamples {
    private static final AtomicInteger NEXT = new AtomicInteger(100);

    private TelemetrySamples() {}

    /** The number of one that is configured and has a value. */
    private static int channel(Stage stage) {
        int id = NEXT.incrementAndGet();
        stage.prepare(
                "POST",
                "/api/channels",
                "{\"id\":%d,\"protocol\":\"virtual\",\"points\":{\"T\":[{\"point_id\":1}]}}"
                        .formatted(id));
        stage.prepare("POST", "/api/channels/" + id + "/T", "{\"1\":1}");
        return id;
    }

    /** The number of one that could be polled, and is not. */
    private static int disabled(Stage stage) {
        int id = NEXT.incrementAndGet();
        stage.prepare(
                "POST",
                "/api/channels",
                """
                {"id":%d,"protocol":"virtual","enabled":false,
                 "points":{"T":[{"point_id":1,"mapping":{"signal":"sine"}}]}}
                """
                        .formatted(id));
        return id;
    }

    static void put(Map<String, Sample> all) {
        all.put("GET /api/comsrv/health", reads("/api/comsrv/health"));
        for (String api : List.of("/api", "/api/comsrv")) {
            put(all, api);
        }
        putLive(all);
    }

    private static void putLive(Map<String, Sample> all) {
        String live = "/api/v1/realtime";
        all.put(
                "GET " + live + "/channels/{channel_id}",
                reads(stage -> Call.of(live + "/channels/" + channel(stage))));
        all.put("GET " + live + "/snapshot", reads(live + "/snapshot"));
        all.put(
                "POST " + live + "/batch-query",
                reads(
                        stage ->
                                Call.of(
                                        live + "/batch-query",
                                        "{\"channels\":[%d]}".formatted(channel(stage)))));
    }

    private static void put(Map<String, Sample> all, String api) {
        String channels = api + "/channels";
        String one = channels + "/{channel_id}";
        all.put("GET " + api + "/status", reads(api + "/status"));
        all.put("GET " + channels, reads(channels));
        all.put("GET " + one, reads(stage -> Call.of(channels + "/" + channel(stage))));
        for (String part : List.of("status", "points")) {
            all.put(
                    "GET " + one + "/" + part,
                    reads(stage -> Call.of(channels + "/" + channel(stage) + "/" + part)));
        }
        all.put(
                "GET " + one + "/{type}",
                reads(stage -> Call.of(channels + "/" + channel(stage) + "/T")));
        all.put(
                "GET " + one + "/{type}/{point_id}",
                reads(stage -> Call.of(channels + "/" + channel(stage) + "/T/1")));
        all.put(
                "POST " + one + "/{type}",
                changes(stage -> Call.of(channels + "/" + channel(stage) + "/T", "{\"1\":2}")));
        all.put(
                "POST " + api + "/telemetry/batch",
                changes(
                        stage ->
                                Call.of(
                                        api + "/telemetry/batch",
                                        "{\"%d\":{\"T\":{\"1\":2}}}".formatted(channel(stage)))));
        all.put(
                "POST " + channels,
                changes(
                        stage ->
                                Call.of(
                                        channels,
                                        "{\"id\":%d,\"protocol\":\"virtual\"}"
                                                .formatted(NEXT.incrementAndGet()))));
        all.put(
                "PUT " + one,
                changes(
                        stage ->
                                Call.of(
                                        channels + "/" + channel(stage),
                                        "{\"protocol\":\"virtual\",\"name\":\"other\"}")));
        all.put("DELETE " + one, changes(stage -> Call.of(channels + "/" + channel(stage))));
        all.put(
                "PUT " + one + "/enabled",
                changes(
                        stage ->
                                Call.of(
                                        channels + "/" + channel(stage) + "/enabled",
                                        "{\"enabled\":false}")));
        all.put(
                "POST " + one + "/points/batch",
                changes(
                        stage ->
                                Call.of(
                                        channels + "/" + channel(stage) + "/points/batch",
                                        "{\"create\":[{\"type\":\"T\",\"point_id\":2}]}")));
        all.put(
                "POST " + one + "/control",
                changes(
                        stage ->
                                Call.of(
                                        channels + "/" + disabled(stage) + "/control",
                                        "{\"operation\":\"stop\"}")));
        all.put("POST " + channels + "/reload", reads(stage -> Call.of(channels + "/reload")));
    }
}
