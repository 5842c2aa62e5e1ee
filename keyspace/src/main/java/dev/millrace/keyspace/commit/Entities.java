package dev.millrace.keyspace.commit;

import static dev.millrace.keyspace.redis.Words.number;
import static dev.millrace.keyspace.redis.Words.text;

import dev.millrace.keyspace.layout.Codec;
import dev.millrace.keyspace.layout.Entry;
import dev.millrace.keyspace.layout.Layout;
import dev.millrace.keyspace.layout.Mapping;
import dev.millrace.keyspace.layout.Raw;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What a create, a replace or a delete of an entity puts into a basket: its value, its index
 * entries, and the checks without which it must not happen. In a cluster, ids that do not lead to
 * their shard have {@link Claims} besides.
 */
public final class Entities {
    private final Ground ground;
    private final Basket basket;
    private @Nullable Claims claims;

    Entities(Ground ground, Basket basket) {
        this.ground = ground;
        this.basket = basket;
    }

    /** What is to be claimed elsewhere before, and cleared after; null if nothing is. */
    @Nullable Claims claims() {
        return claims;
    }

    <E> void create(Located<E> what, Raw raw) {
        createWhole(what, raw);
        if (ground.shards().cluster() && !what.layout().mapping().ownerInKey()) {
            neededClaims().creates(what.id(), what.key());
        }
        if (mayMeetPointers(what)) {
            basket.add(Operation.ABSENT, Homes.pointerKey(what.key()));
        }
    }

    /** A create that leaves home pointers to its caller. */
    public <E> Basket createWhole(Layout<E> layout, E entity, Raw raw) {
        return basket.prepare(() -> createWhole(Located.of(ground.shards(), layout, entity), raw));
    }

    private <E> void createWhole(Located<E> what, Raw raw) {
        claim(what);
        if (raw instanceof Raw.Text(byte[] bytes)
                && what.layout().mapping().timeToLive().isEmpty()) {
            basket.addNew(what.key(), what.id(), bytes);
        } else {
            basket.add(Operation.ABSENT, what.key());
            writeValue(what.layout(), what.key(), raw);
        }
        what.layout().mapping().entries(what.entity(), what.id()).forEach(basket::enter);
    }

    /**
     * In a cluster an id whose own shard this is may live elsewhere, and a pointer here says so:
     * one of the same layout, or of another kind that shares the pattern.
     */
    private boolean mayMeetPointers(Located<?> what) {
        Layout<?> layout = what.layout();
        return ground.shards().cluster()
                && (!layout.mapping().ownerInKey() || layout.mapping().kind().isPresent())
                && ground.shards().place(what.id()).together(basket.place());
    }

    private Claims neededClaims() {
        Claims needed = claims;
        if (needed == null) {
            needed = new Claims(ground, basket.place());
            claims = needed;
        }
        return needed;
    }

    /** Needs no read before: owner and index entries follow from the key alone. */
    static void mustFollowFromKey(Layout<?> layout, String instead) {
        if (!layout.mapping().indexedByKeyAlone() || !layout.mapping().ownerInKey()) {
            throw new IllegalArgumentException(
                    "Owner or entries of %s depend on its value: use %s."
                            .formatted(layout.name(), instead));
        }
    }

    <E> void put(Located<E> what, Raw raw) {
        claim(what);
        what.layout().mapping().kind().ifPresent(kind -> mustBeFreeOrOurs(what, kind));
        overwrite(what.layout(), what.key(), raw);
        what.layout().mapping().entries(what.entity(), what.id()).forEach(basket::enter);
    }

    private void mustBeFreeOrOurs(Located<?> what, String kind) {
        Place place = basket.place();
        byte[] index = place.key(kind);
        byte[] id = text(what.id());
        basket.addPair(Operation.ABSENT_OR_OF_KIND, place.key(what.key()), index, id);
        if (mayMeetPointers(what)) {
            byte[] pointer = place.key(Homes.pointerKey(what.key()));
            basket.addPair(Operation.ABSENT_OR_OF_KIND, pointer, index, id);
        }
    }

    <E> void replace(Stored<E> before, Located<E> after, Raw raw) {
        Layout<E> layout = after.layout();
        claim(after);
        mustKeepItsId(before, after);
        unchanged(layout, after.key(), before);
        overwrite(layout, after.key(), raw);
        replaceEntries(before, after, Set.of());
    }

    private static void mustKeepItsId(Stored<?> before, Located<?> after) {
        if (!after.id().equals(before.id())) {
            throw new IllegalArgumentException(
                    "A replace keeps the id; this one would turn %s into %s"
                            .formatted(before.id(), after.id()));
        }
    }

    /**
     * Takes away the entries that it does not have any more, and writes those that it has.
     *
     * @param known those that need not be written, because they are there
     */
    private <E> void replaceEntries(Stored<E> before, Located<E> after, Set<Entry> known) {
        Mapping<E> mapping = after.layout().mapping();
        List<Entry> entries = mapping.entries(after.entity(), before.id());
        for (Entry old : mapping.traces(before.value())) {
            if (entries.stream().noneMatch(entry -> samePlace(entry, old))) {
                basket.leave(old);
            }
        }
        entries.stream().filter(entry -> !known.contains(entry)).forEach(basket::enter);
    }

    /** Writes what differs, and the entries that differ; compares what feeds an index. */
    <E> void update(Stored<E> before, Located<E> after) {
        Mapping<E> mapping = after.layout().mapping();
        if (!(before.raw() instanceof Raw.Fields(Map<String, String> old))
                || !(mapping.encode(after.entity()) instanceof Raw.Fields(var fields))
                || !(mapping.codec() instanceof Codec.Fields<E> codec)) {
            throw new IllegalArgumentException(
                    "Only hashes have fields to update; use replace for " + after.layout().name());
        }
        claim(after);
        mustKeepItsId(before, after);
        unchanged(after.layout(), after.key(), before);
        Map<String, String> changed = new LinkedHashMap<>();
        fields.forEach(
                (field, value) -> {
                    if (!value.equals(old.get(field))) {
                        changed.put(field, value);
                    }
                });
        byte[] full = basket.place().key(after.key());
        basket.setFields(full, changed);
        basket.removeFields(full, gone(codec, old.keySet(), fields));
        replaceEntries(before, after, Set.copyOf(mapping.entries(before.value(), before.id())));
    }

    /** Some fields of a hash that is there. */
    <E> void setFields(Layout<E> layout, String id, Map<String, String> fields) {
        ground.catalogue().mustContain(layout);
        Mapping<E> mapping = layout.mapping();
        Set<String> plain = mapping.plainFields();
        if (!plain.containsAll(fields.keySet())) {
            throw new IllegalArgumentException(
                    "%s has only these fields that do not feed an index: %s"
                            .formatted(layout.name(), plain));
        }
        String key = mapping.keyOf(id);
        mapping.ownerOfKey(key)
                .ifPresent(owner -> basket.mustBeHere(ground.shards().place(owner), key));
        mapping.kind().ifPresent(kind -> isOfKind(kind, id));
        basket.add(Operation.EXISTS, basket.place().key(key));
        basket.setFields(basket.place().key(key), fields);
    }

    <E> void delete(Layout<E> layout, Stored<E> before) {
        ground.catalogue().mustContain(layout);
        String key = layout.mapping().keyOf(before.id());
        basket.take(key, "");
        unchanged(layout, key, before);
        removeValue(layout, key, before);
        if (Homes.needed(ground, layout, before.id(), basket.place())) {
            neededClaims().deletes(before.id(), key);
        }
    }

    <E> void remove(Located<E> what) {
        claim(what);
        String id = what.id();
        what.layout().mapping().kind().ifPresent(kind -> isOfKind(kind, id));
        basket.add(Operation.DELETE, what.key());
        what.layout().mapping().entries(what.entity(), id).forEach(basket::leave);
    }

    /** A delete for a move: nothing of the value may have changed, and pointers are left alone. */
    public <E> Basket removeWhole(Layout<E> layout, Stored<E> before) {
        String key = layout.mapping().keyOf(before.id());
        unchanged(layout, key, before);
        if (before.raw() instanceof Raw.Fields(Map<String, String> fields)) {
            byte[] full = basket.place().key(key);
            fields.forEach((field, old) -> basket.add(Operation.FIELD_EQUALS, full, field, old));
        }
        return basket.prepare(() -> removeValue(layout, key, before));
    }

    private <E> void removeValue(Layout<E> layout, String key, Stored<E> before) {
        basket.add(Operation.DELETE, key);
        layout.mapping().traces(before.value()).forEach(basket::leave);
    }

    /** Takes the unique fields for an entity that is to come, and probes its other index keys. */
    public <E> Basket reserve(Layout<E> layout, E entity) {
        return basket.prepare(
                () -> {
                    for (Entry entry : layout.mapping().entries(entity)) {
                        if (entry instanceof Entry.Unique) {
                            basket.enter(entry);
                        } else {
                            basket.leave(entry); // it is not there; to try it is the probe
                        }
                    }
                });
    }

    /** Gives them back. */
    public <E> Basket release(Layout<E> layout, E entity) {
        return basket.prepare(
                () ->
                        layout.mapping().entries(entity).stream()
                                .filter(entry -> entry instanceof Entry.Unique)
                                .forEach(basket::leave));
    }

    /** Makes sure that it may be written here. */
    private <E> void claim(Located<E> what) {
        Layout<E> layout = what.layout();
        ground.catalogue().mustContain(layout);
        basket.mustBeHere(what.place(), what.key());
        basket.refuse(ground.catalogue().refusal(layout, layout.pattern(), what.key()));
        basket.take(what.key(), "");
    }

    private <E> void unchanged(Layout<E> layout, String key, Stored<E> before) {
        basket.mustBeHere(before.place(), key);
        layout.mapping().kind().ifPresent(kind -> isOfKind(kind, before.id()));
        basket.same(layout, key, before.raw());
    }

    private void isOfKind(String kind, String id) {
        basket.add(Operation.IN_SORTED_SET, basket.place().key(kind), id);
    }

    private void writeValue(Layout<?> layout, String key, Raw raw) {
        Optional<Duration> ttl = layout.mapping().timeToLive();
        byte[] full = basket.place().key(key);
        switch (raw) {
            case Raw.Text(byte[] bytes) -> {
                if (ttl.isPresent()) {
                    basket.add(Operation.SET_FOR, full, bytes, number(ttl.get().toMillis()));
                } else {
                    basket.add(Operation.SET, full, bytes);
                }
            }
            case Raw.Fields(Map<String, String> fields) -> {
                basket.setFields(full, fields);
                ttl.ifPresent(time -> basket.add(Operation.EXPIRE, full, number(time.toMillis())));
            }
        }
    }

    /** Writes a value over one that may be there: declared fields that it does not have go. */
    private <E> void overwrite(Layout<E> layout, String key, Raw raw) {
        writeValue(layout, key, raw);
        if (raw instanceof Raw.Fields(Map<String, String> fields)
                && layout.mapping().codec() instanceof Codec.Fields<E> codec) {
            basket.removeFields(basket.place().key(key), gone(codec, codec.names(), fields));
        }
    }

    /** Those of the fields that are declared and not among these any more. */
    private static List<String> gone(
            Codec.Fields<?> codec, Set<String> fields, Map<String, String> now) {
        return fields.stream()
                .filter(field -> codec.names().contains(field) && !now.containsKey(field))
                .toList();
    }

    /** Whether writing one entry replaces the other. */
    private static boolean samePlace(Entry one, Entry other) {
        return one.key().equals(other.key())
                && (!(one instanceof Entry.Unique a)
                        || !(other instanceof Entry.Unique b)
                        || a.field().equals(b.field()));
    }
}
