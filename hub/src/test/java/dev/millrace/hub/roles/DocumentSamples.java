package dev.millrace.hub.roles;

import static dev.millrace.hub.roles.Sample.changes;
import static dev.millrace.hub.roles.Sample.reads;

import java.util.Map;

/** Documents. */
final class DocumentSamples {
    private static final String ROOT = "/history/datastore";

    private DocumentSamples() {}

    private static String valueOf(String id, int x) {
        return "{\"namespace\":\"brewery\",\"id\":\"%s\",\"x\":%d}".formatted(id, x);
    }

    /** The id of one that was changed once. */
    private static String document(Stage stage) {
        String id = stage.fresh("doc");
        stage.prepare("POST", ROOT + "/set", "{\"value\":%s}".formatted(valueOf(id, 1)));
        stage.prepare("POST", ROOT + "/set", "{\"value\":%s}".formatted(valueOf(id, 2)));
        return id;
    }

    private static String named(Stage stage) {
        return "{\"namespace\":\"brewery\",\"id\":\"%s\"}".formatted(document(stage));
    }

    static void put(Map<String, Sample> all) {
        all.put("GET /history/datastore/ping", reads(ROOT + "/ping"));
        all.put(
                "POST /history/datastore/get",
                reads(stage -> Call.of(ROOT + "/get", named(stage))));
        all.put(
                "POST /history/datastore/mget",
                reads(stage -> Call.of(ROOT + "/mget", "{\"namespace\":\"brewery\"}")));
        all.put(
                "POST /history/datastore/set",
                changes(
                        stage ->
                                Call.of(
                                        ROOT + "/set",
                                        "{\"value\":%s}"
                                                .formatted(valueOf(stage.fresh("doc"), 1)))));
        all.put(
                "POST /history/datastore/mset",
                changes(
                        stage ->
                                Call.of(
                                        ROOT + "/mset",
                                        "{\"values\":[%s]}"
                                                .formatted(valueOf(stage.fresh("doc"), 1)))));
        all.put(
                "POST /history/datastore/delete",
                changes(stage -> Call.of(ROOT + "/delete", named(stage))));
        all.put(
                "POST /history/datastore/mdelete",
                changes(
                        stage ->
                                Call.of(
                                        ROOT + "/mdelete",
                                        "{\"namespace\":\"brewery\",\"ids\":[\"%s\"]}"
                                                .formatted(document(stage)))));
        all.put(
                "PATCH /history/datastore/document",
                changes(
                        stage ->
                                Call.of(
                                        ROOT + "/document?namespace=brewery&id=" + document(stage),
                                        "{\"x\":3}")));
        all.put(
                "GET /history/datastore/versions",
                reads(
                        stage ->
                                Call.of(
                                        ROOT
                                                + "/versions?namespace=brewery&id="
                                                + document(stage))));
        all.put(
                "POST /history/datastore/undo",
                changes(stage -> Call.of(ROOT + "/undo", named(stage))));
        all.put("GET /history/datastore/export", reads(ROOT + "/export"));
        all.put(
                "POST /history/datastore/import",
                changes(stage -> Call.of(ROOT + "/import", valueOf(stage.fresh("doc"), 1) + "\n")));
        all.put("GET /history/datastore/changes", reads(ROOT + "/changes"));
        all.put("GET /history/openapi.json", reads("/history/openapi.json"));
        all.put("GET /history/api/doc", reads("/history/api/doc"));
        all.put("GET /history/api/redoc", reads("/history/api/redoc"));
        all.put("GET /history/api/{file}", reads("/history/api/doc.js"));
    }
}
