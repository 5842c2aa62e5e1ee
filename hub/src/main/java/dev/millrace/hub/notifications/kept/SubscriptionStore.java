package dev.millrace.hub.notifications.kept;

import static dev.millrace.hub.notifications.kept.NotificationsLayouts.SUBSCRIPTIONS;

import dev.millrace.hub.work.Again;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.commit.Stored;
import dev.millrace.keyspace.redis.outcome.Outcome;
import dev.millrace.keyspace.redis.outcome.Reason;
import dev.millrace.keyspace.store.Store;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** Subscriptions in Redis. One that goes takes its outbox along. Thread-safe. */
public final class SubscriptionStore {

    private final Keyspace keyspace;
    private final Store<Subscription> subscriptions;
    private final Outboxes outboxes;

    public SubscriptionStore(Keyspace keyspace, Outboxes outboxes) {
        this.keyspace = keyspace;
        this.subscriptions = keyspace.store(SUBSCRIPTIONS);
        this.outboxes = outboxes;
    }

    public Outcome<Stored<Subscription>> add(Subscription subscription) {
        return subscriptions.create(subscription);
    }

    /** Changes the one with this slug; ABSENT if there is none. */
    public Outcome<Stored<Subscription>> update(String slug, UnaryOperator<Subscription> change) {
        return Again.until(
                () -> bySlug(slug),
                () -> absent(slug),
                slug,
                before -> subscriptions.replace(before, change.apply(before.value())));
    }

    public Outcome<Long> delete(Stored<Subscription> subscription) {
        return Again.until(
                () -> get(subscription.id()),
                () -> absent(subscription.id()),
                subscription.id(),
                now ->
                        keyspace.commitAtSite()
                                .delete(SUBSCRIPTIONS, now)
                                .with(outboxes.of(now.id()).empty())
                                .run());
    }

    private static <T> Outcome<T> absent(String which) {
        return Outcome.notDone(Reason.ABSENT, which + " is not there.");
    }

    public Optional<Stored<Subscription>> get(String id) {
        return subscriptions.get(id);
    }

    public Optional<Stored<Subscription>> bySlug(String slug) {
        return subscriptions.find("subscription:slug", slug);
    }

    public Iterator<Stored<Subscription>> all() {
        return Pages.of(subscriptions.query("subscription"));
    }

    public Iterator<Stored<Subscription>> byReceiver(String receiver) {
        return Pages.of(subscriptions.query("subscription:receiver:{receiver}", receiver));
    }

    /** With any of these categories or labels, each once, in the order of their ids. */
    public Iterator<Stored<Subscription>> byAny(List<String> categories, List<String> labels) {
        List<Iterator<Stored<Subscription>>> lists = new ArrayList<>();
        for (String category : categories) {
            lists.add(
                    Pages.of(
                            subscriptions.query(
                                    "subscription:category:{category:constant}", category)));
        }
        for (String label : labels) {
            lists.add(Pages.of(subscriptions.query("subscription:label:{label}", label)));
        }
        return new Merged<>(lists);
    }
}
