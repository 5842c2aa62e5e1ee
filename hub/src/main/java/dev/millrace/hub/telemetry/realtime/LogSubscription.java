package dev.millrace.hub.telemetry.realtime;

import java.util.Collections;
import java.util.Map;
import java.util.Set;

/**
 * One client's wish to be told what happens.
 *
 * @param source of the announcements
 * @param id of what it is about; empty for everything
 * @param filters by trait, which values are wanted: one of them is enough
 * @param type what the messages are called for this client
 */
record LogSubscription(String source, String id, Map<String, Set<String>> filters, String type) {

    boolean wants(Announcement announcement) {
        if (!id.isEmpty() && !id.equals(announcement.id())) {
            return false;
        }
        for (Map.Entry<String, Set<String>> each : filters.entrySet()) {
            Set<String> trait = announcement.traits().getOrDefault(each.getKey(), Set.of());
            if (Collections.disjoint(each.getValue(), trait)) {
                return false;
            }
        }
        return true;
    }
}
