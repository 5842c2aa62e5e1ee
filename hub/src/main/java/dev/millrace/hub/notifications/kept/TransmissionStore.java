package dev.millrace.hub.notifications.kept;

import static dev.millrace.hub.notifications.kept.NotificationsLayouts.NOTIFICATIONS;
import static dev.millrace.hub.notifications.kept.NotificationsLayouts.TRANSMISSIONS;

import dev.millrace.hub.work.Again;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.commit.Commit;
import dev.millrace.keyspace.commit.Stored;
import dev.millrace.keyspace.redis.outcome.Outcome;
import dev.millrace.keyspace.store.Store;

import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;

/** Transmissions in Redis. Thread-safe. */
public final class TransmissionStore {
    private static final Comparator<Stored<Transmission>> OLDEST_FIRST =
            Comparator.<Stored<Transmission>>comparingLong(each -> each.value().created())
                    .thenComparing(Stored::id);

    private final Keyspace keyspace;
    private final Store<Transmission> transmissions;

    public TransmissionStore(Keyspace keyspace) {
        this.keyspace = keyspace;
        this.transmissions = keyspace.store(TRANSMISSIONS);
    }

    /** Stores one that somebody brings along. */
    public Outcome<Stored<Transmission>> add(Transmission transmission) {
        return transmissions.create(transmission);
    }

    /**
     * Stores the state of a delivery, if its notification is still as it was read: what belongs to
     * one that is being deleted must not come after it.
     */
    public Outcome<Long> keep(
            Stored<Notification> notification,
            Optional<Stored<Transmission>> before,
            Transmission after) {
        Commit commit =
                keyspace.commit(notification.value().slug()).unchanged(NOTIFICATIONS, notification);
        return before.map(old -> commit.replace(TRANSMISSIONS, old, after))
                .orElseGet(() -> commit.create(TRANSMISSIONS, after))
                .run();
    }

    public Optional<Stored<Transmission>> get(String id) {
        return transmissions.get(id);
    }

    /** Oldest first. */
    public Iterator<Stored<Transmission>> byCreated(double from, double to, int limit) {
        return Pages.of(transmissions.query("transmission:created").between(from, to), limit);
    }

    /** Those sent again least first. */
    public Iterator<Stored<Transmission>> byStatus(TransmissionStatus status, int limit) {
        return Pages.of(
                transmissions.query("transmission:status:{status:constant}", status.name()), limit);
    }

    /** Those that were last changed until then, longest ago first. */
    public Iterator<Stored<Transmission>> byModified(double until) {
        return Pages.of(
                transmissions
                        .query("transmission:modified")
                        .between(Double.NEGATIVE_INFINITY, until));
    }

    /**
     * Those of one notification, oldest first. Their index is in the order of resends, so it is
     * read whole; kept are only as many as are wanted.
     *
     * @param limit 0 for all
     */
    public Iterator<Stored<Transmission>> bySlug(String slug, long from, long to, int limit) {
        PriorityQueue<Stored<Transmission>> oldest = new PriorityQueue<>(OLDEST_FIRST.reversed());
        Iterator<Stored<Transmission>> all =
                Pages.of(transmissions.query("transmission:slug:{slug}", slug));
        while (all.hasNext()) {
            Stored<Transmission> each = all.next();
            if (each.value().created() >= from && each.value().created() <= to) {
                oldest.add(each);
                if (limit > 0 && oldest.size() > limit) {
                    oldest.poll();
                }
            }
        }
        return oldest.stream().sorted(OLDEST_FIRST).iterator();
    }

    /** Some of one notification, and not more than so many. */
    public List<Transmission> some(String slug, int most) {
        return transmissions
                .query("transmission:slug:{slug}", slug)
                .limit(most)
                .page()
                .items()
                .stream()
                .map(Stored::value)
                .toList();
    }

    /** Removes one if it is still as it was read; somebody else may have removed it already. */
    public Outcome<Long> delete(Stored<Transmission> transmission) {
        Outcome<Long> outcome = transmissions.delete(transmission).map(gone -> 1L);
        return Again.wasOvertaken(outcome) ? Outcome.done(0L) : outcome;
    }

    public long count() {
        return transmissions.query("transmission").count();
    }
}
