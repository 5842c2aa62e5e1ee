package dev.millrace.hub.alarms;

import dev.millrace.hub.alarms.kept.AlarmReads;
import dev.millrace.hub.alarms.logic.Alarm;
import dev.millrace.hub.alarms.logic.AlarmRule;
import dev.millrace.hub.alarms.logic.Level;
import dev.millrace.hub.alarms.logic.Operator;
import dev.millrace.hub.alarms.logic.Terms;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** How alarms do: from what this hub knows of rules, and from the events that are kept. */
final class Statistics {
    private static final int HOUR = 3600;
    private static final int TOP = 10;

    /** A rule that goes off so often within so many seconds says more than anybody can hear. */
    private static final int CHATTERING = 3;

    private static final int CHATTERING_SECONDS = 60;

    private final AlarmReads reads;
    private final InstantSource clock;

    Statistics(AlarmReads reads, InstantSource clock) {
        this.reads = reads;
        this.clock = clock;
    }

    Map<String, Object> now() {
        List<AlarmReads.Both> rules = reads.everything();
        List<Alarm> active = reads.active();
        List<ObjectNode> events = reads.events();
        Map<String, List<Long>> triggers = triggers(events);
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("total_alarm_rules", rules.size());
        all.put("active_alarms", active.size());
        all.put("recent_events", events.size());
        all.put("rules_by_operator", byOperator(rules));
        all.put("by_level", byLevel(active));
        all.put("by_state", byState(rules, active));
        all.put("unacknowledged", active.stream().filter(each -> !each.isAcknowledged()).count());
        all.put("shelved", rules.stream().filter(each -> each.alarm().isShelved()).count());
        all.put(
                "invalid_rules",
                rules.stream().filter(each -> each.terms() instanceof Terms.Invalid).count());
        long hourAgo = clock.millis() / 1000 - HOUR;
        all.put(
                "triggers_last_hour",
                triggers.values().stream()
                        .flatMap(List::stream)
                        .filter(at -> at >= hourAgo)
                        .count());
        all.put("top_rules", top(triggers));
        all.put(
                "chattering",
                triggers.entrySet().stream()
                        .filter(each -> isChattering(each.getValue()))
                        .map(Map.Entry::getKey)
                        .sorted()
                        .toList());
        return all;
    }

    private static Map<String, Long> byOperator(List<AlarmReads.Both> rules) {
        Map<String, Long> all = new LinkedHashMap<>();
        for (Operator each : Operator.values()) {
            long count =
                    rules.stream()
                            .filter(both -> both.rule().operatorWord().equals(each.word()))
                            .count();
            if (count > 0 || each.isComparison()) {
                all.put(each.word(), count);
            }
        }
        return all;
    }

    private static Map<String, Long> byLevel(List<Alarm> active) {
        Map<String, Long> all = new LinkedHashMap<>();
        for (Level each : Level.values()) {
            all.put(each.word(), 0L);
        }
        for (Alarm each : active) {
            Level level = Level.of(each.text(AlarmRule.LEVEL, "")).orElse(Level.WARNING);
            all.merge(level.word(), 1L, Long::sum);
        }
        return all;
    }

    private static Map<String, Long> byState(List<AlarmReads.Both> rules, List<Alarm> active) {
        Map<String, Alarm> alarms = new HashMap<>();
        rules.forEach(each -> alarms.put(each.rule().id(), each.alarm()));
        active.forEach(each -> alarms.put(each.ruleId(), each));
        Map<String, Long> all = new TreeMap<>();
        alarms.values().forEach(each -> all.merge(each.text(Alarm.STATE, "NORM"), 1L, Long::sum));
        return all;
    }

    /** When each rule went off, in Unix seconds, as far as the events go back; newest first. */
    private static Map<String, List<Long>> triggers(List<ObjectNode> events) {
        Map<String, List<Long>> all = new HashMap<>();
        for (JsonNode each : events) {
            if (each.path("type").asString("").equals("triggered")) {
                all.computeIfAbsent(each.path("rule_id").asString(""), id -> new ArrayList<>())
                        .add(each.path("timestamp").asLong(0));
            }
        }
        return all;
    }

    private static List<Map<String, Object>> top(Map<String, List<Long>> triggers) {
        return triggers.entrySet().stream()
                .sorted(
                        Comparator.comparingInt(
                                        (Map.Entry<String, List<Long>> each) ->
                                                -each.getValue().size())
                                .thenComparing(Map.Entry::getKey))
                .limit(TOP)
                .map(
                        each ->
                                Map.<String, Object>of(
                                        "rule_id", each.getKey(), "count", each.getValue().size()))
                .toList();
    }

    private static boolean isChattering(List<Long> newestFirst) {
        for (int i = 0; i + CHATTERING - 1 < newestFirst.size(); i++) {
            long span = newestFirst.get(i) - newestFirst.get(i + CHATTERING - 1);
            if (span <= CHATTERING_SECONDS) {
                return true;
            }
        }
        return false;
    }
}
