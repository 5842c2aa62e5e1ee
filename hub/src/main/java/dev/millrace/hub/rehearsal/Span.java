package dev.millrace.hub.rehearsal;

import dev.millrace.hub.ems.EmsCode;
import dev.millrace.hub.ems.Refused;
import dev.millrace.hub.ems.RefusedException;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;

/**
 * From when until when, in ms since 1970.
 *
 * @param start included
 * @param end excluded
 */
public record Span(long start, long end) {
    private static final DateTimeFormatter ISO =
            DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSS'Z'").withZone(ZoneOffset.UTC);
    private static final Duration LONGEST = Duration.ofDays(366);

    /** A day, also where it has 25 hours. */
    private static final Duration SHORT = Duration.ofHours(25);

    /** Fewer are seconds: as milliseconds they would be a moment of 1973. */
    private static final double SMALLEST_MILLIS = 1e11;

    /** The year 5138. */
    private static final double LARGEST_MILLIS = 1e14;

    /**
     * Reads {@code start} and {@code end}: ISO 8601, or Unix seconds or milliseconds, told apart by
     * size. Without an end it is now.
     */
    static Span read(ObjectNode body, long now) {
        long start = time(body.path("start"), "start");
        JsonNode until = body.path("end");
        long end =
                until.isMissingNode() || until.isNull() ? now : Math.min(now, time(until, "end"));
        if (start >= end) {
            throw refused(EmsCode.INVALID_PARAMETER, "start must be before end and before now.");
        }
        if (end - start > LONGEST.toMillis()) {
            throw refused(
                    EmsCode.RANGE_TOO_LARGE, "A rehearsal is over 366 days or less of the past.");
        }
        return new Span(start, end);
    }

    private static long time(JsonNode node, String name) {
        String text = node.asString("");
        try {
            if (node.isNumber() || text.matches("[0-9]{1,14}(\\.[0-9]{1,9})?")) {
                double number = node.isNumber() ? node.asDouble() : Double.parseDouble(text);
                double millis = Math.abs(number) < SMALLEST_MILLIS ? number * 1000 : number;
                if (millis >= 0 && millis < LARGEST_MILLIS) {
                    return Math.round(millis);
                }
            } else {
                long millis = OffsetDateTime.parse(text).toInstant().toEpochMilli();
                if (millis >= 0 && millis < LARGEST_MILLIS) {
                    return millis;
                }
            }
        } catch (DateTimeException | ArithmeticException e) {
            throw notATime(name);
        }
        throw notATime(name);
    }

    private static RefusedException notATime(String name) {
        return refused(
                EmsCode.INVALID_PARAMETER,
                name + " must be a time: ISO 8601, or Unix seconds or milliseconds.");
    }

    private static RefusedException refused(EmsCode code, String sentence) {
        return Refused.of(code, sentence).exception();
    }

    /** Whether it is waited for. */
    boolean isShort() {
        return end - start <= SHORT.toMillis();
    }

    public boolean contains(long at) {
        return at >= start && at < end;
    }

    /** A time as answers have it. */
    public static String iso(long at) {
        return ISO.format(Instant.ofEpochMilli(at));
    }
}
