package dev.millrace.hub.roles;

import static dev.millrace.hub.roles.Sample.changes;
import static dev.millrace.hub.roles.Sample.reads;

import java.util.List;
import java.util.Map;

/** Samples over time, under all of their paths. */
final class HistorySamples {
    private static final String SAMPLE =
            "{\"source\":\"brewblox\",\"id\":\"%s\",\"field\":\"x\",\"ts\":%d,\"value\":1}";

    private HistorySamples() {}

    /** An import of one sample. */
    private static String body(String id) {
        return "{\"samples\":[" + SAMPLE.formatted(id, System.currentTimeMillis()) + "]}";
    }

    /** The id of something that has a sample. */
    private static String recorded(Stage stage) {
        String id = stage.fresh("tank");
        stage.prepare("POST", "/api/history/samples", body(id));
        return id;
    }

    /** The id of a batch that waits. */
    private static String batch(Stage stage) {
        String id = stage.fresh("batch");
        stage.redis(
                "SET",
                "history:batch:" + id,
                "{\"batch_id\":\"%s\",\"status\":\"created\",\"created_at_ms\":1,\"samples\":[%s]}"
                        .formatted(id, SAMPLE.formatted("tank", 1)));
        return id;
    }

    static void put(Map<String, Sample> all) {
        all.put("GET /api/hissrv/health", reads("/api/hissrv/health"));
        String timeseries = "/history/timeseries";
        all.put("GET " + timeseries + "/ping", reads(timeseries + "/ping"));
        for (String question : List.of("fields", "metrics", "ranges", "csv")) {
            all.put(
                    "POST " + timeseries + "/" + question,
                    reads(
                            stage ->
                                    Call.of(
                                            timeseries + "/" + question,
                                            "{\"fields\":[\"tank/x\"]}")));
        }
        for (String api : List.of("/api", "/api/hissrv", "/api/hissrv/api")) {
            String history = api + "/history";
            all.put("GET " + api + "/stats", reads(api + "/stats"));
            all.put("GET " + history + "/index", reads(history + "/index"));
            all.put("GET " + history + "/gaps", reads(history + "/gaps"));
            all.put(
                    "GET " + history + "/latest",
                    reads(stage -> Call.of(history + "/latest?series=brewblox:tank:x")));
            all.put(
                    "GET " + history + "/{source}/{id}/statistics",
                    reads(
                            stage ->
                                    Call.of(
                                            history
                                                    + "/brewblox/"
                                                    + recorded(stage)
                                                    + "/statistics")));
            all.put(
                    "GET " + history + "/{source}/{id}/{field}",
                    reads(stage -> Call.of(history + "/brewblox/" + recorded(stage) + "/x")));
            all.put(
                    "POST " + history + "/query",
                    reads(
                            stage ->
                                    Call.of(
                                            history + "/query",
                                            "{\"series\":[\"brewblox:tank:x\"]}")));
            all.put("GET " + history + "/config", reads(history + "/config"));
            all.put(
                    "PUT " + history + "/config",
                    changes(
                            stage ->
                                    Call.of(
                                            history + "/config",
                                            "{\"deny\":[\"%s\"]}".formatted(stage.fresh("p")))));
            all.put("GET " + history + "/batches", reads(history + "/batches"));
            all.put(
                    "GET " + history + "/batches/{batch_id}",
                    reads(stage -> Call.of(history + "/batches/" + batch(stage))));
            all.put(
                    "POST " + history + "/batches/{batch_id}/acknowledge",
                    changes(
                            stage ->
                                    Call.of(
                                            history + "/batches/" + batch(stage) + "/acknowledge",
                                            "{\"status\":\"written\"}")));
            all.put("GET " + history + "/rollups", reads(history + "/rollups"));
            all.put(
                    "POST " + history + "/rollups/recompute",
                    changes(
                            stage ->
                                    Call.of(
                                            history + "/rollups/recompute",
                                            "{\"series\":[\"brewblox:%s:x\"]}"
                                                    .formatted(recorded(stage)))));
            all.put(
                    "GET " + history + "/export",
                    reads(stage -> Call.of(history + "/export?series=brewblox:tank:x")));
            all.put(
                    "POST " + history + "/export",
                    reads(
                            stage ->
                                    Call.of(
                                            history + "/export",
                                            "{\"series\":[\"brewblox:tank:x\"]}")));
            all.put(
                    "DELETE " + history + "/{source}/{id}/{field}",
                    changes(
                            stage ->
                                    Call.of(
                                            history
                                                    + "/brewblox/"
                                                    + recorded(stage)
                                                    + "/x?start=%d&end=%d"
                                                            .formatted(
                                                                    System.currentTimeMillis()
                                                                            - 3_600_000,
                                                                    System.currentTimeMillis()
                                                                            + 60_000))));
            all.put(
                    "DELETE " + history + "/{source}/{id}/statistics",
                    changes(
                            stage ->
                                    Call.of(
                                            history
                                                    + "/brewblox/"
                                                    + recorded(stage)
                                                    + "/statistics")));
            all.put(
                    "POST " + history + "/samples",
                    changes(stage -> Call.of(history + "/samples", body(stage.fresh("tank")))));
        }
    }
}
