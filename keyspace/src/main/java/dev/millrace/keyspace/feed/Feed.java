package dev.millrace.keyspace.feed;

import static dev.millrace.keyspace.redis.Words.number;
import static dev.millrace.keyspace.redis.Words.text;

import dev.millrace.keyspace.commit.Addition;
import dev.millrace.keyspace.commit.Ground;
import dev.millrace.keyspace.commit.Operation;
import dev.millrace.keyspace.commit.Place;
import dev.millrace.keyspace.layout.Cell;
import dev.millrace.keyspace.redis.Redis;
import dev.millrace.keyspace.redis.Replies;
import dev.millrace.keyspace.redis.Request;
import dev.millrace.keyspace.redis.Script;
import dev.millrace.keyspace.redis.outcome.Outcome;
import dev.millrace.keyspace.redis.outcome.Reason;
import dev.millrace.keyspace.redis.outcome.RedisException;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;

/**
 * The outbox: what a commit announces ({@link #fact}) lies in a stream in the same shard, written
 * in the same script, so a crash between write and announcement loses nothing.
 *
 * <p>Two sorts of readers. A <i>durable</i> one registers ({@link #reader}); its cursor lives
 * beside the stream, so both roll back together, and moves in the commit of the reader's effect.
 * Facts wait for it. One that keeps its place itself, such as a web page, asks {@link #since}: it
 * gets the facts, or is told to reload.
 *
 * <p>Thread-safe.
 */
public final class Feed {
    private static final Script REGISTER = Script.of(Feed.class, "register");
    private static final Script FORGET = Script.of(Feed.class, "forget");
    private static final Script TRIM = Script.emptying(Feed.class, "trim");
    private static final Script HEALTH = Script.reading(Feed.class, "health");
    private static final Script SINCE = Script.reading(Feed.class, "since");
    private static final int TRIM_STEP_BYTES = 256 << 10;
    private static final long TRIM_PAUSE_NANOS = TimeUnit.SECONDS.toNanos(5);
    private static final Logger LOG = LoggerFactory.getLogger(Feed.class);

    private final Ground ground;
    private final Topic topic;
    private final Redis redis;
    private final FeedWatch watch;
    private final long trimEvery;
    private final AtomicLong sinceTrim = new AtomicLong();
    private final AtomicBoolean trimming = new AtomicBoolean();
    private volatile long trimmedAt = System.nanoTime();

    public Feed(Ground ground, Topic topic) {
        this.ground = ground;
        this.topic = topic;
        this.redis = ground.redis();
        this.watch = new FeedWatch(ground, topic);
        this.trimEvery = Math.max(topic.keepBytes() / 16, 1);
    }

    /** Keys that feeds keep for themselves. */
    public static final List<Cell> KEYS =
            Stream.concat(Stream.of(Epoch.CELL), Topic.KEYS.stream()).toList();

    /** Tells every new connection to look whether its server may have lost writes. */
    public static void watchEpochs(Ground ground) {
        Epoch.watch(ground.redis(), ground.shards());
    }

    public Topic topic() {
        return topic;
    }

    FeedWatch watch() {
        return watch;
    }

    // ---------------------------------------------------------------- for commits

    /**
     * Announces something: appends it to the stream in the commit's shard, with its next number.
     */
    public Addition fact(byte[] body) {
        return basket ->
                basket.addPairInShard(Operation.FACT, topic.stream(), topic.state(), body)
                        .afterwards(outcome -> settled(outcome, body.length));
    }

    /**
     * The same of something that is removed: a full server takes it too, or it could not be
     * emptied.
     */
    public Addition factOfRemoval(byte[] body) {
        return basket ->
                basket.addPairEvenIfFull(Operation.FACT, topic.stream(), topic.state(), body)
                        .afterwards(outcome -> settled(outcome, body.length));
    }

    private void settled(Outcome<Long> outcome, int bytes) {
        if (outcome.isStored()) {
            written(bytes);
        } else if (outcome.failedBy(Reason.FULL)) {
            // What held it up may have been read by now.
            trimSoon();
        }
    }

    /**
     * A commit of this process has added so many bytes. Whoever writes also trims, now and then and
     * beside its writing: then a feed is bounded without anybody's duty to look after it.
     */
    private void written(int bytes) {
        watch.wake();
        boolean often = sinceTrim.addAndGet(bytes) > trimEvery;
        if (often || System.nanoTime() - trimmedAt > TRIM_PAUSE_NANOS) {
            trimSoon();
        }
    }

    private void trimSoon() {
        if (trimming.compareAndSet(false, true)) {
            Thread.ofVirtual().name("feed-trim-" + topic.name()).start(this::trimBesideWrites);
        }
    }

    private void trimBesideWrites() {
        boolean more = true;
        try {
            sinceTrim.set(0);
            trimmedAt = System.nanoTime();
            trim();
        } catch (RedisException e) {
            LOG.warn("A feed was not trimmed. topic={} reason={}", topic.name(), e.getMessage());
            more = false;
        } finally {
            trimming.set(false);
        }
        if (more && sinceTrim.get() > trimEvery) {
            trimSoon(); // much was written meanwhile, and perhaps nothing comes after it
        }
    }

    // ---------------------------------------------------------------- durable readers

    /**
     * Registers a durable reader, or finds it again with the cursor it had.
     *
     * @param fromStart for a new one: begin with the oldest fact that is kept, not with the next
     */
    public FeedReader reader(String name, Topic.Behind behind, boolean fromStart) {
        register(name, behind, fromStart);
        return new FeedReader(ground, this, name, () -> register(name, behind, fromStart));
    }

    private void register(String name, Topic.Behind behind, boolean fromStart) {
        List<Request> requests = new ArrayList<>();
        for (Place place : ground.shards().all()) {
            byte[][] keys = {place.key(topic.state()), place.key(topic.readers())};
            requests.add(
                    Request.script(
                                    REGISTER,
                                    place.order(),
                                    place.slot(),
                                    keys,
                                    text(name),
                                    text(behind.word()),
                                    text(fromStart ? "start" : "now"),
                                    number(topic.hardCap()))
                            .twice());
        }
        redis.callAll(requests);
    }

    /** Forgets a durable reader: nothing waits for it any more. */
    public void forget(String name) {
        List<Request> requests = new ArrayList<>();
        for (Place place : ground.shards().all()) {
            byte[][] keys = {
                place.key(topic.state()), place.key(topic.readers()), place.key(topic.gaps())
            };
            requests.add(
                    Request.script(FORGET, place.order(), place.slot(), keys, text(name)).twice());
        }
        redis.callAll(requests);
    }

    // ---------------------------------------------------------------- readers outside

    /** The place behind the newest fact. */
    public FeedCursor now() {
        List<String> epochs = new ArrayList<>();
        List<Long> numbers = new ArrayList<>();
        for (List<?> shard : ask(null, 0)) {
            epochs.add(Replies.textOrEmpty(shard.get(0)));
            numbers.add(Long.parseLong(Replies.textOrEmpty(shard.get(1))));
        }
        return new FeedCursor(Epoch.of(epochs), numbers);
    }

    /** What happened since the cursor, at most {@code most} facts from each shard. */
    public Changes since(FeedCursor cursor, int most) {
        List<Place> places = ground.shards().all();
        if (cursor.numbers().size() != places.size()) {
            return new Changes.Reload("The cursor is of another site.");
        }
        List<List<?>> shards = ask(cursor, most);
        List<String> epochs =
                shards.stream().map(shard -> Replies.textOrEmpty(shard.get(0))).toList();
        if (!Epoch.of(epochs).equals(cursor.epoch())) {
            return new Changes.Reload("The server was restarted or replaced since.");
        }
        List<Fact> facts = new ArrayList<>();
        List<Long> numbers = new ArrayList<>();
        boolean more = false;
        for (int i = 0; i < shards.size(); i++) {
            List<?> shard = shards.get(i);
            long seen = cursor.numbers().get(i);
            long last = Long.parseLong(Replies.textOrEmpty(shard.get(1)));
            long oldest = Long.parseLong(Replies.textOrEmpty(shard.get(2)));
            if (seen > last) {
                return new Changes.Reload("The cursor is ahead of the feed.");
            }
            if (seen < last && (oldest == 0 || oldest > seen + 1)) {
                return new Changes.Reload("The cursor is too old; facts after it were dropped.");
            }
            int before = facts.size();
            decode(places.get(i).shard(), shard, 3, facts);
            numbers.add(facts.size() == before ? seen : facts.getLast().number());
            more |= numbers.getLast() < last;
        }
        return new Changes.Facts(facts, new FeedCursor(cursor.epoch(), numbers), more);
    }

    /**
     * The same, and if there is nothing yet, waits until there is, at most so long. No facts if
     * there are none then.
     */
    public Changes since(FeedCursor cursor, int most, Duration wait) {
        long deadline = System.nanoTime() + wait.toNanos();
        while (true) {
            long seen = watch.version();
            Changes changes = since(cursor, most);
            boolean nothing =
                    changes instanceof Changes.Facts(var facts, var next, var more)
                            && facts.isEmpty();
            long left = deadline - System.nanoTime();
            if (!nothing || left <= 0) {
                return changes;
            }
            if (!watch.await(seen, left)) {
                return changes;
            }
        }
    }

    private List<List<?>> ask(@Nullable FeedCursor cursor, int most) {
        List<Request> requests = new ArrayList<>();
        List<Place> places = ground.shards().all();
        for (int i = 0; i < places.size(); i++) {
            Place place = places.get(i);
            byte[][] keys = {
                place.key(topic.stream()), place.key(topic.state()), place.key(Epoch.KEY)
            };
            byte[] after = cursor == null ? text("") : number(cursor.numbers().get(i));
            requests.add(
                    Request.script(SINCE, place.order(), place.slot(), keys, after, number(most)));
        }
        List<List<?>> shards = new ArrayList<>();
        for (Object reply : redis.callAll(requests)) {
            shards.add(Replies.list(reply));
        }
        return shards;
    }

    static void decode(int shard, List<?> reply, int from, List<Fact> facts) {
        for (int i = from; i + 2 < reply.size(); i += 3) {
            facts.add(
                    new Fact(
                            shard,
                            Long.parseLong(Replies.textOrEmpty(reply.get(i))),
                            Long.parseLong(Replies.textOrEmpty(reply.get(i + 1))),
                            Replies.bytes(reply.get(i + 2))));
        }
    }

    // ---------------------------------------------------------------- health and trimming

    /** How full it is and how far behind its durable readers are. */
    public FeedHealth health() {
        List<Request> requests = new ArrayList<>();
        for (Place place : ground.shards().all()) {
            requests.add(Request.script(HEALTH, place.order(), place.slot(), keys(place)));
        }
        List<List<?>> shards = new ArrayList<>();
        for (Object reply : redis.callAll(requests)) {
            shards.add(Replies.list(reply));
        }
        return FeedHealth.of(shards);
    }

    /**
     * Drops what is neither young nor small enough to be kept and that no reader waits for, in
     * small steps. Writers do it by themselves; several at once do no harm.
     *
     * @return how many facts were dropped, and which readers lost some
     */
    public Trimmed trim() {
        long dropped = 0;
        List<String> lost = new ArrayList<>();
        List<Place> full = ground.shards().all();
        while (!full.isEmpty()) {
            List<@Nullable Object> steps =
                    redis.callAll(full.stream().map(this::trimStep).toList());
            List<Place> more = new ArrayList<>();
            for (int i = 0; i < steps.size(); i++) {
                List<?> step = Replies.list(steps.get(i));
                dropped += Replies.number(step.get(0));
                if (Replies.number(step.get(1)) == 1) {
                    more.add(full.get(i));
                }
                for (Object reader : step.subList(2, step.size())) {
                    lost.add(Replies.textOrEmpty(reader));
                }
            }
            full = more;
        }
        List<String> losers = lost.stream().distinct().toList();
        if (!losers.isEmpty()) {
            LOG.warn(
                    "Facts were dropped before they were read: too far behind. topic={} readers={}",
                    topic.name(),
                    losers);
        }
        return new Trimmed(dropped, losers);
    }

    /** What trimming did. */
    public record Trimmed(long dropped, List<String> readersThatLost) {}

    private byte[][] keys(Place place) {
        return new byte[][] {
            place.key(topic.stream()),
            place.key(topic.state()),
            place.key(topic.readers()),
            place.key(topic.gaps())
        };
    }

    private Request trimStep(Place place) {
        return Request.script(
                        TRIM,
                        place.order(),
                        place.slot(),
                        keys(place),
                        number(topic.keepAge().toMillis()),
                        number(topic.keepBytes()),
                        number(topic.hardCap()),
                        number(TRIM_STEP_BYTES))
                .twice();
    }
}
