package dev.millrace.hub.notifications;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.hub.notifications.delivery.DeliveryMetrics;
import dev.millrace.hub.notifications.delivery.Receivers;
import dev.millrace.hub.notifications.kept.Channel;
import dev.millrace.hub.notifications.kept.NotificationsLayouts;
import dev.millrace.hub.notifications.kept.Outboxes;
import dev.millrace.hub.notifications.kept.Subscription;
import dev.millrace.hub.notifications.kept.SubscriptionStore;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.commit.Shards;
import dev.millrace.keyspace.commit.Stored;
import dev.millrace.keyspace.layout.Declaration;
import dev.millrace.keyspace.redis.Redis;
import dev.millrace.keyspace.testing.Patience;
import dev.millrace.keyspace.testing.SharedServers;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

import org.junit.jupiter.api.Test;

import java.time.Instant;
import java.time.InstantSource;

class ReceiversTest {
    private Instant now = Instant.ofEpochSecond(1_000_000);

    @Test
    void an_outbox_that_has_waited_long_is_a_warning_and_what_waits_is_counted() {
        String url = SharedServers.standalone().url();
        SharedServers.flushAll();
        try (Redis redis = Redis.open(Patience.options(url))) {
            Keyspace keyspace = new Keyspace(redis, Keyspace.catalogue(NotificationsLayouts.all()));
            Outboxes outboxes = new Outboxes(keyspace);
            SubscriptionStore subscriptions = new SubscriptionStore(keyspace, outboxes);
            SimpleMeterRegistry figures = new SimpleMeterRegistry();
            InstantSource clock = () -> now;
            Receivers receivers =
                    new Receivers(subscriptions, outboxes, new DeliveryMetrics(figures), clock);
            Stored<Subscription> receiver =
                    subscriptions
                            .add(
                                    Samples.subscription(
                                            Shards.mint(Declaration.SITE),
                                            "boss",
                                            Channel.rest("http://x/")))
                            .orThrow();
            assertThat(receivers.look()).containsExactly(receiver.id());
            assertThat(receivers.warnings()).isEmpty();
            outboxes.put(receiver, Samples.notification("n1", "a"), 0, now.toEpochMilli())
                    .orThrow();
            now = now.plusSeconds(60);
            receivers.look();
            assertThat(receivers.warnings()).isEmpty();
            assertThat(figures.get("millrace.notifications.pending").gauge().value()).isEqualTo(1);
            now = now.plusSeconds(6 * 60);
            receivers.look();
            assertThat(receivers.warnings())
                    .containsExactly(
                            "The outbox of the subscription boss has 1 notifications waiting, the"
                                    + " first for 7 minutes. Is its receiver slow or dead?");
            subscriptions.delete(receiver).orThrow();
            now = now.plusSeconds(60);
            receivers.look();
            assertThat(receivers.warnings()).isEmpty();
        }
    }
}
