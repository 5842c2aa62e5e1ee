package dev.millrace.keyspace.check;

import dev.millrace.keyspace.commit.Found;
import dev.millrace.keyspace.commit.Ground;
import dev.millrace.keyspace.commit.Place;
import dev.millrace.keyspace.commit.Stored;
import dev.millrace.keyspace.layout.Entry;
import dev.millrace.keyspace.layout.KeyType;
import dev.millrace.keyspace.layout.Layout;
import dev.millrace.keyspace.layout.Raw;
import dev.millrace.keyspace.redis.Replies;
import dev.millrace.keyspace.redis.Request;
import dev.millrace.keyspace.redis.outcome.Outcome;
import dev.millrace.keyspace.redis.outcome.Reason;
import dev.millrace.keyspace.store.Mender;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * From values to indexes: each value has every entry that it asks for. Wrong scores are found on
 * the other way, from the index.
 */
final class ValueCheck {
    private final Ground ground;
    private final CheckLog log;
    private final boolean repair;
    private final HomeCheck homes;

    ValueCheck(Ground ground, CheckLog log, boolean repair, HomeCheck homes) {
        this.ground = ground;
        this.log = log;
        this.repair = repair;
        this.homes = homes;
    }

    void check(List<Found> step) {
        List<Found> values = step.stream().filter(found -> !found.layouts().isEmpty()).toList();
        List<Comparison<?>> comparisons = new ArrayList<>();
        Check.claims(ground, values)
                .forEach((found, claiming) -> classify(found, claiming, comparisons));
        comparisons.forEach(Comparison::read);
        comparisons.removeIf(comparison -> !comparison.decode());
        comparisons.forEach(Comparison::ask);
        comparisons.forEach(Comparison::compare);
    }

    private void classify(Found found, List<Layout<?>> claiming, List<Comparison<?>> comparisons) {
        if (claiming.isEmpty()) {
            unclassified(found);
        } else if (claiming.size() > 1) {
            String names = String.join(", ", claiming.stream().map(Layout::name).toList());
            log.found(
                    Finding.Kind.TWO_KINDS,
                    claiming.getFirst().name(),
                    found.fullKey(),
                    "is in the kind index of each of " + names,
                    false);
        } else if (!claiming.getFirst().type().redisName().equals(found.type())) {
            Layout<?> layout = claiming.getFirst();
            log.wrongType(layout.name(), found.fullKey(), found.type(), layout.type());
        } else {
            comparisons.add(new Comparison<>(claiming.getFirst(), found));
        }
    }

    // ---------------------------------------------------------------- no kind

    /**
     * A value that no kind index names belongs to nobody, whatever it looks like; but if entries of
     * a kind lead to it and it asks for them, then it was one of that kind, and its entry in the
     * kind index is what is missing.
     */
    private void unclassified(Found found) {
        for (Layout<?> layout : found.layouts()) {
            if (layout.type().redisName().equals(found.type()) && hasLostItsKind(layout, found)) {
                return;
            }
        }
        if (found.layouts().size() == 1 && isAdopted(found.layouts().getFirst(), found)) {
            return;
        }
        // It may have come or gone between the questions.
        List<Layout<?>> now = Check.claims(ground, List.of(found)).getOrDefault(found, List.of());
        boolean gone =
                !Replies.isPresent(ground.redis().call(found.place().ask("EXISTS", found.key())));
        if (now.isEmpty() && !gone) {
            log.unknown(found.fullKey());
        }
    }

    /**
     * Where only the rest can be meant, and the value says that it is one of it, it was written by
     * somebody who does not know our index.
     */
    private <E> boolean isAdopted(Layout<E> layout, Found found) {
        if (!layout.type().redisName().equals(found.type())) {
            return false;
        }
        String id = layout.mapping().idOf(found.key());
        Raw raw = Look.at(ground, layout, found.place(), id, List.of()).raw();
        Optional<Stored<E>> stored = tryDecode(layout, found, raw);
        if (stored.isEmpty() || !layout.mapping().adopts(stored.get().value())) {
            return false;
        }
        boolean mended = false;
        if (repair) {
            Outcome<Long> outcome =
                    new Mender(ground)
                            .enter(
                                    layout,
                                    stored.get(),
                                    List.of(),
                                    layout.mapping().entries(stored.get().value()));
            if (changedMeanwhile(outcome)) {
                return false;
            }
            mended = outcome.isStored();
        }
        log.found(
                Finding.Kind.MISSING_ENTRY,
                layout.name(),
                found.place().prefix() + layout.mapping().kind().orElse(""),
                "has no entry for %s, which somebody else wrote".formatted(id),
                mended);
        return true;
    }

    private <E> boolean hasLostItsKind(Layout<E> layout, Found found) {
        String id = layout.mapping().idOf(found.key());
        Raw raw = Look.at(ground, layout, found.place(), id, List.of()).raw();
        Optional<Stored<E>> stored = tryDecode(layout, found, raw);
        if (stored.isEmpty()) {
            return false;
        }
        List<Entry> entries = layout.mapping().entries(stored.get().value());
        Look look = Look.at(ground, layout, found.place(), id, entries);
        if (!stored.get().raw().equals(look.raw())) {
            return false;
        }
        List<Entry> others = new ArrayList<>();
        List<Entry> missing = new ArrayList<>();
        for (int i = 0; i < entries.size(); i++) {
            (look.agrees(i, entries.get(i)) ? others : missing).add(entries.get(i));
        }
        String kind = layout.mapping().kind().orElse("");
        if (others.isEmpty() || others.stream().anyMatch(entry -> entry.key().equals(kind))) {
            return false;
        }
        boolean mended = false;
        if (repair && missing.size() == 1) {
            Outcome<Long> outcome = new Mender(ground).enter(layout, stored.get(), others, missing);
            if (changedMeanwhile(outcome)) {
                return false;
            }
            mended = outcome.isStored();
        }
        log.found(
                Finding.Kind.MISSING_ENTRY,
                layout.name(),
                found.place().prefix() + kind,
                "has no entry for %s, to which %d of its other entries lead"
                        .formatted(id, others.size()),
                mended);
        return true;
    }

    private <E> Optional<Stored<E>> tryDecode(Layout<E> layout, Found found, @Nullable Raw raw) {
        if (raw == null) {
            return Optional.empty();
        }
        try {
            E value = layout.mapping().decode(found.key(), raw);
            layout.mapping().entries(value);
            String id = layout.mapping().idOf(found.key());
            return Optional.of(new Stored<>(id, value, raw, found.place()));
        } catch (RuntimeException e) {
            return Optional.empty();
        }
    }

    private static boolean changedMeanwhile(Outcome<Long> outcome) {
        return outcome.failedBy(Reason.CONFLICT) || outcome.failedBy(Reason.ABSENT);
    }

    // ---------------------------------------------------------------- one kind

    /** One value, what it asks for, and what is there. */
    private final class Comparison<E> {
        private final Layout<E> layout;
        private final Found found;
        private final String id;
        private final Request value;
        private final List<Request> requests = new ArrayList<>();
        private List<Entry> entries = List.of();
        private @Nullable Stored<E> stored;

        Comparison(Layout<E> layout, Found found) {
            this.layout = layout;
            this.found = found;
            this.id = layout.mapping().idOf(found.key());
            String command = layout.type() == KeyType.STRING ? "GET" : "HGETALL";
            this.value = found.place().ask(command, found.key());
        }

        void read() {
            ground.redis().submit(value);
        }

        /** False if there is nothing to compare. */
        boolean decode() {
            Raw raw = layout.mapping().raw(Replies.unlessOtherType(value));
            if (raw == null) {
                return false;
            }
            log.value();
            try {
                E entity = layout.mapping().decode(found.key(), raw);
                entries = layout.mapping().entries(entity);
                stored = new Stored<>(id, entity, raw, placeOf(entity));
            } catch (RuntimeException e) {
                reportUndecodable(raw, String.valueOf(e.getMessage()));
                return false;
            }
            if (ground.shards().cluster() && !stored.place().together(found.place())) {
                log.found(
                        Finding.Kind.STRAY,
                        layout.name(),
                        found.fullKey(),
                        "lies outside the shard of its owner "
                                + layout.mapping().ownerOf(stored.value()),
                        false);
                return false;
            }
            if (ground.shards().cluster()) {
                homes.hasPointer(layout, found);
            }
            return true;
        }

        private Place placeOf(E entity) {
            return layout.pattern().tagged()
                    ? found.place()
                    : ground.shards().place(layout.mapping().ownerOf(entity));
        }

        /** Unless it has become one of another kind since it was asked for its kind. */
        private void reportUndecodable(Raw raw, String why) {
            List<Entry> kind = new ArrayList<>();
            layout.mapping().kind().ifPresent(index -> kind.add(new Entry.Sorted(index, 0, id)));
            Look look = Look.at(ground, layout, found.place(), id, kind);
            if (raw.equals(look.raw()) && !look.entries().contains(null)) {
                log.found(Finding.Kind.UNDECODABLE, layout.name(), found.fullKey(), why, false);
            }
        }

        void ask() {
            for (Entry entry : entries) {
                Request request =
                        switch (entry) {
                            case Entry.Sorted(String key, double score, String member) ->
                                    found.place().ask("ZSCORE", key, member);
                            case Entry.Member(String key, String member) ->
                                    found.place().ask("SISMEMBER", key, member);
                            case Entry.Unique(String key, String field, String owner) ->
                                    found.place().ask("HGET", key, field);
                        };
                requests.add(request);
                ground.redis().submit(request);
            }
        }

        void compare() {
            List<Entry> suspects = new ArrayList<>();
            for (int i = 0; i < entries.size(); i++) {
                Object reply = Replies.unlessOtherType(requests.get(i));
                String there =
                        reply instanceof Long number
                                ? number == 0 ? null : "1"
                                : Replies.text(reply);
                if (!Look.agrees(there, entries.get(i))) {
                    suspects.add(entries.get(i));
                }
            }
            Stored<E> read = stored;
            if (!suspects.isEmpty() && read != null) {
                lookAgain(read, suspects);
            }
        }

        private void lookAgain(Stored<E> read, List<Entry> suspects) {
            Look look = Look.at(ground, layout, found.place(), id, suspects);
            if (!read.raw().equals(look.raw())) {
                return; // somebody changed the value meanwhile, and with it the entries
            }
            for (int i = 0; i < suspects.size(); i++) {
                String there = look.entries().get(i);
                Entry entry = suspects.get(i);
                if (there == null) {
                    report(Finding.Kind.MISSING_ENTRY, read, entry, "has no entry for " + id);
                } else if (entry instanceof Entry.Unique unique && !unique.id().equals(there)) {
                    reportUnique(read, unique, there);
                }
            }
        }

        /** An entry that leads to another id counts only if that one asks for it. */
        private void reportUnique(Stored<E> read, Entry.Unique entry, String there) {
            Entry theirs = new Entry.Unique(entry.key(), entry.field(), there);
            Look look = Look.at(ground, layout, found.place(), there, List.of(theirs));
            Raw other = look.raw();
            boolean asked = false;
            try {
                asked =
                        other != null
                                && layout.mapping()
                                        .entries(
                                                layout.mapping()
                                                        .decode(
                                                                layout.mapping().keyOf(there),
                                                                other))
                                        .contains(theirs);
            } catch (RuntimeException e) {
                asked = true; // what cannot be read may ask for it
            }
            if (asked) {
                String detail = "points to " + there + ", and " + id + " claims it too";
                report(Finding.Kind.UNIQUE_TWICE, read, entry, detail);
            } else if (look.agrees(0, theirs)) {
                report(Finding.Kind.MISSING_ENTRY, read, entry, "has no entry for " + id);
            }
        }

        private void report(Finding.Kind kind, Stored<E> read, Entry entry, String detail) {
            boolean mended = false;
            if (repair && kind != Finding.Kind.UNIQUE_TWICE) {
                Outcome<Long> outcome =
                        new Mender(ground).enter(layout, read, List.of(), List.of(entry));
                if (changedMeanwhile(outcome)) {
                    return; // its writer has written the entries too
                }
                mended = outcome.isStored();
            }
            log.found(kind, layout.name(), found.place().prefix() + entry.key(), detail, mended);
        }
    }
}
