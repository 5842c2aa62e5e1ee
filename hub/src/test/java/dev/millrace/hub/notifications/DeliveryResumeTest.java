package dev.millrace.hub.notifications;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.hub.mqtt.Mqtt;
import dev.millrace.hub.notifications.delivery.Courier;
import dev.millrace.hub.notifications.delivery.Delivery;
import dev.millrace.hub.notifications.delivery.DeliveryMetrics;
import dev.millrace.hub.notifications.delivery.Distribution;
import dev.millrace.hub.notifications.delivery.Escalation;
import dev.millrace.hub.notifications.delivery.MailSender;
import dev.millrace.hub.notifications.delivery.MailSettings;
import dev.millrace.hub.notifications.delivery.MessageSender;
import dev.millrace.hub.notifications.delivery.MqttSender;
import dev.millrace.hub.notifications.delivery.NotificationsSettings;
import dev.millrace.hub.notifications.delivery.RestSender;
import dev.millrace.hub.notifications.kept.Category;
import dev.millrace.hub.notifications.kept.Channel;
import dev.millrace.hub.notifications.kept.Notification;
import dev.millrace.hub.notifications.kept.NotificationStatus;
import dev.millrace.hub.notifications.kept.NotificationStore;
import dev.millrace.hub.notifications.kept.NotificationsLayouts;
import dev.millrace.hub.notifications.kept.Outboxes;
import dev.millrace.hub.notifications.kept.Severity;
import dev.millrace.hub.notifications.kept.Subscription;
import dev.millrace.hub.notifications.kept.SubscriptionStore;
import dev.millrace.hub.notifications.kept.Transmission;
import dev.millrace.hub.notifications.kept.TransmissionRecord;
import dev.millrace.hub.notifications.kept.TransmissionStatus;
import dev.millrace.hub.notifications.kept.TransmissionStore;
import dev.millrace.hub.outside.Outside;
import dev.millrace.hub.work.Patience;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.commit.Shards;
import dev.millrace.keyspace.commit.Stored;
import dev.millrace.keyspace.layout.Declaration;
import dev.millrace.keyspace.redis.Redis;
import dev.millrace.keyspace.redis.options.RedisOptions;
import dev.millrace.keyspace.schedule.Schedule;
import dev.millrace.keyspace.testing.SharedServers;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/** A delivery that another hub has begun: at each place where that may have been cut short. */
class DeliveryResumeTest {
    /** Longer than a busy machine stands still. */
    private static final Duration LONG = Duration.ofMinutes(2);

    private static final Duration LEASE = Duration.ofMinutes(1);

    private Redis redis;
    private Receiver receiver;
    private Courier courier;
    private Outboxes outboxes;
    private NotificationStore notifications;
    private SubscriptionStore subscriptions;
    private TransmissionStore transmissions;
    private Distribution distribution;
    private Delivery delivery;
    private Stored<Subscription> subscription;
    private Notification notification;

    @BeforeEach
    void open() {
        String url = SharedServers.standalone().url();
        SharedServers.flushAll();
        receiver = Receiver.answering(200);
        redis = Redis.open(RedisOptions.of(url).withTimes(LONG, LONG));
        Keyspace keyspace = new Keyspace(redis, Keyspace.catalogue(NotificationsLayouts.all()));
        InstantSource clock = InstantSource.system();
        outboxes = new Outboxes(keyspace);
        notifications = new NotificationStore(keyspace);
        subscriptions = new SubscriptionStore(keyspace, outboxes);
        transmissions = new TransmissionStore(keyspace);
        distribution = new Distribution(notifications, subscriptions, outboxes, clock);
        NotificationsSettings.Sending sending =
                new NotificationsSettings.Sending(
                        1,
                        Duration.ofSeconds(30),
                        Duration.ofSeconds(30),
                        2,
                        Duration.ofHours(1),
                        Duration.ofHours(1));
        courier =
                new Courier(
                        new RestSender(
                                new Outside(),
                                new NotificationsSettings.Rest(Optional.empty(), List.of()),
                                sending),
                        new MailSender(
                                new MailSettings(
                                        Optional.empty(),
                                        587,
                                        Optional.empty(),
                                        Optional.empty(),
                                        "a@b",
                                        "s",
                                        false),
                                sending,
                                clock),
                        new MqttSender(Mqtt.off()),
                        new MessageSender((channel, id, json) -> {}),
                        sending.timeOut());
        delivery =
                new Delivery(
                        notifications,
                        subscriptions,
                        transmissions,
                        new Escalation(notifications, subscriptions, clock),
                        courier,
                        sending,
                        new Patience(),
                        new DeliveryMetrics(new SimpleMeterRegistry()),
                        clock);
        subscription =
                subscriptions
                        .add(
                                Samples.subscription(
                                        Shards.mint(Declaration.SITE),
                                        "s",
                                        Channel.rest(receiver.url())))
                        .orThrow();
        notification = Samples.notification(Shards.mint("a"), "a");
        notifications.add(notification, 1).orThrow();
        outboxes.put(subscription, notification, 0, 1).orThrow();
    }

    @AfterEach
    void close() {
        courier.close();
        redis.close();
        receiver.close();
    }

    private Schedule.Claim claim() {
        return outboxes.claim(List.of(outboxes.wish(subscription.id(), 1)), LEASE).getFirst();
    }

    private Outboxes.Item item(Schedule.Claim claim) {
        return Outboxes.Item.read(claim.body()).orElseThrow();
    }

    private long waiting() {
        return outboxes.waiting(List.of(subscription.id())).getFirst().count();
    }

    private void kept(Schedule.Claim claim, TransmissionStatus status, String response) {
        Transmission begun =
                new Transmission(
                        5,
                        5,
                        0,
                        item(claim).transmission(),
                        notification,
                        "ann",
                        item(claim).channel(),
                        status,
                        0,
                        List.of(new TransmissionRecord(status.name(), response, 5)));
        transmissions
                .keep(notifications.get(notification.id()).orElseThrow(), Optional.empty(), begun)
                .orThrow();
    }

    private Transmission transmission(Schedule.Claim claim) {
        return transmissions.get(item(claim).transmission()).orElseThrow().value();
    }

    @Test
    void what_was_sent_and_written_down_is_only_finished() throws Exception {
        Schedule.Claim claim = claim();
        kept(claim, TransmissionStatus.SENT, "OK");
        assertThat(delivery.carry(claim)).isEmpty();
        assertThat(receiver.got()).isEmpty();
        assertThat(waiting()).isZero();
        assertThat(transmission(claim).records()).hasSize(1);
    }

    @Test
    void a_failure_that_was_written_down_is_not_tried_again_before_its_time() throws Exception {
        Schedule.Claim claim = claim();
        kept(claim, TransmissionStatus.FAILED, "no");
        assertThat(delivery.carry(claim)).isPresent();
        assertThat(receiver.got()).isEmpty();
        assertThat(waiting()).isEqualTo(1);
        assertThat(transmission(claim).records()).hasSize(1);
    }

    @Test
    void an_attempt_whose_end_nobody_knows_is_made_again_in_its_place() throws Exception {
        Schedule.Claim claim = claim();
        kept(claim, TransmissionStatus.FAILED, TransmissionRecord.awaited(5).response());
        assertThat(delivery.carry(claim)).isEmpty();
        assertThat(receiver.got())
                .extracting(Receiver.Got::transmission)
                .containsExactly(item(claim).transmission());
        assertThat(transmission(claim).status()).isEqualTo(TransmissionStatus.SENT);
        assertThat(transmission(claim).records()).hasSize(1);
        assertThat(transmission(claim).resendCount()).isZero();
        assertThat(waiting()).isZero();
    }

    @Test
    void one_whose_last_failure_was_written_down_is_escalated_without_another_attempt()
            throws Exception {
        receiver.answer(500);
        Schedule.Claim claim = claim();
        Schedule.Claim last =
                new Schedule.Claim(
                        claim.schedule(),
                        claim.place(),
                        claim.id(),
                        claim.score(),
                        item(claim).next().next().bytes());
        for (int i = 0; i < 3; i++) {
            keepFailure(claim, i);
        }
        assertThat(delivery.carry(last)).isEmpty();
        assertThat(receiver.got()).isEmpty();
        assertThat(transmission(claim).status()).isEqualTo(TransmissionStatus.TRXESCALATED);
        assertThat(waiting()).isZero();
    }

    private void keepFailure(Schedule.Claim claim, int attempt) {
        if (attempt == 0) {
            kept(claim, TransmissionStatus.FAILED, "no");
            return;
        }
        Optional<Stored<Transmission>> before = transmissions.get(item(claim).transmission());
        transmissions
                .keep(
                        notifications.get(notification.id()).orElseThrow(),
                        before,
                        before.orElseThrow()
                                .value()
                                .with(
                                        attempt,
                                        TransmissionRecord.of(TransmissionStatus.FAILED, "no", 6),
                                        TransmissionStatus.FAILED))
                .orThrow();
    }

    @Test
    void what_belongs_to_a_notification_that_is_gone_is_dropped() throws Exception {
        Schedule.Claim claim = claim();
        notifications.delete(notification.id()).orThrow();
        assertThat(delivery.carry(claim)).isEmpty();
        assertThat(receiver.got()).isEmpty();
        assertThat(waiting()).isZero();
        assertThat(transmissions.count()).isZero();
    }

    @Test
    void a_distribution_that_is_done_again_sends_nothing_again() throws Exception {
        Notification security =
                new Notification(
                        1,
                        1,
                        0,
                        Shards.mint("b"),
                        "b",
                        "x",
                        Category.SECURITY,
                        Severity.NORMAL,
                        "c",
                        "",
                        NotificationStatus.PROCESSED,
                        List.of("a", "b"),
                        "");
        notifications.delete(notification.id()).orThrow();
        delivery.carry(claim());
        notifications.add(security, 1).orThrow();
        Schedule.Claim order = notifications.distribution().claim(1, Duration.ZERO).getFirst();
        distribution.distribute(order);
        distribution.distribute(order);
        assertThat(waiting()).isEqualTo(1);
        delivery.carry(claim());
        assertThat(waiting()).isZero();
        distribution.distribute(order);
        assertThat(waiting()).isEqualTo(1);
        delivery.carry(claim());
        assertThat(receiver.got()).hasSize(1);
        assertThat(waiting()).isZero();
    }
}
