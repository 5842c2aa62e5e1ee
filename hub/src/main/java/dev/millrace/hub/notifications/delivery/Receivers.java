package dev.millrace.hub.notifications.delivery;

import dev.millrace.hub.notifications.kept.Outboxes;
import dev.millrace.hub.notifications.kept.Subscription;
import dev.millrace.hub.notifications.kept.SubscriptionStore;
import dev.millrace.keyspace.commit.Stored;
import dev.millrace.keyspace.schedule.Schedule;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/**
 * Who may have something in the outbox, and how long it has waited there. Looked at by one thread,
 * asked by all.
 */
public final class Receivers {
    /** An item that was due so long ago has been left lying. */
    private static final Duration LONG = Duration.ofMinutes(5);

    /** Counting costs as much as looking for work, and is wanted less often. */
    private static final Duration COUNT_EVERY = Duration.ofSeconds(10);

    private final SubscriptionStore subscriptions;
    private final Outboxes outboxes;
    private final DeliveryMetrics figures;
    private final InstantSource clock;
    private Instant counted = Instant.MIN;
    private volatile List<String> warnings = List.of();

    public Receivers(
            SubscriptionStore subscriptions,
            Outboxes outboxes,
            DeliveryMetrics figures,
            InstantSource clock) {
        this.subscriptions = subscriptions;
        this.outboxes = outboxes;
        this.figures = figures;
        this.clock = clock;
    }

    /** The ids of all subscriptions. */
    public List<String> look() {
        List<Stored<Subscription>> all = new ArrayList<>();
        Iterator<Stored<Subscription>> pages = subscriptions.all();
        pages.forEachRemaining(all::add);
        Instant now = clock.instant();
        if (counted.isBefore(now.minus(COUNT_EVERY))) {
            counted = now;
            count(all, now);
        }
        return all.stream().map(Stored::id).toList();
    }

    private void count(List<Stored<Subscription>> all, Instant now) {
        List<Schedule.Waiting> waiting = outboxes.waiting(all.stream().map(Stored::id).toList());
        long pending = 0;
        List<String> late = new ArrayList<>();
        for (int i = 0; i < waiting.size(); i++) {
            Schedule.Waiting each = waiting.get(i);
            pending += each.count();
            long due = each.firstDue().orElse(Long.MAX_VALUE);
            if (due < now.minus(LONG).toEpochMilli()) {
                late.add(
                        "The outbox of the subscription %s has %d notifications waiting, the first for %d minutes. Is its receiver slow or dead?"
                                .formatted(
                                        all.get(i).value().slug(),
                                        each.count(),
                                        Duration.between(Instant.ofEpochMilli(due), now)
                                                .toMinutes()));
            }
        }
        figures.pending(pending);
        warnings = List.copyOf(late);
    }

    /** What an operator should look at; none of it keeps the hub from working. */
    public List<String> warnings() {
        return warnings;
    }
}
