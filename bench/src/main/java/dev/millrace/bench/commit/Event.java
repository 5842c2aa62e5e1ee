package dev.millrace.bench.commit;

import dev.millrace.keyspace.commit.Shards;
import dev.millrace.keyspace.layout.Layout;

import java.util.concurrent.ThreadLocalRandom;

/**
 * The entity that everybody creates: an event of an EdgeX-like gateway with one reading, about 300
 * bytes of JSON, in four sorted indexes.
 */
public record Event(
        String id,
        String device,
        String profile,
        String source,
        long created,
        long modified,
        long origin,
        long pushed,
        Reading reading) {

    /** What the device measured. */
    public record Reading(String name, String type, String value, String units) {}

    public static final Layout<Event> LAYOUT =
            Layout.json("{id:uuid}", Event.class)
                    .ownedBy("device")
                    .sorted("event", 0)
                    .sorted("event:created", Event::created)
                    .sorted("event:pushed", Event::pushed)
                    .sorted("event:device:{device}", Event::created);

    private static final int DEVICES = 256;

    /** A new one, of one of many devices. */
    public static Event next() {
        return next("pump-station-" + ThreadLocalRandom.current().nextInt(DEVICES));
    }

    /** A new one of this device. */
    public static Event next(String device) {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        long now = System.currentTimeMillis();
        return new Event(
                Shards.mint(device),
                device,
                "pump-station-mk2",
                "flow-and-pressure",
                now,
                now,
                now * 1_000_000,
                now + 5,
                new Reading(
                        "pressure",
                        "Float64",
                        Double.toString(random.nextInt(10_000) / 100.0),
                        "kPa"));
    }
}
