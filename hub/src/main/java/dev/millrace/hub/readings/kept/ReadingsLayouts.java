package dev.millrace.hub.readings.kept;

import dev.millrace.keyspace.layout.Cell;
import dev.millrace.keyspace.layout.Declaration;
import dev.millrace.keyspace.layout.KeyType;
import dev.millrace.keyspace.layout.Layout;
import dev.millrace.keyspace.layout.Leftover;

import java.util.ArrayList;
import java.util.List;

/** The keys of events, readings and value descriptors. */
public final class ReadingsLayouts {
    public static final Layout<Event> EVENTS =
            Layout.json("{id:id}", Event.class)
                    .about("What a device sent at one moment.")
                    .bind("device", Event::home)
                    .ownedBy("device")
                    .kind("event")
                    .sorted("event", 0)
                    .sorted("event:created", Event::created)
                    .sorted("event:pushed", Event::pushed)
                    .when(Event::isPushed)
                    .toleratingAt(0)
                    .sorted("event:device:{device}", Event::created)
                    .when(Event::hasDevice)
                    .sorted("event:checksum:{checksum}", 0);

    public static final Layout<Reading> READINGS =
            Layout.json("{id:id}", Reading.class, new ReadingJson())
                    .about("One measured value. Without a device it lives with itself.")
                    .bind("device", Reading::home)
                    .ownedBy("device")
                    .kind("reading")
                    .sorted("reading", 0)
                    .sorted("reading:created", Reading::created)
                    .sorted("reading:device:{device}", Reading::created)
                    .when(Reading::hasDevice)
                    .sorted("reading:name:{name}", Reading::created);

    public static final Layout<ValueDescriptor> VALUE_DESCRIPTORS =
            Layout.json("{id:id}", ValueDescriptor.class)
                    .named("Value descriptor")
                    .about("What readings of one name are.")
                    .ownedBySite()
                    .kind("valueDescriptor")
                    .sorted("valueDescriptor", 0)
                    .unique("valueDescriptor:name", "name")
                    .sorted("valueDescriptor:type:{type}", 0)
                    .bind("uomlabel", ValueDescriptor::uomLabel)
                    .sorted("valueDescriptor:uomlabel:{uomlabel}", 0)
                    .bind("label", ValueDescriptor::labels)
                    .sorted("valueDescriptor:label:{label}", 0);

    public static final Cell READINGS_OF_EVENT =
            Cell.of(KeyType.SORTED_SET, "event:readings:{event:id}")
                    .livesBeside("device", EVENTS, "event")
                    .listing(READINGS)
                    .about("The readings of one event, in the order they came in.");

    /**
     * Readings inherit the time of their event, and by that and the device their event is found.
     * One that was given another time is remembered here.
     */
    public static final Cell STRAYED =
            Cell.of(KeyType.STRING, "millrace:reading:strayed:{reading:id}")
                    .livesBeside("device", READINGS, "reading")
                    .about("The event of a reading that was given another time than its event.");

    private static final String EMPTY_NAME =
            "The reference also indexes what is empty; everything in it is found by its kind.";

    /** What the reference leaves in a database that is taken over. */
    private static final List<Leftover> LEFTOVERS =
            List.of(
                    Leftover.of(
                            KeyType.STRING,
                            "gc:event:{id:id}",
                            "An event that was deleted with its device, and never removed."),
                    Leftover.of(
                            KeyType.STRING,
                            "gc:reading:{id:id}",
                            "A reading that was deleted with its device, and never removed."),
                    Leftover.of(
                            KeyType.SORTED_SET,
                            "desset",
                            "The result of a query, which was already answered."),
                    Leftover.of(KeyType.SORTED_SET, "event:device:", EMPTY_NAME),
                    Leftover.of(KeyType.SORTED_SET, "reading:device:", EMPTY_NAME),
                    Leftover.of(KeyType.SORTED_SET, "reading:name:", EMPTY_NAME),
                    Leftover.of(KeyType.SORTED_SET, "valueDescriptor:type:", EMPTY_NAME),
                    Leftover.of(KeyType.SORTED_SET, "valueDescriptor:uomlabel:", EMPTY_NAME),
                    Leftover.of(KeyType.SORTED_SET, "valueDescriptor:label:", EMPTY_NAME));

    private ReadingsLayouts() {}

    /** The list of an event's readings. */
    public static Cell.Key readingsOf(Event event) {
        return READINGS_OF_EVENT.of(event.home(), event.id());
    }

    /** The same of an event of which not more is known. */
    public static Cell.Key readingsOf(String device, String event) {
        return READINGS_OF_EVENT.of(device, event);
    }

    /** Where the event of a reading is remembered that was given another time. */
    public static Cell.Key strayed(Reading reading) {
        return STRAYED.of(reading.home(), reading.id());
    }

    public static List<Declaration> all() {
        List<Declaration> all = new ArrayList<>();
        all.addAll(List.of(EVENTS, READINGS, VALUE_DESCRIPTORS, READINGS_OF_EVENT, STRAYED));
        all.addAll(LEFTOVERS);
        return all;
    }
}
