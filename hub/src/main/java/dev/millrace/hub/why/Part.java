package dev.millrace.hub.why;

import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * One part of a chain, as the room that has recorded it tells it.
 *
 * @param who did it: a person, a rule, a room
 * @param title what it is, in a few words
 * @param details what else is known, as JSON
 * @param from the part that led to it; empty if the cause itself did, or nobody knows
 * @param cause what is known of the cause of it all; empty if nothing is
 * @param leads by kind, ids of parts that it says it has led to
 * @param kept whether its record is still there
 */
public record Part(
        Kind kind,
        String id,
        Instant at,
        String who,
        String title,
        Map<String, Object> details,
        Optional<Ref> from,
        Optional<Part> cause,
        Map<Kind, List<String>> leads,
        boolean kept) {

    /** The name of a part. */
    public record Ref(Kind kind, String id) {}

    public Part {
        details = Collections.unmodifiableMap(new LinkedHashMap<>(details));
        leads = Map.copyOf(leads);
    }

    /** One that comes from nothing that is known and leads nowhere. */
    public static Part of(Kind kind, String id, Instant at, String who, String title) {
        return new Part(
                kind,
                id,
                at,
                who,
                title,
                Map.of(),
                Optional.empty(),
                Optional.empty(),
                Map.of(),
                true);
    }

    /** The cause with this id; empty if there is none. */
    public static Optional<Part> cause(
            String id, Instant otherwise, String who, String title, Map<String, Object> details) {
        return Origin.kind(id)
                .map(
                        kind ->
                                of(kind, id, Origin.at(id).orElse(otherwise), who, title)
                                        .with(details));
    }

    public Part with(Map<String, Object> more) {
        return new Part(kind, id, at, who, title, more, from, cause, leads, kept);
    }

    public Part from(Optional<Ref> before) {
        return new Part(kind, id, at, who, title, details, before, cause, leads, kept);
    }

    public Part causedBy(Optional<Part> first) {
        return new Part(kind, id, at, who, title, details, from, first, leads, kept);
    }

    public Part leadingTo(Map<Kind, List<String>> parts) {
        return new Part(kind, id, at, who, title, details, from, cause, parts, kept);
    }

    /** What stands for one whose record is gone. */
    static Part gone(Ref which, Part after) {
        return new Part(
                which.kind(),
                which.id(),
                after.at(),
                "",
                "Its record is not kept any more.",
                Map.of(),
                Optional.empty(),
                after.cause(),
                Map.of(),
                false);
    }

    public Ref ref() {
        return new Ref(kind, id);
    }

    /** Ids of this kind that it has led to. */
    public List<String> leads(Kind to) {
        return leads.getOrDefault(to, List.of());
    }

    /** A detail as text; empty if there is none. */
    public String detail(String name) {
        return String.valueOf(details.getOrDefault(name, ""));
    }
}
