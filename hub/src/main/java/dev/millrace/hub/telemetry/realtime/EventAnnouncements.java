package dev.millrace.hub.telemetry.realtime;

import dev.millrace.hub.access.Door;
import dev.millrace.hub.access.Role;
import dev.millrace.hub.site.Site;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.feed.Fact;
import dev.millrace.keyspace.feed.Topic;
import dev.millrace.keyspace.layout.Cell;

import tools.jackson.databind.node.ObjectNode;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What happens at the site, besides values and alarms: each event of its queues, under the name by
 * which clients know its type. Each queue has numbers of its own.
 */
public final class EventAnnouncements implements Announcements {
    private static final String SITE_ROOM = "site";
    private static final String OTHERS = "system_notification";

    private static final Map<String, String> NAMES =
            Map.of(
                    "channel", "device_status",
                    "service", "service_status",
                    "config", "config_change");

    private final Keyspace keyspace;
    private final Site site;

    public EventAnnouncements(Keyspace keyspace, Site site) {
        this.keyspace = keyspace;
        this.site = site;
    }

    @Override
    public String source() {
        return "event";
    }

    @Override
    public Door door() {
        return Door.of(Role.VIEWER, SITE_ROOM);
    }

    @Override
    public String messageType() {
        return OTHERS;
    }

    @Override
    public Topic topic() {
        return Site.EVENTS;
    }

    @Override
    public Optional<String> home(Fact fact) {
        return site.owner(fact);
    }

    @Override
    public List<String> homes() {
        return site.places(keyspace);
    }

    @Override
    public Map<String, Cell.Key> logs(String home) {
        return site.eventQueues(home);
    }

    @Override
    public Optional<Announcement> read(String log, ObjectNode listed) {
        ObjectNode data = listed.deepCopy();
        data.remove("seq");
        data.put("event", log);
        return Optional.of(
                new Announcement(
                        log,
                        Map.of("event", Set.of(log)),
                        data,
                        Optional.of(NAMES.getOrDefault(log, OTHERS))));
    }

    /** Events are over when they have happened. */
    @Override
    public List<ObjectNode> present(Collection<String> ids) {
        return List.of();
    }
}
