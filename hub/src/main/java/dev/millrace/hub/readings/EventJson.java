package dev.millrace.hub.readings;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.millrace.hub.edgex.EdgexJson;
import dev.millrace.hub.readings.kept.Event;
import dev.millrace.hub.readings.kept.Reading;
import dev.millrace.hub.readings.kept.ReadingJson;
import dev.millrace.keyspace.commit.Stored;
import dev.millrace.keyspace.layout.Raw;
import dev.millrace.keyspace.store.Whole;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;

/**
 * An event as clients see it, with readings that are JSON already. Nearly all readings lie in Redis
 * just as they are sent, so only the event itself is written anew, around them.
 */
final class EventJson {
    private static final byte[] READINGS = ",\"readings\":[".getBytes(US_ASCII);
    private static final byte[] COMMA = {','};
    private static final byte[] END = "]}".getBytes(US_ASCII);

    private EventJson() {}

    /** What a client is sent for an event as it was read. */
    static byte[] of(Whole<Event, Reading> whole) {
        Event event = whole.head().value();
        List<byte[]> readings = new ArrayList<>(whole.parts().size());
        for (Stored<Reading> part : whole.parts()) {
            if (part.raw() instanceof Raw.Text(byte[] json) && ReadingJson.isAsSent(json)) {
                readings.add(json);
            }
        }
        // Tags come behind the readings, and few events have some.
        boolean asStored = readings.size() == whole.parts().size() && event.tags().isEmpty();
        return asStored
                ? around(event, readings)
                : EdgexJson.MAPPER.writeValueAsBytes(EventView.of(whole));
    }

    /** The event with these readings as its last member. */
    static byte[] around(Event event, List<byte[]> readings) {
        byte[] head = EdgexJson.MAPPER.writeValueAsBytes(EventView.of(event, List.of()));
        if (readings.isEmpty()) {
            return head;
        }
        int room = head.length + READINGS.length + END.length;
        for (byte[] each : readings) {
            room += each.length + 1;
        }
        ByteArrayOutputStream all = new ByteArrayOutputStream(room);
        all.write(head, 0, head.length - 1);
        byte[] before = READINGS;
        for (byte[] each : readings) {
            all.writeBytes(before);
            all.writeBytes(each);
            before = COMMA;
        }
        all.writeBytes(END);
        return all.toByteArray();
    }
}
