package dev.millrace.hub.models;

import dev.millrace.hub.http.Json;

import org.jspecify.annotations.Nullable;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The entries of the map from points to what they feed: one target, or a JSON array of them. */
final class PointMap {
    private static final Pattern POINT =
            Pattern.compile("comsrv:([1-9][0-9]{0,4}):([TSCA]):([1-9][0-9]{0,9})");
    private static final Pattern MODEL =
            Pattern.compile("model:([A-Za-z0-9][A-Za-z0-9_.-]{0,127}):measurement:([^:]{1,128})");

    private PointMap() {}

    /**
     * What an entry leads to.
     *
     * @param id of the model; empty if it is none
     */
    record Target(String id, String field) {
        boolean isModel() {
            return !id.isEmpty();
        }
    }

    static Target target(String text) {
        Matcher matcher = MODEL.matcher(text);
        return matcher.matches()
                ? new Target(matcher.group(1), matcher.group(2))
                : new Target("", "");
    }

    static Member.@Nullable Point point(String reference) {
        Matcher matcher = POINT.matcher(reference);
        return matcher.matches()
                ? new Member.Point(
                        Integer.parseInt(matcher.group(1)), matcher.group(2), matcher.group(3))
                : null;
    }

    static List<String> targets(String text) {
        if (!text.startsWith("[")) {
            return text.isEmpty() ? List.of() : List.of(text);
        }
        try {
            List<String> targets = new ArrayList<>();
            if (Json.MAPPER.readTree(text) instanceof ArrayNode array) {
                for (JsonNode each : array) {
                    targets.add(each.asString(""));
                }
            }
            return targets;
        } catch (JacksonException e) {
            return List.of(); // somebody's own way of writing it
        }
    }

    /** The entry without some targets and with others; empty if nothing is left of it. */
    static String changed(String text, List<String> without, List<String> with) {
        Set<String> targets = new LinkedHashSet<>(targets(text));
        without.forEach(targets::remove);
        targets.addAll(with);
        if (targets.size() < 2) {
            return String.join("", targets);
        }
        ArrayNode array = Json.MAPPER.createArrayNode();
        targets.forEach(array::add);
        return array.toString();
    }
}
