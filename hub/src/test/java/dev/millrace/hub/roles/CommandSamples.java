package dev.millrace.hub.roles;

import static dev.millrace.hub.roles.Sample.changes;
import static dev.millrace.hub.roles.Sample.reads;

import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** Commands to devices, under all of their paths. */
final class CommandSamples {
    private static final AtomicInteger NEXT = new AtomicInteger(5000);
    private static final String CONTROL = "/api/v1/control";
    private static final String ORDER = "{\"point_id\":7,\"value\":1}";

    private CommandSamples() {}

    /** The number of a channel that is online, and that nobody here talks to. */
    private static int channel(Stage stage) {
        int id = NEXT.incrementAndGet();
        stage.prepare(
                "POST",
                "/api/channels",
                """
                {"id":%d,"protocol":"other",
                 "points":{"T":[{"point_id":1}],"C":[{"point_id":7}],"A":[{"point_id":7}]}}
                """
                        .formatted(id));
        stage.prepare("POST", "/api/channels/" + id + "/T", "{\"1\":1}");
        return id;
    }

    /** The id of a command that waits. */
    private static String command(Stage stage) {
        int channel = channel(stage);
        String id = "waits-" + channel;
        stage.prepare(
                "POST",
                "/api/control/" + channel,
                "{\"point_id\":7,\"value\":1,\"cmd_id\":\"%s\"}".formatted(id));
        return id;
    }

    static void put(Map<String, Sample> all) {
        for (String api : List.of("/api", "/api/comsrv")) {
            for (String kind : List.of("control", "adjustment")) {
                all.put(
                        "POST " + api + "/" + kind + "/{channel_id}",
                        changes(stage -> Call.of(api + "/" + kind + "/" + channel(stage), ORDER)));
            }
            all.put(
                    "POST " + api + "/channels/{channel_id}/write",
                    changes(
                            stage ->
                                    Call.of(
                                            api + "/channels/" + channel(stage) + "/write",
                                            "{\"type\":\"C\",\"id\":7,\"value\":1}")));
            all.put(
                    "GET " + api + "/commands/{cmd_id}",
                    reads(stage -> Call.of(api + "/commands/" + command(stage))));
            all.put(
                    "GET " + api + "/channels/{channel_id}/commands",
                    reads(stage -> Call.of(api + "/channels/" + channel(stage) + "/commands")));
            all.put(
                    "POST " + api + "/commands/{cmd_id}/cancel",
                    changes(stage -> Call.of(api + "/commands/" + command(stage) + "/cancel")));
        }
        all.put(
                "POST " + CONTROL + "/channels/{channel_id}/execute",
                changes(
                        stage ->
                                Call.of(
                                        CONTROL + "/channels/" + channel(stage) + "/execute",
                                        ORDER)));
        all.put(
                "GET " + CONTROL + "/commands/{cmd_id}/status",
                reads(stage -> Call.of(CONTROL + "/commands/" + command(stage) + "/status")));
        all.put(
                "GET " + CONTROL + "/channels/{channel_id}/history",
                reads(stage -> Call.of(CONTROL + "/channels/" + channel(stage) + "/history")));
        all.put(
                "POST " + CONTROL + "/batch-execute",
                changes(
                        stage ->
                                Call.of(
                                        CONTROL + "/batch-execute",
                                        """
                                        {"execution_mode":"parallel",
                                         "commands":[{"channel_id":%d,"point_id":7,"value":1}]}
                                        """
                                                .formatted(channel(stage)))));
    }
}
