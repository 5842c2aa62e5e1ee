package dev.millrace.hub.roles;

import static dev.millrace.hub.roles.Sample.reads;

import static org.awaitility.Awaitility.await;

import dev.millrace.hub.http.Json;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.function.Function;

/** Rehearsals of rules of one kind. */
final class RehearsalSamples {
    private RehearsalSamples() {}

    private static String days(long days) {
        return "{\"start\":\"%s\"}".formatted(Instant.now().minus(days, ChronoUnit.DAYS));
    }

    /**
     * Under one path of the rules.
     *
     * @param rule gives the id of one that is there
     */
    static void put(Map<String, Sample> all, String rules, Function<Stage, String> rule) {
        String one = rules + "/{id}";
        all.put(
                "POST " + one + "/rehearse",
                reads(stage -> Call.of(rules + "/" + rule.apply(stage) + "/rehearse", days(1))));
        String begun = one + "/rehearsals/{rehearsal}";
        all.put("GET " + begun, reads(stage -> Call.of(begun(stage, rules, rule.apply(stage)))));
        all.put("DELETE " + begun, reads(stage -> Call.of(begun(stage, rules, rule.apply(stage)))));
    }

    /** A long one that has ended and was not fetched yet. */
    private static String begun(Stage stage, String rules, String id) {
        String begun = stage.prepare("POST", rules + "/" + id + "/rehearse", days(3));
        String place =
                rules
                        + "/"
                        + id
                        + "/rehearsals/"
                        + Json.MAPPER.readTree(begun).at("/data/rehearsal_id").asString();
        await().until(() -> stage.prepare("GET", place, "").contains("\"state\":\"done\""));
        return place;
    }
}
