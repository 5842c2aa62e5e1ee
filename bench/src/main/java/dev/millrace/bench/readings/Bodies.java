package dev.millrace.bench.readings;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.util.Locale;

/** What is sent: events of two readings, as a device service of EdgeX sends them. */
final class Bodies {
    static final int DEVICES = 256;
    static final int READINGS = 2;

    /** The first time at which an event was created, where times are given. */
    static final long FIRST = 1_700_000_000_000L;

    private Bodies() {}

    static String device(int number) {
        return "pump-station-" + number % DEVICES;
    }

    /** An event, about 330 bytes of JSON; the hub gives it its time. */
    static String event(int number) {
        return event(number, 0);
    }

    /** The same with a time, in ms; 0 for none. */
    static String event(int number, long created) {
        return String.format(
                Locale.ROOT,
                "{\"device\":\"%s\",%s\"origin\":%d,\"readings\":["
                    + "{\"name\":\"pressure\",\"value\":\"%d.25\",\"origin\":%d,\"valueType\":\"Float64\",\"floatEncoding\":\"eNotation\"},"
                    + "{\"name\":\"flow\",\"value\":\"%d\",\"origin\":%d,\"valueType\":\"Int32\"}]}",
                device(number),
                created == 0 ? "" : "\"created\":" + created + ",",
                1_590_508_601_358_048_800L + number,
                100 + number % 900,
                1_590_508_601_358_048_801L + number,
                number % 50,
                1_590_508_601_358_048_802L + number);
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
