package dev.millrace.hub.pubsub.channels;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;

import dev.millrace.hub.pubsub.channels.ChannelGate.Admitted;
import dev.millrace.hub.pubsub.config.ChannelRules;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.layout.Cell;
import dev.millrace.keyspace.redis.Script;
import dev.millrace.keyspace.redis.outcome.Reason;
import dev.millrace.keyspace.redis.outcome.RedisException;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;

/**
 * Channels in Redis. Every operation is one script on keys of one channel, which all share its hash
 * tag; other servers of the fifth key description may work on the same keys at the same time. All
 * of them may be done twice with no other result, so a lost answer is asked for again.
 *
 * <p>The scripts that only renew or move a cursor may run on a full server: whoever reads must be
 * able to go on then.
 */
public final class PubsubStore {
    private static final Script PUBLISH = Script.of(PubsubStore.class, "publish");
    private static final Script CREATE = Script.of(PubsubStore.class, "create");
    private static final Script FETCH = Script.emptying(PubsubStore.class, "fetch");
    private static final Script ACKNOWLEDGE = Script.emptying(PubsubStore.class, "acknowledge");
    private static final Script DELETE = Script.emptying(PubsubStore.class, "delete");

    /** What an answer may hold; the rest comes with the next one. */
    private static final byte[] PAGE_BYTES = text(4 << 20);

    private static final Logger log = LoggerFactory.getLogger(PubsubStore.class);

    private static final int REMEMBERED = 20_000;

    private final Keyspace keyspace;
    private final Cache<String, Names> known =
            Caffeine.newBuilder().maximumSize(REMEMBERED).build();
    private final Sightings sightings = new Sightings();

    public PubsubStore(Keyspace keyspace) {
        this.keyspace = keyspace;
    }

    // ---------------------------------------------------------------- publishing

    /** A message to be stored. */
    public record Draft(String id, byte[] envelope) {}

    /**
     * Stores those that are new.
     *
     * @return for each its clock, or nothing for a duplicate; empty if there were too many in this
     *     second, and none was stored
     */
    public CompletableFuture<List<OptionalLong>> publish(
            String channel, ChannelRules rules, List<Draft> drafts) {
        Names names = names(channel);
        List<Cell.Key> keys = new ArrayList<>(2 + drafts.size());
        byte[][] args = new byte[5 + drafts.size()][];
        keys.add(names.clock());
        keys.add(names.rate());
        args[0] = text(drafts.size());
        args[1] = text(rules.seconds());
        args[2] = names.messages();
        args[3] = names.wakeUp();
        args[4] = text(rules.maxPerSecond());
        for (int i = 0; i < drafts.size(); i++) {
            keys.add(PubsubLayouts.MESSAGE_ID.at(channel, drafts.get(i).id()));
            args[5 + i] = drafts.get(i).envelope();
        }
        return keyspace.callTogether(PUBLISH, keys, args).thenApply(PubsubStore::clocks);
    }

    private static List<OptionalLong> clocks(@Nullable Object reply) {
        if (reply instanceof byte[] wrong) {
            throw new RedisException(Reason.WRONG_TYPE, new String(wrong, UTF_8));
        }
        if (!(reply instanceof List<?> clocks)) {
            return List.of();
        }
        List<OptionalLong> result = new ArrayList<>(clocks.size());
        for (Object clock : clocks) {
            result.add(
                    clock instanceof byte[] digits
                            ? OptionalLong.of(number(digits))
                            : OptionalLong.empty());
        }
        return result;
    }

    // ---------------------------------------------------------------- subscribers

    /** Where a new subscriber begins. */
    public sealed interface Start {
        /** With what is published from now on. */
        record Latest() implements Start {}

        /** With the oldest message that lives. */
        record Earliest() implements Start {}

        /** With the message of this clock. */
        record AtClock(long clock) implements Start {}

        /** With this message. */
        record AtMessage(String id) implements Start {}
    }

    /** What became of a wish for a subscriber. */
    public enum Created {
        CREATED,
        EXISTS,
        MOVED,
        GONE
    }

    /**
     * Makes a subscriber, or renews the one that is there.
     *
     * @param move whether one that is there is to begin at that place too
     */
    public CompletableFuture<Created> create(
            String channel, String subscriber, ChannelRules rules, Start start, boolean move) {
        Cell.Key clock = PubsubLayouts.CLOCK.at(channel);
        Cell.Key message = clock;
        String from =
                switch (start) {
                    case Start.Latest latest -> "latest";
                    case Start.Earliest earliest -> "earliest";
                    case Start.AtClock(long at) -> Long.toString(at);
                    case Start.AtMessage(String id) -> "message";
                };
        if (start instanceof Start.AtMessage(String id)) {
            message = PubsubLayouts.MESSAGE_ID.at(channel, id);
        }
        return keyspace.call(
                        CREATE,
                        List.of(
                                clock,
                                PubsubLayouts.CURSOR.at(channel, subscriber),
                                PubsubLayouts.SEEN.at(channel),
                                message),
                        text(rules.seconds()),
                        text(subscriber),
                        messages(channel),
                        text(from),
                        text(move ? 1 : 0))
                .thenApply(
                        reply ->
                                switch (String.valueOf(textOf(reply))) {
                                    case "exists" -> Created.EXISTS;
                                    case "moved" -> Created.MOVED;
                                    case "gone" -> Created.GONE;
                                    default -> Created.CREATED;
                                });
    }

    /** Removes a subscriber, if there is one. */
    public CompletableFuture<Boolean> delete(String channel, String subscriber) {
        return keyspace.call(
                        DELETE,
                        List.of(
                                PubsubLayouts.CURSOR.at(channel, subscriber),
                                PubsubLayouts.SEEN.at(channel)),
                        text(subscriber),
                        text(wakeUp(channel)))
                .thenApply(reply -> reply instanceof Long count && count == 1);
    }

    // ---------------------------------------------------------------- reading

    /**
     * What a subscriber has not acknowledged.
     *
     * @param reached the clock up to which was looked
     * @param more whether there is more behind it
     */
    public record Page(
            long clock, long cursor, long reached, boolean more, List<Message> messages) {}

    /** A message and its place. */
    public record Message(long clock, Envelope envelope) {}

    /**
     * The next messages of a subscriber.
     *
     * @param reader who only looks leaves everything as it is
     * @param after the clock behind which to read, if not behind the cursor
     * @return empty if there is no such subscriber
     */
    public CompletableFuture<Optional<Page>> fetch(
            String channel, String subscriber, Admitted reader, int most, OptionalLong after) {
        List<Cell.Key> keys = ofSubscriber(channel, subscriber);
        return keyspace.ask(
                        FETCH,
                        keys,
                        text(reader.rules().seconds()),
                        text(subscriber),
                        messages(channel),
                        text(most),
                        PAGE_BYTES,
                        text(after.isEmpty() ? "" : Long.toString(after.getAsLong())),
                        text(reader.acts() ? sightings.isDue(keys.get(1)) ? "1" : "0" : ""))
                .thenCompose(
                        reply -> {
                            if (!(reply instanceof List<?> parts)) {
                                return CompletableFuture.completedFuture(Optional.empty());
                            }
                            Page page = page(channel, subscriber, parts);
                            // A long way over what has expired takes several steps.
                            return page.messages().isEmpty() && page.more()
                                    ? fetch(
                                            channel,
                                            subscriber,
                                            reader,
                                            most,
                                            OptionalLong.of(page.reached()))
                                    : CompletableFuture.completedFuture(Optional.of(page));
                        });
    }

    private static Page page(String channel, String subscriber, List<?> parts) {
        long clock = number(parts.get(0));
        if (parts.get(3) instanceof byte[] lost) {
            log.warn(
                    "The clock of a channel has gone back: Redis has lost what was newest. The"
                            + " subscriber begins again before it. channel={} subscriber={}"
                            + " clock={} cursor={}",
                    channel,
                    subscriber,
                    clock,
                    number(lost));
        }
        List<Message> messages = new ArrayList<>((parts.size() - 4) / 2);
        for (int i = 4; i + 1 < parts.size(); i += 2) {
            long at = number(parts.get(i));
            Optional<Envelope> envelope = Envelope.read((byte[]) parts.get(i + 1));
            if (envelope.isPresent()) {
                messages.add(new Message(at, envelope.get()));
            } else {
                log.error(
                        "Skipped a stored value that is not a message. channel={} clock={}",
                        channel,
                        at);
            }
        }
        long reached = number(parts.get(2));
        return new Page(clock, number(parts.get(1)), reached, reached != clock, messages);
    }

    /** What became of an acknowledgement. */
    public enum Acknowledged {
        MOVED,
        STALE,
        GONE
    }

    /** Everything up to this clock has arrived at the subscriber. */
    public CompletableFuture<Acknowledged> acknowledge(
            String channel, String subscriber, ChannelRules rules, long clock) {
        List<Cell.Key> keys = ofSubscriber(channel, subscriber);
        return keyspace.call(
                        ACKNOWLEDGE,
                        keys,
                        text(rules.seconds()),
                        text(subscriber),
                        text(Long.toString(clock)),
                        text(sightings.isDue(keys.get(1)) ? 1 : 0))
                .thenApply(
                        reply ->
                                reply instanceof Long moved && moved >= 0
                                        ? moved == 1 ? Acknowledged.MOVED : Acknowledged.STALE
                                        : Acknowledged.GONE);
    }

    // ---------------------------------------------------------------- words

    private List<Cell.Key> ofSubscriber(String channel, String subscriber) {
        Names names = names(channel);
        return List.of(names.clock(), PubsubLayouts.CURSOR.at(channel, subscriber), names.seen());
    }

    /**
     * What is the same in every request about a channel, made once.
     *
     * @param messages what the keys of its messages begin with
     */
    private record Names(
            Cell.Key clock, Cell.Key rate, Cell.Key seen, byte[] messages, byte[] wakeUp) {}

    private Names names(String channel) {
        return known.get(
                channel,
                name ->
                        new Names(
                                PubsubLayouts.CLOCK.at(name),
                                PubsubLayouts.RATE.at(name),
                                PubsubLayouts.SEEN.at(name),
                                prefix(PubsubLayouts.MESSAGE.at(name, "0")),
                                text(wakeUp(name))));
    }

    private byte[] messages(String channel) {
        return names(channel).messages();
    }

    /** A key whose last variable is one letter, without it. */
    static byte[] prefix(Cell.Key key) {
        return text(key.key().substring(0, key.key().length() - 1));
    }

    /** Where Redis tells whoever listens that there is something new. */
    static String wakeUp(String channel) {
        return "dsps.c.{" + channel + "}";
    }

    static byte[] text(int number) {
        return text(Integer.toString(number));
    }

    static byte[] text(String text) {
        return text.getBytes(UTF_8);
    }

    static @Nullable String textOf(@Nullable Object reply) {
        return reply instanceof byte[] bytes ? new String(bytes, UTF_8) : null;
    }

    static long number(@Nullable Object reply) {
        return Long.parseLong(String.valueOf(textOf(reply)));
    }
}
