package dev.millrace.keyspace.commit;

import static dev.millrace.keyspace.redis.Words.number;
import static dev.millrace.keyspace.redis.Words.text;

import dev.millrace.keyspace.layout.Cell;
import dev.millrace.keyspace.layout.KeyType;
import dev.millrace.keyspace.layout.Layout;
import dev.millrace.keyspace.layout.Raw;
import dev.millrace.keyspace.redis.outcome.Outcome;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * A basket of checks and writes that happen together or not at all.
 *
 * <p>Several rooms may put things into one basket (a telemetry write carries the alarm transitions
 * it causes); everything in it has to live with the same owner, and that is looked at when it is
 * put in, on a single server too. {@link #run} sends the basket as one script call, together with
 * the baskets of other callers. The script first makes all checks and probes the type of every key,
 * then writes, so that nothing can fail half-way ({@code Commit.run.lua}).
 *
 * <p>What is wrong with the content itself (a key outside its grammar, an owner that is missing, a
 * score that is not finite, an id that belongs to another layout, too many writes) is found before
 * anything is sent and comes out as an outcome too, so that a caller has one thing to look at. For
 * one thread; run once.
 */
public final class Commit {
    /** About 15 ms of the server's time: more is refused, or done in steps by the caller. */
    public static final int MAX_WRITES = 4096;

    /** Together with the writes less than what Lua takes apart at once (8 000). */
    public static final int MAX_CHECKS = 3072;

    /** Keys, fields, values and the like: six for each of {@link #MAX_WRITES}, about 15 ms too. */
    public static final int MAX_WORDS = 24_576;

    public static final int MAX_BYTES = 4 * 1024 * 1024;

    /** The shard's sequence number for logs. */
    public static final Cell SEQUENCE =
            Cell.of(KeyType.STRING, "millrace:seq")
                    .bookkeeping()
                    .about("The shard's sequence number for logs.");

    /** Keys that commits keep for themselves. */
    public static final List<Cell> KEYS = List.of(Homes.POINTERS, Basket.DONE, SEQUENCE);

    private final Ground ground;
    private final Basket basket;
    private final Entities entities;
    private final CellWrites cells;
    private final List<Consumer<Outcome<Long>>> watchers = new ArrayList<>(0);

    Commit(Ground ground, Basket basket) {
        this.ground = ground;
        this.basket = basket;
        this.entities = basket.entities();
        this.cells = new CellWrites(ground, basket);
    }

    // ---------------------------------------------------------------- entities

    /** Stores an entity that is not there yet. */
    public <E> Commit create(Layout<E> layout, E entity) {
        return create(layout, entity, layout.mapping().encode(entity));
    }

    /** The same where the value is {@linkplain Layout#encode(Object) encoded} already. */
    public <E> Commit create(Layout<E> layout, E entity, Raw raw) {
        return prepare(() -> entities.create(located(layout, entity), raw));
    }

    /** The same where it is known already where it lives. */
    public <E> Commit create(Located<E> what, Raw raw) {
        return prepare(() -> entities.create(what, raw));
    }

    /**
     * Stores an entity whether it is there or not, without having read it. Only for layouts whose
     * owner and index entries follow from the key alone; {@code Store.put} does the others.
     */
    public <E> Commit put(Layout<E> layout, E entity) {
        Entities.mustFollowFromKey(layout, "Store.put");
        return prepare(
                () -> entities.put(located(layout, entity), layout.mapping().encode(entity, null)));
    }

    /** The same where it is known already where it lives. */
    public <E> Commit put(Located<E> what, Raw raw) {
        Entities.mustFollowFromKey(what.layout(), "Store.put");
        return prepare(() -> entities.put(what, raw));
    }

    /** Stores a new state of an entity, if it is still as it was read. */
    public <E> Commit replace(Layout<E> layout, Stored<E> before, E after) {
        return prepare(
                () ->
                        entities.replace(
                                before,
                                located(layout, after),
                                layout.mapping().encode(after, before.raw())));
    }

    /** The same where it is known already where it lives. */
    public <E> Commit replace(Stored<E> before, Located<E> after, Raw raw) {
        return prepare(() -> entities.replace(before, after, raw));
    }

    /** Removes an entity and its entries, if it is still as it was read. */
    public <E> Commit delete(Layout<E> layout, Stored<E> before) {
        return prepare(() -> entities.delete(layout, before));
    }

    /**
     * Removes an entity and its entries, whatever it is by now; ABSENT if it is none of its kind.
     * Only for layouts whose owner and index entries follow from the key alone.
     */
    public <E> Commit remove(Layout<E> layout, E entity) {
        Entities.mustFollowFromKey(layout, "delete");
        return prepare(() -> entities.remove(located(layout, entity)));
    }

    /** The value is still as it was read; whether its kind index knows it does not matter here. */
    public <E> Commit unchanged(Layout<E> layout, Stored<E> stored) {
        basket.same(layout, layout.mapping().keyOf(stored.id()), stored.raw());
        return this;
    }

    /**
     * Stores the fields that differ from what was read of a hash, and its entries as far as they
     * do; the others stay as others may have left them. Refused if a field that feeds an index
     * ({@link Layout#indexedBy}) is not as it was read any more.
     */
    public <E> Commit update(Layout<E> layout, Stored<E> before, E after) {
        return prepare(() -> entities.update(before, located(layout, after)));
    }

    /**
     * Stores some fields of a hash that is there and lives here, without having read it; ABSENT if
     * it is not there. For fields that do not feed an index.
     */
    public <E> Commit setFields(Layout<E> layout, String id, Map<String, String> fields) {
        return prepare(() -> entities.setFields(layout, id, fields));
    }

    private <E> Located<E> located(Layout<E> layout, E entity) {
        return Located.of(ground.shards(), layout, entity);
    }

    // ---------------------------------------------------------------- checks

    public Commit absent(Cell.Key key) {
        basket.add(Operation.ABSENT, cells.checked(key, key.cell().type()));
        return this;
    }

    public Commit valueEquals(Cell.Key key, byte[] value) {
        basket.add(Operation.EQUALS, cells.checked(key, KeyType.STRING), value);
        return this;
    }

    public Commit fieldEquals(Cell.Key key, String field, String value) {
        basket.add(Operation.FIELD_EQUALS, cells.checked(key, KeyType.HASH), field, value);
        return this;
    }

    public Commit fieldAbsent(Cell.Key key, String field) {
        basket.add(Operation.FIELD_ABSENT, cells.checked(key, KeyType.HASH), field);
        return this;
    }

    /** The set or sorted set has this member. */
    public Commit memberPresent(Cell.Key key, String member) {
        if (key.cell().type() == KeyType.SET) {
            basket.add(Operation.IN_SET, cells.checked(key, KeyType.SET), member);
        } else {
            basket.add(Operation.IN_SORTED_SET, cells.checked(key, KeyType.SORTED_SET), member);
        }
        return this;
    }

    /** The number at the key, 0 if there is none, is at least this. */
    public Commit atLeast(Cell.Key key, long number) {
        basket.add(Operation.AT_LEAST, cells.checked(key, KeyType.STRING), number(number));
        return this;
    }

    /** The number at the key, 0 if there is none, is at most this. */
    public Commit atMost(Cell.Key key, long number) {
        basket.add(Operation.AT_MOST, cells.checked(key, KeyType.STRING), number(number));
        return this;
    }

    /** The field of the hash is free or already points to this id. */
    public Commit unique(Cell.Key key, String field, String id) {
        basket.add(Operation.UNIQUE, cells.checked(key, KeyType.HASH), field, id);
        return this;
    }

    /** What a room has cached is still current: the text is equal, and empty if there is none. */
    public Commit generation(Cell.Key key, String expected) {
        basket.add(Operation.TEXT_EQUALS, cells.checked(key, KeyType.STRING), expected);
        return this;
    }

    /** The same as a number, 0 if there is none; this commit may {@link #increment} it too. */
    public Commit generationIs(Cell.Key key, long expected) {
        basket.add(Operation.NUMBER_EQUALS, cells.checked(key, KeyType.STRING), number(expected));
        return this;
    }

    // ---------------------------------------------------------------- writes

    public Commit set(Cell.Key key, byte[] value) {
        cells.set(key, value);
        return this;
    }

    public Commit set(Cell.Key key, String value) {
        return set(key, text(value));
    }

    /** Sets these fields, by one command however many they are. */
    public Commit setFields(Cell.Key key, Map<String, String> fields) {
        cells.setFields(key, fields);
        return this;
    }

    /**
     * Sets a field to this number unless it holds a greater one; what is not a number gives way. It
     * costs next to nothing right behind {@link #setFields(Cell.Key, Map)} of the same hash.
     */
    public Commit raiseField(Cell.Key key, String field, long number) {
        cells.raiseField(key, field, number);
        return this;
    }

    /**
     * Sets a field to the number of things that another key holds when all else in this commit is
     * written. If one of the two holds another type, the field is left as it is, no more.
     */
    public Commit sizeField(Cell.Key key, String field, Cell.Key counted) {
        cells.sizeField(key, field, counted);
        return this;
    }

    /** The same of an index in the shard of this commit, at these values of its variables. */
    public Commit sizeField(
            Cell.Key key, String field, Layout<?> layout, String index, String... values) {
        return prepare(() -> cells.sizeField(key, field, layout, index, values));
    }

    public Commit addSorted(Cell.Key key, double score, String member) {
        cells.addSorted(key, score, member);
        return this;
    }

    public Commit addMember(Cell.Key key, String member) {
        basket.add(Operation.ADD_MEMBER, cells.written(key, KeyType.SET), member);
        return this;
    }

    /** Adds to a counter; one that is not a whole number refuses the commit. */
    public Commit increment(Cell.Key key, long by) {
        cells.increment(key, by);
        return this;
    }

    public Commit incrementField(Cell.Key key, String field, long by) {
        cells.incrementField(key, field, by);
        return this;
    }

    /** Pushes to the head of a list that keeps the newest {@code most}. */
    public Commit push(Cell.Key key, byte[] value, int most) {
        cells.push(Operation.PUSH, key, value, most);
        return this;
    }

    /** Pushes to the tail of a list that keeps the newest {@code most}. */
    public Commit append(Cell.Key key, byte[] value, int most) {
        cells.push(Operation.APPEND, key, value, most);
        return this;
    }

    /**
     * Pushes {@code first}, the shard's next sequence number and {@code last} as one text to the
     * head of a list that keeps the newest {@code most}.
     */
    public Commit log(Cell.Key key, String first, String last, int most) {
        byte[] counter = basket.own(SEQUENCE.pattern().key());
        cells.logTo(Operation.LOG, key, counter, first, last, most);
        return this;
    }

    /** The same with a sequence of the list's own, which has no gaps, counted at this key. */
    public Commit log(Cell.Key key, Cell.Key counter, String first, String last, int most) {
        cells.log(Operation.LOG, key, counter, first, last, most);
        return this;
    }

    /**
     * The same without being in the way of the other writes: if the list or its counter holds
     * something else, nothing is pushed and no number given out.
     */
    public Commit logIfList(Cell.Key key, Cell.Key counter, String first, String last, int most) {
        cells.log(Operation.LOG_IF_LIST, key, counter, first, last, most);
        return this;
    }

    /**
     * Before an entity is replaced or removed: pushes the value it has now, between these two
     * texts, to the head of a list that keeps the newest {@code most}; fewer of large ones, so that
     * all stay within about {@code bytes}. Nothing if there is none, or if a {@link #put} that is
     * the very next thing in this basket stores the same again.
     */
    public <E> Commit keepBefore(
            Cell.Key list,
            Layout<E> layout,
            String id,
            String first,
            String last,
            int most,
            long bytes) {
        cells.keepBefore(list, layout, id, first, last, most, bytes);
        return this;
    }

    /** Deletes the key, whatever it holds. */
    public Commit delete(Cell.Key key) {
        basket.add(Operation.DELETE, cells.written(key, key.cell().type()));
        return this;
    }

    /** The key, whatever it holds, goes by itself after this time. */
    public Commit expire(Cell.Key key, Duration after) {
        cells.expire(key, after);
        return this;
    }

    public Commit removeSorted(Cell.Key key, String member) {
        basket.add(Operation.REMOVE_SORTED, cells.written(key, KeyType.SORTED_SET), member);
        return this;
    }

    public Commit removeMember(Cell.Key key, String member) {
        basket.add(Operation.REMOVE_MEMBER, cells.written(key, KeyType.SET), member);
        return this;
    }

    public Commit removeField(Cell.Key key, String field) {
        basket.add(Operation.REMOVE_FIELD, cells.written(key, KeyType.HASH), field);
        return this;
    }

    /** Removes these fields, by one command however many they are. */
    public Commit removeFields(Cell.Key key, Collection<String> fields) {
        basket.removeFields(cells.written(key, KeyType.HASH), fields);
        return this;
    }

    /** Something that a feed, a schedule or a lease adds. */
    public Commit with(Addition addition) {
        return prepare(() -> addition.into(basket));
    }

    /**
     * Takes things of several owners as long as they lie in one place: on a single server all do.
     * For what changes its owner, and for what others have written under an owner of its own.
     */
    public Commit acrossOwners() {
        basket.acrossOwners();
        return this;
    }

    /** May be sent again when the answer was lost: doing it twice changes nothing more. */
    public Commit twice() {
        basket.twice();
        return this;
    }

    /** Is done once for this token, however often it is sent; remembered for ten minutes. */
    public Commit once(String token) {
        basket.once(token);
        return this;
    }

    /**
     * Told once what became of it, whatever that is: for a room that contributes to the commit of
     * another one. It is called on the connection's thread and must not block.
     */
    public Commit afterwards(Consumer<Outcome<Long>> watcher) {
        watchers.add(watcher);
        return this;
    }

    /**
     * Whether so much more fits, in the units of the bounds: who fills it begins the next in time.
     */
    public boolean hasRoom(int writes, int words, int bytes) {
        return basket.hasRoom(writes, words, bytes);
    }

    /** Sends the basket and waits. The value is the last sequence number given out, or 0. */
    public Outcome<Long> run() {
        Claims claims = claims();
        return told(claims == null ? basket.run() : claims.run(basket));
    }

    /**
     * The same without waiting: commits of one owner are executed in the order in which they were
     * sent, so a caller may send under a lock and wait outside of it. What is attached to the
     * future must not block.
     */
    public CompletableFuture<Outcome<Long>> send() {
        return claims() == null
                ? basket.send().thenApply(this::told)
                : CompletableFuture.supplyAsync(this::run, Thread::startVirtualThread);
    }

    private Outcome<Long> told(Outcome<Long> outcome) {
        watchers.forEach(watcher -> watcher.accept(outcome));
        return outcome;
    }

    /** Nothing is claimed for what will not be sent. */
    private @Nullable Claims claims() {
        return basket.refusalBeforeSending() == null ? entities.claims() : null;
    }

    /** What is in it, for tests. */
    Basket basket() {
        return basket;
    }

    private Commit prepare(Runnable work) {
        basket.prepare(work);
        return this;
    }
}
