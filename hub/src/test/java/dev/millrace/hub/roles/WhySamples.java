package dev.millrace.hub.roles;

import static dev.millrace.hub.roles.Sample.reads;

import java.util.Map;

/** Chains of what led to what. */
final class WhySamples {
    private WhySamples() {}

    static void put(Map<String, Sample> all) {
        all.put(
                "GET /api/why/{id}",
                reads(
                        stage -> {
                            String id = stage.fresh("why");
                            stage.prepare(
                                    "POST",
                                    "/api/alarms",
                                    "{\"id\":\"%s\",\"alarm_level\":\"Info\"}".formatted(id));
                            return Call.of("/api/why/" + id);
                        }));
    }
}
