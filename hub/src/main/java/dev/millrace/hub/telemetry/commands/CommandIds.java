package dev.millrace.hub.telemetry.commands;

import dev.millrace.hub.telemetry.kept.PointIds;
import dev.millrace.hub.telemetry.kept.TelemetryLayouts;
import dev.millrace.keyspace.pattern.BadKeyException;

import java.security.SecureRandom;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Ids of commands. Those made here sort by time and say their channel, as in {@code
 * cmd_1754530782123_1_0042k7f3q9}: when, the channel, and what makes it the only one.
 */
final class CommandIds {
    /** An older layout kept lists under these names. */
    private static final Set<String> RESERVED = Set.of("C", "A", "history");

    private static final String OURS = "cmd_";
    private static final int BASE = 36;
    private static final int TURN = 10_000;
    private static final long RANDOM = (long) Math.pow(BASE, 6);

    /** Eleven digits and fewer are seconds. */
    private static final double SECONDS_UNTIL = 1e11;

    private static final double LATEST = 1e15;

    private static final AtomicInteger COUNTER = new AtomicInteger();
    private static final SecureRandom CHANCE = new SecureRandom();

    private CommandIds() {}

    static String make(int channel, long millis) {
        int turn = Math.floorMod(COUNTER.getAndIncrement(), TURN);
        String random = Long.toString(RANDOM + CHANCE.nextLong(RANDOM), BASE).substring(1);
        return "%s%013d_%d_%04d%s"
                .formatted(OURS, millis, channel, turn, random)
                .toLowerCase(Locale.ROOT);
    }

    /** The channel that an id of ours says; 0 if it is somebody else's. */
    static int channelOf(String id) {
        String[] parts = id.split("_", -1);
        return id.startsWith(OURS) && parts.length == 4 ? PointIds.channel(parts[2]) : 0;
    }

    static boolean isReserved(String id) {
        return RESERVED.contains(id);
    }

    /** Whether a record can have this id. */
    static boolean canBe(String id) {
        if (isReserved(id)) {
            return false;
        }
        try {
            TelemetryLayouts.COMMAND.at("1", id);
            return true;
        } catch (BadKeyException e) {
            return false;
        }
    }

    /** The second that a time in seconds or milliseconds means; 0 if it means none. */
    static long asSecond(double time) {
        if (!(time > 0 && time < LATEST)) {
            return 0;
        }
        return (long) (time < SECONDS_UNTIL ? time : time / 1000);
    }
}
