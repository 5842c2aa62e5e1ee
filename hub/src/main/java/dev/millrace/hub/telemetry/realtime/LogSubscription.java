package dev.millrace.hub.telemetry.realtime;

import java.util.Map;
import java.util.Set;

/**
 * One client's wish to be told what happens.
 *
 * @param source of the announcements
 * @param id of what it is about; empty for everything
 * @param filters by trait, which values are wanted
 * @param type what the messages are called for this client
 */
record LogSubscription(String source, String id, Map<String, Set<String>> filters, String type) {

    boolean wants(Announcement announcement) {
        if (!id.isEmpty() && !id.equals(announcement.id())) {
            return false;
        }
        for (Map.Entry<String, Set<String>> each : filters.entrySet()) {
            String trait = announcement.traits().get(each.getKey());
            if (trait == null || !each.getValue().contains(trait)) {
                return false;
            }
        }
        return true;
    }
}
