package dev.millrace.hub.notifications;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.hub.notifications.kept.Channel;
import dev.millrace.hub.notifications.kept.Notification;
import dev.millrace.hub.notifications.kept.NotificationStatus;
import dev.millrace.hub.notifications.kept.NotificationStore;
import dev.millrace.hub.notifications.kept.NotificationsLayouts;
import dev.millrace.hub.notifications.kept.Outboxes;
import dev.millrace.hub.notifications.kept.Subscription;
import dev.millrace.hub.notifications.kept.SubscriptionStore;
import dev.millrace.hub.notifications.kept.Transmission;
import dev.millrace.hub.notifications.kept.TransmissionRecord;
import dev.millrace.hub.notifications.kept.TransmissionStatus;
import dev.millrace.keyspace.commit.Shards;
import dev.millrace.keyspace.commit.Stored;
import dev.millrace.keyspace.layout.Declaration;
import dev.millrace.keyspace.redis.outcome.Reason;
import dev.millrace.keyspace.schedule.Schedule;
import dev.millrace.keyspace.testing.OnEachSite;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/** Every operation of the three stores and of the outboxes, below HTTP. */
@OnEachSite
final class StoresTest extends StoreContract {
    private static final Duration LEASE = Duration.ofMinutes(1);

    private Outboxes outboxes;
    private SubscriptionStore subscriptions;

    @Override
    @BeforeEach
    void open() {
        super.open();
        outboxes = new Outboxes(keyspace);
        subscriptions = new SubscriptionStore(keyspace, outboxes);
    }

    private static List<String> ids(Iterator<? extends Stored<?>> found) {
        List<String> ids = new ArrayList<>();
        found.forEachRemaining(each -> ids.add(each.id()));
        return ids;
    }

    private Notification added(String slug) {
        Notification notification = Samples.notification(Shards.mint(slug), slug);
        notifications.add(notification, 1).orThrow();
        return notification;
    }

    @Test
    void a_notification_comes_with_the_order_to_distribute_it_and_a_fact() {
        Notification notification = added("a");
        List<Schedule.Claim> orders = notifications.distribution().claim(10, LEASE);
        assertThat(orders).extracting(Schedule.Claim::id).containsExactly(notification.id());
        assertThat(
                        keyspace.feed(NotificationStore.TOPIC).now().numbers().stream()
                                .mapToLong(Long::longValue)
                                .sum())
                .isEqualTo(1);
        assertThat(notifications.add(notification, 1).failedBy(Reason.DUPLICATE)).isTrue();
        assertThat(
                        notifications
                                .add(Samples.notification(Shards.mint("a"), "a"), 1)
                                .failedBy(Reason.DUPLICATE))
                .isTrue();
        assertThat(notifications.distribution().size()).isEqualTo(1);
        assertThat(notifications.count()).isEqualTo(1);
    }

    @Test
    void a_notification_is_found_and_replaced() {
        Notification notification = added("a");
        String id = notification.id();
        assertThat(notifications.get(id).orElseThrow().value()).isEqualTo(notification);
        assertThat(notifications.bySlug("a").orElseThrow().id()).isEqualTo(id);
        assertThat(notifications.bySlug("b")).isEmpty();
        assertThat(ids(notifications.bySender("boiler", 0))).containsExactly(id);
        assertThat(ids(notifications.byLabels(List.of("hot", "cold"), 5))).containsExactly(id);
        assertThat(ids(notifications.byStatus(NotificationStatus.NEW, 0))).containsExactly(id);
        assertThat(ids(notifications.byCreated(5, 5, 0))).containsExactly(id);
        assertThat(ids(notifications.byCreated(6, 9, 0))).isEmpty();
        assertThat(ids(notifications.byModified(6))).containsExactly(id);
        assertThat(ids(notifications.byModified(5))).isEmpty();
        Stored<Notification> before = notifications.get(id).orElseThrow();
        notifications
                .replace(before, notification.withStatus(NotificationStatus.PROCESSED, 9))
                .orThrow();
        assertThat(ids(notifications.byStatus(NotificationStatus.NEW, 0))).isEmpty();
        assertThat(ids(notifications.byModified(8))).isEmpty();
        assertThat(notifications.replace(before, notification).failedBy(Reason.CONFLICT)).isTrue();
    }

    @Test
    void a_notification_with_more_transmissions_than_one_commit_takes_goes_in_steps() {
        Notification notification = added("a");
        for (int i = 0; i < 250; i++) {
            transmissions
                    .add(
                            Samples.transmission(
                                    Shards.mint("a"), "a", TransmissionStatus.SENT, i % 3, i + 1))
                    .orThrow();
        }
        assertThat(notifications.delete(notification.id()).isDone()).isTrue();
        assertThat(transmissions.count()).isZero();
        assertThat(notifications.count()).isZero();
        assertThat(notifications.distribution().size()).isZero();
        assertThat(notifications.delete(notification.id()).failedBy(Reason.ABSENT)).isTrue();
    }

    @Test
    void a_subscription_is_made_found_changed_and_deleted() {
        Subscription subscription = Samples.subscription(Shards.mint(Declaration.SITE), "s");
        Stored<Subscription> stored = subscriptions.add(subscription).orThrow();
        assertThat(subscriptions.add(subscription).failedBy(Reason.DUPLICATE)).isTrue();
        String id = stored.id();
        assertThat(subscriptions.get(id).orElseThrow().value()).isEqualTo(subscription);
        assertThat(subscriptions.bySlug("s").orElseThrow().id()).isEqualTo(id);
        assertThat(ids(subscriptions.all())).containsExactly(id);
        assertThat(ids(subscriptions.byReceiver("ann"))).containsExactly(id);
        assertThat(ids(subscriptions.byAny(List.of("SECURITY"), List.of("a", "b"))))
                .containsExactly(id);
        assertThat(subscriptions.update("s", old -> Samples.subscription(old.id(), "s")).isDone())
                .isTrue();
        assertThat(subscriptions.update("t", old -> old).failedBy(Reason.ABSENT)).isTrue();
        // What was read before a change is deleted all the same.
        subscriptions
                .update("s", old -> Samples.subscription(old.id(), "s", Channel.rest("http://x/")))
                .orThrow();
        assertThat(subscriptions.delete(stored).isDone()).isTrue();
        assertThat(subscriptions.delete(stored).failedBy(Reason.ABSENT)).isTrue();
        assertThat(ids(subscriptions.all())).isEmpty();
    }

    @Test
    void an_outbox_takes_each_thing_once_and_goes_with_its_subscription() {
        Stored<Subscription> receiver =
                subscriptions
                        .add(
                                Samples.subscription(
                                        Shards.mint(Declaration.SITE),
                                        "s",
                                        Channel.rest("http://x/").withSecret("geheim")))
                        .orThrow();
        Notification notification = added("a");
        assertThat(outboxes.put(receiver, notification, 0, 1).isDone()).isTrue();
        assertThat(outboxes.put(receiver, notification, 0, 1).failedBy(Reason.CONFLICT)).isTrue();
        Schedule.Claim claim =
                outboxes.claim(List.of(outboxes.wish(receiver.id(), 5)), LEASE).getFirst();
        assertThat(Outboxes.subscriptionOf(claim.schedule())).isEqualTo(receiver.id());
        Outboxes.Item item = Outboxes.Item.read(claim.body()).orElseThrow();
        assertThat(item.notification()).isEqualTo(notification.id());
        assertThat(item.attempt()).isZero();
        assertThat(item.channel()).isEqualTo(Channel.rest("http://x/"));
        assertThat(Shards.shard(item.transmission())).isEqualTo(Shards.shard("a"));
        assertThat(Shards.shard(claim.id())).isEqualTo(Shards.shard(Declaration.SITE));
        assertThat(Outboxes.Item.read(new byte[] {'?'})).isEmpty();
        assertThat(outboxes.waiting(List.of(receiver.id())).getFirst().count()).isEqualTo(1);
        subscriptions.delete(receiver).orThrow();
        assertThat(outboxes.waiting(List.of(receiver.id())).getFirst().count()).isZero();
        assertThat(outboxes.put(receiver, notification, 0, 1).failedBy(Reason.ABSENT)).isTrue();
    }

    @Test
    void a_transmission_is_kept_only_beside_its_notification() {
        Notification notification = added("a");
        Stored<Notification> stored = notifications.get(notification.id()).orElseThrow();
        Transmission first =
                Samples.transmission(Shards.mint("a"), "a", TransmissionStatus.FAILED, 0, 5);
        assertThat(transmissions.keep(stored, Optional.empty(), first).isDone()).isTrue();
        Optional<Stored<Transmission>> before = transmissions.get(first.id());
        Transmission second =
                first.with(
                        0,
                        TransmissionRecord.of(TransmissionStatus.SENT, "OK", 9),
                        TransmissionStatus.SENT);
        assertThat(transmissions.keep(stored, before, second).isDone()).isTrue();
        assertThat(transmissions.keep(stored, before, second).failedBy(Reason.CONFLICT)).isTrue();
        assertThat(ids(transmissions.byStatus(TransmissionStatus.FAILED, 0))).isEmpty();
        assertThat(ids(transmissions.byStatus(TransmissionStatus.SENT, 0)))
                .containsExactly(first.id());
        assertThat(ids(transmissions.byModified(9))).containsExactly(first.id());
        assertThat(ids(transmissions.byCreated(5, 5, 0))).containsExactly(first.id());
        assertThat(ids(transmissions.bySlug("a", 0, 5, 1))).containsExactly(first.id());
        notifications.delete(notification.id()).orThrow();
        assertThat(transmissions.count()).isZero();
        assertThat(transmissions.keep(stored, Optional.empty(), first).failedBy(Reason.ABSENT))
                .isTrue();
        assertThat(transmissions.count()).isZero();
    }

    @Test
    void a_transmission_that_was_changed_meanwhile_is_not_deleted() {
        Stored<Transmission> stored =
                transmissions
                        .add(
                                Samples.transmission(
                                        Shards.mint("a"), "a", TransmissionStatus.FAILED, 0, 5))
                        .orThrow();
        keyspace.store(NotificationsLayouts.TRANSMISSIONS)
                .replace(stored, stored.value().escalated(9))
                .orThrow();
        assertThat(transmissions.delete(stored).orThrow()).isZero();
        assertThat(transmissions.delete(transmissions.get(stored.id()).orElseThrow()).orThrow())
                .isEqualTo(1);
    }
}
