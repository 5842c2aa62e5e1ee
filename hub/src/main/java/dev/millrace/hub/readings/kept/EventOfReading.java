package dev.millrace.hub.readings.kept;

import static dev.millrace.hub.readings.kept.ReadingsLayouts.EVENTS;
import static dev.millrace.hub.readings.kept.ReadingsLayouts.READINGS;
import static dev.millrace.hub.readings.kept.ReadingsLayouts.READINGS_OF_EVENT;

import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.store.Store;
import dev.millrace.keyspace.store.Whole;

import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.Optional;

/**
 * Which event a reading belongs to. The key description has a list of readings for each event and
 * no way back; but a reading has the device and the time of its event, so the events of that device
 * at that very time are the candidates, nearly always one. A reading that was given another time
 * since is remembered by itself ({@link ReadingsLayouts#STRAYED}).
 */
public final class EventOfReading {
    private final Keyspace keyspace;
    private final Store<Event> events;

    public EventOfReading(Keyspace keyspace) {
        this.keyspace = keyspace;
        this.events = keyspace.store(EVENTS);
    }

    /** Whether the event has this time. */
    public boolean isAt(String event, long created) {
        return events.get(event).filter(stored -> stored.value().created() == created).isPresent();
    }

    /** The id of its event. */
    public Optional<String> find(Reading reading) {
        if (!reading.hasDevice()) {
            return Optional.empty();
        }
        Iterator<Whole<Event, Reading>> candidates =
                events.query("event:device:{device}", reading.device())
                        .between((double) reading.created(), (double) reading.created())
                        .walk(Long.MAX_VALUE, READINGS_OF_EVENT, READINGS);
        while (candidates.hasNext()) {
            Whole<Event, Reading> candidate = candidates.next();
            if (candidate.listed().contains(reading.id())) {
                return Optional.of(candidate.head().id());
            }
        }
        return keyspace.value(ReadingsLayouts.strayed(reading))
                .map(bytes -> new String(bytes, StandardCharsets.UTF_8));
    }
}
