package dev.millrace.hub;

import dev.millrace.hub.access.AccessLayouts;
import dev.millrace.hub.alarms.AlarmsLayouts;
import dev.millrace.hub.documents.DocumentsLayouts;
import dev.millrace.hub.history.HistoryLayouts;
import dev.millrace.hub.models.ModelsLayouts;
import dev.millrace.hub.notifications.NotificationsLayouts;
import dev.millrace.hub.pubsub.PubsubLayouts;
import dev.millrace.hub.readings.ReadingsLayouts;
import dev.millrace.hub.rules.RulesLayouts;
import dev.millrace.hub.shop.ShopLayouts;
import dev.millrace.hub.site.SiteLayouts;
import dev.millrace.hub.telemetry.TelemetryLayouts;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.layout.Catalogue;
import dev.millrace.keyspace.layout.Declaration;

import java.util.List;

/**
 * All rooms and the one catalogue of their keys. That it can be made is the proof that no two rooms
 * ever write the same key.
 */
public final class Rooms {
    /**
     * One room.
     *
     * @param about what is kept there, in a sentence
     */
    public record Room(String name, String about, List<Declaration> declarations) {}

    public static final List<Room> ALL =
            List.of(
                    new Room(
                            "readings",
                            "Events and readings of devices, and value descriptors.",
                            ReadingsLayouts.all()),
                    new Room(
                            "notifications",
                            "Notifications, subscriptions and transmissions.",
                            NotificationsLayouts.all()),
                    new Room(
                            "documents",
                            "JSON documents by namespace and id. They take whatever key no other"
                                    + " room claims; ids that lead to a claimed one are refused.",
                            DocumentsLayouts.all()),
                    new Room(
                            "pubsub",
                            "Durable messages. The double braces stand for the braces in the key.",
                            PubsubLayouts.all()),
                    new Room(
                            "telemetry",
                            "Device channels, their points and their commands.",
                            TelemetryLayouts.all()),
                    new Room("models", "Models and templates.", ModelsLayouts.all()),
                    new Room("history", "Samples over time.", HistoryLayouts.all()),
                    new Room("alarms", "Alarm rules and alarms.", AlarmsLayouts.all()),
                    new Room("rules", "Business rules and their executions.", RulesLayouts.all()),
                    new Room(
                            "site",
                            "Configuration, status, events, synchronisation, temporary data.",
                            SiteLayouts.all()),
                    new Room(
                            "shop",
                            "Sessions, views, carts, cached rows and cached pages.",
                            ShopLayouts.all()),
                    new Room("access", "API tokens: who may do what.", AccessLayouts.all()));

    public static final Catalogue CATALOGUE =
            Keyspace.catalogue(ALL.stream().flatMap(room -> room.declarations().stream()).toList());

    private Rooms() {}
}
