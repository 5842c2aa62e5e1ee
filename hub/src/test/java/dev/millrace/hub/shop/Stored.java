package dev.millrace.hub.shop;

import dev.millrace.keyspace.testing.Site;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * What the shop has stored, whichever shard it is in: keys without hash tags, their parts joined.
 */
public record Stored(Map<String, Map<String, Object>> byKey) {
    private static final Pattern TAG = Pattern.compile("^\\{[^}]*}");

    private static final Pattern OF_VISITOR =
            Pattern.compile(
                    "login:|recent:|viewed:.+|cart:.*|"
                            + "millrace:(session|session-ends|user-sessions|cart|cart-once)(:.*)?");

    public static Stored in(Site site) {
        Map<String, Map<String, Object>> all = new TreeMap<>();
        site.dump()
                .forEach(
                        (key, content) -> {
                            Map<String, Object> parts =
                                    all.computeIfAbsent(
                                            TAG.matcher(key).replaceFirst(""),
                                            logical -> new TreeMap<>());
                            if (content instanceof Map<?, ?> some) {
                                some.forEach((name, value) -> parts.put("" + name, value));
                            } else {
                                parts.put("", content);
                            }
                        });
        return new Stored(all);
    }

    public Map<String, Object> at(String key) {
        return byKey.getOrDefault(key, Map.of());
    }

    public Set<String> keys() {
        return byKey.keySet();
    }

    /** Keys that belong to sessions and carts. */
    public Set<String> ofVisitors() {
        Set<String> some = new TreeSet<>(byKey.keySet());
        some.removeIf(key -> !isOfVisitor(key));
        return some;
    }

    public static boolean isOfVisitor(String key) {
        return OF_VISITOR.matcher(TAG.matcher(key).replaceFirst("")).matches();
    }
}
