package dev.millrace.hub.notifications.kept;

import static dev.millrace.hub.notifications.kept.NotificationsLayouts.SUBSCRIPTIONS;

import dev.millrace.hub.http.Json;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.commit.Shards;
import dev.millrace.keyspace.commit.Stored;
import dev.millrace.keyspace.layout.Declaration;
import dev.millrace.keyspace.redis.outcome.Outcome;
import dev.millrace.keyspace.schedule.Schedule;

import tools.jackson.core.JacksonException;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What is still to be sent, for each subscription by itself, so that one receiver that is dead or
 * slow holds up nobody else. An outbox is a schedule in the site's shard, where subscriptions live;
 * it comes and goes with its subscription. Thread-safe.
 */
public final class Outboxes {
    private final Keyspace keyspace;

    public Outboxes(Keyspace keyspace) {
        this.keyspace = keyspace;
    }

    /**
     * One thing to be sent.
     *
     * @param notification its id
     * @param transmission the id that its transmission has or will have
     * @param attempt which one is next, the first being 0
     */
    public record Item(
            String notification,
            String transmission,
            String receiver,
            Channel channel,
            int attempt) {

        public Item next() {
            return new Item(notification, transmission, receiver, channel, attempt + 1);
        }

        public byte[] bytes() {
            return Json.MAPPER.writeValueAsBytes(this);
        }

        /** Empty if another version, or somebody else, wrote it. */
        public static Optional<Item> read(byte[] body) {
            try {
                return Optional.of(Json.MAPPER.readValue(body, Item.class));
            } catch (JacksonException e) {
                return Optional.empty();
            }
        }
    }

    Schedule of(String subscription) {
        return keyspace.schedule("outbox-" + subscription);
    }

    /** Which subscription an outbox belongs to. */
    public static String subscriptionOf(Schedule outbox) {
        return outbox.name().substring("outbox-".length());
    }

    /**
     * Puts what is to be sent over one channel into the outbox, once: both ids follow from what is
     * sent where, so a second time finds the item, or what became of it. CONFLICT if it is there or
     * the subscription has changed.
     */
    public Outcome<Long> put(
            Stored<Subscription> subscription, Notification notification, int number, long due) {
        Subscription receiver = subscription.value();
        String[] words = {receiver.id(), notification.id(), Integer.toString(number)};
        Item item =
                new Item(
                        notification.id(),
                        Shards.derive(notification.slug(), words),
                        receiver.receiver(),
                        receiver.channels().get(number).bare(),
                        0);
        return keyspace.commitAtSite()
                .unchanged(SUBSCRIPTIONS, subscription)
                .with(
                        of(receiver.id())
                                .newItem(Shards.derive(Declaration.SITE, words), due, item.bytes()))
                .run();
    }

    /** What to claim from one outbox. */
    public Schedule.Wish wish(String subscription, int most) {
        return of(subscription).at(Declaration.SITE, most);
    }

    public List<Schedule.Claim> claim(List<Schedule.Wish> wishes, Duration lease) {
        return Schedule.claimAll(wishes, lease);
    }

    public List<Schedule.Waiting> waiting(List<String> subscriptions) {
        return Schedule.waiting(Declaration.SITE, subscriptions.stream().map(this::of).toList());
    }
}
