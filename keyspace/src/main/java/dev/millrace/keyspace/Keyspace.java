package dev.millrace.keyspace;

import dev.millrace.keyspace.pattern.KeyPattern;
import dev.millrace.keyspace.redis.Frame;
import dev.millrace.keyspace.redis.Outcome;
import dev.millrace.keyspace.redis.Redis;
import dev.millrace.keyspace.redis.RedisException;
import dev.millrace.keyspace.redis.Request;
import dev.millrace.keyspace.redis.Script;
import dev.millrace.keyspace.redis.UnconfirmedException;

import org.jspecify.annotations.Nullable;

import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.LongConsumer;

/**
 * The way in: layouts on a Redis. {@link #store} reads and writes the entities of one layout,
 * {@link #commit} puts several things into one basket, {@link #check} finds and repairs drift.
 *
 * <p>Thread-safe. It keeps no state; any number of processes may work on one Redis.
 */
public final class Keyspace {
    /** Prefix of every key that is the engine's own. */
    static final String OWN = "millrace:";

    static final KeyPattern HOME = KeyPattern.of("millrace:home:{id}");
    static final KeyPattern MOVING = KeyPattern.of("millrace:moving:{id}");
    static final KeyPattern MOVED = KeyPattern.of("millrace:moved:{id}");
    static final KeyPattern ONCE = KeyPattern.of("millrace:once:{token}");
    static final String SEQUENCE_KEY = "millrace:seq";

    /** Names the shard in checks that look at no key, so that a cluster can route them. */
    static final String CLOCK_KEY = "millrace:clock";

    private final Redis redis;
    private final Catalogue catalogue;
    private final Shards shards;
    private final Map<String, Feed> feeds = new ConcurrentHashMap<>();
    private final AtomicBoolean epochsWatched = new AtomicBoolean();

    public Keyspace(Redis redis, Catalogue catalogue) {
        this.redis = redis;
        this.catalogue = catalogue;
        this.shards = new Shards(redis.cluster());
    }

    /** Reads and writes the entities of one layout. */
    public <E> Store<E> store(Layout<E> layout) {
        catalogue.mustContain(layout);
        return new Store<>(this, layout);
    }

    /**
     * Asks every shard for a sign of life.
     *
     * @throws dev.millrace.keyspace.redis.RedisException if one gives none
     */
    public void mustAnswer() {
        redis.callAll(
                shards.all().stream()
                        .map(
                                place ->
                                        Request.reading(
                                                place.order(),
                                                place.slot(),
                                                Commit.text("EXISTS"),
                                                place.key(CLOCK_KEY)))
                        .toList());
    }

    /** Reads the values of one layout as bytes, in the order of their keys. */
    public ByteStore bytes(Layout<?> layout) {
        catalogue.mustContain(layout);
        return new ByteStore(this, layout);
    }

    /** The cell's newest elements first; none if it is not there. */
    public List<byte[]> list(Cell.Key key) {
        Place place = key.place(shards);
        Request request =
                Request.reading(
                        place.order(),
                        place.slot(),
                        Commit.text("LRANGE"),
                        place.key(key.key()),
                        Commit.text("0"),
                        Commit.text("-1"));
        return Replies.list(redis.call(request)).stream().map(Replies::bytes).toList();
    }

    /** An empty basket for things that live with this owner. */
    public Commit commit(String owner) {
        return new Commit(this, shards.place(owner));
    }

    /** An empty basket for things that belong to the site. */
    public Commit commitAtSite() {
        return commit(Shards.SITE);
    }

    /** An empty basket for what lives where this key lives. */
    public Commit commitAt(Cell.Key key) {
        return new Commit(this, key.place(shards));
    }

    /** Whether what these two own can be written in one commit; on a single server, always. */
    public boolean liveTogether(String owner, String other) {
        return !shards.cluster() || Shards.shard(owner) == Shards.shard(other);
    }

    /** What a string cell holds; empty if it is not there. */
    public Optional<byte[]> value(Cell.Key key) {
        Place place = key.place(shards);
        return Optional.ofNullable((byte[]) redis.call(Homes.read(place, key.key())));
    }

    /** The same, without waiting; what is attached runs on the connection's thread, as below. */
    public CompletableFuture<Optional<byte[]>> askValue(Cell.Key key) {
        Place place = key.place(shards);
        return redis.send(Homes.read(place, key.key()))
                .thenApply(value -> Optional.ofNullable((byte[]) value));
    }

    Commit commit(Place place) {
        return new Commit(this, place);
    }

    /**
     * Calls a room's own script on cells that live together. It may be sent twice when an answer is
     * lost, so doing it again must change nothing more; and calls that do not wait for each other
     * have no order. What is attached to the future runs on the connection's thread and must not
     * block; it fails with a {@link RedisException}, also if what was written is less safe than was
     * asked for.
     */
    public CompletableFuture<@Nullable Object> call(
            Script script, List<Cell.Key> keys, byte[]... args) {
        return confirmed(request(script, false, keys, args));
    }

    /**
     * The same for a script that takes several calls at once, their keys and arguments one after
     * another, and answers with a list; none of them may fail half-way, for it would take the
     * others with it.
     */
    public CompletableFuture<@Nullable Object> callTogether(
            Script script, List<Cell.Key> keys, byte[]... args) {
        return confirmed(request(script, true, keys, args));
    }

    /** The same for a script whose answer matters, and not how safe what it writes is. */
    public CompletableFuture<@Nullable Object> ask(
            Script script, List<Cell.Key> keys, byte[]... args) {
        return redis.send(request(script, false, keys, args));
    }

    private CompletableFuture<@Nullable Object> confirmed(Request request) {
        return redis.send(request)
                .thenApply(
                        reply -> {
                            if (!request.confirmed()) {
                                throw new UnconfirmedException(Commit.UNCONFIRMED);
                            }
                            return reply;
                        });
    }

    private Request request(Script script, boolean together, List<Cell.Key> keys, byte[]... args) {
        Place place = keys.getFirst().place(shards);
        byte[][] names = new byte[keys.size()][];
        for (int i = 0; i < names.length; i++) {
            Cell.Key key = keys.get(i);
            if (i > 0 && !key.place(shards).together(place)) {
                throw new IllegalArgumentException(
                        "%s does not live with %s.".formatted(key.key(), keys.getFirst().key()));
            }
            names[i] = place.key(key.key());
        }
        Request request =
                together
                        ? Request.grouped(
                                script,
                                null,
                                place.order(),
                                place.slot(),
                                Frame.of(names),
                                Frame.of(args))
                        : Request.script(script, place.order(), place.slot(), names, args);
        return request.twice().unordered();
    }

    /** The feed of a topic: its readers, and what happened since. */
    public Feed feed(Topic topic) {
        if (epochsWatched.compareAndSet(false, true)) {
            Epoch.watch(redis, shards);
        }
        return feeds.computeIfAbsent(topic.name(), name -> new Feed(this, topic));
    }

    /** Things due later, under this name. */
    public Schedule schedule(String name) {
        return new Schedule(this, name);
    }

    /**
     * A lease that this holder wants.
     *
     * @param holder unique among all who may want it: a process and a random word
     */
    public Lease lease(String name, String holder, Duration time) {
        return new Lease(this, name, holder, time);
    }

    /** Finds drift between values and indexes, and repairs it. */
    public Check check() {
        return new Check(this);
    }

    /**
     * Counts the keys of each pattern, by a walk over all of them.
     *
     * @param progress told after every step how many were seen
     */
    public Census census(Pace pace, LongConsumer progress) {
        return Census.take(this, pace, progress);
    }

    /**
     * Measures which layout takes how much memory, by the same walk, and compares it with the last
     * time. {@link #remember} keeps it for the next.
     */
    public MemoryReport memory(Pace pace, Instant now, LongConsumer progress) {
        MemoryReport report = new MemoryCensus(this, pace).take(progress, now);
        return new MemoryHistory(this).compared(report);
    }

    /**
     * How many entities of a layout with a kind index there are, and about how many bytes they take
     * with their entries; a cheap question that may be asked often.
     *
     * @param beside cells whose key is made from the entity's id alone, to be counted with it
     */
    public Footprint footprint(Layout<?> layout, Cell... beside) {
        catalogue.mustContain(layout);
        return Footprint.of(this, layout, List.of(beside));
    }

    /** How many bytes the servers may use together; 0 if nothing limits one of them. */
    public long memoryLimit() {
        return ServerMemory.of(redis).max();
    }

    /** Keeps a measurement, so that the next one can tell the growth since. */
    public Outcome<Long> remember(MemoryReport report) {
        return new MemoryHistory(this).keep(report);
    }

    /**
     * Writes all content to a stream, as it is at one moment of each server, while others go on
     * writing. What is in it: {@code docs/decisions/0009-backup.md}.
     *
     * @param by the program that does it, with its version
     * @param target not closed; it must be able to take what comes, for the server waits meanwhile
     */
    public BackupReport backup(OutputStream target, String by, BackupListener listener) {
        return new Backup(this, listener).to(target, by);
    }

    /**
     * The same to a file, which appears under its name when it is whole and safely on the disk.
     *
     * @param replace whether a file of that name may be replaced
     */
    public BackupReport backup(Path file, boolean replace, String by, BackupListener listener) {
        return new Backup(this, listener).to(file, replace, by);
    }

    /**
     * Fills an empty Redis from a backup, wherever that is from, and compares both by checksum. No
     * hub may work on it meanwhile.
     */
    public RestoreReport restore(Path file, BackupListener listener) {
        return new Restore(this, listener).from(file);
    }

    /**
     * Why this Redis must not be used, in a sentence: a restore into it has begun and was never
     * finished. Empty if it may.
     */
    public Optional<String> restoring() {
        return new RestoreMark(this).sentence();
    }

    public Redis redis() {
        return redis;
    }

    public Catalogue catalogue() {
        return catalogue;
    }

    Shards shards() {
        return shards;
    }
}
