package dev.millrace.keyspace;

import dev.millrace.keyspace.Check.Found;
import dev.millrace.keyspace.redis.Outcome;
import dev.millrace.keyspace.redis.Reason;
import dev.millrace.keyspace.redis.Request;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** From indexes to values: each entry leads to a value that asks for it. */
final class IndexCheck {
    private static final String STEP = "256";

    private final Keyspace keyspace;
    private final CheckLog log;
    private final boolean repair;

    IndexCheck(Keyspace keyspace, CheckLog log, boolean repair) {
        this.keyspace = keyspace;
        this.log = log;
        this.repair = repair;
    }

    void check(List<Found> step) {
        for (Found found : step) {
            for (Spot spot : found.spots()) {
                if (spot.role() == Spot.Role.INDEX && spot.owner() instanceof Layout<?> layout) {
                    walk(layout, spot, found);
                }
            }
        }
    }

    private <E> void walk(Layout<E> layout, Spot spot, Found found) {
        String command =
                switch (spot.type()) {
                    case SORTED_SET -> "ZSCAN";
                    case SET -> "SSCAN";
                    case HASH, STRING, LIST, STREAM -> "HSCAN";
                };
        String cursor = "0";
        do {
            Request scan = Check.ask(found.place(), command, found.key(), cursor, "COUNT", STEP);
            List<?> reply = Replies.list(keyspace.redis().call(scan));
            cursor = Replies.textOrEmpty(reply.get(0));
            entries(layout, found, entriesIn(spot, found.key(), Replies.list(reply.get(1))));
        } while (!cursor.equals("0"));
    }

    private static List<Entry> entriesIn(Spot spot, String key, List<?> reply) {
        List<Entry> entries = new ArrayList<>();
        int stride = spot.type() == KeyType.SET ? 1 : 2;
        for (int i = 0; i + stride <= reply.size(); i += stride) {
            String member = Replies.textOrEmpty(reply.get(i));
            String second = stride == 1 ? "" : Replies.textOrEmpty(reply.get(i + 1));
            entries.add(
                    switch (spot.type()) {
                        case SORTED_SET ->
                                new Entry.Sorted(key, Double.parseDouble(second), member);
                        case SET -> new Entry.Member(key, member);
                        case HASH, STRING, LIST, STREAM -> new Entry.Unique(key, member, second);
                    });
        }
        return entries;
    }

    private <E> void entries(Layout<E> layout, Found found, List<Entry> entries) {
        List<Request> values = new ArrayList<>();
        for (Entry entry : entries) {
            Request read =
                    Check.ask(
                            found.place(),
                            layout.type() == KeyType.STRING ? "GET" : "HGETALL",
                            layout.keyOf(idOf(entry)));
            values.add(read);
            keyspace.redis().submit(read);
        }
        for (int i = 0; i < entries.size(); i++) {
            Entry entry = entries.get(i);
            log.entry();
            Optional<Raw> raw = Optional.ofNullable(Replies.raw(layout, values.get(i).await()));
            if (!asksFor(layout, found, entry, raw.orElse(null))) {
                lookAgain(layout, found, entry);
            }
        }
    }

    private static String idOf(Entry entry) {
        return switch (entry) {
            case Entry.Sorted(String key, double score, String member) -> member;
            case Entry.Member(String key, String member) -> member;
            case Entry.Unique(String key, String field, String id) -> id;
        };
    }

    /** An entry whose value cannot be read is left alone: the value itself is reported. */
    private <E> boolean asksFor(Layout<E> layout, Found found, Entry entry, @Nullable Raw raw) {
        if (raw == null) {
            return false;
        }
        try {
            return layout.entries(layout.decode(found.key(), raw)).contains(entry);
        } catch (RuntimeException e) {
            return true;
        }
    }

    private <E> void lookAgain(Layout<E> layout, Found found, Entry entry) {
        String id = idOf(entry);
        Look look = Look.at(keyspace, layout, found.place(), id, List.of(entry));
        if (!look.agrees(0, entry) || asksFor(layout, found, entry, look.raw())) {
            return;
        }
        if (look.raw() == null) {
            if (!holdsAnotherType(layout, found, id) && !isReserved(layout, found, entry)) {
                report(Finding.Kind.ORPHAN_ENTRY, layout, found, entry, null);
            }
            return;
        }
        E value = layout.decode(layout.keyOf(id), look.raw());
        Stored<E> stored = new Stored<>(id, value, look.raw(), found.place());
        boolean otherScore =
                layout.entries(value).stream()
                        .anyMatch(
                                each ->
                                        each instanceof Entry.Sorted
                                                && each.key().equals(entry.key()));
        report(
                otherScore ? Finding.Kind.WRONG_SCORE : Finding.Kind.STALE_ENTRY,
                layout,
                found,
                entry,
                stored);
    }

    /** A key of a wrong type is reported by itself; its entries wait for whoever mends it. */
    private boolean holdsAnotherType(Layout<?> layout, Found found, String id) {
        if (keyspace.catalogue().refusal(layout, id).isPresent()) {
            return false; // the key is not ours at all, so nothing of ours is behind the entry
        }
        Object exists = keyspace.redis().call(Check.ask(found.place(), "EXISTS", layout.keyOf(id)));
        return Replies.isPresent(exists);
    }

    /** A unique field is entered before its entity, which is on its way from another shard. */
    private boolean isReserved(Layout<?> layout, Found found, Entry entry) {
        if (!(entry instanceof Entry.Unique)) {
            return false;
        }
        String copy = Keyspace.MOVING.key(layout.keyOf(idOf(entry)));
        return Replies.isPresent(keyspace.redis().call(Check.ask(found.place(), "EXISTS", copy)));
    }

    private <E> void report(
            Finding.Kind kind,
            Layout<E> layout,
            Found found,
            Entry entry,
            @Nullable Stored<E> stored) {
        boolean mended = false;
        if (repair) {
            Outcome<Long> outcome = mend(layout, found, entry, stored);
            if (outcome.failedBy(Reason.CONFLICT)
                    || outcome.failedBy(Reason.ABSENT)
                    || outcome.failedBy(Reason.DUPLICATE)) {
                return; // changed meanwhile, and with it the entry
            }
            mended = outcome.isDone();
        }
        String words =
                switch (kind) {
                    case ORPHAN_ENTRY -> "has an entry for %s, which does not exist";
                    case WRONG_SCORE -> "has %s with a score its value does not ask for";
                    default -> "has an entry for %s that its value does not ask for";
                };
        log.found(kind, layout.name(), found.fullKey(), words.formatted(idOf(entry)), mended);
    }

    private <E> Outcome<Long> mend(
            Layout<E> layout, Found found, Entry entry, @Nullable Stored<E> stored) {
        String id = idOf(entry);
        if (keyspace.catalogue().refusal(layout, id).isPresent()) {
            return keyspace.commit(found.place()).also(commit -> commit.leave(entry)).run();
        }
        return new Mender(keyspace).mend(layout, found.place(), id, stored, entry);
    }
}
