package dev.millrace.hub.notifications;

import static dev.millrace.hub.notifications.kept.NotificationsLayouts.NOTIFICATIONS;
import static dev.millrace.hub.notifications.kept.NotificationsLayouts.SUBSCRIPTIONS;
import static dev.millrace.hub.notifications.kept.NotificationsLayouts.TRANSMISSIONS;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.hub.RoundTrip;
import dev.millrace.hub.notifications.kept.Channel;
import dev.millrace.hub.notifications.kept.Notification;
import dev.millrace.hub.notifications.kept.NotificationStatus;
import dev.millrace.hub.notifications.kept.Subscription;
import dev.millrace.hub.notifications.kept.Transmission;
import dev.millrace.hub.notifications.kept.TransmissionRecord;
import dev.millrace.hub.notifications.kept.TransmissionStatus;
import dev.millrace.keyspace.layout.Entry;

import org.junit.jupiter.api.Test;

import java.util.List;

class NotificationsLayoutsTest {
    private static final String ID = "117a2504-85b7-43c4-a48d-37bf5d6821cd";
    private static final Notification NOTIFICATION = Samples.notification(ID, "fire-1");

    @Test
    void a_notification_has_the_entries_of_its_table() {
        assertThat(NOTIFICATIONS.entries(NOTIFICATION))
                .containsExactly(
                        new Entry.Sorted("notification", 0, ID),
                        new Entry.Unique("notification:slug", "fire-1", ID),
                        new Entry.Sorted("notification:sender:boiler", 0, ID),
                        new Entry.Sorted("notification:status:NEW", 0, ID),
                        new Entry.Sorted("notification:severity:CRITICAL", 0, ID),
                        new Entry.Sorted("notification:created", 5, ID),
                        new Entry.Sorted("notification:modified", 6, ID),
                        new Entry.Sorted("notification:label:hot", 0, ID));
    }

    @Test
    void a_subscription_has_the_entries_of_its_table() {
        assertThat(SUBSCRIPTIONS.entries(Samples.subscription(ID, "ops")))
                .containsExactly(
                        new Entry.Sorted("subscription", 0, ID),
                        new Entry.Unique("subscription:slug", "ops", ID),
                        new Entry.Sorted("subscription:receiver:ann", 0, ID),
                        new Entry.Member("subscription:label:a", ID),
                        new Entry.Member("subscription:label:b", ID),
                        new Entry.Member("subscription:category:SECURITY", ID));
    }

    @Test
    void a_transmission_has_the_entries_of_its_table_scored_by_the_resend_count() {
        assertThat(
                        TRANSMISSIONS.entries(
                                Samples.transmission(
                                        ID, "fire-1", TransmissionStatus.FAILED, 2, 5)))
                .containsExactly(
                        new Entry.Sorted("transmission", 0, ID),
                        new Entry.Sorted("transmission:slug:fire-1", 2, ID),
                        new Entry.Sorted("transmission:status:FAILED", 2, ID),
                        new Entry.Sorted("transmission:resendcount:2", 2, ID),
                        new Entry.Sorted("transmission:created", 5, ID),
                        new Entry.Sorted("transmission:modified", 5, ID));
    }

    @Test
    void they_live_and_die_whole() {
        RoundTrip.of(
                NOTIFICATIONS,
                ID,
                NOTIFICATION,
                NOTIFICATION.withStatus(NotificationStatus.PROCESSED, 7));
        Subscription subscription =
                Samples.subscription(
                        ID,
                        "ops",
                        Channel.rest("http://x/").withSecret("s"),
                        Channel.email("ann@x"));
        RoundTrip.of(
                SUBSCRIPTIONS,
                ID,
                subscription,
                new Subscription(
                        5, 9, 0, ID, "ops-2", "ben", "", List.of(), List.of("b", "c"), List.of()));
        Transmission transmission =
                Samples.transmission(ID, "fire-1", TransmissionStatus.FAILED, 0, 5);
        RoundTrip.of(
                TRANSMISSIONS,
                ID,
                transmission,
                transmission.with(
                        0,
                        TransmissionRecord.of(TransmissionStatus.SENT, "OK", 8),
                        TransmissionStatus.SENT));
    }
}
