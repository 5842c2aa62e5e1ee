package dev.millrace.hub.http;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * All routes, as a tree of segments. Looked at with the path decoded once: {@code %2F} separates
 * like any slash, and an empty segment is a segment, so {@code //} and {@code ..} mean nothing
 * special and match nothing by themselves. Made once; two routes for the same request are refused
 * then.
 */
public final class RouteTable {
    /** Segments of one value; no name is longer than so many slashes. */
    private static final int MOST_SLASHED = 300;

    private final List<Route> routes;
    private final Owners owners;
    private final Node root = new Node();

    /** A route that fits, or what to say instead. */
    public sealed interface Match {
        record Found(Entry entry, String[] values) implements Match {}

        /** The path is known, with these methods only. */
        record OtherMethods(Set<String> allowed) implements Match {}

        record Nothing() implements Match {}
    }

    /** A route, and what is known about it before any request. */
    public record Entry(Route route, Owner owner, List<String> variables) {
        public Entry {
            variables = List.copyOf(variables);
        }

        /** There is one for each route, and every answer is counted by it: nothing is compared. */
        @Override
        public boolean equals(@Nullable Object other) {
            return this == other;
        }

        @Override
        public int hashCode() {
            return System.identityHashCode(this);
        }
    }

    private static final class Node {
        final Map<String, Node> fixed = new HashMap<>();
        final Map<Kind, Node> variable = new EnumMap<>(Kind.class);
        final Map<Method, Entry> entries = new EnumMap<>(Method.class);
    }

    /** What a variable takes; the narrowest is tried first. */
    private enum Kind {
        DIGITS,
        SOME,
        ANY,
        /** Several segments as well, for names in which there may be slashes. */
        SLASHED;

        boolean takes(String segment) {
            return switch (this) {
                case DIGITS ->
                        !segment.isEmpty() && segment.chars().allMatch(c -> c >= '0' && c <= '9');
                case SOME -> !segment.isEmpty();
                case ANY, SLASHED -> true;
            };
        }
    }

    public RouteTable(Collection<Route> routes, Owners owners) {
        this.routes = List.copyOf(routes);
        this.owners = owners;
        this.routes.forEach(this::add);
    }

    public List<Route> routes() {
        return routes;
    }

    /** All owners, each object once. */
    public Set<Owner> owners() {
        return owners.all();
    }

    public Owner owner(String path) {
        return owners.of(path);
    }

    private void add(Route route) {
        Node node = root;
        List<String> variables = new ArrayList<>();
        for (String segment : segments(route.path())) {
            if (segment.startsWith("{") && segment.endsWith("}")) {
                String[] parts = segment.substring(1, segment.length() - 1).split(":", 2);
                variables.add(parts[0]);
                node = node.variable.computeIfAbsent(kind(route, parts), kind -> new Node());
            } else {
                node = node.fixed.computeIfAbsent(segment, text -> new Node());
            }
        }
        Entry entry = new Entry(route, owners.of(route.path()), variables);
        if (node.entries.putIfAbsent(route.method(), entry) != null) {
            throw new IllegalStateException("Two routes for " + route.name());
        }
    }

    private static Kind kind(Route route, String[] parts) {
        return switch (parts.length == 1 ? "" : parts[1]) {
            case "" -> Kind.SOME;
            case "any" -> Kind.ANY;
            case "digits" -> Kind.DIGITS;
            case "slashed" -> Kind.SLASHED;
            default -> throw new IllegalStateException("An unknown variable in " + route.name());
        };
    }

    public Match find(@Nullable Method method, String path) {
        String[] segments = segments(path);
        String[] values = new String[segments.length];
        Set<String> others = new TreeSet<>();
        Match.Found found = find(root, method, segments, 0, values, 0, others);
        if (found != null) {
            return found;
        }
        return others.isEmpty() ? new Match.Nothing() : new Match.OtherMethods(others);
    }

    /** Goes back when a fixed segment leads nowhere that a variable would. */
    private static Match.@Nullable Found find(
            Node node,
            @Nullable Method method,
            String[] segments,
            int at,
            String[] values,
            int known,
            Set<String> others) {
        if (at == segments.length) {
            return here(node, method, values, others);
        }
        Node fixed = node.fixed.get(segments[at]);
        Match.Found found =
                fixed == null ? null : find(fixed, method, segments, at + 1, values, known, others);
        if (found != null || node.variable.isEmpty()) {
            return found;
        }
        for (Map.Entry<Kind, Node> variable : node.variable.entrySet()) {
            Kind kind = variable.getKey();
            String value = segments[at];
            int longest =
                    kind == Kind.SLASHED ? Math.min(segments.length, at + MOST_SLASHED) : at + 1;
            for (int end = at + 1; end <= longest; end++) {
                if (kind.takes(value) && !(kind == Kind.SLASHED && value.isEmpty())) {
                    values[known] = value;
                    found =
                            find(
                                    variable.getValue(),
                                    method,
                                    segments,
                                    end,
                                    values,
                                    known + 1,
                                    others);
                    if (found != null) {
                        return found;
                    }
                }
                if (end < longest) {
                    value += '/' + segments[end];
                }
            }
        }
        return null;
    }

    private static Match.@Nullable Found here(
            Node node, @Nullable Method method, String[] values, Set<String> others) {
        Entry entry = method == null ? null : node.entries.get(method);
        if (entry == null && method == Method.HEAD) {
            Entry get = node.entries.get(Method.GET);
            entry = get != null && get.owner.headLikeGet() ? get : null;
        }
        if (entry != null) {
            return new Match.Found(entry, values);
        }
        node.entries.forEach(
                (allowed, other) -> {
                    others.add(allowed.name());
                    if (allowed == Method.GET && other.owner.headLikeGet()) {
                        others.add(Method.HEAD.name());
                    }
                });
        return null;
    }

    private static String[] segments(String path) {
        // Every path begins with a slash; what is before it is not a segment.
        return path.substring(Math.min(1, path.length())).split("/", -1);
    }
}
