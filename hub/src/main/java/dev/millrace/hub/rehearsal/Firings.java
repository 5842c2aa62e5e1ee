package dev.millrace.hub.rehearsal;

import dev.millrace.hub.http.Json;

import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What a rule would have done, in the order of time: the first thousands in full, all of them
 * counted. Of one thread alone.
 */
public final class Firings {
    /** So many are told in full. */
    public static final int MOST = 5_000;

    private static final int MOST_TARGETS = 100;
    private static final long MINUTE = 60_000;

    /** Three within a minute is what is called chattering of alarms, too. */
    private static final int MANY = 3;

    private final List<Firing> kept = new ArrayList<>();

    /** Those whose condition still holds. */
    private final List<Firing> open = new ArrayList<>();

    private final Deque<Long> lastMinute = new ArrayDeque<>();
    private final Map<String, Ordered> ordered = new LinkedHashMap<>();
    private long total;
    private long lastAt = Long.MIN_VALUE;
    private long shortest = Long.MAX_VALUE;
    private int mostInAMinute;
    private long flaps;
    private boolean flapping;

    private record Ordered(long times, String last) {}

    /** One more. */
    public void add(Firing firing) {
        total++;
        if (lastAt != Long.MIN_VALUE) {
            shortest = Math.min(shortest, firing.at() - lastAt);
        }
        lastAt = firing.at();
        lastMinute.addLast(firing.at());
        while (lastMinute.getFirst() <= firing.at() - MINUTE) {
            lastMinute.removeFirst();
        }
        mostInAMinute = Math.max(mostInAMinute, lastMinute.size());
        boolean many = lastMinute.size() >= MANY;
        if (many && !flapping) {
            flaps++;
        }
        flapping = many;
        firing.until(null);
        if (kept.size() < MOST) {
            kept.add(firing);
            open.add(firing);
        }
    }

    /** It would have ordered this of a device. */
    public void orders(String target, String value) {
        Ordered before = ordered.get(target);
        if (before != null || ordered.size() < MOST_TARGETS) {
            ordered.put(target, new Ordered(before == null ? 1 : before.times + 1, value));
        }
    }

    /** The condition does not hold any more. */
    public void ended(long at) {
        open.forEach(each -> each.until(at));
        open.clear();
    }

    public List<Firing> kept() {
        return List.copyOf(kept);
    }

    public boolean areAllKept() {
        return total == kept.size();
    }

    /** Puts it all into an answer. */
    public void addTo(ObjectNode answer) {
        answer.put("total_firings", total);
        ArrayNode list = answer.putArray("firings");
        kept.forEach(each -> list.add(each.view()));
        answer.put("firings_left_off", total - kept.size());
        ArrayNode commands = answer.putArray("commands");
        ordered.forEach(
                (target, each) ->
                        commands.add(
                                Json.MAPPER
                                        .createObjectNode()
                                        .put("target", target)
                                        .put("times", each.times)
                                        .put("last_value", each.last)));
        ObjectNode flapping = answer.putObject("flapping");
        flapping.put("flaps", flaps > 0);
        flapping.put("times", flaps);
        flapping.put("most_in_a_minute", mostInAMinute);
        if (shortest == Long.MAX_VALUE) {
            flapping.putNull("shortest_pause_ms");
        } else {
            flapping.put("shortest_pause_ms", shortest);
        }
    }
}
