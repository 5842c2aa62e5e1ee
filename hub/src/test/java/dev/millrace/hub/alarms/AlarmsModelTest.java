package dev.millrace.hub.alarms;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.hub.TestHub;
import dev.millrace.keyspace.testing.OnEachSite;
import dev.millrace.keyspace.testing.SharedServers;
import dev.millrace.keyspace.testing.Site;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;

import tools.jackson.databind.JsonNode;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Random values, rules, changes and restarts beside a plain model of them; nothing has drifted. */
@OnEachSite
class AlarmsModelTest {
    /** However slow the machine is: the model knows no time. */
    private static final String NEVER_SILENT = "telemetry.offline-after=1d";

    private static final int OPERATIONS = Boolean.getBoolean("millrace.full") ? 10_000 : 400;
    private static final List<String> IDS = List.of("a", "b", "c.1", "d_2", "e");

    @Parameter Site site;

    /** Above which limit of which point an alarm goes off, and below which it ends. */
    private static final class Rule {
        private final int channel;
        private final int point;
        private final int limit;
        private final int band;
        private boolean enabled = true;
        private boolean active;
        private long raised;

        private Rule(int channel, int point, int limit, int band) {
            this.channel = channel;
            this.point = point;
            this.limit = limit;
            this.band = band;
        }

        private void sees(int value) {
            if (enabled) {
                boolean now = active ? value > limit - band : value > limit;
                raised += now && !active ? 1 : 0;
                active = now;
            }
        }
    }

    private final Map<String, Rule> rules = new TreeMap<>();

    /** By channel and point. */
    private final Map<String, Integer> values = new HashMap<>();

    private Random random;
    private TestHub hub;

    @Test
    void alarms_are_what_the_model_says() {
        SharedServers.flushAll();
        long seed = new Random().nextLong();
        random = new Random(seed);
        hub = TestHub.start(site.url(), NEVER_SILENT);
        try {
            for (int i = 0; i < OPERATIONS; i++) {
                operation();
                if (i % 40 == 39) {
                    compare("seed " + seed + " operation " + i);
                }
                if (i % 150 == 149) {
                    hub.close();
                    hub = TestHub.start(site.url(), NEVER_SILENT);
                }
            }
            compare("seed " + seed);
            assertThat(hub.keyspace().check().run().findings()).as("seed " + seed).isEmpty();
        } finally {
            hub.close();
        }
    }

    private void operation() {
        switch (random.nextInt(10)) {
            case 0, 1 -> save();
            case 2 -> enable();
            case 3 -> delete();
            default -> write();
        }
    }

    private void ok(TestHub.Reply reply, boolean there) {
        assertThat(reply.status() / 100).as(reply.body()).isEqualTo(there ? 2 : 4);
    }

    private void write() {
        int channel = 1 + random.nextInt(2);
        StringBuilder body = new StringBuilder("{");
        for (int point = 1; point <= 3; point++) {
            if (random.nextBoolean() || (body.length() == 1 && point == 3)) {
                int value = random.nextInt(100);
                int here = point;
                body.append(body.length() == 1 ? "" : ",")
                        .append("\"%d\":%d".formatted(point, value));
                values.put(channel + ":" + point, value);
                rules.values().stream()
                        .filter(each -> each.channel == channel && each.point == here)
                        .forEach(each -> each.sees(value));
            }
        }
        ok(hub.send("POST", "/api/channels/" + channel + "/T", body + "}"), true);
    }

    private String id() {
        return IDS.get(random.nextInt(IDS.size()));
    }

    private void save() {
        String id = id();
        Rule rule =
                new Rule(
                        1 + random.nextInt(2),
                        1 + random.nextInt(3),
                        random.nextInt(100),
                        random.nextInt(10));
        Rule old = rules.get(id);
        boolean same = old != null && old.channel == rule.channel && old.point == rule.point;
        if (old != null) {
            rule.raised = old.raised;
            rule.active = same && old.active && old.enabled;
        }
        rules.put(id, rule);
        Integer present = values.get(rule.channel + ":" + rule.point);
        if (present != null) {
            rule.sees(present);
        }
        ok(
                hub.send(
                        "PUT",
                        "/api/alarm-rules/" + id,
                        "{\"source_key\":\"comsrv:%d:T\",\"field\":\"%d\",\"threshold\":%d,\"deadband\":%d}"
                                .formatted(rule.channel, rule.point, rule.limit, rule.band)),
                true);
        settled();
    }

    /** What a new rule says of the value that is there already comes a moment later. */
    private void settled() {
        org.awaitility.Awaitility.await().until(() -> active().equals(expected()));
    }

    private void enable() {
        String id = id();
        Rule rule = rules.get(id);
        boolean enabled = random.nextBoolean();
        ok(
                hub.send(
                        "POST",
                        "/api/alarm-rules/%s/%s".formatted(id, enabled ? "enable" : "disable"),
                        ""),
                rule != null);
        if (rule != null) {
            rule.enabled = enabled;
            rule.active &= enabled;
            Integer present = values.get(rule.channel + ":" + rule.point);
            if (present != null) {
                rule.sees(present);
            }
            settled();
        }
    }

    private void delete() {
        String id = id();
        ok(hub.send("DELETE", "/api/alarm-rules/" + id, ""), rules.remove(id) != null);
    }

    private Set<String> expected() {
        Set<String> all = new TreeSet<>();
        rules.forEach(
                (id, rule) -> {
                    if (rule.active) {
                        all.add(id);
                    }
                });
        return all;
    }

    private Set<String> active() {
        Set<String> all = new TreeSet<>();
        hub.get("/api/alarms")
                .json()
                .path("data")
                .path("items")
                .forEach(each -> all.add(each.path("id").asString()));
        return all;
    }

    private void compare(String when) {
        assertThat(active()).as(when).isEqualTo(expected());
        JsonNode figures = hub.get("/api/statistics").json().path("data");
        assertThat(figures.path("total_alarm_rules").asInt()).as(when).isEqualTo(rules.size());
        rules.forEach(
                (id, rule) -> {
                    JsonNode alarm = hub.get("/api/alarms/" + id).json().path("data");
                    assertThat(alarm.path("count").asLong())
                            .as(when + " rule " + id)
                            .isEqualTo(rule.raised);
                });
    }
}
