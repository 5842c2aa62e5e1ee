package dev.millrace.hub;

import static java.util.stream.Collectors.toCollection;

import dev.millrace.hub.access.AccessLayouts;
import dev.millrace.hub.alarms.Alarms;
import dev.millrace.hub.documents.Documents;
import dev.millrace.hub.history.History;
import dev.millrace.hub.house.Planned;
import dev.millrace.hub.house.Room;
import dev.millrace.hub.models.Models;
import dev.millrace.hub.notifications.Notifications;
import dev.millrace.hub.pubsub.Pubsub;
import dev.millrace.hub.readings.Readings;
import dev.millrace.hub.rules.Rules;
import dev.millrace.hub.shop.Shop;
import dev.millrace.hub.site.SiteKeys;
import dev.millrace.hub.site.SiteRoom;
import dev.millrace.hub.telemetry.Telemetry;
import dev.millrace.hub.telemetry.commands.CommandLinks;
import dev.millrace.hub.why.Why;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.layout.Catalogue;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * All rooms: a new one is a line here. What one offers another is handed over here, and whoever
 * offers something stands before those who use it.
 */
public final class Rooms {
    private Rooms() {}

    /**
     * Made when it is first asked for: the proofs take a moment, and not every command needs it.
     */
    private static final class Proved {
        static final Catalogue CATALOGUE =
                Keyspace.catalogue(
                        all().stream().flatMap(room -> room.declarations().stream()).toList());
    }

    /** What a token may be limited to: the rooms, running the hub, and its broker. */
    public static Set<String> scopes() {
        Set<String> names = all().stream().map(Room::name).collect(toCollection(TreeSet::new));
        names.add("ops");
        names.add("mqtt");
        return names;
    }

    /** The keys of all rooms. That it can be made proves that no two ever write the same key. */
    public static Catalogue catalogue() {
        return Proved.CATALOGUE;
    }

    /** New ones, none of them started. */
    public static List<Room> all() {
        Pubsub pubsub = new Pubsub();
        Notifications notifications = new Notifications(pubsub);
        SiteKeys site = new SiteKeys();
        Telemetry telemetry = new Telemetry(site);
        Models models =
                new Models(site, telemetry, telemetry.commands(), telemetry.orders(), telemetry);
        Alarms alarms = new Alarms(site, models, notifications, pubsub, telemetry);
        History history = new History(site, telemetry, List.of(models.recordable()));
        Rules rules =
                new Rules(
                        site,
                        models,
                        models.recordable(),
                        history,
                        telemetry.commands(),
                        models,
                        notifications,
                        pubsub,
                        alarms);
        return List.of(
                new Readings(),
                new Documents(),
                pubsub,
                notifications,
                telemetry.with(history.bygones()),
                alarms.with(history),
                models.with(alarms),
                history,
                rules,
                new SiteRoom(site),
                new Why(
                        List.of(
                                rules.links(),
                                alarms.links(),
                                new CommandLinks(telemetry.commands()),
                                notifications.links())),
                new Shop(),
                new Planned("access", "API tokens: who may do what.", AccessLayouts.all()));
    }
}
