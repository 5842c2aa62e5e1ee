package dev.millrace.keyspace.feed;

import static dev.millrace.keyspace.redis.Words.number;
import static dev.millrace.keyspace.redis.Words.text;

import dev.millrace.keyspace.commit.Addition;
import dev.millrace.keyspace.commit.Basket;
import dev.millrace.keyspace.commit.Commit;
import dev.millrace.keyspace.commit.Ground;
import dev.millrace.keyspace.commit.Operation;
import dev.millrace.keyspace.commit.Place;
import dev.millrace.keyspace.redis.Redis;
import dev.millrace.keyspace.redis.Replies;
import dev.millrace.keyspace.redis.Request;
import dev.millrace.keyspace.redis.Script;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A registered reader of a feed. {@link #next} gives what it has not read; {@link Unread#readTo}
 * puts "read up to here" into the commit of its effect, with the check that nobody else has read it
 * meanwhile. So an effect inside Redis happens once for every fact, whatever crashes; one outside
 * (a message sent) happens at least once, with the same shard and number each time.
 */
public final class FeedReader {
    private static final Script NEXT = Script.reading(Feed.class, "next");

    private final Ground ground;
    private final Feed feed;
    private final String name;
    private final Runnable register;
    private volatile boolean patient = true;

    FeedReader(Ground ground, Feed feed, String name, Runnable register) {
        this.ground = ground;
        this.feed = feed;
        this.name = name;
        this.register = register;
    }

    public String name() {
        return name;
    }

    Topic topic() {
        return feed.topic();
    }

    /**
     * What is to be read in one shard.
     *
     * @param epoch of the shard: numbers mean the same only as long as it lasts
     * @param end the number of the newest fact of the shard
     * @param gap facts that were dropped before this reader came to them: it has to send the
     *     present state again, and then says so with {@link #closed}
     */
    public record Unread(
            FeedReader reader,
            Place place,
            String epoch,
            String cursor,
            long end,
            Optional<Gap> gap,
            List<Fact> facts) {

        /** Marks the facts up to and including this one as read, if nobody else has meanwhile. */
        public Addition readTo(Fact last) {
            return readTo(last.number());
        }

        /**
         * Marks as read all that was there when it was looked, also what was not fetched: nobody
         * wants to hear of it.
         */
        public Addition readToEnd() {
            return readTo(end);
        }

        private Addition readTo(long last) {
            String after = last + cursor.substring(cursor.indexOf(' '));
            byte[] name = text(reader.name());
            return basket ->
                    sameEpoch(basket)
                            .addInShard(
                                    Operation.FIELD_EQUALS,
                                    reader.topic().readers(),
                                    name,
                                    text(cursor))
                            .addInShard(
                                    Operation.SET_FIELD,
                                    reader.topic().readers(),
                                    name,
                                    text(after));
        }

        /** The reader has sent the present state again, and with it what it had missed. */
        public Addition closed(Gap missed) {
            byte[] name = text(reader.name());
            String gaps = reader.topic().gaps();
            return basket ->
                    sameEpoch(basket)
                            .addInShard(Operation.FIELD_EQUALS, gaps, name, text(missed.text()))
                            .addInShard(Operation.REMOVE_FIELD, gaps, name);
        }

        /**
         * A server that lost writes may have given the same numbers to other facts, and the
         * reader's cursor is then where it was before: it would skip facts that it has never seen.
         */
        private Basket sameEpoch(Basket basket) {
            return basket.mustBeIn(place).addInShard(Operation.TEXT_EQUALS, Epoch.KEY, text(epoch));
        }
    }

    /** Facts {@code from} to {@code to}, both included, are lost to this reader. */
    public record Gap(long from, long to) {
        long size() {
            return to - from + 1;
        }

        String text() {
            return from + "-" + to;
        }
    }

    /** Waits until there is something to read, at most so long; nothing if there is not. */
    public List<Unread> next(int most, Duration wait) {
        long deadline = System.nanoTime() + wait.toNanos();
        while (true) {
            long seen = feed.watch().version();
            List<Unread> unread = read(most);
            long left = deadline - System.nanoTime();
            if (!unread.isEmpty() || left <= 0 || !patient) {
                return unread;
            }
            if (!feed.watch().await(seen, left)) {
                // Nothing has come. What was not heard of is found when this is called again.
                return unread;
            }
        }
    }

    /** Whoever waits in {@link #next} waits no longer, and from now on nobody does. */
    public void waitNoMore() {
        patient = false;
        feed.watch().wake();
    }

    /** Where there is something to read, and up to which number, without any of the facts. */
    public List<Unread> ends() {
        return read(0);
    }

    /**
     * A server that lost its last writes, or all of them, may have lost the reader with them: it is
     * made known again, and begins as it did at first.
     */
    private List<Unread> read(int most) {
        return read(most, true);
    }

    private List<Unread> read(int most, boolean mayBeUnknown) {
        List<Place> places = ground.shards().all();
        List<Request> requests = new ArrayList<>();
        for (Place place : places) {
            byte[][] keys = {
                place.key(topic().stream()),
                place.key(topic().readers()),
                place.key(topic().gaps()),
                place.key(Epoch.KEY),
                place.key(topic().state())
            };
            requests.add(
                    Request.script(
                            NEXT, place.order(), place.slot(), keys, text(name), number(most)));
        }
        Redis redis = ground.redis();
        List<@Nullable Object> replies = redis.callAll(requests);
        List<Unread> unread = new ArrayList<>();
        for (int i = 0; i < replies.size(); i++) {
            List<?> reply = Replies.list(replies.get(i));
            if (reply.isEmpty()) {
                if (mayBeUnknown) {
                    register.run();
                    return read(most, false);
                }
                throw new IllegalStateException(
                        "The reader " + name + " of " + topic().name() + " was forgotten.");
            }
            List<Fact> facts = new ArrayList<>();
            Feed.decode(places.get(i).shard(), reply, 4, facts);
            String cursor = Replies.textOrEmpty(reply.get(0));
            long end = Long.parseLong(Replies.textOrEmpty(reply.get(3)));
            Optional<Gap> gap =
                    Optional.ofNullable(Replies.text(reply.get(1))).map(FeedReader::gap);
            boolean more = most == 0 && end > place(cursor);
            if (gap.isPresent() || !facts.isEmpty() || more) {
                unread.add(
                        new Unread(
                                this,
                                places.get(i),
                                Replies.textOrEmpty(reply.get(2)),
                                cursor,
                                end,
                                gap,
                                facts));
            }
        }
        return unread;
    }

    private static long place(String cursor) {
        return Long.parseLong(cursor.substring(0, cursor.indexOf(' ')));
    }

    static Gap gap(String text) {
        int dash = text.indexOf('-');
        return new Gap(
                Long.parseLong(text.substring(0, dash)), Long.parseLong(text.substring(dash + 1)));
    }

    /** A basket in the shard that was read, for the effect of its facts. */
    public Commit commit(Unread unread) {
        return ground.commitIn(unread.place());
    }
}
