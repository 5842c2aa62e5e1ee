package dev.millrace.hub.readings;

import dev.millrace.hub.readings.arriving.Refused;
import dev.millrace.hub.readings.arriving.RefusedException;
import dev.millrace.hub.readings.arriving.Taken;
import dev.millrace.hub.readings.kept.Reading;
import dev.millrace.hub.readings.kept.ReadingsLayouts;
import dev.millrace.hub.readings.kept.Together;
import dev.millrace.hub.readings.kept.Uuids;
import dev.millrace.hub.readings.kept.ValueDescriptor;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.commit.Shards;
import dev.millrace.keyspace.commit.Stored;
import dev.millrace.keyspace.layout.Declaration;
import dev.millrace.keyspace.redis.outcome.Outcome;
import dev.millrace.keyspace.redis.outcome.Reason;
import dev.millrace.keyspace.store.Query;
import dev.millrace.keyspace.store.Store;

import java.time.InstantSource;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The value descriptors of the site. A name is unique because the commit that stores it says so. A
 * descriptor whose name readings carry keeps that name and is not deleted; the readings live with
 * their devices, so they are looked for before the commit and not in it: one that arrives in just
 * that moment may lose its descriptor, as it may had it come a moment later.
 */
final class ValueDescriptors {
    private static final String ALL = "valueDescriptor";
    private static final String BY_NAME = "valueDescriptor:name";

    /** How often a delete starts over when others change the descriptor meanwhile. */
    private static final int ATTEMPTS = 16;

    private final Store<ValueDescriptor> store;
    private final Store<Reading> readings;
    private final InstantSource clock;

    ValueDescriptors(Keyspace keyspace, InstantSource clock) {
        this.store = keyspace.store(ReadingsLayouts.VALUE_DESCRIPTORS);
        this.readings = keyspace.store(ReadingsLayouts.READINGS);
        this.clock = clock;
    }

    // ---------------------------------------------------------------- writing

    /** Stores a new one. */
    Taken add(ValueDescriptor sent) {
        Optional<Refused> wrong = wrong(sent);
        if (wrong.isPresent()) {
            return wrong.get();
        }
        String id =
                sent.id() == null || sent.id().isEmpty()
                        ? Shards.mint(Declaration.SITE)
                        : sent.id();
        if (!Uuids.isUuid(id)) {
            return new Refused.Invalid(EventsService.notUuid(id));
        }
        Outcome<Stored<ValueDescriptor>> created = store.create(sent.asNew(id, clock.millis()));
        return created.failedBy(Reason.DUPLICATE)
                ? new Refused.Conflict(
                        "There is a value descriptor '%s' already, or something else with this id."
                                .formatted(sent.nameOrEmpty()))
                : Taken.of(created.map(Stored::id));
    }

    /**
     * Changes what the descriptor says and leaves what it does not say.
     *
     * @return why not; empty if it is done
     */
    Optional<Refused> change(ValueDescriptor sent) {
        Optional<Refused> wrong = wrong(sent);
        if (wrong.isPresent()) {
            return wrong;
        }
        String id = sent.id() == null ? "" : sent.id();
        try {
            Outcome<Stored<ValueDescriptor>> changed =
                    store.update(id, before -> changed(before, sent));
            if (changed.failedBy(Reason.ABSENT)) {
                return Optional.of(unknown("id", id));
            }
            if (changed.failedBy(Reason.DUPLICATE)) {
                return Optional.of(
                        new Refused.Conflict(
                                "The name '%s' belongs to another value descriptor."
                                        .formatted(sent.nameOrEmpty())));
            }
            changed.orThrow();
            return Optional.empty();
        } catch (RefusedException e) {
            return Optional.of(e.why());
        }
    }

    private ValueDescriptor changed(ValueDescriptor before, ValueDescriptor sent) {
        Optional<Refused> used =
                before.nameOrEmpty().equals(sent.nameOrEmpty()) ? Optional.empty() : inUse(before);
        if (used.isPresent()) {
            throw new RefusedException(used.get());
        }
        return before.changedBy(sent, clock.millis());
    }

    /** Says why not; empty if it is done. */
    Optional<Refused> delete(String id) {
        return delete(() -> store.get(id), "id", id);
    }

    /** Says why not; empty if it is done. */
    Optional<Refused> deleteByName(String name) {
        return delete(() -> byName(name), "name", name);
    }

    private Optional<Refused> delete(
            Supplier<Optional<Stored<ValueDescriptor>>> find, String by, String what) {
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            Optional<Stored<ValueDescriptor>> found = find.get();
            if (found.isEmpty()) {
                return Optional.of(unknown(by, what));
            }
            Optional<Refused> used = inUse(found.get().value());
            if (used.isPresent()) {
                return used;
            }
            Outcome<Stored<ValueDescriptor>> deleted = store.delete(found.get());
            if (deleted.failedBy(Reason.ABSENT)) {
                return Optional.of(unknown(by, what));
            }
            if (!deleted.failedBy(Reason.CONFLICT)) {
                deleted.orThrow();
                return Optional.empty();
            }
        }
        return Optional.of(
                new Refused.Conflict("Others are changing '%s'; try again.".formatted(what)));
    }

    private static Optional<Refused> wrong(ValueDescriptor sent) {
        if (sent.nameOrEmpty().isEmpty()) {
            return Optional.of(new Refused.Invalid("A value descriptor needs a name."));
        }
        String formatting = sent.formatting();
        if (formatting != null && !formatting.isEmpty() && !Formatting.hasConversion(formatting)) {
            return Optional.of(
                    new Refused.Invalid(
                            "The formatting of a value descriptor needs a conversion such as %s or"
                                    + " %5.2f."));
        }
        return Optional.empty();
    }

    private Optional<Refused> inUse(ValueDescriptor descriptor) {
        return isUsed(descriptor.nameOrEmpty())
                ? Optional.of(
                        new Refused.Conflict(
                                "There are readings of '%s': its value descriptor keeps its name and stays."
                                        .formatted(descriptor.nameOrEmpty())))
                : Optional.empty();
    }

    // ---------------------------------------------------------------- reading

    Optional<ValueDescriptor> get(String id) {
        return store.get(id).map(Stored::value);
    }

    Optional<ValueDescriptor> find(String name) {
        return byName(name).map(Stored::value);
    }

    private Optional<Stored<ValueDescriptor>> byName(String name) {
        return store.find(BY_NAME, name);
    }

    long count() {
        return store.query(ALL).count();
    }

    /** All, by id, fetched while they are read. */
    Iterator<ValueDescriptor> all() {
        return values(store.query(ALL));
    }

    Iterator<ValueDescriptor> withUnit(String uomLabel) {
        return values(store.query("valueDescriptor:uomlabel:{uomlabel}", uomLabel));
    }

    Iterator<ValueDescriptor> withLabel(String label) {
        return values(store.query("valueDescriptor:label:{label}", label));
    }

    Iterator<ValueDescriptor> ofType(String type) {
        return values(store.query("valueDescriptor:type:{type}", type));
    }

    private static Iterator<ValueDescriptor> values(Query<ValueDescriptor> query) {
        Iterator<Stored<ValueDescriptor>> stored = query.oldestFirst().walk(Long.MAX_VALUE);
        return new Iterator<>() {
            @Override
            public boolean hasNext() {
                return stored.hasNext();
            }

            @Override
            public ValueDescriptor next() {
                return stored.next().value();
            }
        };
    }

    /** Those of these names that there are, in their order. */
    List<ValueDescriptor> named(List<String> names) {
        return find(names).stream().flatMap(Optional::stream).toList();
    }

    /** For each of these names what there is, in their order. */
    List<Optional<ValueDescriptor>> find(List<String> names) {
        return Together.each(names, this::find);
    }

    /** Whether readings have this name. */
    boolean isUsed(String name) {
        // An entry whose reading is gone says nothing, so the readings themselves are looked for.
        return readings.query("reading:name:{name}", name).newestFirst().walk(1).hasNext();
    }

    /** The same for several names, in their order. */
    List<Boolean> areUsed(List<String> names) {
        return Together.each(names, this::isUsed);
    }

    static Refused unknown(String by, String what) {
        return new Refused.Absent("There is no value descriptor with %s '%s'.".formatted(by, what));
    }
}
