package dev.millrace.hub.roles;

import static dev.millrace.hub.roles.Sample.changes;
import static dev.millrace.hub.roles.Sample.reads;

import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/** Alarm rules and alarms, under all of their paths. */
final class AlarmSamples {
    private static final AtomicInteger NEXT = new AtomicInteger();
    private static final String RULE =
            "{\"source_key\":\"comsrv:%d:T\",\"field\":\"1\",\"threshold\":5,\"latched\":true}";

    private AlarmSamples() {}

    /** The id of a rule whose alarm is active, though its value is fine again. */
    private static String raised(Stage stage) {
        int number = NEXT.incrementAndGet();
        String values = "/api/channels/" + (1000 + number) + "/T";
        stage.prepare("PUT", "/api/alarm-rules/r" + number, RULE.formatted(1000 + number));
        stage.prepare("POST", values, "{\"1\":9}");
        stage.prepare("POST", values, "{\"1\":1}");
        return "r" + number;
    }

    static void put(Map<String, Sample> all) {
        all.put("GET /api/alarmsrv/health", reads("/api/alarmsrv/health"));
        for (String api : List.of("/api", "/api/alarmsrv", "/api/alarmsrv/api")) {
            alarms(all, api, api + "/alarms");
            rules(all, api + "/alarm-rules");
        }
    }

    private static void alarms(Map<String, Sample> all, String api, String alarms) {
        String one = alarms + "/{id}";
        all.put("GET " + api + "/alarm-events", reads(api + "/alarm-events"));
        all.put("GET " + api + "/statistics", reads(api + "/statistics"));
        all.put("GET " + alarms, reads(alarms));
        all.put("GET " + one, reads(stage -> Call.of(alarms + "/" + raised(stage))));
        all.put(
                "POST " + alarms,
                changes(stage -> Call.of(alarms, "{\"title\":\"by hand\",\"level\":\"Info\"}")));
        all.put("DELETE " + one, changes(stage -> Call.of(alarms + "/" + raised(stage))));
        for (String way : List.of("acknowledge", "ack", "shelve", "reset")) {
            all.put(
                    "POST " + one + "/" + way,
                    changes(stage -> Call.of(alarms + "/" + raised(stage) + "/" + way)));
        }
        all.put(
                "POST " + one + "/unshelve",
                changes(
                        stage -> {
                            String id = raised(stage);
                            stage.prepare("POST", "/api/alarms/" + id + "/shelve", "{}");
                            return Call.of(alarms + "/" + id + "/unshelve");
                        }));
        all.put(
                "POST " + alarms + "/acknowledge",
                changes(
                        stage ->
                                Call.of(
                                        alarms + "/acknowledge",
                                        "{\"ids\":[\"%s\"]}".formatted(raised(stage)))));
    }

    private static void rules(Map<String, Sample> all, String rules) {
        String one = rules + "/{id}";
        RehearsalSamples.put(all, rules, AlarmSamples::raised);
        all.put("GET " + rules, reads(rules));
        all.put("GET " + one, reads(stage -> Call.of(rules + "/" + raised(stage))));
        all.put("POST " + rules, changes(stage -> Call.of(rules, RULE.formatted(7))));
        all.put(
                "PUT " + one,
                changes(stage -> Call.of(rules + "/" + raised(stage), RULE.formatted(8))));
        all.put(
                "PATCH " + one,
                changes(stage -> Call.of(rules + "/" + raised(stage), "{\"threshold\":6}")));
        all.put("DELETE " + one, changes(stage -> Call.of(rules + "/" + raised(stage))));
        for (String way : List.of("enable", "disable")) {
            all.put(
                    "POST " + one + "/" + way,
                    changes(stage -> Call.of(rules + "/" + raised(stage) + "/" + way)));
        }
        all.put(
                "POST " + one + "/test",
                reads(stage -> Call.of(rules + "/" + raised(stage) + "/test", "{\"value\":7}")));
    }
}
