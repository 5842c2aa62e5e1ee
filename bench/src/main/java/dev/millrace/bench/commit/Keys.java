package dev.millrace.bench.commit;

import static java.nio.charset.StandardCharsets.UTF_8;

import tools.jackson.databind.MapperFeature;
import tools.jackson.databind.ObjectWriter;
import tools.jackson.databind.json.JsonMapper;

/**
 * The same keys, scores and bytes as {@link Event#LAYOUT} makes, written by hand, as a program
 * without the engine would have it.
 */
record Keys(byte[] value, byte[] device, byte[] id, byte[] created, byte[] pushed, byte[] json) {
    static final byte[] ALL = "event".getBytes(UTF_8);
    static final byte[] CREATED = "event:created".getBytes(UTF_8);
    static final byte[] PUSHED = "event:pushed".getBytes(UTF_8);
    static final byte[] ZERO = "0".getBytes(UTF_8);

    private static final ObjectWriter WRITER =
            JsonMapper.builder()
                    .disable(MapperFeature.SORT_PROPERTIES_ALPHABETICALLY)
                    .build()
                    .writerFor(Event.class);

    static Keys of(Event event) {
        byte[] id = event.id().getBytes(UTF_8);
        return new Keys(
                id,
                ("event:device:" + event.device()).getBytes(UTF_8),
                id,
                Long.toString(event.created()).getBytes(UTF_8),
                Long.toString(event.pushed()).getBytes(UTF_8),
                WRITER.writeValueAsBytes(event));
    }

    /** In the order of the script beside {@link HandWritten}. */
    byte[][] keys() {
        return new byte[][] {value, ALL, CREATED, PUSHED, device};
    }

    byte[][] args() {
        return new byte[][] {json, id, created, pushed};
    }
}
