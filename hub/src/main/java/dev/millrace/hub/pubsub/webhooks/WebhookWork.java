package dev.millrace.hub.pubsub.webhooks;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.hub.pubsub.channels.PubsubLayouts;
import dev.millrace.hub.pubsub.config.Webhook;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.layout.Cell;
import dev.millrace.keyspace.redis.Script;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Which webhooks of which channels have something to do; kept in Redis, shared by all hubs. What
 * exactly there is to do is not in here: that is what lies behind the cursor of the webhook.
 *
 * <p>Why no message of an answered publish is forgotten: work is armed before the publish, so that
 * it exists if the hub dies right after it, and once more behind it, before the answer. Arming
 * raises a mark, and a sender takes work from the list only if it found nothing unread and the mark
 * is still the one that it saw before it looked. So either it looked after the publish, and found
 * the message, or the mark has changed, and it looks again.
 *
 * <p>The list has several parts, which in a cluster live on several servers. A schedule of the
 * engine would not do: it has no such mark, and lives in another slot than the channel, so that
 * looking and removing cannot be one commit. Thread-safe.
 */
public final class WebhookWork {
    public static final int PARTS = 16;

    private static final Script ARM = Script.of(WebhookWork.class, "arm");
    private static final Script CLAIM = Script.emptying(WebhookWork.class, "claim");
    private static final Script RENEW = Script.emptying(WebhookWork.class, "renew");
    private static final Script SETTLE = Script.emptying(WebhookWork.class, "settle");

    /** How soon somebody looks after a publish whose hub died before it could say so. */
    private static final byte[] AHEAD_MILLIS = text("10000");

    private static final String LOST = "lost";

    private final Keyspace keyspace;

    public WebhookWork(Keyspace keyspace) {
        this.keyspace = keyspace;
    }

    /**
     * One line of work, in which things are done one after another.
     *
     * @param webhook its id, or nothing for the dead letters of the channel, to be sent once more
     */
    public record Item(String channel, String webhook) {
        private static final String NO_WEBHOOK = "";

        static Item deadLetters(String channel) {
            return new Item(channel, NO_WEBHOOK);
        }

        /** Neither part can hold a dot. */
        private static Item of(String id) {
            int dot = id.indexOf('.');
            return dot < 0
                    ? deadLetters(id)
                    : new Item(id.substring(0, dot), id.substring(dot + 1));
        }

        boolean isDeadLetters() {
            return webhook.isEmpty();
        }

        private String id() {
            return channel + "." + webhook;
        }
    }

    /**
     * Work that is ours until its lease ends.
     *
     * @param score the proof
     * @param mark as it was before the next look
     * @param note what was written with it
     * @param untilNanos when the lease ends, on the clock of this process
     */
    public record Claim(Item item, String score, String mark, String note, long untilNanos) {
        public Claim noting(String newNote) {
            return new Claim(item, score, mark, newNote, untilNanos);
        }

        Duration left() {
            return Duration.ofNanos(untilNanos - System.nanoTime());
        }
    }

    public static int part(String channel) {
        return Math.floorMod(channel.hashCode(), PARTS);
    }

    /** Work for this item, from now on. */
    public CompletableFuture<Void> arm(String channel, List<Item> items, boolean beforePublish) {
        byte[][] args = new byte[2 + items.size()][];
        args[0] = text(beforePublish ? "1" : "0");
        args[1] = AHEAD_MILLIS;
        for (int i = 0; i < items.size(); i++) {
            args[2 + i] = text(items.get(i).id());
        }
        return keyspace.call(ARM, keys(part(channel)), args).thenAccept(due -> {});
    }

    /** Takes what is due in these parts, at most so much from each. */
    public List<Claim> claim(Iterable<Integer> parts, int most, Duration lease) {
        List<CompletableFuture<@Nullable Object>> replies = new ArrayList<>();
        long untilNanos = System.nanoTime() + lease.toNanos();
        for (int part : parts) {
            replies.add(keyspace.ask(CLAIM, keys(part), text(lease.toMillis()), text((long) most)));
        }
        List<Claim> claims = new ArrayList<>();
        for (CompletableFuture<@Nullable Object> each : replies) {
            List<?> reply = each.join() instanceof List<?> list ? list : List.of();
            for (int i = 0; i + 3 < reply.size(); i += 4) {
                claims.add(
                        new Claim(
                                Item.of(textOf(reply.get(i))),
                                textOf(reply.get(i + 1)),
                                textOf(reply.get(i + 2)),
                                textOf(reply.get(i + 3)),
                                untilNanos));
            }
        }
        return claims;
    }

    /** Whether the webhook still has a cursor: the channel may have something for it. */
    boolean hasCursor(Item item) {
        return !item.isDeadLetters()
                && keyspace.value(
                                PubsubLayouts.CURSOR.at(
                                        item.channel, Webhook.subscriber(item.webhook)))
                        .isPresent();
    }

    /** The same claim with so much time; empty if it is lost. */
    public Optional<Claim> renew(Claim claim, Duration lease) {
        long untilNanos = System.nanoTime() + lease.toNanos();
        Object score =
                keyspace.ask(
                                RENEW,
                                keys(part(claim.item.channel)).subList(0, 1),
                                text(claim.item.id()),
                                text(claim.score),
                                text(lease.toMillis()))
                        .join();
        return score instanceof byte[] renewed
                ? Optional.of(
                        new Claim(claim.item, textOf(renewed), claim.mark, claim.note, untilNanos))
                : Optional.empty();
    }

    /** It is due again later, with its note; a claim that was lost stays lost. */
    public void again(Claim claim, Duration in) {
        settle(claim, Long.toString(Math.max(0, in.toMillis())));
    }

    /** There was nothing left to do; the claim to go on with if it was armed since. */
    public Optional<Claim> done(Claim claim) {
        String mark = settle(claim, "");
        return mark.isEmpty() || mark.equals(LOST)
                ? Optional.empty()
                : Optional.of(new Claim(claim.item, claim.score, mark, "", claim.untilNanos));
    }

    private String settle(Claim claim, String in) {
        return textOf(
                keyspace.ask(
                                SETTLE,
                                keys(part(claim.item.channel)),
                                text(claim.item.id()),
                                text(claim.score),
                                text(claim.mark),
                                text(in),
                                text(claim.note))
                        .join());
    }

    private static List<Cell.Key> keys(int part) {
        String name = Integer.toString(part);
        return List.of(PubsubLayouts.WEBHOOK_WORK.at(name), PubsubLayouts.WEBHOOK_NOTES.at(name));
    }

    private static byte[] text(String text) {
        return text.getBytes(UTF_8);
    }

    private static byte[] text(long number) {
        return text(Long.toString(number));
    }

    private static String textOf(@Nullable Object reply) {
        return reply instanceof byte[] bytes ? new String(bytes, UTF_8) : "";
    }
}
