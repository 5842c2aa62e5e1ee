package dev.millrace.hub.readings;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.millrace.hub.edgex.EdgexJson;
import dev.millrace.hub.readings.arriving.NewEvent;
import dev.millrace.hub.readings.kept.Event;
import dev.millrace.hub.readings.kept.Reading;
import dev.millrace.keyspace.layout.Raw;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;

/**
 * What those who listen are told of an event: the JSON that a client would get for it. A reading is
 * stored as clients see it, so the bytes of the stored readings are a part of it as they are.
 */
final class Announcement {
    /** Binary values that would make it larger than this are left out. */
    static final int LARGEST = 256 << 10;

    private static final byte[] READINGS = ",\"readings\":[".getBytes(US_ASCII);
    private static final byte[] END = "]}".getBytes(US_ASCII);

    private final NewEvent sent;
    private final List<Reading> readings;
    private final List<Raw> stored;

    /** Of what was sent, to which its readings are then added in their order. */
    Announcement(NewEvent sent) {
        this.sent = sent;
        this.readings = new ArrayList<>(sent.readings().size());
        this.stored = new ArrayList<>(sent.readings().size());
    }

    /** One more reading, and the value as which it is stored. */
    void add(Reading reading, Raw value) {
        readings.add(reading);
        stored.add(value);
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
        byte[] head = EdgexJson.MAPPER.writeValueAsBytes(EventView.of(event, List.of()));
        if (stored.isEmpty()) {
            return head;
        }
        ByteArrayOutputStream all = new ByteArrayOutputStream(head.length + 256 * stored.size());
        all.write(head, 0, head.length - 1);
        all.writeBytes(READINGS);
        for (int i = 0; i < stored.size(); i++) {
            if (i > 0) {
                all.write(',');
            }
            switch (stored.get(i)) {
                case Raw.Text(byte[] json) -> all.writeBytes(json);
                case Raw.Fields fields ->
                        throw new IllegalStateException("A reading is stored as JSON.");
            }
        }
        all.writeBytes(END);
        return all.toByteArray();
    }

    private byte[] withBinary(Event event) {
        List<EventView.WithBinary> all = new ArrayList<>(readings.size());
        for (int i = 0; i < readings.size(); i++) {
            all.add(EventView.WithBinary.of(readings.get(i), sent.readings().get(i).binaryValue()));
        }
        return EdgexJson.MAPPER.writeValueAsBytes(EventView.of(event, all));
    }
}
