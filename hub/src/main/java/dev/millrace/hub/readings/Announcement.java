package dev.millrace.hub.readings;

import dev.millrace.hub.edgex.EdgexJson;
import dev.millrace.hub.readings.arriving.NewEvent;
import dev.millrace.hub.readings.kept.Event;
import dev.millrace.hub.readings.kept.Reading;
import dev.millrace.keyspace.layout.Raw;

import java.util.ArrayList;
import java.util.List;

/**
 * What those who listen are told of an event: the JSON that a client would get for it. A reading is
 * stored as clients see it, so the bytes of the stored readings are a part of it as they are.
 */
final class Announcement {
    /** Binary values that would make it larger than this are left out. */
    static final int LARGEST = 256 << 10;

    private final NewEvent sent;
    private final List<Reading> readings;
    private final List<byte[]> stored;

    /** Of what was sent, to which its readings are then added in their order. */
    Announcement(NewEvent sent) {
        this.sent = sent;
        this.readings = new ArrayList<>(sent.readings().size());
        this.stored = new ArrayList<>(sent.readings().size());
    }

    /** One more reading, and the value as which it is stored. */
    void add(Reading reading, Raw value) {
        readings.add(reading);
        stored.add(
                switch (value) {
                    case Raw.Text(byte[] json) -> json;
                    case Raw.Fields fields ->
                            throw new IllegalStateException("A reading is stored as JSON.");
                });
    }

    byte[] of(Event event) {
        long binary = sent.readings().stream().mapToLong(each -> each.binaryValue().length()).sum();
        if (binary > 0 && binary < LARGEST) {
            byte[] whole = withBinary(event);
            if (whole.length <= LARGEST) {
                return whole;
            }
        }
        return asStored(event);
    }

    private byte[] asStored(Event event) {
        return EventJson.around(event, stored);
    }

    private byte[] withBinary(Event event) {
        List<EventView.WithBinary> all = new ArrayList<>(readings.size());
        for (int i = 0; i < readings.size(); i++) {
            all.add(EventView.WithBinary.of(readings.get(i), sent.readings().get(i).binaryValue()));
        }
        return EdgexJson.MAPPER.writeValueAsBytes(EventView.of(event, all));
    }
}
