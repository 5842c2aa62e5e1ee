package dev.millrace.keyspace;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.keyspace.pattern.BadKeyException;
import dev.millrace.keyspace.redis.Outcome;
import dev.millrace.keyspace.redis.Reason;
import dev.millrace.keyspace.redis.RedisException;
import dev.millrace.keyspace.redis.Request;
import dev.millrace.keyspace.redis.Script;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
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
 * <p>What is wrong with the content itself (a key outside its grammar, an id that belongs to
 * another layout, too many writes) is found before anything is sent and comes out as an outcome
 * too, so that a caller has one thing to look at. For one thread; run once.
 */
public final class Commit {
    /** About 15 ms of the server's time: more is refused, or done in steps by the caller. */
    public static final int MAX_WRITES = 4096;

    /** Together with the writes less than what Lua takes apart at once (8 000). */
    public static final int MAX_CHECKS = 3072;

    public static final int MAX_BYTES = 4 * 1024 * 1024;

    static final String UNCONFIRMED =
            "Stored, but fewer replicas than asked for have confirmed it in time; a failover may"
                    + " lose it.";

    /** What may be added at once: not even {@link #MAX_WRITES} of it leave the range of numbers. */
    private static final long MAX_INCREMENT = 1_000_000_000_000_000L;

    /** How long a token is remembered: longer than any caller goes on retrying. */
    private static final Duration TOKEN_TIME = Duration.ofMinutes(10);

    static final Script RUN = Script.of(Commit.class, "run");
    static final Script RUN_EMPTYING = Script.emptying(Commit.class, "run");

    private final Keyspace keyspace;
    private Place place;
    private final Operations checks = new Operations();
    private final Operations writes = new Operations();

    /** What was set here, to something that may be no number. */
    private final List<Assigned> assigned = new ArrayList<>(0);

    /** Feeds that get facts from here, with the bytes of these. */
    private final Map<Feed, Integer> feeds = new HashMap<>(0);

    private boolean onlyRemoves = true;
    private boolean ownersMayDiffer;
    private boolean ownerOpen;
    private boolean twice;
    private @Nullable String token;
    private @Nullable Claims claims;
    private Outcome.@Nullable NotDone<Long> refusal;

    /** Entities and unique fields in this basket; checks do not see what its own writes will do. */
    private final Map<String, String> taken = new HashMap<>();

    Commit(Keyspace keyspace, Place place) {
        this.keyspace = keyspace;
        this.place = place;
    }

    // ---------------------------------------------------------------- entities

    /** Stores an entity that is not there yet. */
    public <E> Commit create(Layout<E> layout, E entity) {
        return create(layout, entity, layout.encode(entity));
    }

    /** The same where the value is {@linkplain Layout#encode(Object) encoded} already. */
    public <E> Commit create(Layout<E> layout, E entity, Raw raw) {
        return prepare(
                () -> {
                    String key = lay(layout, entity, raw);
                    if (keyspace.shards().cluster() && !layout.ownerInKey()) {
                        claims().creates(layout.idOf(key), key);
                    }
                    if (mayMeetPointers(layout, key)) {
                        checks.add('a', place.key(Homes.pointerKey(key)));
                    }
                });
    }

    /** A create that leaves home pointers to its caller. */
    <E> Commit createWhole(Layout<E> layout, E entity, Raw raw) {
        return prepare(() -> lay(layout, entity, raw));
    }

    private <E> String lay(Layout<E> layout, E entity, Raw raw) {
        String key = claim(layout, entity);
        if (raw instanceof Raw.Text(byte[] bytes) && layout.timeToLive().isEmpty()) {
            onlyRemoves = false;
            writes.add('N', place, key, bytes);
        } else {
            checks.add('a', place.key(key));
            writeValue(layout, key, raw);
        }
        layout.entries(entity, layout.idOf(key)).forEach(this::enter);
        return key;
    }

    /**
     * In a cluster an id whose own shard this is may live elsewhere, and a pointer here says so:
     * one of the same layout, or of another kind that shares the pattern.
     */
    private boolean mayMeetPointers(Layout<?> layout, String key) {
        return keyspace.shards().cluster()
                && (!layout.ownerInKey() || layout.kind().isPresent())
                && keyspace.shards().place(layout.idOf(key)).together(place);
    }

    private Claims claims() {
        Claims needed = claims;
        if (needed == null) {
            needed = new Claims(keyspace, place);
            claims = needed;
        }
        return needed;
    }

    /**
     * Stores an entity whether it is there or not, without having read it. Only for layouts whose
     * owner and index entries follow from the key alone; {@link Store#put} does the others.
     */
    public <E> Commit put(Layout<E> layout, E entity) {
        return put(layout, entity, layout.encode(entity, null));
    }

    <E> Commit put(Layout<E> layout, E entity, Raw raw) {
        if (!layout.indexedByKeyAlone() || !layout.ownerInKey()) {
            throw new IllegalArgumentException(
                    "Owner or entries of "
                            + layout.name()
                            + " depend on its value: use Store.put.");
        }
        return prepare(
                () -> {
                    String key = claim(layout, entity);
                    layout.kind().ifPresent(kind -> mustBeFreeOrOurs(layout, key, kind));
                    overwrite(layout, key, raw);
                    layout.entries(entity, layout.idOf(key)).forEach(this::enter);
                });
    }

    private void mustBeFreeOrOurs(Layout<?> layout, String key, String kind) {
        String id = layout.idOf(key);
        checks.add('k', place.key(key), id).alsoKey(place.key(kind));
        if (mayMeetPointers(layout, key)) {
            checks.add('k', place.key(Homes.pointerKey(key)), id).alsoKey(place.key(kind));
        }
    }

    /** Stores a new state of an entity, if it is still as it was read. */
    public <E> Commit replace(Layout<E> layout, Stored<E> before, E after) {
        return replace(layout, before, after, layout.encode(after, before.raw()));
    }

    <E> Commit replace(Layout<E> layout, Stored<E> before, E after, Raw raw) {
        return prepare(
                () -> {
                    String key = claim(layout, after);
                    if (!layout.idOf(key).equals(before.id())) {
                        throw new IllegalArgumentException(
                                "A replace keeps the id; this one would turn %s into %s"
                                        .formatted(before.id(), layout.idOf(key)));
                    }
                    unchanged(layout, key, before);
                    List<Entry> entries = layout.entries(after, before.id());
                    overwrite(layout, key, raw);
                    for (Entry old : layout.traces(before.value())) {
                        if (entries.stream().noneMatch(entry -> samePlace(entry, old))) {
                            leave(old);
                        }
                    }
                    entries.forEach(this::enter);
                });
    }

    /** Removes an entity and its entries, if it is still as it was read. */
    public <E> Commit delete(Layout<E> layout, Stored<E> before) {
        return prepare(
                () -> {
                    keyspace.catalogue().mustContain(layout);
                    String key = layout.keyOf(before.id());
                    take(key, "");
                    unchanged(layout, key, before);
                    remove(layout, key, before);
                    if (Homes.needed(keyspace, layout, before.id(), place)) {
                        claims().deletes(before.id(), key);
                    }
                });
    }

    /**
     * Removes an entity and its entries, whatever it is by now; ABSENT if it is none of its kind.
     * Only for layouts whose owner and index entries follow from the key alone.
     */
    public <E> Commit remove(Layout<E> layout, E entity) {
        if (!layout.indexedByKeyAlone() || !layout.ownerInKey()) {
            throw new IllegalArgumentException(
                    "Owner or entries of " + layout.name() + " depend on its value: use delete.");
        }
        return prepare(
                () -> {
                    String key = claim(layout, entity);
                    String id = layout.idOf(key);
                    layout.kind().ifPresent(kind -> checks.add('m', place.key(kind), id));
                    writes.add('D', place.key(key));
                    layout.entries(entity, id).forEach(this::leave);
                });
    }

    /** A delete for a move: nothing of the value may have changed, and pointers are left alone. */
    <E> Commit removeWhole(Layout<E> layout, Stored<E> before) {
        return prepare(
                () -> {
                    String key = layout.keyOf(before.id());
                    unchanged(layout, key, before);
                    if (before.raw() instanceof Raw.Fields(Map<String, String> fields)) {
                        fields.forEach((field, old) -> checks.add('f', place.key(key), field, old));
                    }
                    remove(layout, key, before);
                });
    }

    private <E> void remove(Layout<E> layout, String key, Stored<E> before) {
        writes.add('D', place.key(key));
        layout.traces(before.value()).forEach(this::leave);
    }

    /** Takes the unique fields for an entity that is to come, and probes its other index keys. */
    <E> Commit reserve(Layout<E> layout, E entity) {
        return prepare(
                () -> {
                    for (Entry entry : layout.entries(entity)) {
                        if (entry instanceof Entry.Unique) {
                            enter(entry);
                        } else {
                            leave(entry); // it is not there; to try it is the probe
                        }
                    }
                });
    }

    <E> Commit release(Layout<E> layout, E entity) {
        layout.entries(entity).stream()
                .filter(entry -> entry instanceof Entry.Unique)
                .forEach(this::leave);
        return this;
    }

    /** The key of an entity, after making sure that it may be written here. */
    private <E> String claim(Layout<E> layout, E entity) {
        keyspace.catalogue().mustContain(layout);
        String key = layout.key(entity);
        Place home =
                layout.pattern().tagged()
                        ? keyspace.shards().tagged(key, layout.ownerOf(entity))
                        : keyspace.shards().place(layout.ownerOf(entity));
        mustBeHere(home, key);
        refuse(keyspace.catalogue().refusal(layout, layout.pattern(), key));
        take(key, "");
        return key;
    }

    /** An entity is in a basket once, and so is each value of a unique field. */
    private void take(String thing, String id) {
        String before = taken.putIfAbsent(thing, id);
        if (before != null && (id.isEmpty() || !before.equals(id)) && refusal == null) {
            refusal =
                    new Outcome.NotDone<>(
                            Reason.DUPLICATE, thing + " is written twice by this commit.");
        }
    }

    private <E> void unchanged(Layout<E> layout, String key, Stored<E> before) {
        mustBeHere(before.place(), key);
        layout.kind().ifPresent(kind -> checks.add('m', place.key(kind), before.id()));
        same(layout, key, before.raw());
    }

    /** The value is the one that was read, as far as its entries depend on it. */
    <E> Commit same(Layout<E> layout, String key, Raw raw) {
        switch (raw) {
            case Raw.Text(byte[] bytes) -> checks.add('e', place.key(key), bytes);
            case Raw.Fields(Map<String, String> fields) -> {
                checks.add('x', place.key(key));
                if (layout.codec() instanceof Codec.Fields<E> codec) {
                    for (String field : layout.comparedFields(codec)) {
                        String value = fields.get(field);
                        if (value == null) {
                            checks.add('n', place.key(key), field);
                        } else {
                            checks.add('f', place.key(key), field, value);
                        }
                    }
                }
            }
        }
        return this;
    }

    private void writeValue(Layout<?> layout, String key, Raw raw) {
        onlyRemoves = false;
        Optional<Duration> ttl = layout.timeToLive();
        switch (raw) {
            case Raw.Text(byte[] bytes) -> {
                if (ttl.isPresent()) {
                    writes.add('X', place.key(key), bytes, number(ttl.get().toMillis()));
                } else {
                    writes.add('S', place.key(key), bytes);
                }
            }
            case Raw.Fields(Map<String, String> fields) -> {
                writeFields(place.key(key), fields);
                ttl.ifPresent(time -> writes.add('E', place.key(key), number(time.toMillis())));
            }
        }
    }

    /** Writes a value over one that may be there: declared fields that it does not have go. */
    private <E> void overwrite(Layout<E> layout, String key, Raw raw) {
        writeValue(layout, key, raw);
        if (raw instanceof Raw.Fields(Map<String, String> fields)
                && layout.codec() instanceof Codec.Fields<E> codec) {
            for (String field : codec.names()) {
                if (!fields.containsKey(field)) {
                    writes.add('V', place.key(key), field);
                }
            }
        }
    }

    private void writeFields(byte[] key, Map<String, String> fields) {
        if (!fields.isEmpty()) {
            writes.add('H', key, number(fields.size()));
            fields.forEach((field, value) -> writes.alsoArgs(text(field), text(value)));
        }
    }

    void enter(Entry entry) {
        onlyRemoves = false;
        switch (entry) {
            case Entry.Sorted(String k, double score, String member) ->
                    writes.addSorted(place, k, score, member);
            case Entry.Member(String k, String member) -> writes.add('A', place.key(k), member);
            case Entry.Unique(String k, String field, String id) -> {
                byte[] key = place.key(k);
                take(k + " " + field, id);
                checks.add('u', key, field, id);
                writes.add('U', key, field, id);
            }
        }
    }

    void leave(Entry entry) {
        byte[] key = place.key(entry.key());
        switch (entry) {
            case Entry.Sorted(String k, double score, String member) ->
                    writes.add('Y', key, member);
            case Entry.Member(String k, String member) -> writes.add('B', key, member);
            case Entry.Unique(String k, String field, String id) -> writes.add('T', key, field, id);
        }
    }

    /** Whether writing one entry replaces the other. */
    private static boolean samePlace(Entry one, Entry other) {
        return one.key().equals(other.key())
                && (!(one instanceof Entry.Unique a)
                        || !(other instanceof Entry.Unique b)
                        || a.field().equals(b.field()));
    }

    // ---------------------------------------------------------------- checks

    public Commit absent(Cell.Key key) {
        return check(key, key.cell().type(), bytes -> checks.add('a', bytes));
    }

    public Commit valueEquals(Cell.Key key, byte[] value) {
        return check(key, KeyType.STRING, bytes -> checks.add('e', bytes, value));
    }

    public Commit fieldEquals(Cell.Key key, String field, String value) {
        return check(key, KeyType.HASH, bytes -> checks.add('f', bytes, field, value));
    }

    public Commit fieldAbsent(Cell.Key key, String field) {
        return check(key, KeyType.HASH, bytes -> checks.add('n', bytes, field));
    }

    /** The set or sorted set has this member. */
    public Commit memberPresent(Cell.Key key, String member) {
        return key.cell().type() == KeyType.SET
                ? check(key, KeyType.SET, bytes -> checks.add('p', bytes, member))
                : check(key, KeyType.SORTED_SET, bytes -> checks.add('m', bytes, member));
    }

    /** The number at the key, 0 if there is none, is at least this. */
    public Commit atLeast(Cell.Key key, long number) {
        return check(key, KeyType.STRING, bytes -> checks.add('l', bytes, number(number)));
    }

    /** The number at the key, 0 if there is none, is at most this. */
    public Commit atMost(Cell.Key key, long number) {
        return check(key, KeyType.STRING, bytes -> checks.add('h', bytes, number(number)));
    }

    /** The field of the hash is free or already points to this id. */
    public Commit unique(Cell.Key key, String field, String id) {
        return check(key, KeyType.HASH, bytes -> checks.add('u', bytes, field, id));
    }

    /** What a room has cached is still current: the text is equal, and empty if there is none. */
    public Commit generation(Cell.Key key, String expected) {
        return check(key, KeyType.STRING, bytes -> checks.add('g', bytes, expected));
    }

    /**
     * Refused when the server's clock has passed this: bounds how late a claimed write may land.
     */
    Commit notLaterThan(long epochMillis) {
        checks.add('b', own(Keyspace.CLOCK_KEY), number(epochMillis));
        return this;
    }

    // ---------------------------------------------------------------- writes

    public Commit set(Cell.Key key, byte[] value) {
        assigned.add(new Assigned(key.key(), Set.of("")));
        return write(
                key,
                KeyType.STRING,
                bytes ->
                        key.cell()
                                .timeToLive()
                                .ifPresentOrElse(
                                        ttl ->
                                                writes.add(
                                                        'X', bytes, value, number(ttl.toMillis())),
                                        () -> writes.add('S', bytes, value)));
    }

    public Commit set(Cell.Key key, String value) {
        return set(key, text(value));
    }

    public Commit setFields(Cell.Key key, Map<String, String> fields) {
        assigned.add(new Assigned(key.key(), fields.keySet()));
        return write(key, KeyType.HASH, bytes -> writeFields(bytes, fields));
    }

    public Commit addSorted(Cell.Key key, double score, String member) {
        if (!Double.isFinite(score)) {
            throw new IllegalArgumentException("A score must be finite, not " + score);
        }
        return write(key, KeyType.SORTED_SET, bytes -> writes.addSorted(bytes, score, member));
    }

    public Commit addMember(Cell.Key key, String member) {
        return write(key, KeyType.SET, bytes -> writes.add('A', bytes, member));
    }

    /** Adds to a counter; one that is no whole number refuses the commit. */
    public Commit increment(Cell.Key key, long by) {
        mustBeCountable(key, "", by);
        return write(key, KeyType.STRING, bytes -> writes.add('I', bytes, number(by)));
    }

    public Commit incrementField(Cell.Key key, String field, long by) {
        mustBeCountable(key, field, by);
        return write(key, KeyType.HASH, bytes -> writes.add('J', bytes, text(field), number(by)));
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
        mustKeepSome(most);
        return write(key, KeyType.LIST, bytes -> writes.add('L', bytes, value, number(most)));
    }

    /** Pushes to the tail of a list that keeps the newest {@code most}. */
    public Commit append(Cell.Key key, byte[] value, int most) {
        mustKeepSome(most);
        return write(key, KeyType.LIST, bytes -> writes.add('P', bytes, value, number(most)));
    }

    /**
     * Pushes {@code first}, the shard's next sequence number and {@code last} as one text to the
     * head of a list that keeps the newest {@code most}.
     */
    public Commit log(Cell.Key key, String first, String last, int most) {
        mustKeepSome(most);
        return write(
                key,
                KeyType.LIST,
                bytes ->
                        writes.add('Q', bytes, text(first), text(last), number(most))
                                .alsoKey(own(Keyspace.SEQUENCE_KEY)));
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
        mustKeepSome(most);
        keyspace.catalogue().mustContain(layout);
        return write(
                list,
                KeyType.LIST,
                key ->
                        writes.add('K', key, text(first), text(last), number(most), number(bytes))
                                .alsoKey(place.key(layout.keyOf(id))));
    }

    private static void mustKeepSome(int most) {
        if (most < 1) {
            throw new IllegalArgumentException("A list keeps at least 1, not " + most);
        }
    }

    // ---------------------------------------------------------------- feeds, schedules, leases

    /**
     * Announces something: appends it to the topic's stream in this shard, with its next number.
     */
    public Commit fact(Topic topic, byte[] body) {
        onlyRemoves = false;
        writes.add('F', shardKey(topic.stream()), body).alsoKey(shardKey(topic.state()));
        feeds.merge(keyspace.feed(topic), body.length, Integer::sum);
        return this;
    }

    /**
     * The same of something that is removed: a full server takes it too, or it could not be
     * emptied.
     */
    public Commit factOfRemoval(Topic topic, byte[] body) {
        boolean before = onlyRemoves;
        fact(topic, body);
        onlyRemoves = before;
        return this;
    }

    /** Marks the facts up to and including this one as read, if nobody else has meanwhile. */
    public Commit read(FeedReader.Unread unread, Fact last) {
        sameEpoch(unread);
        byte[] readers = shardKey(unread.reader().topic().readers());
        checks.add('f', readers, unread.reader().name(), unread.cursor());
        writes.add('U', readers, unread.reader().name(), unread.after(last));
        onlyRemoves = false;
        return this;
    }

    /** The reader has sent the present state again, and with it what it had missed. */
    public Commit gapClosed(FeedReader.Unread unread, FeedReader.Gap gap) {
        sameEpoch(unread);
        byte[] gaps = shardKey(unread.reader().topic().gaps());
        checks.add('f', gaps, unread.reader().name(), gap.text());
        writes.add('V', gaps, unread.reader().name());
        return this;
    }

    /**
     * A server that lost writes may have given the same numbers to other facts, and the reader's
     * cursor is then where it was before: it would skip facts that it has never seen.
     */
    private void sameEpoch(FeedReader.Unread unread) {
        mustBeIn(unread.place());
        checks.add('g', shardKey(Epoch.KEY), unread.epoch());
    }

    /** Puts an item into a schedule, or gives one that is there another time and body. */
    public Commit schedule(Schedule schedule, String id, long dueMillis, byte[] body) {
        onlyRemoves = false;
        writes.addSorted(shardKey(schedule.items()), (double) dueMillis, id);
        writes.add('U', shardKey(schedule.bodies()), text(id), body);
        return this;
    }

    /** Puts an item into a schedule; CONFLICT if it is there already, claimed or not. */
    public Commit scheduleNew(Schedule schedule, String id, long dueMillis, byte[] body) {
        checks.add('n', shardKey(schedule.bodies()), id);
        return schedule(schedule, id, dueMillis, body);
    }

    /** Takes everything out of a schedule in this shard; whoever has a claim of it has none now. */
    public Commit unscheduleAll(Schedule schedule) {
        writes.add('D', shardKey(schedule.items()));
        writes.add('D', shardKey(schedule.bodies()));
        return this;
    }

    /** Takes an item out of a schedule whether somebody has claimed it or not. */
    public Commit unschedule(Schedule schedule, String id) {
        writes.add('Y', shardKey(schedule.items()), id);
        writes.add('V', shardKey(schedule.bodies()), id);
        return this;
    }

    /**
     * The claimed item is done: it leaves the schedule with this commit, if the claim still holds.
     */
    public Commit finish(Schedule.Claim claim) {
        return still(claim).unschedule(claim.schedule(), claim.id());
    }

    /** The claimed item is due again later, if the claim still holds. */
    public Commit reschedule(Schedule.Claim claim, long dueMillis, byte[] body) {
        return still(claim).schedule(claim.schedule(), claim.id(), dueMillis, body);
    }

    private Commit still(Schedule.Claim claim) {
        mustBeIn(claim.place());
        checks.add('s', shardKey(claim.schedule().items()), claim.id(), claim.score());
        return this;
    }

    /**
     * Is done only while the lease is held, by the server's clock, and nobody holds a newer one.
     */
    public Commit fenced(Lease lease) {
        lease.guard(this);
        return this;
    }

    /** The shard has seen no newer fence than this one. */
    Commit noFenceAfter(String key, long fence) {
        checks.add('h', shardKey(key), number(fence));
        return this;
    }

    // ---------------------------------------------------------------- removals

    /** Deletes the key, whatever it holds. */
    public Commit delete(Cell.Key key) {
        return removal(key, key.cell().type(), bytes -> writes.add('D', bytes));
    }

    /** The key, whatever it holds, goes by itself after this time. */
    public Commit expire(Cell.Key key, Duration after) {
        return removal(
                key, key.cell().type(), bytes -> writes.add('E', bytes, number(after.toMillis())));
    }

    public Commit removeSorted(Cell.Key key, String member) {
        return removal(key, KeyType.SORTED_SET, bytes -> writes.add('Y', bytes, member));
    }

    public Commit removeMember(Cell.Key key, String member) {
        return removal(key, KeyType.SET, bytes -> writes.add('B', bytes, member));
    }

    public Commit removeField(Cell.Key key, String field) {
        return removal(key, KeyType.HASH, bytes -> writes.add('V', bytes, field));
    }

    // ---------------------------------------------------------------- the engine's own keys

    /** The value is still as it was read; whether its kind index knows it does not matter here. */
    public <E> Commit unchanged(Layout<E> layout, Stored<E> stored) {
        return same(layout, layout.keyOf(stored.id()), stored.raw());
    }

    /** The entry is there; of a sorted one, with whatever score. */
    Commit present(Entry entry) {
        byte[] key = place.key(entry.key());
        switch (entry) {
            case Entry.Sorted(String k, double score, String member) ->
                    checks.add('m', key, member);
            case Entry.Member(String k, String member) -> checks.add('p', key, member);
            case Entry.Unique(String k, String field, String id) -> checks.add('f', key, field, id);
        }
        return this;
    }

    Commit also(Consumer<Commit> more) {
        more.accept(this);
        return this;
    }

    /**
     * The owner is whoever the first thing belongs to; the shard is given, if there are several.
     */
    Commit forAnyOwner() {
        ownerOpen = !keyspace.shards().cluster();
        return this;
    }

    /**
     * Takes things of several owners as long as they lie in one place: on a single server all do.
     * For what changes its owner, and for what others have written under an owner of its own.
     */
    public Commit acrossOwners() {
        ownersMayDiffer = true;
        return this;
    }

    Commit raw(char letter, String key, byte[]... args) {
        boolean isCheck = letter >= 'a';
        onlyRemoves &= isCheck || "DYBVT".indexOf(letter) >= 0;
        (isCheck ? checks : writes).add(letter, place.key(key), args);
        return this;
    }

    // ---------------------------------------------------------------- running

    /** May be sent again when the answer was lost: doing it twice changes nothing more. */
    public Commit twice() {
        twice = true;
        return this;
    }

    /** Is done once for this token, however often it is sent; remembered for ten minutes. */
    public Commit once(String newToken) {
        if (token != null) {
            throw new IllegalArgumentException(
                    "A commit has one token; this is a second: " + newToken);
        }
        token = newToken;
        // Before all other checks: the first sending may have changed what they look at.
        checks.addFirst('t', own(Keyspace.ONCE.key(newToken)), number(TOKEN_TIME.toMillis()));
        onlyRemoves = false;
        twice = true;
        return this;
    }

    /** What a commit with this token gave, if it was done before. */
    Optional<Outcome<Long>> doneBefore() {
        if (token == null) {
            return Optional.empty();
        }
        Outcome<Long> done = new Commit(keyspace, place).once(token).notLaterThan(0).execute();
        return done.isStored() ? Optional.of(done) : Optional.empty();
    }

    /** Sends the basket and waits. The value is the last sequence number given out, or 0. */
    public Outcome<Long> run() {
        Outcome.NotDone<Long> early = refusalBeforeSending();
        if (early != null) {
            return early;
        }
        return claims == null ? execute() : claims.run(this);
    }

    Outcome<Long> execute() {
        Request request = request();
        try {
            return decode(request, keyspace.redis().call(request));
        } catch (RedisException e) {
            return Outcome.failed(e);
        }
    }

    /** The same without waiting; what is attached to the future must not block. */
    public CompletableFuture<Outcome<Long>> send() {
        Outcome.NotDone<Long> early = refusalBeforeSending();
        if (early != null) {
            return CompletableFuture.completedFuture(early);
        }
        if (claims != null) {
            return CompletableFuture.supplyAsync(this::run, Thread::startVirtualThread);
        }
        Request request = request();
        try {
            return keyspace.redis()
                    .send(request)
                    .handle((reply, failure) -> outcome(request, reply, failure));
        } catch (RedisException e) {
            return CompletableFuture.completedFuture(Outcome.failed(e));
        }
    }

    private Outcome<Long> outcome(
            Request request, @Nullable Object reply, @Nullable Throwable failure) {
        Throwable cause = failure instanceof CompletionException e ? e.getCause() : failure;
        if (cause instanceof RedisException e) {
            return Outcome.failed(e);
        }
        if (cause != null) {
            return new Outcome.Unknown<>(String.valueOf(cause));
        }
        return decode(request, reply);
    }

    private Outcome.@Nullable NotDone<Long> refusalBeforeSending() {
        if (refusal != null) {
            return refusal;
        }
        if (writes.count() > MAX_WRITES) {
            return new Outcome.NotDone<>(
                    Reason.TOO_LARGE,
                    "One commit takes %d writes, not %d; do it in steps."
                            .formatted(MAX_WRITES, writes.count()));
        }
        if (checks.count() > MAX_CHECKS) {
            return new Outcome.NotDone<>(
                    Reason.TOO_LARGE,
                    "One commit takes %d checks, not %d; do it in steps."
                            .formatted(MAX_CHECKS, checks.count()));
        }
        if (checks.bytes() + writes.bytes() > MAX_BYTES) {
            return new Outcome.NotDone<>(
                    Reason.TOO_LARGE,
                    "One commit takes %d bytes, not %d; do it in steps."
                            .formatted(MAX_BYTES, checks.bytes() + writes.bytes()));
        }
        return null;
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
        return twice ? request.twice() : request;
    }

    byte[][] keys() {
        return checks.keys(writes).split();
    }

    private Outcome<Long> decode(Request request, @Nullable Object reply) {
        Outcome<Long> outcome = decode(reply);
        if (outcome instanceof Outcome.Done<Long>(Long sequence) && !request.confirmed()) {
            return new Outcome.Unconfirmed<>(sequence, UNCONFIRMED);
        }
        // A check may have failed because of what the first sending has done.
        return request.repeated() && token == null && outcome instanceof Outcome.NotDone<Long> not
                ? new Outcome.Unknown<>("Sent twice; the second time " + not.detail())
                : outcome;
    }

    private Outcome<Long> decode(@Nullable Object reply) {
        if (reply instanceof Long sequence) {
            feeds.forEach(Feed::written);
            return Outcome.done(sequence);
        }
        if (!(reply instanceof byte[] code) || code.length < 2) {
            return new Outcome.Unknown<>("Redis gave no answer to this commit.");
        }
        int operation = Integer.parseInt(new String(code, 1, code.length - 1, UTF_8)) - 1;
        String key = checks.keyText(writes, operation, place.prefix());
        return switch (code[0]) {
            case 'D' -> Outcome.notDone(Reason.DUPLICATE, key + " exists already.");
            case 'A' -> Outcome.notDone(Reason.ABSENT, key + " is not there.");
            case 'R' -> Outcome.notDone(Reason.REFUSED, key + " exists and is something else.");
            case 'F' -> {
                feeds.keySet().forEach(Feed::full);
                yield Outcome.notDone(
                        Reason.FULL,
                        key + " is full: a reader that must not miss anything is too far behind.");
            }
            case 'W' ->
                    Outcome.notDone(Reason.WRONG_TYPE, key + " holds another type than expected.");
            default ->
                    Outcome.notDone(
                            Reason.CONFLICT, key + " was changed meanwhile; read it again.");
        };
    }

    // ---------------------------------------------------------------- helpers

    /** A key of the engine beside those of this commit: where they carry a tag, it does too. */
    private byte[] own(String key) {
        return keyspace.shards().beside(place).key(key);
    }

    /** A key that each shard has once: what has a tag of its own lives in no shard. */
    private byte[] shardKey(String key) {
        if (!place.tag().isEmpty()) {
            throw new IllegalArgumentException(
                    "Keys that carry a hash tag of their own live in no shard, and "
                            + key
                            + " does; write it in a commit of its own.");
        }
        return place.key(key);
    }

    private Commit check(Cell.Key key, KeyType type, Consumer<byte[]> add) {
        keyspace.catalogue().mustContain(key.cell());
        mustBe(type, key);
        mustBeHere(key.place(keyspace.shards()), key.key());
        add.accept(place.key(key.key()));
        return this;
    }

    private Commit write(Cell.Key key, KeyType type, Consumer<byte[]> add) {
        onlyRemoves = false;
        return removal(key, type, add);
    }

    private Commit removal(Cell.Key key, KeyType type, Consumer<byte[]> add) {
        keyspace.catalogue().mustContain(key.cell());
        mustBe(type, key);
        mustBeHere(key.place(keyspace.shards()), key.key());
        refuse(keyspace.catalogue().refusal(key.cell(), key.cell().pattern(), key.key()));
        add.accept(place.key(key.key()));
        return this;
    }

    /** Two writes of different types to one key would pass the probe while it is absent. */
    private static void mustBe(KeyType type, Cell.Key key) {
        if (key.cell().type() != type) {
            throw new IllegalArgumentException(
                    "%s is declared as %s and cannot be used as %s"
                            .formatted(key.key(), key.cell().type(), type));
        }
    }

    private void mustBeHere(Place other, String key) {
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
    private void mustBeIn(Place other) {
        if (place.slot() != other.slot() || !place.prefix().equals(other.prefix())) {
            throw new IllegalArgumentException(
                    "What was read or claimed in one shard is finished in that shard.");
        }
    }

    private void refuse(Optional<String> why) {
        if (why.isPresent() && refusal == null) {
            refusal = new Outcome.NotDone<>(Reason.REFUSED, why.get());
        }
    }

    private Commit prepare(Runnable work) {
        try {
            work.run();
        } catch (BadKeyException e) {
            refuse(Optional.of(String.valueOf(e.getMessage())));
        }
        return this;
    }

    static byte[] text(String text) {
        return text.getBytes(UTF_8);
    }

    static byte[] number(long number) {
        return text(Long.toString(number));
    }
}
