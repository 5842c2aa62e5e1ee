package dev.millrace.hub.notifications.delivery;

import dev.millrace.hub.notifications.kept.Notification;
import dev.millrace.hub.notifications.kept.NotificationStore;
import dev.millrace.hub.notifications.kept.Outboxes;
import dev.millrace.hub.notifications.kept.SubscriptionStore;
import dev.millrace.hub.notifications.kept.Transmission;
import dev.millrace.hub.notifications.kept.TransmissionRecord;
import dev.millrace.hub.notifications.kept.TransmissionStatus;
import dev.millrace.hub.notifications.kept.TransmissionStore;
import dev.millrace.hub.work.Again;
import dev.millrace.hub.work.BackOff;
import dev.millrace.hub.work.Patience;
import dev.millrace.keyspace.commit.Stored;
import dev.millrace.keyspace.redis.outcome.Outcome;
import dev.millrace.keyspace.redis.outcome.Reason;
import dev.millrace.keyspace.redis.outcome.RedisException;
import dev.millrace.keyspace.schedule.Schedule;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * Sends one item of an outbox and does what follows from how that ended. What was sent and how
 * often is said by the transmission, whose id follows from what is sent where; the item only says
 * which attempt is next. After an attempt the transmission is stored first and the item second. So
 * wherever this is cut short, whoever claims the item next sees what is done already: nothing is
 * lost, and nothing that was confirmed is sent again. Thread-safe.
 */
public final class Delivery {
    private static final Logger log = LoggerFactory.getLogger(Delivery.class);

    /** A transmission is to be seen within a second, also if its receiver says nothing. */
    private static final Duration SOON = Duration.ofMillis(700);

    private final NotificationStore notifications;
    private final SubscriptionStore subscriptions;
    private final TransmissionStore transmissions;
    private final Escalation escalation;
    private final Courier courier;
    private final int resendLimit;
    private final BackOff backOff;
    private final Patience patience;
    private final DeliveryMetrics figures;
    private final InstantSource clock;

    public Delivery(
            NotificationStore notifications,
            SubscriptionStore subscriptions,
            TransmissionStore transmissions,
            Escalation escalation,
            Courier courier,
            NotificationsSettings.Sending sending,
            Patience patience,
            DeliveryMetrics figures,
            InstantSource clock) {
        this.notifications = notifications;
        this.subscriptions = subscriptions;
        this.transmissions = transmissions;
        this.escalation = escalation;
        this.courier = courier;
        this.resendLimit = sending.resendLimit();
        this.backOff = sending.backOff();
        this.patience = patience;
        this.figures = figures;
        this.clock = clock;
    }

    /**
     * Does it.
     *
     * @return after how long the item is due again, if it is
     */
    public Optional<Duration> carry(Schedule.Claim claim) throws InterruptedException {
        Optional<Outboxes.Item> read = Outboxes.Item.read(claim.body());
        if (read.isEmpty()) {
            log.error(
                    "An item of an outbox cannot be read and is dropped. outbox={} item={}",
                    claim.schedule().name(),
                    claim.id());
            return finish(claim);
        }
        Outboxes.Item item = read.get();
        Optional<Transmission> known =
                patience.of(() -> transmissions.get(item.transmission())).map(Stored::value);
        if (known.filter(each -> each.knows(item.attempt())).isEmpty()
                && known.filter(Delivery::isDone).isEmpty()) {
            known = attempt(claim, item);
        }
        // Empty if the notification was deleted: nobody is to get it any more.
        return known.isEmpty() ? finish(claim) : settle(claim, item, known.get());
    }

    private static boolean isDone(Transmission transmission) {
        TransmissionStatus status = transmission.status();
        return status != null && status.isFinal();
    }

    // ---------------------------------------------------------------- one attempt

    private Optional<Transmission> attempt(Schedule.Claim claim, Outboxes.Item item)
            throws InterruptedException {
        Optional<Notification> notification =
                patience.of(() -> notifications.get(item.notification())).map(Stored::value);
        if (notification.isEmpty()) {
            return Optional.empty();
        }
        Optional<String> secret =
                patience.of(() -> subscriptions.get(Outboxes.subscriptionOf(claim.schedule())))
                        .flatMap(found -> found.value().secretOf(item.channel()));
        long sent = clock.millis();
        Courier.Errand errand =
                courier.begin(notification.get(), item.transmission(), item.channel(), secret);
        Optional<Attempt> ended = errand.within(SOON);
        if (ended.isEmpty()) {
            keep(item, TransmissionStatus.FAILED, TransmissionRecord.awaited(sent));
            ended = Optional.of(errand.end());
        }
        Attempt attempt = ended.get();
        figures.attempted(attempt.status());
        return keep(
                item,
                attempt.status(),
                TransmissionRecord.of(attempt.status(), attempt.response(), sent));
    }

    private Optional<Transmission> keep(
            Outboxes.Item item, TransmissionStatus status, TransmissionRecord record)
            throws InterruptedException {
        return keep(item, before -> before.with(item.attempt(), record, status));
    }

    /** Stores another state of the transmission; empty if its notification is gone. */
    private Optional<Transmission> keep(Outboxes.Item item, UnaryOperator<Transmission> change)
            throws InterruptedException {
        return patience.of(
                () -> {
                    while (true) {
                        Optional<Stored<Notification>> notification =
                                notifications.get(item.notification());
                        if (notification.isEmpty()) {
                            return Optional.empty();
                        }
                        Optional<Stored<Transmission>> before =
                                transmissions.get(item.transmission());
                        Transmission after =
                                change.apply(
                                        before.map(Stored::value)
                                                .orElseGet(
                                                        () ->
                                                                begun(
                                                                        item,
                                                                        notification
                                                                                .get()
                                                                                .value())));
                        // Equal if the answer to an earlier try was lost.
                        if (before.filter(old -> old.value().equals(after)).isPresent()) {
                            return Optional.of(after);
                        }
                        Outcome<Long> outcome =
                                transmissions.keep(notification.get(), before, after);
                        if (!othersWereFaster(outcome)) {
                            return stored(outcome, after);
                        }
                    }
                });
    }

    private static boolean othersWereFaster(Outcome<Long> outcome) {
        return Again.wasOvertaken(outcome) || outcome.failedBy(Reason.DUPLICATE);
    }

    /** What can never be stored is said in the log; to send it again would not help. */
    private static Optional<Transmission> stored(Outcome<Long> outcome, Transmission after) {
        if (outcome.failedBy(Reason.TOO_LARGE) || outcome.failedBy(Reason.REFUSED)) {
            log.error(
                    "A transmission cannot be stored. slug={} status={} reason={}",
                    after.slug(),
                    after.status(),
                    outcome);
            return Optional.empty();
        }
        if (!outcome.isStored()) {
            outcome.orThrow();
        }
        return Optional.of(after);
    }

    private Transmission begun(Outboxes.Item item, Notification notification) {
        long now = clock.millis();
        return new Transmission(
                now,
                now,
                0,
                item.transmission(),
                notification,
                item.receiver(),
                item.channel(),
                TransmissionStatus.FAILED,
                0,
                List.of());
    }

    // ---------------------------------------------------------------- what follows

    private Optional<Duration> settle(
            Schedule.Claim claim, Outboxes.Item item, Transmission transmission)
            throws InterruptedException {
        if (isDone(transmission) || !mayBeRepeated(transmission)) {
            return finish(claim);
        }
        if (transmission.resendCount() < resendLimit) {
            Duration wait = backOff.after(transmission.resendCount());
            long due = clock.millis() + wait.toMillis();
            patience.of(
                    () -> done(claim.commit().with(claim.again(due, item.next().bytes())).run()));
            return Optional.of(wait);
        }
        patience.of(
                () -> {
                    escalation.escalate(transmission);
                    return true;
                });
        keep(item, before -> before.escalated(clock.millis()));
        figures.escalated();
        return finish(claim);
    }

    private static boolean mayBeRepeated(Transmission transmission) {
        Notification notification = transmission.notification();
        return notification != null && notification.isCritical() && !notification.isEscalated();
    }

    private Optional<Duration> finish(Schedule.Claim claim) throws InterruptedException {
        patience.of(() -> done(claim.commit().with(claim.done()).run()));
        return Optional.empty();
    }

    /** A claim that is lost, or whose outbox is gone, is somebody else's or nobody's. */
    private static boolean done(Outcome<Long> outcome) throws RedisException {
        if (!outcome.isStored() && !othersWereFaster(outcome)) {
            outcome.orThrow();
        }
        return outcome.isStored();
    }
}
