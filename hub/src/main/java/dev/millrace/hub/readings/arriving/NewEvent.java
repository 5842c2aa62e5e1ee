package dev.millrace.hub.readings.arriving;

import dev.millrace.hub.readings.kept.Event;
import dev.millrace.hub.readings.kept.Reading;

import java.util.List;

/** An event as it was sent: ids and times that it does not give are empty. */
public record NewEvent(Event event, List<NewReading> readings) {

    /**
     * A reading as it was sent.
     *
     * @param binaryValue in base64; announced with the event and never stored. Empty for none
     */
    public record NewReading(Reading reading, String binaryValue) {}

    public NewEvent {
        readings = List.copyOf(readings);
    }

    public NewEvent withChecksum(String checksum) {
        return new NewEvent(event.withChecksum(checksum), readings);
    }
}
