package dev.millrace.hub.readings;

import java.util.List;

/** An event as it was sent: ids and times that it does not give are empty. */
record NewEvent(Event event, List<NewReading> readings) {

    NewEvent {
        readings = List.copyOf(readings);
    }

    NewEvent withChecksum(String checksum) {
        return new NewEvent(event.withChecksum(checksum), readings);
    }
}
