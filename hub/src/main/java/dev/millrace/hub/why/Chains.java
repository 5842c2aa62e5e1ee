package dev.millrace.hub.why;

import dev.millrace.hub.why.Part.Ref;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Puts chains together: from the part that was asked for back to what began it all, and from there
 * to everything that came of it. So each part of a chain gives the same chain. Thread-safe.
 */
final class Chains {
    /** More than rules that wake each other may be. */
    private static final int DEEPEST = 64;

    private static final int MOST_PARTS = 500;

    /** Whoever asks by an id that could be one of several kinds gets the first. */
    private static final List<Kind> ASKED =
            List.of(Kind.EXECUTION, Kind.ALARM, Kind.COMMAND, Kind.NOTIFICATION, Kind.TRANSMISSION);

    private final List<Links> rooms;

    Chains(List<Links> rooms) {
        this.rooms = List.copyOf(rooms);
    }

    /**
     * What there is to be told.
     *
     * @param asked the part that was asked for
     * @param parts none before what led to it, and otherwise in the order of their times
     * @param whole whether all of it is told
     */
    record Chain(Ref asked, List<Part> parts, boolean whole) {}

    /** The chain of a part; empty if nobody knows it. */
    Optional<Chain> of(String id, Optional<Kind> kind) {
        for (Kind each : kind.map(List::of).orElse(ASKED)) {
            Optional<Part> found = find(new Ref(each, id));
            if (found.isPresent()) {
                return Optional.of(upAndDown(found.get()));
            }
        }
        if (kind.isPresent() && !kind.get().begins()) {
            return Optional.empty();
        }
        return Part.cause(id, Instant.EPOCH, "", "", Map.of())
                .map(cause -> down(cause, cause.ref(), List.of()))
                .filter(chain -> chain.parts().size() > 1);
    }

    private Optional<Part> find(Ref which) {
        for (Links each : rooms) {
            Optional<Part> found = each.find(which.kind(), which.id());
            if (found.isPresent()) {
                return found;
            }
        }
        return Optional.empty();
    }

    private Chain upAndDown(Part asked) {
        List<Part> way = new ArrayList<>();
        Part first = asked;
        way.add(first);
        while (first.from().isPresent() && way.size() < DEEPEST) {
            Part after = first;
            Ref before = first.from().get();
            first = find(before).orElseGet(() -> Part.gone(before, after));
            way.addFirst(first);
        }
        if (first.cause().isPresent()) {
            way.addFirst(first.cause().get());
        }
        return down(way.getFirst(), asked.ref(), way.subList(1, way.size()));
    }

    // ---------------------------------------------------------------- from the beginning

    /** What was found so far. */
    private static final class Found {
        final Map<Ref, Part> parts = new LinkedHashMap<>();
        final Deque<Part> open = new ArrayDeque<>();
        boolean whole = true;

        void add(Part part, Optional<Ref> from) {
            if (parts.containsKey(part.ref())) {
                return;
            }
            if (parts.size() >= MOST_PARTS) {
                whole = false;
                return;
            }
            Part placed = part.from(from);
            parts.put(part.ref(), placed);
            open.add(placed);
        }
    }

    /**
     * @param way from the first part to the one that was asked for: it belongs to the chain even
     *     where a record on it is gone
     */
    private Chain down(Part first, Ref asked, List<Part> way) {
        Found found = new Found();
        found.add(first, Optional.empty());
        Part before = first;
        for (Part each : way) {
            found.add(each, Optional.of(before.ref()));
            before = each;
        }
        while (!found.open.isEmpty()) {
            Part part = found.open.poll();
            for (Links room : rooms) {
                Links.Some next = part.kind().begins() ? room.startedBy(part) : room.after(part);
                found.whole &= next.all();
                next.parts().forEach(each -> found.add(each, Optional.of(part.ref())));
            }
        }
        return new Chain(asked, ordered(told(found, first)), found.whole);
    }

    /** Of a cause its parts tell; the first in a fixed order is believed, whoever was asked for. */
    private static List<Part> told(Found found, Part first) {
        List<Part> parts = new ArrayList<>(found.parts.values());
        if (first.kind().begins()) {
            parts.stream()
                    .filter(each -> each.from().filter(first.ref()::equals).isPresent())
                    .filter(each -> each.cause().isPresent())
                    .min(Comparator.comparing(Part::kind).thenComparing(Part::id))
                    .flatMap(Part::cause)
                    .ifPresent(known -> parts.set(0, known));
        }
        return parts;
    }

    private static List<Part> ordered(List<Part> parts) {
        Map<Ref, Place> places = new LinkedHashMap<>();
        Map<Ref, Part> all = new LinkedHashMap<>();
        parts.forEach(each -> all.put(each.ref(), each));
        parts.forEach(each -> place(each, all, places));
        return parts.stream()
                .sorted(
                        Comparator.comparing((Part each) -> place(each, all, places))
                                .thenComparing(Part::kind)
                                .thenComparing(Part::id))
                .toList();
    }

    /** Some records know their times by the second alone: none comes before what led to it. */
    private record Place(Instant at, int depth) implements Comparable<Place> {
        private static final Comparator<Place> ORDER =
                Comparator.comparing(Place::at).thenComparingInt(Place::depth);

        @Override
        public int compareTo(Place other) {
            return ORDER.compare(this, other);
        }
    }

    private static Place place(Part part, Map<Ref, Part> all, Map<Ref, Place> known) {
        Place place = known.get(part.ref());
        if (place != null) {
            return place;
        }
        Part before = part.from().map(all::get).orElse(null);
        Place after = new Place(part.at(), 0);
        if (before != null) {
            Place last = place(before, all, known);
            Instant at = part.at().isBefore(last.at()) ? last.at() : part.at();
            after = new Place(at, last.depth() + 1);
        }
        known.put(part.ref(), after);
        return after;
    }
}
