package dev.millrace.hub.roles;

import static dev.millrace.hub.roles.Sample.changes;
import static dev.millrace.hub.roles.Sample.reads;

import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** Business rules, under all of their paths. */
final class RuleSamples {
    private static final AtomicInteger NEXT = new AtomicInteger();
    private static final String BODY =
            "\"trigger\":{\"type\":\"manual\"},\"condition\":\"true\",\"actions\":[{\"type\":\"log\"}]";

    private RuleSamples() {}

    private static String fresh() {
        return "sample" + NEXT.incrementAndGet();
    }

    /** The id of one that is there. */
    private static String rule(Stage stage, boolean enabled) {
        String id = fresh();
        stage.prepare(
                "POST",
                "/api/rules",
                "{\"id\":\"%s\",\"enabled\":%s,%s}".formatted(id, enabled, BODY));
        return id;
    }

    static void put(Map<String, Sample> all) {
        all.put("GET /api/rulesrv/health", reads("/api/rulesrv/health"));
        for (String api : List.of("/api", "/api/rulesrv", "/api/rulesrv/api")) {
            put(all, api);
        }
        for (String api : List.of("/api/rulesrv", "/api/rulesrv/api")) {
            all.put("GET " + api + "/statistics", reads(api + "/statistics"));
        }
    }

    private static void put(Map<String, Sample> all, String api) {
        String rules = api + "/rules";
        String one = rules + "/{id}";
        RehearsalSamples.put(all, rules, stage -> rule(stage, true));
        all.put("GET " + rules, reads(rules));
        all.put("GET " + one, reads(stage -> Call.of(rules + "/" + rule(stage, true))));
        for (String part : List.of("history", "stats", "variables")) {
            all.put(
                    "GET " + one + "/" + part,
                    reads(stage -> Call.of(rules + "/" + rule(stage, true) + "/" + part)));
        }
        all.put("GET " + api + "/executions", reads(api + "/executions"));
        all.put("GET " + api + "/scheduler/status", reads(api + "/scheduler/status"));
        all.put(
                "POST " + api + "/scheduler/reload",
                reads(stage -> Call.of(api + "/scheduler/reload", "{}")));
        all.put(
                "POST " + rules + "/test",
                reads(stage -> Call.of(rules + "/test", "{\"rule\":{%s}}".formatted(BODY))));
        all.put(
                "POST " + rules,
                changes(stage -> Call.of(rules, "{\"id\":\"%s\",%s}".formatted(fresh(), BODY))));
        all.put(
                "PUT " + one,
                changes(
                        stage ->
                                Call.of(
                                        rules + "/" + rule(stage, true),
                                        "{\"name\":\"other\",%s}".formatted(BODY))));
        all.put("DELETE " + one, changes(stage -> Call.of(rules + "/" + rule(stage, true))));
        all.put(
                "POST " + one + "/enable",
                changes(stage -> Call.of(rules + "/" + rule(stage, false) + "/enable", "{}")));
        all.put(
                "POST " + one + "/disable",
                changes(stage -> Call.of(rules + "/" + rule(stage, true) + "/disable", "{}")));
        all.put(
                "POST " + one + "/execute",
                changes(stage -> Call.of(rules + "/" + rule(stage, true) + "/execute", "{}")));
    }
}
