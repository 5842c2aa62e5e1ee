package dev.millrace.hub.readings;

import com.fasterxml.jackson.annotation.JsonInclude;

import dev.millrace.hub.readings.kept.Event;
import dev.millrace.hub.readings.kept.Reading;
import dev.millrace.keyspace.commit.Stored;
import dev.millrace.keyspace.store.Whole;

import java.util.List;
import java.util.Map;

/** An event as clients see it, its readings inside. */
@JsonInclude(JsonInclude.Include.NON_DEFAULT)
record EventView(
        String id,
        long pushed,
        String device,
        long created,
        long modified,
        long origin,
        List<? extends Record> readings,
        Map<String, String> tags) {

    static EventView of(Event event, List<? extends Record> readings) {
        return new EventView(
                event.id(),
                event.pushed(),
                event.device(),
                event.created(),
                event.modified(),
                event.origin(),
                readings,
                event.tags());
    }

    static EventView of(Whole<Event, Reading> whole) {
        return of(whole.head().value(), whole.parts().stream().map(Stored::value).toList());
    }

    /** A reading with its binary value, which only those see who listen. */
    @JsonInclude(JsonInclude.Include.NON_DEFAULT)
    record WithBinary(
            String id,
            long pushed,
            long created,
            long origin,
            long modified,
            String device,
            String name,
            String value,
            String valueType,
            String floatEncoding,
            String binaryValue,
            String mediaType) {

        static WithBinary of(Reading reading, String binaryValue) {
            return new WithBinary(
                    reading.id(),
                    reading.pushed(),
                    reading.created(),
                    reading.origin(),
                    reading.modified(),
                    reading.device(),
                    reading.name(),
                    reading.value(),
                    reading.valueType(),
                    reading.floatEncoding(),
                    binaryValue,
                    reading.mediaType());
        }
    }
}
