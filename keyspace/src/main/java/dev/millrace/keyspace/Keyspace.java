package dev.millrace.keyspace;

import dev.millrace.keyspace.backup.Backup;
import dev.millrace.keyspace.backup.BackupListener;
import dev.millrace.keyspace.backup.BackupReport;
import dev.millrace.keyspace.backup.Restore;
import dev.millrace.keyspace.backup.RestoreMark;
import dev.millrace.keyspace.backup.RestoreReport;
import dev.millrace.keyspace.check.Check;
import dev.millrace.keyspace.commit.Basket;
import dev.millrace.keyspace.commit.Commit;
import dev.millrace.keyspace.commit.Ground;
import dev.millrace.keyspace.commit.Place;
import dev.millrace.keyspace.commit.Shards;
import dev.millrace.keyspace.feed.Feed;
import dev.millrace.keyspace.feed.Topic;
import dev.millrace.keyspace.foreign.ForeignWrites;
import dev.millrace.keyspace.layout.Catalogue;
import dev.millrace.keyspace.layout.Cell;
import dev.millrace.keyspace.layout.Declaration;
import dev.millrace.keyspace.layout.Layout;
import dev.millrace.keyspace.memory.Census;
import dev.millrace.keyspace.memory.Footprint;
import dev.millrace.keyspace.memory.MemoryCensus;
import dev.millrace.keyspace.memory.MemoryHistory;
import dev.millrace.keyspace.memory.MemoryReport;
import dev.millrace.keyspace.pattern.KeyPattern;
import dev.millrace.keyspace.redis.Frame;
import dev.millrace.keyspace.redis.Redis;
import dev.millrace.keyspace.redis.Replies;
import dev.millrace.keyspace.redis.Request;
import dev.millrace.keyspace.redis.Script;
import dev.millrace.keyspace.redis.outcome.Outcome;
import dev.millrace.keyspace.redis.outcome.RedisException;
import dev.millrace.keyspace.redis.outcome.UnconfirmedException;
import dev.millrace.keyspace.redis.walk.Pace;
import dev.millrace.keyspace.redis.walk.ServerMemory;
import dev.millrace.keyspace.schedule.Lease;
import dev.millrace.keyspace.schedule.Schedule;
import dev.millrace.keyspace.store.ByteStore;
import dev.millrace.keyspace.store.Cells;
import dev.millrace.keyspace.store.Store;
import dev.millrace.keyspace.store.move.Moves;

import org.jspecify.annotations.Nullable;

import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.LongConsumer;
import java.util.stream.Stream;

/**
 * The way in: layouts on a Redis. {@link #store} reads and writes the entities of one layout,
 * {@link #commit} puts several things into one basket, {@link #check} finds and repairs drift.
 *
 * <p>Thread-safe. It keeps no state; any number of processes may work on one Redis.
 */
public final class Keyspace {
    /** Keys of the engine itself: each part of it declares its own. */
    private static final List<Cell> OWN =
            Stream.of(
                            Commit.KEYS,
                            Moves.KEYS,
                            Feed.KEYS,
                            Schedule.KEYS,
                            Lease.KEYS,
                            MemoryHistory.KEYS,
                            Restore.KEYS)
                    .flatMap(List::stream)
                    .toList();

    private final Ground ground;
    private final Map<String, Feed> feeds = new ConcurrentHashMap<>();
    private final AtomicBoolean epochsWatched = new AtomicBoolean();

    /**
     * Opens it.
     *
     * @param catalogue from {@link #catalogue}
     */
    public Keyspace(Redis redis, Catalogue catalogue) {
        this.ground = Ground.of(redis, catalogue);
        OWN.forEach(catalogue::mustContain);
    }

    /**
     * Registers a program's declarations together with the engine's own keys.
     *
     * @throws dev.millrace.keyspace.layout.CollisionException naming every pair that may meet and
     *     for which no winner is declared
     */
    public static Catalogue catalogue(Declaration... declarations) {
        return catalogue(Arrays.asList(declarations));
    }

    public static Catalogue catalogue(Collection<? extends Declaration> declarations) {
        List<Declaration> all = new ArrayList<>(declarations);
        all.addAll(OWN);
        return Catalogue.of(all);
    }

    /** Reads and writes the entities of one layout. */
    public <E> Store<E> store(Layout<E> layout) {
        ground.catalogue().mustContain(layout);
        return new Store<>(ground, layout);
    }

    /**
     * Asks every shard for a sign of life.
     *
     * @throws dev.millrace.keyspace.redis.outcome.RedisException if one gives none
     */
    public void mustAnswer() {
        ground.redis()
                .callAll(
                        ground.shards().all().stream()
                                .map(place -> place.ask("EXISTS", Basket.CLOCK_KEY))
                                .toList());
    }

    /** Reads the values of one layout as bytes, in the order of their keys. */
    public ByteStore bytes(Layout<?> layout) {
        ground.catalogue().mustContain(layout);
        return new ByteStore(ground, layout);
    }

    /** Reads cells, many in one trip. */
    public Cells cells() {
        return new Cells(ground);
    }

    /** The cell's newest elements first; none if it is not there. */
    public List<byte[]> list(Cell.Key key) {
        Place place = ground.shards().place(key);
        Object all = ground.redis().call(place.ask("LRANGE", key.key(), "0", "-1"));
        return Replies.list(all).stream().map(Replies::bytes).toList();
    }

    /** An empty basket for things that live with this owner. */
    public Commit commit(String owner) {
        return ground.commit(ground.shards().place(owner));
    }

    /** An empty basket for things that belong to the site. */
    public Commit commitAtSite() {
        return commit(Declaration.SITE);
    }

    /** An empty basket for what lives where this key lives. */
    public Commit commitAt(Cell.Key key) {
        return ground.commit(ground.shards().place(key));
    }

    /** Whether what these two own can be written in one commit; on a single server, always. */
    public boolean liveTogether(String owner, String other) {
        return !ground.shards().cluster() || Shards.shard(owner) == Shards.shard(other);
    }

    /** In which shard what this one owns lives, as facts name it; 0 on a single server. */
    public int shard(String owner) {
        return ground.shards().cluster() ? Shards.shard(owner) : 0;
    }

    /** What a string cell holds; empty if it is not there. */
    public Optional<byte[]> value(Cell.Key key) {
        Place place = ground.shards().place(key);
        return Optional.ofNullable((byte[]) ground.redis().call(place.ask("GET", key.key())));
    }

    /** The same, without waiting; what is attached runs on the connection's thread, as below. */
    public CompletableFuture<Optional<byte[]>> askValue(Cell.Key key) {
        Place place = ground.shards().place(key);
        return ground.redis()
                .send(place.ask("GET", key.key()))
                .thenApply(value -> Optional.ofNullable((byte[]) value));
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
        return confirmed(request(script, false, keys, args).twice());
    }

    /**
     * The same for a script that must not run again: when the answer is lost it fails with an
     * {@link dev.millrace.keyspace.redis.outcome.OutcomeUnknownException}.
     */
    public CompletableFuture<@Nullable Object> callOnce(
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
        return confirmed(request(script, true, keys, args).twice());
    }

    /** The same for a script whose answer matters, and not how safe what it writes is. */
    public CompletableFuture<@Nullable Object> ask(
            Script script, List<Cell.Key> keys, byte[]... args) {
        return ground.redis().send(request(script, false, keys, args).twice());
    }

    /**
     * The same, also not sent twice, for things of several owners, as long as they lie in one
     * place: on a single server all do. See {@link #liveTogether}.
     */
    public CompletableFuture<@Nullable Object> callAcrossOwners(
            Script script, List<Cell.Key> keys, byte[]... args) {
        Place place = ground.shards().place(keys.getFirst());
        return confirmed(request(script, false, place, keys, args));
    }

    private CompletableFuture<@Nullable Object> confirmed(Request request) {
        return ground.redis()
                .send(request)
                .thenApply(
                        reply -> {
                            if (!request.confirmed()) {
                                throw new UnconfirmedException(UnconfirmedException.SENTENCE);
                            }
                            return reply;
                        });
    }

    private Request request(Script script, boolean together, List<Cell.Key> keys, byte[]... args) {
        Place place = ground.shards().place(keys.getFirst());
        for (Cell.Key key : keys) {
            if (!ground.shards().place(key).together(place)) {
                throw notTogether(key, keys.getFirst());
            }
        }
        return request(script, together, place, keys, args);
    }

    private static IllegalArgumentException notTogether(Cell.Key key, Cell.Key other) {
        return new IllegalArgumentException(
                "%s does not live with %s.".formatted(key.key(), other.key()));
    }

    private Request request(
            Script script, boolean together, Place place, List<Cell.Key> keys, byte[]... args) {
        byte[][] names = new byte[keys.size()][];
        for (int i = 0; i < names.length; i++) {
            Cell.Key key = keys.get(i);
            if (ground.shards().cluster() && !ground.shards().place(key).together(place)) {
                throw notTogether(key, keys.getFirst());
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
        return request.unordered();
    }

    /** The feed of a topic: its readers, and what happened since. */
    public Feed feed(Topic topic) {
        if (epochsWatched.compareAndSet(false, true)) {
            Feed.watchEpochs(ground);
        }
        return feeds.computeIfAbsent(topic.name(), name -> new Feed(ground, topic));
    }

    /**
     * Notices what is written to the keys of these patterns, by whomever; not in a cluster.
     *
     * @param listener told soon after, see {@link ForeignWrites}
     */
    public ForeignWrites foreignWrites(
            Collection<KeyPattern> patterns, Consumer<ForeignWrites.Noticed> listener) {
        return new ForeignWrites(ground, patterns, listener);
    }

    /** Things due later, under this name. */
    public Schedule schedule(String name) {
        return new Schedule(ground, name);
    }

    /**
     * A lease that this holder wants.
     *
     * @param holder unique among all who may want it: a process and a random word
     */
    public Lease lease(String name, String holder, Duration time) {
        return new Lease(ground, name, holder, time);
    }

    /** Finds drift between values and indexes, and repairs it. */
    public Check check() {
        return new Check(ground);
    }

    /**
     * Counts the keys of each pattern, by a walk over all of them.
     *
     * @param progress told after every step how many were seen
     */
    public Census census(Pace pace, LongConsumer progress) {
        return Census.take(ground, pace, progress);
    }

    /**
     * Measures which layout takes how much memory, by the same walk, and compares it with the last
     * time. {@link #remember} keeps it for the next.
     */
    public MemoryReport memory(Pace pace, Instant now, LongConsumer progress) {
        MemoryReport report = new MemoryCensus(ground, pace).take(progress, now);
        return new MemoryHistory(ground).compared(report);
    }

    /**
     * How many entities of a layout with a kind index there are, and about how many bytes they take
     * with their entries; a cheap question that may be asked often.
     *
     * @param beside cells whose key is made from the entity's id alone, to be counted with it
     */
    public Footprint footprint(Layout<?> layout, Cell... beside) {
        ground.catalogue().mustContain(layout);
        return Footprint.of(ground, layout, List.of(beside));
    }

    /** How many bytes the servers may use together; 0 if nothing limits one of them. */
    public long memoryLimit() {
        return ServerMemory.of(ground.redis()).max();
    }

    /** Keeps a measurement, so that the next one can tell the growth since. */
    public Outcome<Long> remember(MemoryReport report) {
        return new MemoryHistory(ground).keep(report);
    }

    /**
     * Writes all content to a stream, as it is at one moment of each server, while others go on
     * writing. What is in it: {@code docs/decisions/0009-backup.md}.
     *
     * @param by the program that does it, with its version
     * @param target not closed; it must be able to take what comes, for the server waits meanwhile
     */
    public BackupReport backup(OutputStream target, String by, BackupListener listener) {
        return new Backup(ground, listener).to(target, by);
    }

    /**
     * The same to a file, which appears under its name when it is whole and safely on the disk.
     *
     * @param replace whether a file of that name may be replaced
     */
    public BackupReport backup(Path file, boolean replace, String by, BackupListener listener) {
        return new Backup(ground, listener).to(file, replace, by);
    }

    /**
     * Fills an empty Redis from a backup, wherever that is from, and compares both by checksum. No
     * program may work on it meanwhile.
     */
    public RestoreReport restore(Path file, BackupListener listener) {
        return new Restore(ground, listener).from(file);
    }

    /**
     * Why this Redis must not be used, in a sentence: a restore into it has begun and was never
     * finished. Empty if it may.
     */
    public Optional<String> restoring() {
        return new RestoreMark(ground).sentence();
    }

    public Redis redis() {
        return ground.redis();
    }

    public Catalogue catalogue() {
        return ground.catalogue();
    }

    /** For tests that look below. */
    Ground ground() {
        return ground;
    }
}
