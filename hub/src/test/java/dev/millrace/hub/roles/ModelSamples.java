package dev.millrace.hub.roles;

import static dev.millrace.hub.roles.Sample.changes;
import static dev.millrace.hub.roles.Sample.reads;

import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** Models and templates, under all of their paths. */
final class ModelSamples {
    private static final AtomicInteger NEXT = new AtomicInteger();
    private static final String TEMPLATE = "{\"measurements\":{\"a\":{\"type\":\"T\"}}}";
    private static final int CHANNEL = 3000;

    private ModelSamples() {}

    /** The id of one that is there. */
    private static String model(Stage stage) {
        String id = "m" + NEXT.incrementAndGet();
        stage.prepare(
                "PUT",
                "/api/models/" + id,
                "{\"mappings\":{\"measurement\":{\"a\":{\"channel\":3,\"point_id\":%d}}}}"
                        .formatted(NEXT.incrementAndGet()));
        return id;
    }

    private static String template(Stage stage) {
        String id = "t" + NEXT.incrementAndGet();
        stage.prepare("PUT", "/api/templates/" + id, TEMPLATE);
        return id;
    }

    private static String made(Stage stage) {
        return "{\"template_id\":\"%s\",\"model_id\":\"m%d\",\"mappings\":{\"measurement\":{\"a\":{\"channel\":4,\"point_id\":1}}}}"
                .formatted(template(stage), NEXT.incrementAndGet());
    }

    /** One whose action can be ordered: the channel is configured and online. */
    private static String acting(Stage stage) {
        int channel = CHANNEL + NEXT.incrementAndGet();
        stage.prepare(
                "POST",
                "/api/channels",
                "{\"id\":%d,\"protocol\":\"virtual\",\"points\":{\"C\":[{\"point_id\":1}]}}"
                        .formatted(channel));
        stage.prepare("POST", "/api/channels/" + channel + "/T", "{\"1\":1}");
        String id = "m" + NEXT.incrementAndGet();
        stage.prepare(
                "PUT",
                "/api/models/" + id,
                "{\"mappings\":{\"action\":{\"go\":{\"channel\":%d,\"point_id\":1}}}}"
                        .formatted(channel));
        return id;
    }

    static void put(Map<String, Sample> all) {
        all.put("GET /api/modsrv/health", reads("/api/modsrv/health"));
        for (String api : List.of("/api", "/api/modsrv", "/api/modsrv/api")) {
            models(all, api);
            templates(all, api + "/templates");
            all.put("POST " + api + "/sync/all", changes(ModelSamples::syncAll));
        }
    }

    private static Call syncAll(Stage stage) {
        synced(stage);
        return Call.of("/api/sync/all");
    }

    /** One whose point has a value, which was written by hand since. */
    private static String synced(Stage stage) {
        int channel = CHANNEL + NEXT.incrementAndGet();
        stage.prepare("POST", "/api/channels/" + channel + "/T", "{\"1\":1}");
        String id = "m" + NEXT.incrementAndGet();
        stage.prepare(
                "PUT",
                "/api/models/" + id,
                "{\"mappings\":{\"measurement\":{\"a\":{\"channel\":%d,\"point_id\":1}}}}"
                        .formatted(channel));
        stage.prepare("POST", "/api/models/" + id + "/measurement", "{\"a\":7}");
        return id;
    }

    private static void models(Map<String, Sample> all, String api) {
        String models = api + "/models";
        String one = models + "/{id}";
        all.put("GET " + models, reads(models));
        all.put("GET " + one, reads(stage -> Call.of(models + "/" + model(stage))));
        for (String part : List.of("data", "status")) {
            all.put(
                    "GET " + one + "/" + part,
                    reads(stage -> Call.of(models + "/" + model(stage) + "/" + part)));
        }
        all.put("POST " + models, changes(stage -> Call.of(models, "{\"mappings\":{}}")));
        all.put(
                "PUT " + one,
                changes(
                        stage ->
                                Call.of(
                                        models + "/" + model(stage),
                                        "{\"name\":\"other\",\"mappings\":{}}")));
        all.put("DELETE " + one, changes(stage -> Call.of(models + "/" + model(stage))));
        all.put(
                "POST " + one + "/measurement",
                changes(
                        stage ->
                                Call.of(
                                        models + "/" + model(stage) + "/measurement",
                                        "{\"a\":5}")));
        all.put(
                "POST " + one + "/sync",
                changes(stage -> Call.of(models + "/" + synced(stage) + "/sync")));
        all.put(
                "POST " + one + "/action",
                changes(
                        stage ->
                                Call.of(
                                        models + "/" + acting(stage) + "/action",
                                        "{\"action\":\"go\",\"value\":1}")));
        all.put(
                "POST " + models + "/from-template",
                changes(stage -> Call.of(models + "/from-template", made(stage))));
    }

    private static void templates(Map<String, Sample> all, String templates) {
        String one = templates + "/{id}";
        all.put("GET " + templates, reads(templates));
        all.put("GET " + one, reads(stage -> Call.of(templates + "/" + template(stage))));
        all.put("POST " + templates, changes(stage -> Call.of(templates, TEMPLATE)));
        all.put(
                "PUT " + one,
                changes(
                        stage ->
                                Call.of(
                                        templates + "/" + template(stage),
                                        TEMPLATE.replace("\"T\"", "\"S\""))));
        all.put("DELETE " + one, changes(stage -> Call.of(templates + "/" + template(stage))));
        all.put(
                "POST " + one + "/apply",
                changes(
                        stage -> {
                            String id = template(stage);
                            stage.prepare(
                                    "POST",
                                    "/api/models/from-template",
                                    "{\"template_id\":\"%s\",\"model_id\":\"m%d\",\"mappings\":{\"measurement\":{\"a\":{\"channel\":4,\"point_id\":1}}}}"
                                            .formatted(id, NEXT.incrementAndGet()));
                            stage.prepare(
                                    "PUT",
                                    "/api/templates/" + id,
                                    "{\"type\":\"x\",\"measurements\":{\"a\":{\"type\":\"T\"}}}");
                            return Call.of(templates + "/" + id + "/apply");
                        }));
        all.put(
                "POST " + templates + "/create-model",
                changes(stage -> Call.of(templates + "/create-model", made(stage))));
    }
}
