package dev.millrace.bench.readings;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.util.List;
import java.util.stream.Collectors;

/** What is sent: events of two readings, as a device service of EdgeX sends them. */
public final class Bodies {
    public static final int DEVICES = 256;
    public static final int READINGS = 2;

    /** The first time at which an event was created, where times are given. */
    static final long FIRST = 1_700_000_000_000L;

    private static final long ORIGIN = 1_590_508_601_358_048_800L;

    private Bodies() {}

    public static String device(int number) {
        return "pump-station-" + number % DEVICES;
    }

    static long origin(int number) {
        return ORIGIN + number;
    }

    /**
     * A reading.
     *
     * @param members what a client sends of it, as members of a JSON object
     */
    record Sample(String name, String members) {}

    /** The readings of an event, in their order. */
    static List<Sample> readings(int number) {
        return List.of(
                new Sample(
                        "pressure",
                        "\"name\":\"pressure\",\"value\":\"%s.25\",\"valueType\":\"Float64\",\"floatEncoding\":\"eNotation\""
                                .formatted(100 + number % 900)),
                new Sample(
                        "flow",
                        "\"name\":\"flow\",\"value\":\"%s\",\"valueType\":\"Int32\""
                                .formatted(number % 50)));
    }

    /** An event, about 330 bytes of JSON; the hub gives it its time. */
    public static String event(int number) {
        return event(number, 0);
    }

    /** The same with a time, in ms; 0 for none. */
    static String event(int number, long created) {
        return readings(number).stream()
                .map(each -> "{\"origin\":%s,%s}".formatted(origin(number), each.members))
                .collect(
                        Collectors.joining(
                                ",",
                                "{\"device\":\"%s\",%s\"origin\":%s,\"readings\":["
                                        .formatted(
                                                device(number),
                                                created == 0 ? "" : "\"created\":" + created + ",",
                                                origin(number)),
                                "]}"));
    }

    /**
     * Events of all devices in turn, one a line.
     *
     * @param from the number of the first; with times, each is one ms after the one before
     */
    static byte[] lines(int from, int count, boolean times) {
        ByteArrayOutputStream lines = new ByteArrayOutputStream();
        for (int i = from; i < from + count; i++) {
            lines.writeBytes(event(i, times ? FIRST + i : 0).getBytes(UTF_8));
            lines.write('\n');
        }
        return lines.toByteArray();
    }
}
