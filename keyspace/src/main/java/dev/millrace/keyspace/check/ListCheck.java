package dev.millrace.keyspace.check;

import static dev.millrace.keyspace.redis.Words.text;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.keyspace.commit.Found;
import dev.millrace.keyspace.commit.Ground;
import dev.millrace.keyspace.commit.Homes;
import dev.millrace.keyspace.commit.Operation;
import dev.millrace.keyspace.layout.Cell;
import dev.millrace.keyspace.layout.Entry;
import dev.millrace.keyspace.layout.Layout;
import dev.millrace.keyspace.layout.Raw;
import dev.millrace.keyspace.layout.Spot;
import dev.millrace.keyspace.layout.UndecodableException;
import dev.millrace.keyspace.redis.Replies;
import dev.millrace.keyspace.redis.Request;
import dev.millrace.keyspace.redis.outcome.Outcome;
import dev.millrace.keyspace.redis.outcome.Reason;
import dev.millrace.keyspace.store.Mender;
import dev.millrace.keyspace.store.Store;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * From lists to what they list: the readings of an event. A list whose own entity is gone goes as a
 * whole, and what it lists stays, for that is an entity of its own; a member that leads to nothing
 * leaves its list. As everywhere, what looks wrong is looked at again in one atomic question, and a
 * repair makes sure in its own script that there is still nothing.
 *
 * <p>In a cluster, what lives in another shard than its list is on its way between two owners: it
 * is left alone, and a list that its entity left behind is reported.
 */
final class ListCheck {
    private final Ground ground;
    private final CheckLog log;
    private final boolean repair;
    private final IndexCheck indexes;
    private final List<Walk> suspects = new ArrayList<>();

    ListCheck(Ground ground, CheckLog log, boolean repair, IndexCheck indexes) {
        this.ground = ground;
        this.log = log;
        this.repair = repair;
        this.indexes = indexes;
    }

    /** Whether a key is a list of entities. */
    static boolean isList(Spot spot) {
        return spot.owner() instanceof Cell cell && cell.listed().isPresent();
    }

    /**
     * Checks some members of each of these lists.
     *
     * @return for each of them the cursor for the next ones; {@code 0} if there are none
     */
    List<String> check(List<IndexCheck.Part> parts, int count) {
        List<Walk> walks = parts.stream().map(part -> new Walk(part, count)).toList();
        walks.forEach(Walk::ask);
        walks.forEach(Walk::askForMembers);
        walks.stream().filter(Walk::isDoubtful).forEach(suspects::add);
        return walks.stream().map(walk -> walk.next).toList();
    }

    /** How many lists have members that wait for a second look. */
    int suspects() {
        return suspects.size();
    }

    /** Looks again at what looked wrong, a moment later. */
    void lookAgain() {
        suspects.forEach(Walk::lookAgain);
        suspects.clear();
    }

    /** A part of one list. */
    private final class Walk {
        private final Found found;
        private final Cell cell;
        private final Layout<?> listed;
        private final Request scan;
        private List<Member> doubtful = List.of();
        private final @Nullable Beside beside;
        private final List<Member> members = new ArrayList<>();
        private String next = "0";

        Walk(IndexCheck.Part part, int count) {
            this.found = part.found();
            this.cell = (Cell) found.spots().getFirst().owner();
            this.listed = cell.listed().orElseThrow();
            this.beside = besideWhat();
            String most = Integer.toString(count);
            this.scan = found.place().ask("ZSCAN", found.key(), part.cursor(), "COUNT", most);
        }

        private @Nullable Beside besideWhat() {
            if (cell.lodging() instanceof Cell.Lodging.Beside(Layout<?> layout, String variable)) {
                Optional<String> id = cell.valueIn(found.key(), variable);
                return id.map(each -> new Beside(layout, each, value(found, layout, each)))
                        .orElse(null);
            }
            return null;
        }

        void ask() {
            ground.redis().submit(scan);
            if (beside != null) {
                ground.redis().submit(beside.value);
            }
        }

        void askForMembers() {
            List<?> reply = Replies.list(Replies.unlessOtherType(scan));
            if (reply.isEmpty()) {
                return; // something else lies there since it was found
            }
            next = Replies.textOrEmpty(reply.get(0));
            List<?> flat = Replies.list(reply.get(1));
            if (!flat.isEmpty()
                    && beside != null
                    && !Replies.isPresent(Replies.unlessOtherType(beside.value))) {
                next = "0";
                withoutEntity(beside, Replies.textOrEmpty(flat.getFirst()));
                return;
            }
            for (int i = 0; i + 1 < flat.size(); i += 2) {
                log.entry();
                byte[] bytes = Replies.bytes(flat.get(i));
                double score = Double.parseDouble(Replies.textOrEmpty(flat.get(i + 1)));
                member(bytes, score);
            }
        }

        private void member(byte[] bytes, double score) {
            String id = new String(bytes, UTF_8);
            if (!Arrays.equals(text(id), bytes)
                    || ground.catalogue().refusal(listed, id).isPresent()) {
                // Nothing of ours can be behind it.
                report(
                        Finding.Kind.ORPHAN_ENTRY,
                        "lists %s, which does not exist".formatted(id),
                        () ->
                                ground.basket(found.place())
                                        .add(Operation.REMOVE_SORTED, found.key(), bytes)
                                        .run());
                return;
            }
            Request kind =
                    listed.mapping()
                            .kind()
                            .map(index -> found.place().ask("ZSCORE", index, id))
                            .orElse(null);
            Member member = new Member(id, score, value(found, listed, id), kind);
            ground.redis().submit(member.value);
            if (kind != null) {
                ground.redis().submit(kind);
            }
            members.add(member);
        }

        boolean isDoubtful() {
            doubtful = members.stream().filter(ListCheck::isDoubtful).toList();
            return !doubtful.isEmpty();
        }

        void lookAgain() {
            for (Member member : doubtful) {
                lookAgain(member.id, new Entry.Sorted(found.key(), member.score, member.id));
            }
        }

        private void lookAgain(String id, Entry entry) {
            List<Entry> asked = new ArrayList<>(List.of(entry));
            List<Layout<?>> kinds = indexes.kinds(listed);
            for (Layout<?> kind : kinds) {
                asked.add(new Entry.Sorted(kind.mapping().kind().orElseThrow(), 0, id));
            }
            Look look = Look.at(ground, listed, found.place(), id, asked);
            if (look.entries().getFirst() == null) {
                return;
            }
            Mender mender = new Mender(ground);
            Raw raw = look.raw();
            if (raw != null) {
                IndexCheck.otherKind(listed, kinds, look, asked)
                        .ifPresent(
                                other ->
                                        report(
                                                Finding.Kind.STALE_ENTRY,
                                                "lists %s, which is not a valid %s"
                                                        .formatted(id, listed.name()),
                                                () ->
                                                        mender.remove(
                                                                listed,
                                                                found.place(),
                                                                id,
                                                                raw,
                                                                other,
                                                                entry)));
            } else if (!look.moving()
                    && !holdsAnotherType(listed, id)
                    && !livesElsewhere(listed, id)) {
                report(
                        Finding.Kind.ORPHAN_ENTRY,
                        "lists %s, which does not exist".formatted(id),
                        () -> mender.mend(listed, found.place(), id, null, entry));
            }
        }

        /** It counts only if the list is still there while its entity is not. */
        private void withoutEntity(Beside gone, String member) {
            Entry some = new Entry.Sorted(found.key(), 0, member);
            Look look = Look.at(ground, gone.layout, found.place(), gone.id, List.of(some));
            if (look.raw() != null
                    || look.moving()
                    || look.entries().getFirst() == null
                    || holdsAnotherType(gone.layout, gone.id)) {
                return;
            }
            if (livesElsewhere(gone.layout, gone.id)) {
                log.found(
                        Finding.Kind.STRAY,
                        cell.name(),
                        found.fullKey(),
                        "lies outside the shard of " + gone.id,
                        false);
                return;
            }
            String key = gone.layout.mapping().keyOf(gone.id);
            report(
                    Finding.Kind.ORPHAN_LIST,
                    "lists the parts of %s, which does not exist".formatted(gone.id),
                    () ->
                            ground.basket(found.place())
                                    .add(Operation.ABSENT, key)
                                    .add(Operation.ABSENT, Homes.MOVING.key(key))
                                    .present(some)
                                    .add(Operation.DELETE, found.key())
                                    .run());
        }

        /** A key of a wrong type is reported by itself; its lists wait for whoever mends it. */
        private boolean holdsAnotherType(Layout<?> layout, String id) {
            return Replies.isPresent(ground.redis().call(value(found, layout, id)));
        }

        private void report(Finding.Kind kind, String detail, Supplier<Outcome<Long>> mend) {
            boolean mended = false;
            if (repair) {
                Outcome<Long> outcome = mend.get();
                if (outcome.failedBy(Reason.DUPLICATE)
                        || outcome.failedBy(Reason.CONFLICT)
                        || outcome.failedBy(Reason.ABSENT)) {
                    return; // it has come or changed meanwhile
                }
                mended = outcome.isStored();
            }
            log.found(kind, cell.name(), found.fullKey(), detail, mended);
        }
    }

    /** The entity that a list belongs to. */
    private record Beside(Layout<?> layout, String id, Request value) {}

    /** What a list says is there. */
    private record Member(String id, double score, Request value, @Nullable Request kind) {}

    private static boolean isDoubtful(Member member) {
        boolean ours = member.kind == null || Replies.unlessOtherType(member.kind) != null;
        return !Replies.isPresent(Replies.unlessOtherType(member.value)) || !ours;
    }

    private static Request value(Found found, Layout<?> layout, String id) {
        return found.place().ask("EXISTS", layout.mapping().keyOf(id));
    }

    private <E> boolean livesElsewhere(Layout<E> layout, String id) {
        if (!ground.shards().cluster()) {
            return false;
        }
        try {
            return new Store<>(ground, layout).get(id).isPresent();
        } catch (UndecodableException e) {
            return true;
        }
    }
}
