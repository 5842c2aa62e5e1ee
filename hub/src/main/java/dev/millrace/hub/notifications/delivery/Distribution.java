package dev.millrace.hub.notifications.delivery;

import dev.millrace.hub.notifications.kept.Channel;
import dev.millrace.hub.notifications.kept.Notification;
import dev.millrace.hub.notifications.kept.NotificationStatus;
import dev.millrace.hub.notifications.kept.NotificationStore;
import dev.millrace.hub.notifications.kept.Outboxes;
import dev.millrace.hub.notifications.kept.Subscription;
import dev.millrace.hub.notifications.kept.SubscriptionStore;
import dev.millrace.hub.work.Again;
import dev.millrace.keyspace.commit.Stored;
import dev.millrace.keyspace.redis.outcome.Outcome;
import dev.millrace.keyspace.schedule.Schedule;

import java.time.InstantSource;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Puts a notification into the outbox of everybody who subscribed to it. The order to do so was
 * stored together with the notification; if it is cut short it is done again, and finds what it has
 * put there before. Thread-safe.
 */
public final class Distribution {
    /** Who gets what could not be delivered. */
    static final String ESCALATION = "ESCALATION";

    private final NotificationStore notifications;
    private final SubscriptionStore subscriptions;
    private final Outboxes outboxes;
    private final InstantSource clock;

    public Distribution(
            NotificationStore notifications,
            SubscriptionStore subscriptions,
            Outboxes outboxes,
            InstantSource clock) {
        this.notifications = notifications;
        this.subscriptions = subscriptions;
        this.outboxes = outboxes;
        this.clock = clock;
    }

    /** Does it, and gives the ids of the subscriptions that have something to be sent now. */
    public Set<String> distribute(Schedule.Claim order) {
        Set<String> receivers = new HashSet<>();
        Optional<Notification> notification = processed(order.id());
        if (notification.isPresent()) {
            Iterator<Stored<Subscription>> matching = matching(notification.get());
            while (matching.hasNext()) {
                Stored<Subscription> receiver = matching.next();
                put(receiver, notification.get());
                receivers.add(receiver.id());
            }
        }
        // If the claim is lost, another one does the same again.
        order.commit().with(order.done()).run();
        return receivers;
    }

    /** The notification, which waits no longer; empty if it was deleted meanwhile. */
    private Optional<Notification> processed(String id) {
        Optional<Stored<Notification>> found = notifications.get(id);
        while (found.isPresent() && found.get().value().status() == NotificationStatus.NEW) {
            Outcome<Stored<Notification>> outcome =
                    notifications.replace(
                            found.get(),
                            found.get()
                                    .value()
                                    .withStatus(NotificationStatus.PROCESSED, clock.millis()));
            if (!Again.wasOvertaken(outcome)) {
                return Optional.of(outcome.orThrow().value());
            }
            found = notifications.get(id);
        }
        return found.map(Stored::value);
    }

    private Iterator<Stored<Subscription>> matching(Notification notification) {
        if (notification.isEscalated()) {
            return subscriptions.bySlug(ESCALATION).stream().iterator();
        }
        return subscriptions.byAny(
                Optional.ofNullable(notification.category()).map(Enum::name).stream().toList(),
                notification.labels());
    }

    private void put(Stored<Subscription> receiver, Notification notification) {
        Optional<Stored<Subscription>> now = Optional.of(receiver);
        while (now.isPresent()) {
            Stored<Subscription> tried = now.get();
            if (putAll(tried, notification)) {
                return;
            }
            // It was changed, or the item is there already: then all of them are.
            now = subscriptions.get(tried.id()).filter(each -> !each.raw().equals(tried.raw()));
        }
    }

    /** Whether all channels were served. */
    private boolean putAll(Stored<Subscription> receiver, Notification notification) {
        List<Channel> channels = receiver.value().channels();
        boolean whole = true;
        for (int number = 0; number < channels.size(); number++) {
            Outcome<Long> outcome = outboxes.put(receiver, notification, number, clock.millis());
            if (Again.wasOvertaken(outcome)) {
                whole = false;
            } else {
                outcome.orThrow();
            }
        }
        return whole;
    }
}
