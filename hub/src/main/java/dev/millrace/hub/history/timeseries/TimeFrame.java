package dev.millrace.hub.history.timeseries;

import dev.millrace.hub.history.asking.Times;

import tools.jackson.databind.JsonNode;

import java.time.ZoneOffset;
import java.util.OptionalLong;

/**
 * The time that a question of Brewblox is about: at most two of start, end and duration.
 *
 * @param from in ms, included
 * @param to excluded
 * @param open whether it goes on with time: it has no end of its own
 */
record TimeFrame(long from, long to, boolean open) {
    private static final long A_DAY = 86_400_000;
    private static final long LEAST_STEP = 10_000;
    private static final int POINTS = 1000;
    private static final long[] COARSE = {3_600_000, 900_000, 60_000};

    /**
     * Reads one.
     *
     * @param now in ms
     * @throws IllegalArgumentException with a sentence that says what is wrong
     */
    static TimeFrame of(JsonNode query, long now) {
        boolean starts = has(query, "start");
        boolean ends = has(query, "end");
        boolean lasts = has(query, "duration");
        if (starts && ends && lasts) {
            throw new IllegalArgumentException(
                    "At most two of start, end and duration can be given.");
        }
        long duration = lasts ? duration(query.path("duration")) : A_DAY;
        TimeFrame frame;
        if (starts) {
            long from = time(query, "start");
            frame =
                    ends
                            ? new TimeFrame(from, time(query, "end"), false)
                            : lasts
                                    ? new TimeFrame(from, from + duration, false)
                                    : new TimeFrame(from, now, true);
        } else if (ends) {
            long to = time(query, "end");
            frame = new TimeFrame(to - duration, to, false);
        } else {
            frame = new TimeFrame(now - duration, now, true);
        }
        if (frame.from >= frame.to) {
            throw new IllegalArgumentException("The start must be before the end.");
        }
        return frame;
    }

    private static boolean has(JsonNode query, String name) {
        JsonNode node = query.path(name);
        return !node.isMissingNode() && !node.isNull() && !node.asString("").isEmpty();
    }

    /** How long, in ms. */
    static long duration(JsonNode node) {
        OptionalLong millis = Times.duration(node.asString(""));
        if (millis.isEmpty() || millis.getAsLong() <= 0) {
            throw new IllegalArgumentException(
                    "A duration is a text such as 2h10m, or a number of seconds.");
        }
        return millis.getAsLong();
    }

    private static long time(JsonNode query, String name) {
        return Times.time(query.path(name).asString(""), ZoneOffset.UTC)
                .orElseThrow(
                        () ->
                                new IllegalArgumentException(
                                        name
                                                + " must be a time: ISO 8601, or seconds or"
                                                + " milliseconds since 1970."));
    }

    /**
     * The length of a window: ten seconds, or a thousandth of the whole in whole seconds, and in
     * whole minutes, quarters or hours where it is longer than these, for which there are roll-ups.
     */
    long step() {
        long step = Math.max(LEAST_STEP, (to - from) / POINTS);
        for (long unit : COARSE) {
            if (step > unit) {
                return (step + unit - 1) / unit * unit;
            }
        }
        return (step + 999) / 1000 * 1000;
    }
}
