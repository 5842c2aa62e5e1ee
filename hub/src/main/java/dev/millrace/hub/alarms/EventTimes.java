package dev.millrace.hub.alarms;

import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** When events of alarms happened. They are kept with their second. */
final class EventTimes {
    private static final long SECOND = 1000;

    private EventTimes() {}

    /** Those of a span of time, the oldest first. */
    static List<Alarming.Happened> between(List<ObjectNode> events, long from, long to) {
        List<Alarming.Happened> found = new ArrayList<>();
        for (ObjectNode each : events.reversed()) {
            long at = each.path("timestamp").asLong(0) * SECOND + SECOND - 1;
            if (at >= from && at < to) {
                found.add(
                        new Alarming.Happened(
                                each.path("rule_id").asString(""),
                                each.path("type").asString(""),
                                each.path("value").asString(""),
                                at));
            }
        }
        found.sort(Comparator.comparingLong(Alarming.Happened::at));
        return found;
    }
}
