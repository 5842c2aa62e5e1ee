package dev.millrace.hub.readings.arriving;

import dev.millrace.hub.readings.kept.Event;

import java.util.List;

/** An event as it was sent: ids and times that it does not give are empty. */
public record NewEvent(Event event, List<NewReading> readings) {

    public NewEvent {
        readings = List.copyOf(readings);
    }

    public NewEvent withChecksum(String checksum) {
        return new NewEvent(event.withChecksum(checksum), readings);
    }
}
