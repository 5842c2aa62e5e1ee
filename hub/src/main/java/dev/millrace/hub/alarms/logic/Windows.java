package dev.millrace.hub.alarms.logic;

import tools.jackson.databind.JsonNode;

import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.Set;

/**
 * When a rule is evaluated: a list of {@code {"days":["mon","tue"],"from":"08:00","to":"17:00",
 * "zone":"Europe/Berlin"}}. A window without days is open on all of them, one without a zone is in
 * UTC; one that ends before it begins lasts into the next day.
 */
public record Windows(List<Window> windows) {
    private static final int MOST = 50;
    private static final int DAYS_AHEAD = 8;

    /** From one time of a day, included, to another, not included. */
    record Window(Set<DayOfWeek> days, LocalTime from, LocalTime to, ZoneId zone) {
        boolean isOpen(Instant now) {
            ZonedDateTime local = now.atZone(zone);
            LocalTime time = local.toLocalTime();
            DayOfWeek today = local.getDayOfWeek();
            if (from.isBefore(to)) {
                return days.contains(today) && !time.isBefore(from) && time.isBefore(to);
            }
            return (days.contains(today) && !time.isBefore(from))
                    || (days.contains(today.minus(1)) && time.isBefore(to));
        }

        long nextOpening(Instant after) {
            ZonedDateTime local = after.atZone(zone);
            for (int i = 0; i < DAYS_AHEAD; i++) {
                ZonedDateTime opening = local.toLocalDate().plusDays(i).atTime(from).atZone(zone);
                if (days.contains(opening.getDayOfWeek()) && opening.toInstant().isAfter(after)) {
                    return opening.toInstant().toEpochMilli();
                }
            }
            return Long.MAX_VALUE;
        }
    }

    public Windows {
        windows = List.copyOf(windows);
    }

    public boolean isOpen(long now) {
        Instant at = Instant.ofEpochMilli(now);
        return windows.stream().anyMatch(each -> each.isOpen(at));
    }

    /** When a window opens next; empty if none ever does. */
    public OptionalLong nextOpening(long now) {
        Instant at = Instant.ofEpochMilli(now);
        return windows.stream()
                .mapToLong(each -> each.nextOpening(at))
                .filter(each -> each < Long.MAX_VALUE)
                .min();
    }

    static Windows of(JsonNode json) {
        JsonNode list = json.isObject() && json.has("windows") ? json.get("windows") : json;
        if (!list.isArray() || list.isEmpty() || list.size() > MOST) {
            throw new IllegalArgumentException(
                    "schedule must be a list of 1 to 50 windows {days, from, to, zone}");
        }
        List<Window> windows = new ArrayList<>();
        for (JsonNode each : list) {
            try {
                windows.add(
                        new Window(
                                days(each.path("days")),
                                LocalTime.parse(each.path("from").asString("00:00")),
                                time(each.path("to").asString("24:00")),
                                zone(each.path("zone").asString(""))));
            } catch (DateTimeException e) {
                throw new IllegalArgumentException(
                        "schedule: from and to must be times such as 08:00, zone one such as"
                                + " Europe/Berlin",
                        e);
            }
        }
        return new Windows(windows);
    }

    private static LocalTime time(String text) {
        return LocalTime.parse(text.equals("24:00") ? "00:00" : text);
    }

    private static ZoneId zone(String text) {
        return text.isEmpty() ? ZoneOffset.UTC : ZoneId.of(text);
    }

    private static Set<DayOfWeek> days(JsonNode json) {
        if (json.isMissingNode() || json.isEmpty()) {
            return EnumSet.allOf(DayOfWeek.class);
        }
        Set<DayOfWeek> days = EnumSet.noneOf(DayOfWeek.class);
        for (JsonNode each : json) {
            days.add(day(each.asString("").toLowerCase(Locale.ROOT)));
        }
        return days;
    }

    private static DayOfWeek day(String word) {
        for (DayOfWeek each : DayOfWeek.values()) {
            String name = each.name().toLowerCase(Locale.ROOT);
            if (word.length() >= 3 && name.startsWith(word)) {
                return each;
            }
        }
        throw new IllegalArgumentException("schedule: days must be such as mon or monday");
    }
}
