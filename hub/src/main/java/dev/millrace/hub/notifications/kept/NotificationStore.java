package dev.millrace.hub.notifications.kept;

import static dev.millrace.hub.notifications.kept.NotificationsLayouts.NOTIFICATIONS;
import static dev.millrace.hub.notifications.kept.NotificationsLayouts.TRANSMISSIONS;

import dev.millrace.hub.edgex.EdgexJson;
import dev.millrace.hub.work.Again;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.commit.Commit;
import dev.millrace.keyspace.commit.Shards;
import dev.millrace.keyspace.commit.Stored;
import dev.millrace.keyspace.feed.Topic;
import dev.millrace.keyspace.redis.outcome.Outcome;
import dev.millrace.keyspace.redis.outcome.Reason;
import dev.millrace.keyspace.schedule.Schedule;
import dev.millrace.keyspace.store.Page;
import dev.millrace.keyspace.store.Store;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/**
 * Notifications in Redis. One that is added carries the order to distribute it in its own commit,
 * and the fact that announces it; so there is none without the others. Thread-safe.
 */
public final class NotificationStore {
    /** For live pages; those who must not miss anything have the transmissions. */
    public static final Topic TOPIC =
            Topic.named("notifications").keeping(Duration.ofDays(1), 8L << 20, 16L << 20);

    private static final int DELETE_STEP = 100;
    private static final int ATTEMPTS = 16;

    private final Keyspace keyspace;
    private final Store<Notification> notifications;
    private final Store<Transmission> transmissions;
    private final Schedule distribution;

    public NotificationStore(Keyspace keyspace) {
        this.keyspace = keyspace;
        this.notifications = keyspace.store(NOTIFICATIONS);
        this.transmissions = keyspace.store(TRANSMISSIONS);
        this.distribution = keyspace.schedule("notifications");
    }

    /** What is to be distributed; the id of an item is that of its notification. */
    public Schedule distribution() {
        return distribution;
    }

    /**
     * Stores a new one and the order to distribute it.
     *
     * @param due when that is to happen
     */
    public Outcome<Long> add(Notification notification, long due) {
        return keyspace.commit(notification.slug())
                .create(NOTIFICATIONS, notification)
                .with(
                        distribution.item(
                                notification.id(),
                                due,
                                notification.slug().getBytes(StandardCharsets.UTF_8)))
                .with(keyspace.feed(TOPIC).fact(EdgexJson.MAPPER.writeValueAsBytes(notification)))
                .once(Shards.mint(notification.slug()))
                .run();
    }

    /** Stores another state of one. */
    public Outcome<Stored<Notification>> replace(Stored<Notification> before, Notification after) {
        return notifications.replace(before, after);
    }

    /** Stores another state of one that need not be distributed any more, if it has not been. */
    public Outcome<Long> close(Stored<Notification> before, Notification after) {
        Commit commit = keyspace.commit(after.slug()).replace(NOTIFICATIONS, before, after);
        return before.value().status() == NotificationStatus.NEW
                ? commit.with(distribution.without(before.id())).run()
                : commit.run();
    }

    public Optional<Stored<Notification>> get(String id) {
        return notifications.get(id);
    }

    public Optional<Stored<Notification>> bySlug(String slug) {
        return notifications.find("notification:slug", slug);
    }

    public Iterator<Stored<Notification>> bySender(String sender, int limit) {
        return Pages.of(notifications.query("notification:sender:{sender}", sender), limit);
    }

    public Iterator<Stored<Notification>> byStatus(NotificationStatus status, int limit) {
        return Pages.of(
                notifications.query("notification:status:{status:constant}", status.name()), limit);
    }

    /** With any of these labels, each once. */
    public Iterator<Stored<Notification>> byLabels(List<String> labels, int limit) {
        return new Merged<>(
                labels.stream()
                        .distinct()
                        .map(each -> notifications.query("notification:label:{label}", each))
                        .map(query -> Pages.of(query, limit))
                        .toList());
    }

    /** Oldest first. */
    public Iterator<Stored<Notification>> byCreated(double from, double to, int limit) {
        return Pages.of(notifications.query("notification:created").between(from, to), limit);
    }

    /** Those that were last changed until then, longest ago first. */
    public Iterator<Stored<Notification>> byModified(double until) {
        return Pages.of(
                notifications
                        .query("notification:modified")
                        .between(Double.NEGATIVE_INFINITY, until));
    }

    public long count() {
        return notifications.query("notification").count();
    }

    /**
     * Removes one with all its transmissions: in one commit where they fit, else in steps with the
     * notification last, so that a delete that was cut short can be done again.
     */
    public Outcome<Long> delete(String id) {
        Outcome<Long> last = Outcome.notDone(Reason.CONFLICT, id + " is being changed; try again.");
        int step = DELETE_STEP;
        for (int attempt = 0; attempt < ATTEMPTS; attempt++) {
            Optional<Stored<Notification>> found = notifications.get(id);
            if (found.isEmpty()) {
                return Outcome.notDone(Reason.ABSENT, id + " is not there.");
            }
            Page<Transmission> page =
                    transmissions
                            .query("transmission:slug:{slug}", found.get().value().slug())
                            .limit(step)
                            .page();
            boolean whole = page.next().isEmpty();
            last = deletion(found.get(), page, whole).run();
            if (last.isStored() && whole) {
                return last;
            } else if (last.isStored()) {
                attempt = -1; // it goes on well
            } else if (last.failedBy(Reason.TOO_LARGE) && step > 1) {
                step /= 10;
            } else if (!Again.wasOvertaken(last)) {
                return last;
            }
        }
        return last;
    }

    private Commit deletion(
            Stored<Notification> notification, Page<Transmission> page, boolean whole) {
        Commit commit = keyspace.commit(notification.value().slug());
        page.items().forEach(each -> commit.delete(TRANSMISSIONS, each));
        return whole
                ? commit.delete(NOTIFICATIONS, notification)
                        .with(distribution.without(notification.id()))
                : commit;
    }
}
