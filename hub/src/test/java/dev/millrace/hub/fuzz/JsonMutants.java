package dev.millrace.hub.fuzz;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.hub.http.Json;

import tools.jackson.databind.JsonNode;

import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;

/** Valid JSON, and then with something in it that does not belong there. */
final class JsonMutants {
    private static final List<String> WHOLE =
            List.of("", " ", "[]", "{}", "\"\"", "0", "null", "true", "[null]", "[[]]", "\ufeff{}");

    /** One in so many is as large as a body may be. */
    private static final int HUGE_ONE_IN = 400;

    private final Dice dice;

    JsonMutants(Dice dice) {
        this.dice = dice;
    }

    /** Something like the sample: now and then the sample itself. */
    byte[] of(String sample) {
        int way = dice.below(100);
        if (way < 15) {
            return sample.getBytes(UTF_8);
        }
        if (way < 25) {
            return dice.of(WHOLE).getBytes(UTF_8);
        }
        if (way < 80) {
            return member(sample).getBytes(UTF_8);
        }
        byte[] bytes = sample.getBytes(UTF_8);
        return switch (dice.below(6)) {
            case 0 -> dice.cut(bytes);
            case 1 -> dice.flipped(bytes);
            case 2 -> with(bytes, (byte) 0xFF);
            case 3 -> with(bytes, (byte) 0xED, (byte) 0xA0, (byte) 0x80);
            case 4 -> with(bytes, (byte) 0);
            default -> dice.bytes(dice.below(64));
        };
    }

    /** One place of the tree is changed; written as text, so that members may come twice. */
    private String member(String sample) {
        JsonNode tree = Json.MAPPER.readTree(sample);
        int places = count(tree);
        int chosen = dice.below(places);
        StringBuilder text = new StringBuilder();
        write(tree, new int[] {0}, chosen, dice.below(10), text);
        return text.toString();
    }

    private static int count(JsonNode tree) {
        int count = 1;
        for (JsonNode child : tree.isContainer() ? tree.values() : List.<JsonNode>of()) {
            count += count(child);
        }
        return count;
    }

    private void write(JsonNode tree, int[] at, int chosen, int way, StringBuilder text) {
        boolean here = at[0]++ == chosen;
        if (here && way < 6) {
            text.append(value());
            at[0] += count(tree) - 1;
            return;
        }
        if (tree.isObject()) {
            List<String> members = new ArrayList<>();
            tree.forEachEntry(
                    (name, child) -> {
                        boolean next = at[0] == chosen;
                        StringBuilder member = new StringBuilder();
                        write(child, at, chosen, way, member);
                        String key = Json.MAPPER.writeValueAsString(name);
                        if (next && way == 6) {
                            return;
                        }
                        if (next && way == 7) {
                            members.add(key + ":" + value());
                        }
                        if (next && way == 8) {
                            key =
                                    dice.of(
                                            "\"\"",
                                            "\"\\u0000\"",
                                            "\"ID\"",
                                            "\"__proto__\"",
                                            "\"" + "k".repeat(500) + "\"");
                        }
                        members.add(key + ":" + member);
                    });
            text.append('{').append(String.join(",", members)).append('}');
        } else if (tree.isArray()) {
            List<String> items = new ArrayList<>();
            tree.values()
                    .forEach(
                            child -> {
                                StringBuilder item = new StringBuilder();
                                write(child, at, chosen, way, item);
                                items.add(item.toString());
                            });
            text.append('[').append(String.join(",", items)).append(']');
        } else {
            text.append(here && way == 9 ? "[" + tree + "]" : tree.toString());
        }
    }

    private String value() {
        return dice.below(HUGE_ONE_IN) == 0
                ? "\"" + "z".repeat(dice.of(900_000, 1_048_570, 1_100_000)) + "\""
                : dice.of(Hostile.IN_JSON);
    }

    private byte[] with(byte[] bytes, byte... more) {
        int at = dice.below(bytes.length + 1);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        out.write(bytes, 0, at);
        out.writeBytes(more);
        out.write(bytes, at, bytes.length - at);
        return out.toByteArray();
    }
}
