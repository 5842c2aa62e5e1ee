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
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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

    public static final int MAX_BYTES = 4 * 1024 * 1024;

    /** Said of what is stored and less safe than was asked for. */
    public static final String UNCONFIRMED =
            "Stored, but fewer replicas than asked for have confirmed it in time; a failover may"
                    + " lose it.";

    /** The shard's sequence number for logs. */
    public static final Cell SEQUENCE =
            Cell.of(KeyType.STRING, "millrace:seq")
                    .bookkeeping()
                    .about("The shard's sequence number for logs.");

    /** Keys that commits keep for themselves. */
    public static final List<Cell> KEYS = List.of(Homes.POINTERS, Basket.DONE, SEQUENCE);

    /** What may be added at once: not even {@link #MAX_WRITES} of it leave the range of numbers. */
    private static final long MAX_INCREMENT = 1_000_000_000_000_000L;

    private final Ground ground;
    private final Basket basket;
    private final Entities entities;

    /** What was set here, to something that may be no number. */
    private final List<Assigned> assigned = new ArrayList<>(0);

    Commit(Ground ground, Place place) {
        this(ground, new Basket(ground, place));
    }

    Commit(Ground ground, Basket basket) {
        this.ground = ground;
        this.basket = basket;
        this.entities = basket.entities();
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

    private <E> Located<E> located(Layout<E> layout, E entity) {
        return Located.of(ground.shards(), layout, entity);
    }

    // ---------------------------------------------------------------- checks

    public Commit absent(Cell.Key key) {
        return check(key, key.cell().type(), full -> basket.add(Operation.ABSENT, full));
    }

    public Commit valueEquals(Cell.Key key, byte[] value) {
        return check(key, KeyType.STRING, full -> basket.add(Operation.EQUALS, full, value));
    }

    public Commit fieldEquals(Cell.Key key, String field, String value) {
        return check(
                key, KeyType.HASH, full -> basket.add(Operation.FIELD_EQUALS, full, field, value));
    }

    public Commit fieldAbsent(Cell.Key key, String field) {
        return check(key, KeyType.HASH, full -> basket.add(Operation.FIELD_ABSENT, full, field));
    }

    /** The set or sorted set has this member. */
    public Commit memberPresent(Cell.Key key, String member) {
        boolean set = key.cell().type() == KeyType.SET;
        Operation operation = set ? Operation.IN_SET : Operation.IN_SORTED_SET;
        KeyType type = set ? KeyType.SET : KeyType.SORTED_SET;
        return check(key, type, full -> basket.add(operation, full, member));
    }

    /** The number at the key, 0 if there is none, is at least this. */
    public Commit atLeast(Cell.Key key, long number) {
        return check(
                key, KeyType.STRING, full -> basket.add(Operation.AT_LEAST, full, number(number)));
    }

    /** The number at the key, 0 if there is none, is at most this. */
    public Commit atMost(Cell.Key key, long number) {
        return check(
                key, KeyType.STRING, full -> basket.add(Operation.AT_MOST, full, number(number)));
    }

    /** The field of the hash is free or already points to this id. */
    public Commit unique(Cell.Key key, String field, String id) {
        return check(key, KeyType.HASH, full -> basket.add(Operation.UNIQUE, full, field, id));
    }

    /** What a room has cached is still current: the text is equal, and empty if there is none. */
    public Commit generation(Cell.Key key, String expected) {
        return check(
                key, KeyType.STRING, full -> basket.add(Operation.TEXT_EQUALS, full, expected));
    }

    // ---------------------------------------------------------------- writes

    public Commit set(Cell.Key key, byte[] value) {
        assigned.add(new Assigned(key.key(), Set.of("")));
        Optional<Duration> ttl = key.cell().timeToLive();
        return write(
                key,
                KeyType.STRING,
                full -> {
                    if (ttl.isPresent()) {
                        basket.add(Operation.SET_FOR, full, value, number(ttl.get().toMillis()));
                    } else {
                        basket.add(Operation.SET, full, value);
                    }
                });
    }

    public Commit set(Cell.Key key, String value) {
        return set(key, text(value));
    }

    public Commit setFields(Cell.Key key, Map<String, String> fields) {
        assigned.add(new Assigned(key.key(), fields.keySet()));
        return write(key, KeyType.HASH, full -> basket.setFields(full, fields));
    }

    public Commit addSorted(Cell.Key key, double score, String member) {
        if (!Double.isFinite(score)) {
            basket.refuse(
                    Optional.of(
                            "A score of %s must be a finite number, not %s."
                                    .formatted(key.key(), score)));
            return this;
        }
        return write(key, KeyType.SORTED_SET, full -> basket.addSorted(full, score, member));
    }

    public Commit addMember(Cell.Key key, String member) {
        return write(key, KeyType.SET, full -> basket.add(Operation.ADD_MEMBER, full, member));
    }

    /** Adds to a counter; one that is not a whole number refuses the commit. */
    public Commit increment(Cell.Key key, long by) {
        mustBeCountable(key, "", by);
        return write(
                key, KeyType.STRING, full -> basket.add(Operation.INCREMENT, full, number(by)));
    }

    public Commit incrementField(Cell.Key key, String field, long by) {
        mustBeCountable(key, field, by);
        return write(
                key,
                KeyType.HASH,
                full -> basket.add(Operation.INCREMENT_FIELD, full, text(field), number(by)));
    }

    private record Assigned(String key, Set<String> fields) {}

    /** What is added to is probed before anything is written, so it must not change in between. */
    private void mustBeCountable(Cell.Key key, String field, long by) {
        if (by > MAX_INCREMENT || by < -MAX_INCREMENT) {
            throw new IllegalArgumentException("Adding " + by + " goes too far for a counter.");
        }
        if (assigned.stream()
                .anyMatch(each -> each.key.equals(key.key()) && each.fields.contains(field))) {
            throw new IllegalArgumentException(
                    key.key() + " cannot be set and incremented in one commit.");
        }
    }

    /** Pushes to the head of a list that keeps the newest {@code most}. */
    public Commit push(Cell.Key key, byte[] value, int most) {
        return list(key, most, full -> basket.add(Operation.PUSH, full, value, number(most)));
    }

    /** Pushes to the tail of a list that keeps the newest {@code most}. */
    public Commit append(Cell.Key key, byte[] value, int most) {
        return list(key, most, full -> basket.add(Operation.APPEND, full, value, number(most)));
    }

    /**
     * Pushes {@code first}, the shard's next sequence number and {@code last} as one text to the
     * head of a list that keeps the newest {@code most}.
     */
    public Commit log(Cell.Key key, String first, String last, int most) {
        return list(
                key,
                most,
                full ->
                        basket.addPair(
                                Operation.LOG,
                                full,
                                basket.own(SEQUENCE.pattern().key()),
                                text(first),
                                text(last),
                                number(most)));
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
        ground.catalogue().mustContain(layout);
        return list(
                list,
                most,
                full ->
                        basket.addPair(
                                Operation.KEEP_BEFORE,
                                full,
                                basket.place().key(layout.mapping().keyOf(id)),
                                text(first),
                                text(last),
                                number(most),
                                number(bytes)));
    }

    private Commit list(Cell.Key key, int most, Consumer<byte[]> add) {
        if (most < 1) {
            throw new IllegalArgumentException("A list keeps at least 1, not " + most);
        }
        return write(key, KeyType.LIST, add);
    }

    // ---------------------------------------------------------------- removals

    /** Deletes the key, whatever it holds. */
    public Commit delete(Cell.Key key) {
        return write(key, key.cell().type(), full -> basket.add(Operation.DELETE, full));
    }

    /** The key, whatever it holds, goes by itself after this time. */
    public Commit expire(Cell.Key key, Duration after) {
        return write(
                key,
                key.cell().type(),
                full -> basket.add(Operation.EXPIRE, full, number(after.toMillis())));
    }

    public Commit removeSorted(Cell.Key key, String member) {
        return write(
                key, KeyType.SORTED_SET, full -> basket.add(Operation.REMOVE_SORTED, full, member));
    }

    public Commit removeMember(Cell.Key key, String member) {
        return write(key, KeyType.SET, full -> basket.add(Operation.REMOVE_MEMBER, full, member));
    }

    public Commit removeField(Cell.Key key, String field) {
        return write(key, KeyType.HASH, full -> basket.add(Operation.REMOVE_FIELD, full, field));
    }

    // ---------------------------------------------------------------- the rest

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

    /** Sends the basket and waits. The value is the last sequence number given out, or 0. */
    public Outcome<Long> run() {
        Claims claims = claims();
        return claims == null ? basket.run() : claims.run(basket);
    }

    /** The same without waiting; what is attached to the future must not block. */
    public CompletableFuture<Outcome<Long>> send() {
        return claims() == null
                ? basket.send()
                : CompletableFuture.supplyAsync(this::run, Thread::startVirtualThread);
    }

    /** Nothing is claimed for what will not be sent. */
    private @Nullable Claims claims() {
        return basket.refusalBeforeSending() == null ? entities.claims() : null;
    }

    /** What is in it, for tests. */
    Basket basket() {
        return basket;
    }

    // ---------------------------------------------------------------- helpers

    private Commit check(Cell.Key key, KeyType type, Consumer<byte[]> add) {
        mustBe(type, key);
        add.accept(basket.place().key(key.key()));
        return this;
    }

    private Commit write(Cell.Key key, KeyType type, Consumer<byte[]> add) {
        mustBe(type, key);
        basket.refuse(ground.catalogue().refusal(key.cell(), key.cell().pattern(), key.key()));
        add.accept(basket.place().key(key.key()));
        return this;
    }

    /** Two writes of different types to one key would pass the probe while it is absent. */
    private void mustBe(KeyType type, Cell.Key key) {
        ground.catalogue().mustContain(key.cell());
        if (key.cell().type() != type) {
            throw new IllegalArgumentException(
                    "%s is declared as %s and cannot be used as %s"
                            .formatted(key.key(), key.cell().type(), type));
        }
        basket.mustBeHere(ground.shards().place(key), key.key());
    }

    private Commit prepare(Runnable work) {
        basket.prepare(work);
        return this;
    }
}
