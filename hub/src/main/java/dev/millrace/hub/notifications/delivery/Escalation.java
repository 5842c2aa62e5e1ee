package dev.millrace.hub.notifications.delivery;

import dev.millrace.hub.edgex.EdgexJson;
import dev.millrace.hub.notifications.kept.Notification;
import dev.millrace.hub.notifications.kept.NotificationStatus;
import dev.millrace.hub.notifications.kept.NotificationStore;
import dev.millrace.hub.notifications.kept.SubscriptionStore;
import dev.millrace.hub.notifications.kept.Texts;
import dev.millrace.hub.notifications.kept.Transmission;
import dev.millrace.keyspace.commit.Shards;
import dev.millrace.keyspace.redis.outcome.Outcome;
import dev.millrace.keyspace.redis.outcome.Reason;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.InstantSource;

/**
 * Tells somebody else of what could not be delivered: a notification of its own, which goes to the
 * subscription ESCALATION and nobody else. If several channels of one notification fail, the first
 * one makes it. Thread-safe.
 */
public final class Escalation {
    private static final Logger log = LoggerFactory.getLogger(Escalation.class);

    private static final String NOTICE =
            "This notification could not be delivered to one of its receivers. The transmission:";

    /**
     * Characters of each part: a notification must fit into a commit with all that belongs to it.
     */
    private static final int LONGEST = 128 * 1024;

    private final NotificationStore notifications;
    private final SubscriptionStore subscriptions;
    private final InstantSource clock;

    public Escalation(
            NotificationStore notifications, SubscriptionStore subscriptions, InstantSource clock) {
        this.notifications = notifications;
        this.subscriptions = subscriptions;
        this.clock = clock;
    }

    /** Does nothing the second time. */
    void escalate(Transmission failed) {
        Notification original = failed.notification();
        if (original == null || subscriptions.bySlug(Distribution.ESCALATION).isEmpty()) {
            log.warn(
                    "A notification could not be delivered and nobody is told: there is no"
                            + " subscription with the slug ESCALATION. slug={} transmission={}",
                    failed.slug(),
                    failed.id());
            return;
        }
        Notification escalated = about(original, failed);
        Outcome<Long> outcome = notifications.add(escalated, escalated.created());
        if (outcome.failedBy(Reason.DUPLICATE)) {
            return;
        }
        if (outcome.failedBy(Reason.REFUSED) || outcome.failedBy(Reason.TOO_LARGE)) {
            log.error(
                    "A notification could not be escalated. slug={} reason={}",
                    original.slug(),
                    outcome);
            return;
        }
        outcome.orThrow();
    }

    private Notification about(Notification original, Transmission failed) {
        String slug = "escalated-" + original.slug();
        long now = clock.millis();
        return new Notification(
                now,
                now,
                0,
                Shards.mint(slug),
                slug,
                "escalated-" + original.sender(),
                original.category(),
                original.severity(),
                String.join(
                        " ",
                        NOTICE,
                        Texts.cut(EdgexJson.MAPPER.writeValueAsString(failed), LONGEST),
                        Texts.cut(original.content(), LONGEST)),
                original.description(),
                NotificationStatus.ESCALATED,
                original.labels(),
                "text/plain");
    }
}
