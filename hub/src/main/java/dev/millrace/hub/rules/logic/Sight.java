package dev.millrace.hub.rules.logic;

import dev.millrace.hub.http.Json;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.time.Instant;
import java.time.ZoneId;
import java.time.ZonedDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** One look at a rule: the values it sees, the moment, what it remembers, and what it saw. */
public final class Sight {
    /** Present values. */
    @FunctionalInterface
    public interface Values {
        /** As it is stored; null if there is none. */
        @Nullable String value(SourceRef source);
    }

    private static final int MOST_TRACED = 200;

    private final Values values;
    private final long now;
    private final ZoneId zone;
    private final Memory memory;
    private final Map<String, Object> variables = new LinkedHashMap<>();
    private final Set<String> missing = new LinkedHashSet<>();
    private final ArrayNode trace = Json.MAPPER.createArrayNode();
    private final List<String> path = new ArrayList<>();
    private long due = Long.MAX_VALUE;

    /**
     * One look.
     *
     * @param now in ms since 1970
     * @param given values by name that come from outside, such as those of a manual run
     */
    public Sight(Values values, long now, ZoneId zone, Memory memory, Map<String, Object> given) {
        this.values = values;
        this.now = now;
        this.zone = zone;
        this.memory = memory;
        variables.putAll(given);
    }

    public long now() {
        return now;
    }

    public Memory memory() {
        return memory;
    }

    /** A value; null if it is missing, which is noted. */
    @Nullable String value(SourceRef source) {
        String value = values.value(source);
        if (value == null) {
            missing.add(source.text());
        }
        return value;
    }

    /** A variable or the time; null if there is none. */
    @Nullable Object variable(String name) {
        Object given = variables.get(name);
        return given != null ? given : time(name);
    }

    private @Nullable Object time(String name) {
        if (!name.startsWith("time.")) {
            return null;
        }
        ZonedDateTime at = Instant.ofEpochMilli(now).atZone(zone);
        return switch (name) {
            case "time.hour" -> (double) at.getHour();
            case "time.minute" -> (double) at.getMinute();
            case "time.second" -> (double) at.getSecond();
            case "time.weekday" -> (double) at.getDayOfWeek().getValue();
            case "time.day" -> (double) at.getDayOfMonth();
            case "time.month" -> (double) at.getMonthValue();
            default -> null;
        };
    }

    void set(String name, Object value) {
        variables.put(name, value);
    }

    void lacks(String name) {
        missing.add(name);
    }

    /** It is to be looked at again then, though nothing is written. */
    void lookAgain(long at) {
        due = Math.min(due, at);
    }

    /** When to look again; {@link Long#MAX_VALUE} if there is no need to. */
    public long due() {
        return due;
    }

    /** A line of the trace; one that is not kept if there are too many. */
    ObjectNode trace(String kind) {
        ObjectNode line = Json.MAPPER.createObjectNode();
        line.put("kind", kind);
        if (trace.size() < MOST_TRACED) {
            trace.add(line);
        }
        return line;
    }

    public ArrayNode trace() {
        return trace;
    }

    void passes(String node) {
        path.add(node);
    }

    public List<String> path() {
        return List.copyOf(path);
    }

    public Set<String> missing() {
        return Set.copyOf(missing);
    }

    public Map<String, Object> variables() {
        return Map.copyOf(variables);
    }

    /** A value as JSON shows it. */
    static void put(ObjectNode line, String name, @Nullable Object value) {
        switch (value) {
            case null -> line.putNull(name);
            case Boolean truth -> line.put(name, truth);
            case Number number -> {
                double exact = number.doubleValue();
                if (exact == Math.rint(exact) && Math.abs(exact) < 1e15) {
                    line.put(name, (long) exact);
                } else {
                    line.put(name, exact);
                }
            }
            default -> line.put(name, String.valueOf(value));
        }
    }
}
