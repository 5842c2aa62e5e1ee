package dev.millrace.hub.notifications;

import dev.millrace.hub.notifications.Accepted.Refused;
import dev.millrace.hub.notifications.delivery.Dispatcher;
import dev.millrace.hub.notifications.kept.Category;
import dev.millrace.hub.notifications.kept.Notification;
import dev.millrace.hub.notifications.kept.NotificationStatus;
import dev.millrace.hub.notifications.kept.NotificationStore;
import dev.millrace.hub.notifications.kept.Removal;
import dev.millrace.hub.notifications.kept.Severity;
import dev.millrace.hub.notifications.kept.Subscription;
import dev.millrace.hub.notifications.kept.SubscriptionStore;
import dev.millrace.hub.notifications.kept.Transmission;
import dev.millrace.hub.notifications.kept.TransmissionStatus;
import dev.millrace.hub.notifications.kept.TransmissionStore;
import dev.millrace.keyspace.commit.Shards;
import dev.millrace.keyspace.commit.Stored;
import dev.millrace.keyspace.layout.Declaration;
import dev.millrace.keyspace.redis.outcome.Outcome;
import dev.millrace.keyspace.redis.outcome.Reason;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/**
 * What is decided about notifications, subscriptions and transmissions: which ids, times and states
 * they get, what goes together, what is refused. How they are delivered is {@link Dispatcher}'s.
 */
final class NotificationsService implements Notifying {
    private static final int CLOSING_ATTEMPTS = 16;

    private final NotificationStore notifications;
    private final SubscriptionStore subscriptions;
    private final TransmissionStore transmissions;
    private final Optional<Duration> normalBatch;
    private final InstantSource clock;
    private final Runnable onNew;

    /**
     * The decisions.
     *
     * @param normalBatch how often those of severity NORMAL are distributed; empty for at once
     * @param onNew called when there is something to be distributed
     */
    NotificationsService(
            NotificationStore notifications,
            SubscriptionStore subscriptions,
            TransmissionStore transmissions,
            Optional<Duration> normalBatch,
            InstantSource clock,
            Runnable onNew) {
        this.notifications = notifications;
        this.subscriptions = subscriptions;
        this.transmissions = transmissions;
        this.normalBatch = normalBatch;
        this.clock = clock;
        this.onNew = onNew;
    }

    // ---------------------------------------------------------------- notifications

    /** Takes a notification and gives its id; from here on it will be delivered. */
    Accepted add(Notification given) {
        Optional<String> wrong = Requirements.wrong(given);
        if (wrong.isPresent()) {
            return new Refused.Invalid(wrong.get());
        }
        String id = given.id().isEmpty() ? Shards.mint(given.slug()) : given.id();
        long now = clock.millis();
        boolean waits = normalBatch.isPresent() && !given.isCritical();
        Notification arrived =
                given.arrived(
                        id, waits ? NotificationStatus.NEW : NotificationStatus.PROCESSED, now);
        Outcome<Long> outcome = notifications.add(arrived, waits ? nextBatch(now) : now);
        if (outcome.failedBy(Reason.DUPLICATE)) {
            return taken(notifications.bySlug(given.slug()).isPresent(), given.slug(), id);
        }
        outcome.orThrow();
        onNew.run();
        return new Accepted.Stored(id);
    }

    @Override
    public void tell(
            String slug, String sender, boolean critical, String content, List<String> labels) {
        Notification notification =
                new Notification(
                        0,
                        0,
                        0,
                        "",
                        slug,
                        sender,
                        Category.HW_HEALTH,
                        critical ? Severity.CRITICAL : Severity.NORMAL,
                        content,
                        "",
                        null,
                        labels,
                        "");
        switch (add(notification)) {
            case Accepted.Stored stored -> {}
            case Refused.Taken taken -> {}
            case Refused.Invalid(String sentence) -> throw new IllegalArgumentException(sentence);
            case Refused.Absent(String sentence) -> throw new IllegalArgumentException(sentence);
        }
    }

    @Override
    public void close(String slug, String label) {
        Outcome<Long> last = Outcome.done(0L);
        for (int attempt = 0; attempt < CLOSING_ATTEMPTS; attempt++) {
            Optional<Stored<Notification>> found = notifications.bySlug(slug);
            if (found.isEmpty() || found.get().value().labels().contains(label)) {
                return;
            }
            Notification closed = found.get().value().closed(label, clock.millis());
            last = notifications.close(found.get(), closed);
            if (!last.failedBy(Reason.CONFLICT) && !last.failedBy(Reason.ABSENT)) {
                break;
            }
        }
        last.orThrow();
    }

    /** Batches begin at round times, so that all hubs and all notifications have the same. */
    private long nextBatch(long now) {
        long every = normalBatch.map(Duration::toMillis).orElse(1L);
        return (now / every + 1) * every;
    }

    private static Refused taken(boolean slugTaken, String slug, String id) {
        return new Refused.Taken(
                slugTaken
                        ? "Resource already exists, slug=" + slug
                        : "Resource already exists, id=" + id);
    }

    /** Removes a notification and its transmissions; false if there is none. */
    boolean deleteNotification(String id) {
        return wasThere(notifications.delete(id));
    }

    boolean deleteNotificationWithSlug(String slug) {
        return notifications
                .bySlug(slug)
                .map(found -> deleteNotification(found.id()))
                .orElse(false);
    }

    private static boolean wasThere(Outcome<?> outcome) {
        if (outcome.failedBy(Reason.ABSENT)) {
            return false;
        }
        outcome.orThrow();
        return true;
    }

    /** Removes those that are done with and have not changed for so long. */
    long deleteProcessed(long age) {
        Iterator<Stored<Notification>> old = notifications.byModified(until(age));
        return Removal.of(
                old,
                each -> each.value().status() == NotificationStatus.PROCESSED,
                each -> wasThere(notifications.delete(each.id())));
    }

    /** Removes those that were created so long ago, whatever became of them. */
    long cleanUp(long age) {
        return Removal.of(
                notifications.byCreated(Double.NEGATIVE_INFINITY, until(age), 0),
                each -> true,
                each -> wasThere(notifications.delete(each.id())));
    }

    private double until(long age) {
        return (double) (clock.millis() - age);
    }

    // ---------------------------------------------------------------- subscriptions

    Accepted add(Subscription given) {
        Optional<String> wrong = Requirements.wrong(given);
        if (wrong.isPresent()) {
            return new Refused.Invalid(wrong.get());
        }
        String id = given.id().isEmpty() ? Shards.mint(Declaration.SITE) : given.id();
        Outcome<Stored<Subscription>> outcome =
                subscriptions.add(given.arrived(id, clock.millis()));
        if (outcome.failedBy(Reason.DUPLICATE)) {
            return taken(subscriptions.bySlug(given.slug()).isPresent(), given.slug(), id);
        }
        outcome.orThrow();
        return new Accepted.Stored(id);
    }

    /** Puts a subscription in the place of the one with its slug. */
    Accepted replace(Subscription given) {
        Optional<String> wrong = Requirements.wrong(given);
        if (wrong.isPresent()) {
            return new Refused.Invalid(wrong.get());
        }
        long now = clock.millis();
        Outcome<Stored<Subscription>> outcome =
                subscriptions.update(given.slug(), old -> given.inPlaceOf(old, now));
        if (outcome.failedBy(Reason.ABSENT)) {
            return new Refused.Absent("Subscription not found");
        }
        return new Accepted.Stored(outcome.orThrow().id());
    }

    boolean delete(Optional<Stored<Subscription>> subscription) {
        return subscription.isPresent() && wasThere(subscriptions.delete(subscription.get()));
    }

    // ---------------------------------------------------------------- transmissions

    /** Takes a transmission that somebody brings along, and gives its id. */
    Accepted add(Transmission given) {
        Optional<String> wrong = Requirements.wrong(given);
        if (wrong.isPresent()) {
            return new Refused.Invalid(wrong.get());
        }
        String slug = String.valueOf(given.slug());
        String id = given.id().isEmpty() ? Shards.mint(slug) : given.id();
        Outcome<Stored<Transmission>> outcome =
                transmissions.add(given.arrived(id, clock.millis()));
        if (outcome.failedBy(Reason.DUPLICATE)) {
            return taken(false, slug, id);
        }
        outcome.orThrow();
        return new Accepted.Stored(id);
    }

    /** Removes those in this state that have not changed for so long. */
    long deleteTransmissions(TransmissionStatus status, long age) {
        return Removal.of(
                transmissions.byModified(until(age)),
                each -> each.value().status() == status,
                each -> transmissions.delete(each).orThrow() > 0);
    }
}
