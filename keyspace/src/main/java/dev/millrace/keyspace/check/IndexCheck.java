package dev.millrace.keyspace.check;

import static dev.millrace.keyspace.redis.Words.text;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.keyspace.commit.Basket;
import dev.millrace.keyspace.commit.Found;
import dev.millrace.keyspace.commit.Ground;
import dev.millrace.keyspace.commit.Operation;
import dev.millrace.keyspace.commit.Stored;
import dev.millrace.keyspace.layout.Entry;
import dev.millrace.keyspace.layout.KeyType;
import dev.millrace.keyspace.layout.Layout;
import dev.millrace.keyspace.layout.Raw;
import dev.millrace.keyspace.layout.Spot;
import dev.millrace.keyspace.redis.Replies;
import dev.millrace.keyspace.redis.Request;
import dev.millrace.keyspace.redis.outcome.Outcome;
import dev.millrace.keyspace.redis.outcome.Reason;
import dev.millrace.keyspace.store.Mender;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** From indexes to values: each entry leads to a value that asks for it. */
final class IndexCheck {
    private final Ground ground;
    private final CheckLog log;
    private final boolean repair;
    private final List<Question> suspects = new ArrayList<>();
    private final Map<Layout<?>, List<Layout<?>>> kindsOf = new HashMap<>();

    IndexCheck(Ground ground, CheckLog log, boolean repair) {
        this.ground = ground;
        this.log = log;
        this.repair = repair;
    }

    /** An index, and the cursor from which its next entries are to be read. */
    record Part(Found found, String cursor) {}

    /**
     * Checks some entries of each of these indexes.
     *
     * @return for each of them the cursor for the next ones; {@code 0} if there are none
     */
    List<String> check(List<Part> parts, int count) {
        List<Request> scans = new ArrayList<>();
        for (Part part : parts) {
            String command =
                    switch (spot(part.found).type()) {
                        case SORTED_SET -> "ZSCAN";
                        case SET -> "SSCAN";
                        case HASH, STRING, LIST, STREAM -> "HSCAN";
                    };
            Found found = part.found;
            String most = Integer.toString(count);
            scans.add(found.place().ask(command, found.key(), part.cursor, "COUNT", most));
        }
        scans.forEach(ground.redis()::submit);
        List<String> next = new ArrayList<>();
        List<Question> questions = new ArrayList<>();
        for (int i = 0; i < parts.size(); i++) {
            Found found = parts.get(i).found;
            // Null if something else lies there since it was found: then there is nothing to walk.
            List<?> reply = Replies.list(Replies.unlessOtherType(scans.get(i)));
            next.add(reply.isEmpty() ? "0" : Replies.textOrEmpty(reply.get(0)));
            if (!reply.isEmpty() && spot(found).owner() instanceof Layout<?> layout) {
                List<?> content = Replies.list(reply.get(1));
                List<Entry> entries = entriesIn(layout, spot(found), found, content);
                questions.addAll(entries(layout, found, entries));
            }
        }
        questions.stream().filter(this::isDoubtful).forEach(suspects::add);
        return next;
    }

    /** How many entries looked wrong and wait for a second look. */
    int suspects() {
        return suspects.size();
    }

    /** Looks again at what looked wrong, a moment later. */
    void lookAgain() {
        suspects.forEach(each -> lookAgain(each.layout, each.found, each.entry));
        suspects.clear();
    }

    private static Spot spot(Found found) {
        return found.spots().stream()
                .filter(spot -> spot.role() == Spot.Role.INDEX)
                .findFirst()
                .orElseThrow();
    }

    private List<Entry> entriesIn(Layout<?> layout, Spot spot, Found found, List<?> reply) {
        List<Entry> entries = new ArrayList<>();
        String key = found.key();
        int stride = spot.type() == KeyType.SET ? 1 : 2;
        for (int i = 0; i + stride <= reply.size(); i += stride) {
            String member = Replies.textOrEmpty(reply.get(i));
            String second = stride == 1 ? "" : Replies.textOrEmpty(reply.get(i + 1));
            Entry entry =
                    switch (spot.type()) {
                        case SORTED_SET ->
                                new Entry.Sorted(key, Double.parseDouble(second), member);
                        case SET -> new Entry.Member(key, member);
                        case HASH, STRING, LIST, STREAM -> new Entry.Unique(key, member, second);
                    };
            List<byte[]> bytes =
                    reply.subList(i, i + stride).stream().map(each -> (byte[]) each).toList();
            if (bytes.stream().allMatch(IndexCheck::isText)) {
                entries.add(entry);
            } else {
                log.entry();
                report(
                        Finding.Kind.ORPHAN_ENTRY,
                        layout,
                        found,
                        entry,
                        () -> removeBytes(found, entry, bytes));
            }
        }
        return entries;
    }

    private static boolean isText(byte[] bytes) {
        return Arrays.equals(text(new String(bytes, UTF_8)), bytes);
    }

    /**
     * What is not a text is not a valid id of ours; it can be removed only byte by byte as it was
     * found.
     */
    private Outcome<Long> removeBytes(Found found, Entry entry, List<byte[]> bytes) {
        Basket commit = ground.basket(found.place());
        switch (entry) {
            case Entry.Sorted sorted ->
                    commit.add(Operation.REMOVE_SORTED, found.key(), bytes.getFirst());
            case Entry.Member member ->
                    commit.add(Operation.REMOVE_MEMBER, found.key(), bytes.getFirst());
            case Entry.Unique unique ->
                    commit.add(
                            Operation.REMOVE_FIELD_IF,
                            found.key(),
                            bytes.getFirst(),
                            bytes.getLast());
        }
        return commit.run();
    }

    /** Asks for the values behind the entries; what cannot be a value of ours is reported here. */
    private List<Question> entries(Layout<?> layout, Found found, List<Entry> entries) {
        List<Question> questions = new ArrayList<>();
        for (Entry entry : entries) {
            log.entry();
            if (ground.catalogue().refusal(layout, idOf(entry)).isPresent()) {
                lookAgain(layout, found, entry);
            } else {
                questions.add(question(layout, found, entry));
            }
        }
        return questions;
    }

    private boolean isDoubtful(Question question) {
        Layout<?> layout = question.layout;
        Raw raw = layout.mapping().raw(Replies.unlessOtherType(question.value));
        Request kind = question.kind;
        boolean ours = kind == null || Replies.unlessOtherType(kind) != null;
        return !ours || !asksFor(layout, question.entry, raw);
    }

    /** For one entry: the value, and whether the kind index has it. */
    private record Question(
            Layout<?> layout, Found found, Entry entry, Request value, @Nullable Request kind) {}

    private Question question(Layout<?> layout, Found found, Entry entry) {
        String id = idOf(entry);
        String command = layout.type() == KeyType.STRING ? "GET" : "HGETALL";
        Request value = found.place().ask(command, layout.mapping().keyOf(id));
        ground.redis().submit(value);
        Optional<String> kind = layout.mapping().kind().filter(index -> !index.equals(entry.key()));
        if (kind.isEmpty()) {
            return new Question(layout, found, entry, value, null);
        }
        Request inKind = found.place().ask("ZSCORE", kind.get(), id);
        ground.redis().submit(inKind);
        return new Question(layout, found, entry, value, inKind);
    }

    private static String idOf(Entry entry) {
        return switch (entry) {
            case Entry.Sorted(String key, double score, String member) -> member;
            case Entry.Member(String key, String member) -> member;
            case Entry.Unique(String key, String field, String id) -> id;
        };
    }

    /** An entry whose value cannot be read is left alone: the value itself is reported. */
    private <E> boolean asksFor(Layout<E> layout, Entry entry, @Nullable Raw raw) {
        if (raw == null) {
            return false;
        }
        try {
            E value = layout.mapping().decode(layout.mapping().keyOf(idOf(entry)), raw);
            return layout.mapping().traces(value).contains(entry);
        } catch (RuntimeException e) {
            return true;
        }
    }

    private <E> void lookAgain(Layout<E> layout, Found found, Entry entry) {
        String id = idOf(entry);
        if (ground.catalogue().refusal(layout, id).isPresent()) {
            // The key is not ours at all, so nothing of ours is behind the entry.
            report(
                    Finding.Kind.ORPHAN_ENTRY,
                    layout,
                    found,
                    entry,
                    () -> ground.basket(found.place()).leave(entry).run());
            return;
        }
        List<Entry> asked = new ArrayList<>();
        asked.add(entry);
        List<Layout<?>> kinds = kinds(layout);
        for (Layout<?> kind : kinds) {
            asked.add(new Entry.Sorted(kind.mapping().kind().orElseThrow(), 0, id));
        }
        Look look = Look.at(ground, layout, found.place(), id, asked);
        if (!look.agrees(0, entry)) {
            return;
        }
        Raw raw = look.raw();
        if (raw == null) {
            if (!look.moving() && !holdsAnotherType(layout, found, id)) {
                Mender mender = new Mender(ground);
                report(
                        Finding.Kind.ORPHAN_ENTRY,
                        layout,
                        found,
                        entry,
                        () -> mender.mend(layout, found.place(), id, null, entry));
            }
            return;
        }
        Optional<Entry> otherKind = otherKind(layout, kinds, look, asked);
        if (otherKind.isPresent()) {
            Mender mender = new Mender(ground);
            report(
                    Finding.Kind.STALE_ENTRY,
                    layout,
                    found,
                    entry,
                    () -> mender.remove(layout, found.place(), id, raw, otherKind.get(), entry));
        } else if (!asksFor(layout, entry, raw)) {
            reportWrong(layout, found, entry, raw);
        }
    }

    /** The layouts that share the value's pattern, this one first; none if it has it alone. */
    List<Layout<?>> kinds(Layout<?> layout) {
        return kindsOf.computeIfAbsent(layout, this::findKinds);
    }

    private List<Layout<?>> findKinds(Layout<?> layout) {
        List<Layout<?>> kinds = new ArrayList<>();
        if (layout.mapping().kind().isPresent()) {
            kinds.add(layout);
            for (Layout<?> each : ground.catalogue().layouts()) {
                if (each != layout
                        && each.mapping().kind().isPresent()
                        && each.pattern().meet(layout.pattern()).isPresent()) {
                    kinds.add(each);
                }
            }
        }
        return kinds;
    }

    /** The entry in another kind's index that says whose the value is, if ours does not. */
    static Optional<Entry> otherKind(
            Layout<?> layout, List<Layout<?>> kinds, Look look, List<Entry> asked) {
        Optional<Entry> other = Optional.empty();
        for (int i = 0; i < kinds.size(); i++) {
            boolean claims = look.entries().get(i + 1) != null;
            if (claims && kinds.get(i) == layout) {
                return Optional.empty();
            }
            if (claims) {
                other = Optional.of(asked.get(i + 1));
            }
        }
        return other;
    }

    private <E> void reportWrong(Layout<E> layout, Found found, Entry entry, Raw raw) {
        String id = idOf(entry);
        E value = layout.mapping().decode(layout.mapping().keyOf(id), raw);
        Stored<E> stored = new Stored<>(id, value, raw, found.place());
        boolean otherScore =
                layout.mapping().entries(value).stream()
                        .anyMatch(
                                each ->
                                        each instanceof Entry.Sorted
                                                && each.key().equals(entry.key()));
        Mender mender = new Mender(ground);
        report(
                otherScore ? Finding.Kind.WRONG_SCORE : Finding.Kind.STALE_ENTRY,
                layout,
                found,
                entry,
                () -> mender.mend(layout, found.place(), id, stored, entry));
    }

    /** A key of a wrong type is reported by itself; its entries wait for whoever mends it. */
    private boolean holdsAnotherType(Layout<?> layout, Found found, String id) {
        Object exists =
                ground.redis().call(found.place().ask("EXISTS", layout.mapping().keyOf(id)));
        return Replies.isPresent(exists);
    }

    private void report(
            Finding.Kind kind,
            Layout<?> layout,
            Found found,
            Entry entry,
            Supplier<Outcome<Long>> mend) {
        boolean mended = false;
        if (repair) {
            Outcome<Long> outcome = mend.get();
            if (outcome.failedBy(Reason.CONFLICT)
                    || outcome.failedBy(Reason.ABSENT)
                    || outcome.failedBy(Reason.DUPLICATE)) {
                return; // changed meanwhile, and with it the entry
            }
            mended = outcome.isStored();
        }
        String words =
                switch (kind) {
                    case ORPHAN_ENTRY -> "has an entry for %s, which does not exist";
                    case WRONG_SCORE -> "has %s with a score its value does not ask for";
                    default -> "has an entry for %s that its value does not ask for";
                };
        log.found(kind, layout.name(), found.fullKey(), words.formatted(idOf(entry)), mended);
    }
}
