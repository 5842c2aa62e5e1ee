package dev.millrace.keyspace.commit;

import static dev.millrace.keyspace.redis.Words.number;
import static dev.millrace.keyspace.redis.Words.text;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.keyspace.layout.Cell;
import dev.millrace.keyspace.layout.Codec;
import dev.millrace.keyspace.layout.Entry;
import dev.millrace.keyspace.layout.KeyType;
import dev.millrace.keyspace.layout.Layout;
import dev.millrace.keyspace.layout.Raw;
import dev.millrace.keyspace.layout.UnfitException;
import dev.millrace.keyspace.pattern.BadKeyException;
import dev.millrace.keyspace.pattern.KeyPattern;
import dev.millrace.keyspace.redis.Request;
import dev.millrace.keyspace.redis.Script;
import dev.millrace.keyspace.redis.outcome.Outcome;
import dev.millrace.keyspace.redis.outcome.Reason;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * The checks and writes of one commit, by key, and their way to Redis and back. Rooms put things in
 * through {@link Commit}, which knows declarations; the engine's own parts, which keep keys of the
 * engine in order, work here directly. For one thread; run once.
 */
public final class Basket {
    /** A commit with this token was done. */
    static final Cell DONE =
            Cell.of(KeyType.STRING, "millrace:once:{token}")
                    .bookkeeping()
                    .about("A commit with this token was done; kept for ten minutes.");

    /** Names the shard in checks that look at no key, so that a cluster can route them. */
    public static final String CLOCK_KEY = "millrace:clock";

    /** How long a token is remembered: longer than any caller goes on retrying. */
    private static final Duration TOKEN_TIME = Duration.ofMinutes(10);

    private static final KeyPattern ONCE = DONE.pattern();
    private static final Script RUN = Script.of(Commit.class, "run", "feeds");
    private static final Script RUN_EMPTYING = Script.emptying(Commit.class, "run", "feeds");

    private final Ground ground;
    private final Operations checks = new Operations();
    private final Operations writes = new Operations();

    /** Entities and unique fields in this basket; checks do not see what its own writes will do. */
    private final Map<String, String> taken = new HashMap<>();

    /** Fields that say how large something is: written last, each once. */
    private final Map<String, Runnable> sizes = new LinkedHashMap<>(0);

    private final List<Consumer<Outcome<Long>>> watchers = new ArrayList<>(0);
    private Place place;
    private boolean onlyRemoves = true;

    /** Entities that it creates, and whether all sorted entries are of those. */
    private final Set<String> created = new HashSet<>(4);

    private boolean onlyCreates = true;
    private boolean ownersMayDiffer;
    private boolean ownerOpen;
    private boolean twice;
    private @Nullable String token;
    private Outcome.@Nullable NotDone<Long> refusal;

    Basket(Ground ground, Place place) {
        this.ground = ground;
        this.place = place;
    }

    public Place place() {
        return place;
    }

    // ---------------------------------------------------------------- what is in it

    /** Checks or writes a key that lives here. */
    public Basket add(Operation operation, String key, byte[]... args) {
        return add(operation, place.key(key), args);
    }

    Basket add(Operation operation, byte[] key, byte[]... args) {
        on(operation).add(operation, key, args);
        return this;
    }

    Basket add(Operation operation, byte[] key, String one) {
        on(operation).add(operation, key, one);
        return this;
    }

    Basket add(Operation operation, byte[] key, String one, String two) {
        on(operation).add(operation, key, one, two);
        return this;
    }

    /** Checks or writes two keys. */
    Basket addPair(Operation operation, byte[] key, byte[] second, byte[]... args) {
        on(operation).add(operation, key, args).alsoKey(second);
        return this;
    }

    /** Stores the value of an entity that is not there yet. */
    Basket addNew(String key, String id, byte[] value) {
        created.add(id);
        on(Operation.SET_ABSENT).add(Operation.SET_ABSENT, place, key, value);
        return this;
    }

    /** Checks or writes a key that each shard has once: what has a tag of its own has no shard. */
    public Basket addInShard(Operation operation, String key, byte[]... args) {
        return add(operation, shardKey(key), args);
    }

    /** The same of two keys. */
    public Basket addPairInShard(Operation operation, String key, String second, byte[]... args) {
        return addPair(operation, shardKey(key), shardKey(second), args);
    }

    /** The same of what is told about a removal: a full server takes it, or it stays full. */
    public Basket addPairEvenIfFull(
            Operation operation, String key, String second, byte[]... args) {
        boolean before = onlyRemoves;
        addPairInShard(operation, key, second, args);
        onlyRemoves = before;
        return this;
    }

    /** Puts a member into a sorted set that each shard has once. */
    public Basket addSortedInShard(String key, double score, String member) {
        return addSorted(shardKey(key), score, member);
    }

    Basket addSorted(byte[] key, double score, String member) {
        sorted(member).addSorted(key, score, member);
        return this;
    }

    Basket setFields(byte[] key, Map<String, String> fields) {
        if (!fields.isEmpty()) {
            on(Operation.SET_FIELDS).addFields(key, fields);
        }
        return this;
    }

    Basket removeFields(byte[] key, Collection<String> fields) {
        if (!fields.isEmpty()) {
            on(Operation.REMOVE_FIELDS).addFields(key, fields);
        }
        return this;
    }

    /** Sets a field, when all else is written, to what this command says of the other key. */
    Basket sizeField(byte[] key, String field, byte[] counted, String command) {
        sizes.putIfAbsent(
                new String(key, UTF_8) + " " + field,
                () -> addPair(Operation.SIZE_FIELD, key, counted, text(field), text(command)));
        return this;
    }

    private Operations sorted(String member) {
        onlyCreates &= created.contains(member);
        return on(Operation.ADD_SORTED);
    }

    private Operations on(Operation operation) {
        onlyRemoves &= operation.effect != Operation.Effect.ADD;
        return operation.isCheck() ? checks : writes;
    }

    /** Writes an index entry. */
    public Basket enter(Entry entry) {
        switch (entry) {
            case Entry.Sorted(String key, double score, String member) ->
                    sorted(member).addSorted(place, key, score, member);
            case Entry.Member(String key, String member) ->
                    add(Operation.ADD_MEMBER, place.key(key), member);
            case Entry.Unique(String key, String field, String id) -> {
                byte[] full = place.key(key);
                take(key + " " + field, id);
                add(Operation.UNIQUE, full, field, id);
                add(Operation.SET_FIELD, full, field, id);
            }
        }
        return this;
    }

    /** Takes an index entry away. */
    public Basket leave(Entry entry) {
        byte[] key = place.key(entry.key());
        return switch (entry) {
            case Entry.Sorted(String k, double score, String member) ->
                    add(Operation.REMOVE_SORTED, key, member);
            case Entry.Member(String k, String member) -> add(Operation.REMOVE_MEMBER, key, member);
            case Entry.Unique(String k, String field, String id) ->
                    add(Operation.REMOVE_FIELD_IF, key, field, id);
        };
    }

    /** The entry is there; of a sorted one, with whatever score. */
    public Basket present(Entry entry) {
        byte[] key = place.key(entry.key());
        return switch (entry) {
            case Entry.Sorted(String k, double score, String member) ->
                    add(Operation.IN_SORTED_SET, key, member);
            case Entry.Member(String k, String member) -> add(Operation.IN_SET, key, member);
            case Entry.Unique(String k, String field, String id) ->
                    add(Operation.FIELD_EQUALS, key, field, id);
        };
    }

    /** The value is the one that was read, as far as its entries depend on it. */
    public <E> Basket same(Layout<E> layout, String key, Raw raw) {
        byte[] full = place.key(key);
        switch (raw) {
            case Raw.Text(byte[] bytes) -> add(Operation.EQUALS, full, bytes);
            case Raw.Fields(Map<String, String> fields) -> {
                add(Operation.EXISTS, full);
                if (layout.mapping().codec() instanceof Codec.Fields<E> codec) {
                    for (String field : layout.mapping().comparedFields(codec)) {
                        String value = fields.get(field);
                        if (value == null) {
                            add(Operation.FIELD_ABSENT, full, field);
                        } else {
                            add(Operation.FIELD_EQUALS, full, field, value);
                        }
                    }
                }
            }
        }
        return this;
    }

    /** Refused when the server's clock has passed this: bounds how late a write may land. */
    public Basket notLaterThan(long epochMillis) {
        return add(Operation.NOT_LATER, own(CLOCK_KEY), number(epochMillis));
    }

    /** Writes whole entities, which are themselves made of checks and writes. */
    public Entities entities() {
        return new Entities(ground, this);
    }

    /** Checks and writes cells. */
    CellWrites cells() {
        return new CellWrites(ground, this);
    }

    // ---------------------------------------------------------------- what belongs in it

    /**
     * The owner is whoever the first thing belongs to; the shard is given, if there are several.
     */
    Basket forAnyOwner() {
        ownerOpen = !ground.shards().cluster();
        return this;
    }

    Basket acrossOwners() {
        ownersMayDiffer = true;
        return this;
    }

    void mustBeHere(Place other, String key) {
        if (ownerOpen && place.slot() == other.slot()) {
            place = new Place(other.order(), place.slot(), place.prefix(), other.tag());
            ownerOpen = false;
        }
        if (!place.together(other) && !(ownersMayDiffer && place.slot() == other.slot())) {
            throw new IllegalArgumentException(
                    "%s belongs to another owner than this commit; what is written together must live together."
                            .formatted(key));
        }
    }

    /** For feeds and schedules, which on a single server are one for all owners. */
    public Basket mustBeIn(Place other) {
        if (place.slot() != other.slot() || !place.prefix().equals(other.prefix())) {
            throw new IllegalArgumentException(
                    "What was read or claimed in one shard is finished in that shard.");
        }
        return this;
    }

    /** An entity is in a basket once, and so is each value of a unique field. */
    void take(String thing, String id) {
        String before = taken.putIfAbsent(thing, id);
        if (before != null && (id.isEmpty() || !before.equals(id))) {
            refuse(Reason.DUPLICATE, thing + " is written twice by this commit.");
        }
    }

    /** Whatever turns out to be unfit while it is put in refuses the whole. */
    Basket prepare(Runnable work) {
        try {
            work.run();
        } catch (BadKeyException | UnfitException e) {
            refuse(Optional.of(String.valueOf(e.getMessage())));
        }
        return this;
    }

    void refuse(Optional<String> why) {
        why.ifPresent(sentence -> refuse(Reason.REFUSED, sentence));
    }

    private void refuse(Reason reason, String why) {
        if (refusal == null) {
            refusal = new Outcome.NotDone<>(reason, why);
        }
    }

    /** A key of the engine beside those of this commit: where they carry a tag, it does too. */
    byte[] own(String key) {
        return ground.shards().beside(place).key(key);
    }

    private byte[] shardKey(String key) {
        if (!place.tag().isEmpty()) {
            throw new IllegalArgumentException(
                    "Keys that carry a hash tag of their own live in no shard, and "
                            + key
                            + " does; write it in a commit of its own.");
        }
        return place.key(key);
    }

    // ---------------------------------------------------------------- running

    /** May be sent again when the answer was lost: doing it twice changes nothing more. */
    public Basket twice() {
        twice = true;
        return this;
    }

    Basket once(String newToken) {
        if (token != null) {
            throw new IllegalArgumentException(
                    "A commit has one token; this is a second: " + newToken);
        }
        token = newToken;
        // Before all other checks: the first sending may have changed what they look at.
        checks.addFirst(Operation.ONCE, own(ONCE.key(newToken)), number(TOKEN_TIME.toMillis()));
        onlyRemoves = false;
        twice = true;
        return this;
    }

    /** What a commit with this token gave, if it was done before. */
    Optional<Outcome<Long>> doneBefore() {
        if (token == null) {
            return Optional.empty();
        }
        Outcome<Long> done = ground.basket(place).once(token).notLaterThan(0).run();
        return done.isStored() ? Optional.of(done) : Optional.empty();
    }

    /** Told what became of it, on the thread that runs it or on the connection's: briefly. */
    public Basket afterwards(Consumer<Outcome<Long>> watcher) {
        watchers.add(watcher);
        return this;
    }

    /** Sends it and waits. The value is the last sequence number given out, or 0. */
    public Outcome<Long> run() {
        Outcome.NotDone<Long> early = refusalBeforeSending();
        if (early != null) {
            return early;
        }
        return sending().run();
    }

    /** The same without waiting. */
    CompletableFuture<Outcome<Long>> send() {
        Outcome.NotDone<Long> early = refusalBeforeSending();
        return early == null ? sending().send() : CompletableFuture.completedFuture(early);
    }

    private Sending sending() {
        Answer answer = new Answer(checks, writes, place, token);
        return new Sending(ground.redis(), request(), answer, watchers);
    }

    Outcome.@Nullable NotDone<Long> refusalBeforeSending() {
        sizes.values().forEach(Runnable::run);
        sizes.clear();
        if (refusal != null) {
            return refusal;
        }
        return Limits.refusal(checks, writes);
    }

    boolean hasRoom(int moreWrites, int moreWords, int moreBytes) {
        return Limits.haveRoom(checks, writes, moreWrites, moreWords, moreBytes);
    }

    /** What is sent; also for the test that proves that all keys share one slot. */
    Request request() {
        Request request =
                Request.grouped(
                        RUN,
                        onlyRemoves ? RUN_EMPTYING : null,
                        place.order(),
                        place.slot(),
                        checks.keys(writes),
                        checks.args(writes));
        if (onlyCreates && Creations.suits(checks.word(writes))) {
            request.packedBy(Creations.FORM);
        }
        return twice ? request.twice() : request;
    }

    /** All keys that it touches, as they lie in Redis. */
    public byte[][] keys() {
        return checks.keys(writes).split();
    }
}
