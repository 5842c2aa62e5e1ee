package dev.millrace.hub.pubsub.webhooks;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.hub.pubsub.channels.PubsubLayouts;
import dev.millrace.hub.pubsub.config.ChannelRules;
import dev.millrace.hub.pubsub.config.Webhook;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.layout.Cell;
import dev.millrace.keyspace.redis.Script;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What webhooks did not take, for each channel by itself: a list that is bounded by count and
 * bytes, the oldest going first, and that ends when nothing was added for a while. Thread-safe.
 */
public final class DeadLetters {
    private static final Script BURY = Script.of(DeadLetters.class, "bury");
    private static final Script LIST = Script.reading(DeadLetters.class, "list");
    private static final Script MOVE = Script.emptying(DeadLetters.class, "move");
    private static final Script CLEAR = Script.emptying(DeadLetters.class, "clear");

    public static final int MOST = 1000;
    private static final int MOST_BYTES = 16 << 20;
    private static final int LISTED_BYTES = 4 << 20;

    /** Somebody comes back from a holiday and still finds them. */
    private static final Duration LIFE = Duration.ofDays(21);

    private final Keyspace keyspace;

    DeadLetters(Keyspace keyspace) {
        this.keyspace = keyspace;
    }

    /**
     * Gives a message up: its letter is kept, and the cursor of the webhook moves behind it, in one
     * go.
     *
     * @return how many old letters had to go for it; empty if somebody else has dealt with it
     */
    Optional<Long> bury(
            String channel, Webhook webhook, ChannelRules rules, long clock, DeadLetter letter) {
        Object gone =
                keyspace.ask(
                                BURY,
                                List.of(
                                        PubsubLayouts.CLOCK.at(channel),
                                        PubsubLayouts.CURSOR.at(channel, webhook.subscriber()),
                                        PubsubLayouts.SEEN.at(channel),
                                        PubsubLayouts.DEAD.at(channel),
                                        PubsubLayouts.DEAD_BYTES.at(channel)),
                                text(rules.seconds()),
                                webhook.subscriber().getBytes(UTF_8),
                                text(clock),
                                letter.bytes(),
                                text(MOST),
                                text(MOST_BYTES),
                                text(LIFE.toSeconds()))
                        .join();
        return gone instanceof Long count && count >= 0 ? Optional.of(count) : Optional.empty();
    }

    /**
     * The oldest letters.
     *
     * @param count how many there are in all
     * @param bytes how large these are
     * @param letters those that were asked for, as they are stored
     */
    public record Listing(long count, long bytes, List<byte[]> letters) {}

    public Listing list(String channel, int most) {
        Object reply = keyspace.ask(LIST, keys(channel), text(most), text(LISTED_BYTES)).join();
        if (!(reply instanceof List<?> parts)) {
            throw new IllegalStateException("DeadLetters.list.lua gives a list.");
        }
        List<byte[]> letters = new ArrayList<>(parts.size());
        parts.subList(2, parts.size()).forEach(letter -> letters.add((byte[]) letter));
        return new Listing((Long) parts.get(0), (Long) parts.get(1), letters);
    }

    /** Takes the oldest away, or puts it behind the others as it is now. */
    boolean move(String channel, byte[] oldest, byte @Nullable [] back) {
        Object moved =
                keyspace.ask(
                                MOVE,
                                keys(channel),
                                oldest,
                                back == null ? new byte[0] : back,
                                text(LIFE.toSeconds()))
                        .join();
        return moved instanceof Long done && done == 1;
    }

    /** Removes all of them. */
    public long clear(String channel) {
        return keyspace.call(CLEAR, keys(channel)).join() instanceof Long count ? count : 0;
    }

    private static List<Cell.Key> keys(String channel) {
        return List.of(PubsubLayouts.DEAD.at(channel), PubsubLayouts.DEAD_BYTES.at(channel));
    }

    private static byte[] text(long number) {
        return Long.toString(number).getBytes(UTF_8);
    }
}
