package dev.millrace.keyspace.store;

import static dev.millrace.keyspace.redis.Words.number;
import static dev.millrace.keyspace.redis.Words.text;

import dev.millrace.keyspace.commit.Ground;
import dev.millrace.keyspace.commit.Place;
import dev.millrace.keyspace.commit.Stored;
import dev.millrace.keyspace.layout.Entry;
import dev.millrace.keyspace.layout.KeyType;
import dev.millrace.keyspace.layout.Mapping;
import dev.millrace.keyspace.layout.Raw;
import dev.millrace.keyspace.layout.UndecodableException;
import dev.millrace.keyspace.layout.UnfitException;
import dev.millrace.keyspace.pattern.BadKeyException;
import dev.millrace.keyspace.redis.Frame;
import dev.millrace.keyspace.redis.Replies;
import dev.millrace.keyspace.redis.Request;
import dev.millrace.keyspace.redis.Script;
import dev.millrace.keyspace.store.Hit.Behind;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What lies behind the entries of a sorted index: the second step of a query. Values that are known
 * to be small ({@link Sizes}) come by one plain {@code MGET}; a script reads the others, and stops
 * after so many bytes.
 *
 * <p>Between the two steps anybody may write. A value that asks for its entry is a hit, whenever it
 * was read, because a commit writes both at once. One that is gone or does not ask for the entry
 * may have been changed meanwhile, so the script looks again, at entry and value in one moment;
 * what only got another place among those that are asked for is shown as it is then.
 */
final class Values<E> {
    /** How many entries are looked at in one step: about a millisecond of the server's time. */
    static final int STEP = 500;

    private static final int STEP_BYTES = 256 << 10;

    /** With 64 shards, what they give together stays below this many bytes. */
    private static final int ALL_BYTES = 8 << 20;

    /** With parts, a plain read of few entries may still be one of many values. */
    private static final int MOST_KEYS = 4 * STEP;

    /** For fewer than these a plain read is not worth a step of its own. */
    private static final int FEW = 50;

    /** What a key takes in a command, more or less. */
    private static final int ROOM = 64;

    private static final Script LOOK = Script.reading(Values.class, "look");

    private final Ground ground;
    private final Store<E> store;
    private final Mapping<E> mapping;
    private final Reader<E> reader;
    private final Asked<E> asked;
    private final String key;
    private final @Nullable Parts<?> parts;

    /** What is read along makes an entry larger. */
    private final String sizeKey;

    Values(
            Ground ground,
            Store<E> store,
            Reader<E> reader,
            Asked<E> asked,
            @Nullable Parts<?> parts) {
        this.ground = ground;
        this.store = store;
        this.mapping = store.layout().mapping();
        this.reader = reader;
        this.asked = asked;
        this.key = String.valueOf(asked.key());
        this.parts = parts;
        this.sizeKey = parts == null ? key : key.concat(parts.listOf(" "));
    }

    /**
     * What came of the entries of one shard.
     *
     * @param looked how many of them were looked at; there was no room for the others
     * @param behind those of these that lead to something
     */
    record Given<E>(int looked, List<Behind<E>> behind) {}

    // ---------------------------------------------------------------- steps

    /** What lies behind all of these; those of one shard in their order. */
    List<Behind<E>> all(List<Hit> hits) {
        Map<Place, List<Hit>> open = new LinkedHashMap<>();
        hits.forEach(hit -> open.computeIfAbsent(hit.place(), all -> new ArrayList<>()).add(hit));
        List<Behind<E>> all = new ArrayList<>(hits.size());
        while (!open.isEmpty()) {
            List<List<Hit>> asks =
                    open.values().stream()
                            .map(each -> each.subList(0, Math.min(each.size(), STEP)))
                            .toList();
            List<Given<E>> given = read(asks);
            for (int i = 0; i < asks.size(); i++) {
                all.addAll(given.get(i).behind);
                int looked = given.get(i).looked;
                open.computeIfPresent(
                        asks.get(i).getFirst().place(),
                        (place, left) ->
                                looked == left.size() ? null : left.subList(looked, left.size()));
            }
        }
        return all;
    }

    /** What lies behind the first of these entries, for each shard; one round trip for all. */
    List<Given<E>> read(List<List<Hit>> asks) {
        long budget = Math.min(STEP_BYTES, ALL_BYTES / asked.places().size());
        int fitting = isText() ? store.sizes().fitting(sizeKey, budget) : 0;
        List<Step> steps = new ArrayList<>(asks.size());
        for (List<Hit> hits : asks) {
            boolean plain = fitting >= Math.min(hits.size(), FEW);
            steps.add(plain ? new Step(first(hits, fitting), true) : new Step(hits, false));
        }
        List<Step> asking = steps.stream().filter(step -> !step.hits.isEmpty()).toList();
        List<@Nullable Object> replies =
                ground.redis().callAll(asking.stream().map(step -> step.request(budget)).toList());
        for (int i = 0; i < asking.size(); i++) {
            asking.get(i).take(Replies.list(replies.get(i)));
        }
        lookAgain(steps, budget);
        learn(steps);
        return steps.stream().map(Step::given).toList();
    }

    private boolean isText() {
        return store.layout().type() == KeyType.STRING && (parts == null || parts.isText());
    }

    private static List<Hit> first(List<Hit> hits, int fitting) {
        int keys = 0;
        for (int i = 0; i < hits.size(); i++) {
            keys += 1 + hits.get(i).listed().size();
            if (i == fitting || (i > 0 && keys > MOST_KEYS)) {
                return hits.subList(0, i);
            }
        }
        return hits;
    }

    private void learn(List<Step> steps) {
        int count = 0;
        long largest = 0;
        for (Step step : steps) {
            count += step.looked;
            largest = Math.max(largest, step.largest);
        }
        store.sizes().saw(sizeKey, count, largest);
    }

    /** Those of all shards that were changed between the two steps, or lead to nothing. */
    private void lookAgain(List<Step> steps, long budget) {
        List<Step> open = steps.stream().filter(step -> !step.doubtful.isEmpty()).toList();
        while (!open.isEmpty()) {
            List<@Nullable Object> replies =
                    ground.redis()
                            .callAll(
                                    open.stream()
                                            .map(step -> look(step.doubtfulHits(), budget))
                                            .toList());
            for (int i = 0; i < open.size(); i++) {
                open.get(i).takeAgain(Replies.list(replies.get(i)));
            }
            open = open.stream().filter(step -> !step.doubtful.isEmpty()).toList();
        }
    }

    /** The entries of one shard, while what lies behind them comes in. */
    private final class Step {
        final List<Hit> hits;
        final boolean plain;
        final List<@Nullable Behind<E>> behind;

        /** Which of them have to be looked at again. */
        List<Integer> doubtful = new ArrayList<>(0);

        int looked;
        long largest;

        Step(List<Hit> hits, boolean plain) {
            this.hits = hits;
            this.plain = plain;
            this.behind = new ArrayList<>(Collections.nCopies(hits.size(), null));
        }

        Request request(long budget) {
            return plain ? get(hits) : look(hits, budget);
        }

        List<Hit> doubtfulHits() {
            return doubtful.stream().map(hits::get).toList();
        }

        void take(List<?> reply) {
            if (plain) {
                takePlain(reply);
            } else {
                looked = reply.size() / stride();
                for (int i = 0; i < looked; i++) {
                    takeLook(i, reply, i);
                }
            }
        }

        /** Heads first, then the parts of each of them. */
        private void takePlain(List<?> reply) {
            looked = hits.size();
            int at = looked;
            for (int i = 0; i < looked; i++) {
                Hit hit = hits.get(i);
                List<String> listed = hit.listed();
                List<@Nullable Object> along =
                        listed.isEmpty() ? List.of() : new ArrayList<>(2 * listed.size());
                boolean whole = true;
                for (String id : listed) {
                    Object part = reply.get(at++);
                    whole &= part != null;
                    along.add(text(id));
                    along.add(part);
                }
                note(reply.get(i), along);
                Decoded<E> head = decode(hit, reply.get(i));
                if (whole && head.stored != null && asksFor(head.stored, hit)) {
                    behind.set(i, new Behind<>(hit, head.stored, along));
                } else if (!head.damaged) {
                    doubtful.add(i);
                }
            }
        }

        void takeAgain(List<?> reply) {
            int done = reply.size() / stride();
            for (int i = 0; i < done; i++) {
                takeLook(doubtful.get(i), reply, i);
            }
            doubtful = doubtful.subList(done, doubtful.size());
        }

        private int stride() {
            return parts == null ? 1 : 2;
        }

        private void takeLook(int which, List<?> reply, int at) {
            Object value = reply.get(at * stride());
            if (!(value instanceof Long)) {
                List<?> along = parts == null ? List.of() : Replies.list(reply.get(2 * at + 1));
                note(value, along);
                Hit hit = hits.get(which);
                Entry entry = new Entry.Sorted(key, hit.score(), hit.member());
                verified(hit, value, entry)
                        .ifPresent(stored -> behind.set(which, new Behind<>(hit, stored, along)));
            }
        }

        private void note(@Nullable Object value, List<? extends @Nullable Object> along) {
            long bytes = bytes(value);
            for (Object part : along) {
                bytes += bytes(part);
            }
            largest = Math.max(largest, bytes);
        }

        Given<E> given() {
            List<Behind<E>> there = new ArrayList<>(behind.size());
            for (Behind<E> each : behind) {
                if (each != null) {
                    there.add(each);
                }
            }
            return new Given<>(looked, there);
        }
    }

    private static long bytes(@Nullable Object value) {
        return value instanceof byte[] bytes ? bytes.length : 0;
    }

    // ---------------------------------------------------------------- requests

    private Request get(List<Hit> hits) {
        Place place = hits.getFirst().place();
        Frame command = new Frame(hits.size() * ROOM).add("MGET");
        String head = place.prefix().concat(mapping.head());
        for (Hit hit : hits) {
            command.add(head, hit.member().concat(mapping.tail()));
        }
        if (parts != null) {
            hits.forEach(hit -> parts.addKeys(command, place, hit.listed()));
        }
        return Request.reading(place.order(), place.slot(), command);
    }

    private Request look(List<Hit> hits, long budget) {
        Place place = hits.getFirst().place();
        List<byte[]> keys = new ArrayList<>(List.of(place.key(key)));
        String other = asked.other();
        if (other != null) {
            keys.add(place.key(other));
        }
        List<byte[]> args = new ArrayList<>(13 + 2 * hits.size());
        args.add(number(budget));
        args.add(place.key(mapping.head()));
        args.add(text(mapping.tail()));
        args.add(text(store.layout().type() == KeyType.STRING ? "s" : "h"));
        // What others enter is compared with what the value asks for, to the score.
        boolean exactly = mapping.isForeign();
        args.add(text(exactly ? "" : Entry.score(asked.lowest())));
        args.add(text(exactly ? "" : Entry.score(asked.highest())));
        args.add(number(hits.size()));
        for (Hit hit : hits) {
            args.add(text(hit.member()));
            args.add(text(Entry.score(hit.score())));
        }
        if (parts != null) {
            args.addAll(parts.listArgs(place));
            args.addAll(parts.partArgs(place));
        }
        return Request.script(
                LOOK,
                place.order(),
                place.slot(),
                keys.toArray(byte[][]::new),
                args.toArray(byte[][]::new));
    }

    // ---------------------------------------------------------------- what is a hit

    /** A value as it was understood; damaged if it could not be. */
    private record Decoded<E>(@Nullable Stored<E> stored, boolean damaged) {}

    private Decoded<E> decode(Hit hit, @Nullable Object value) {
        Raw raw = mapping.raw(value);
        try {
            return new Decoded<>(
                    raw == null ? null : reader.stored(hit.member(), raw, hit.place()), false);
        } catch (UndecodableException e) {
            return new Decoded<>(null, true);
        }
    }

    /** Whether the value says by itself that it is entered where it was found. */
    private boolean asksFor(Stored<E> stored, Hit hit) {
        String other = asked.other();
        try {
            return mapping.enters(stored.value(), asked.index(), key, hit.score())
                    && (other == null || isIn(other, stored));
        } catch (BadKeyException | UnfitException e) {
            return false; // of others; what they have entered themselves is found all the same
        }
    }

    private boolean isIn(String other, Stored<E> stored) {
        return mapping.entries(stored.value(), stored.id()).stream()
                .anyMatch(entry -> entry.key().equals(other));
    }

    /**
     * What an entry leads to that was read together with it; in a layout that others write too,
     * only if it asks for the entry.
     */
    Optional<Stored<E>> verified(Hit hit, @Nullable Object value, Entry entry) {
        Decoded<E> decoded = decode(hit, value);
        Stored<E> stored = decoded.stored;
        if (!decoded.damaged
                && mapping.isForeign()
                && (stored == null || !mapping.entries(stored.value()).contains(entry))) {
            store.mender()
                    .mendWhatWasRead(store.layout(), hit.place(), hit.member(), stored, entry);
            return Optional.empty();
        }
        return Optional.ofNullable(stored);
    }
}
