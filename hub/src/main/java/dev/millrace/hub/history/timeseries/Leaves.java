package dev.millrace.hub.history.timeseries;

import dev.millrace.hub.ems.NumberText;
import dev.millrace.hub.history.series.Decimals;

import tools.jackson.databind.JsonNode;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The numbers in an object of any shape, by their path: members and positions joined by slashes.
 * Booleans count as 1 and 0, texts if they are numbers; the rest is nothing that has a history.
 */
final class Leaves {
    private static final int MOST = 5000;
    private static final int DEEPEST = 64;

    private Leaves() {}

    static Map<String, String> of(JsonNode data) {
        Map<String, String> leaves = new LinkedHashMap<>();
        add("", data, 0, leaves);
        return leaves;
    }

    private static void add(String path, JsonNode node, int depth, Map<String, String> leaves) {
        if (leaves.size() >= MOST || depth > DEEPEST) {
            return;
        }
        String before = path.isEmpty() ? "" : path + "/";
        if (node.isObject()) {
            node.properties()
                    .forEach(
                            each ->
                                    add(
                                            before + each.getKey(),
                                            each.getValue(),
                                            depth + 1,
                                            leaves));
        } else if (node.isArray()) {
            for (int i = 0; i < node.size(); i++) {
                add(before + i, node.get(i), depth + 1, leaves);
            }
        } else if (!path.isEmpty()) {
            double number = number(node);
            if (Double.isFinite(number)) {
                leaves.put(path, NumberText.shortest(number));
            }
        }
    }

    private static double number(JsonNode node) {
        if (node.isBoolean()) {
            return node.booleanValue() ? 1 : 0;
        }
        if (node.isNumber()) {
            return node.asDouble();
        }
        return node.isString() ? Decimals.parse(node.stringValue().trim()) : Double.NaN;
    }
}
