package dev.millrace.hub.notifications;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.hub.notifications.kept.Category;
import dev.millrace.hub.notifications.kept.Notification;
import dev.millrace.hub.notifications.kept.NotificationShelf;
import dev.millrace.hub.notifications.kept.NotificationStatus;
import dev.millrace.hub.notifications.kept.Severity;
import dev.millrace.hub.notifications.kept.TransmissionShelf;
import dev.millrace.hub.notifications.kept.TransmissionStatus;
import dev.millrace.keyspace.commit.Shards;
import dev.millrace.keyspace.testing.OnEachSite;

import org.junit.jupiter.api.Test;

import java.util.List;

/** What goes when there is too much; how much that is, is decided elsewhere. */
@OnEachSite
final class KeepingTest extends StoreContract {

    private void added(String slug, long created, NotificationStatus status) {
        Notification made =
                new Notification(
                        created,
                        created,
                        0,
                        Shards.mint(slug),
                        slug,
                        "boiler",
                        Category.SECURITY,
                        Severity.NORMAL,
                        "c",
                        "",
                        status,
                        List.of(),
                        "");
        notifications.add(made, 1).orThrow();
        transmissions
                .add(
                        Samples.transmission(
                                Shards.mint(slug), slug, TransmissionStatus.SENT, 0, created))
                .orThrow();
    }

    @Test
    void the_oldest_notifications_go_with_their_transmissions_but_none_that_waits() {
        added("new", 1, NotificationStatus.NEW);
        for (int i = 2; i <= 20; i++) {
            added(
                    "n" + i,
                    i,
                    i % 2 == 0 ? NotificationStatus.PROCESSED : NotificationStatus.ESCALATED);
        }
        NotificationShelf shelf = new NotificationShelf(keyspace, notifications);
        assertThat(shelf.holdings().count()).isEqualTo(20);
        assertThat(shelf.holdings().bytes()).isGreaterThan(20 * 300);
        assertThat(shelf.removeOldest(5, Long.MAX_VALUE)).isEqualTo(5);
        assertThat(notifications.bySlug("n6")).isEmpty();
        assertThat(notifications.bySlug("n7")).isPresent();
        assertThat(transmissions.count()).isEqualTo(15);
        assertThat(shelf.removeOldest(500, 10)).isEqualTo(3);
        assertThat(notifications.bySlug("n10")).isPresent();
        assertThat(shelf.removeOldest(500, Long.MAX_VALUE)).isEqualTo(11);
        assertThat(notifications.bySlug("new")).isPresent();
        assertThat(shelf.removeOldest(500, Long.MAX_VALUE)).isZero();
    }

    @Test
    void transmissions_that_were_brought_along_are_bounded_too() {
        for (int i = 0; i < 10; i++) {
            transmissions
                    .add(
                            Samples.transmission(
                                    Shards.mint("s" + i),
                                    "s" + i,
                                    TransmissionStatus.SENT,
                                    0,
                                    i + 1))
                    .orThrow();
        }
        TransmissionShelf shelf = new TransmissionShelf(transmissions);
        assertThat(shelf.holdings().count()).isEqualTo(10);
        assertThat(shelf.removeOldest(4, Long.MAX_VALUE)).isEqualTo(4);
        assertThat(transmissions.bySlug("s3", 0, 99, 0).hasNext()).isFalse();
        assertThat(transmissions.bySlug("s4", 0, 99, 0).hasNext()).isTrue();
    }
}
