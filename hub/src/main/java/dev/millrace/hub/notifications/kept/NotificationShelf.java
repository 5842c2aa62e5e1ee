package dev.millrace.hub.notifications.kept;

import dev.millrace.hub.work.Keep;
import dev.millrace.hub.work.Shelf;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.commit.Stored;
import dev.millrace.keyspace.memory.Footprint;

import java.util.Iterator;

/**
 * Notifications with their transmissions: the oldest go, but none that still waits for its batch.
 */
public final class NotificationShelf implements Shelf {
    private final Keyspace keyspace;
    private final NotificationStore notifications;

    public NotificationShelf(Keyspace keyspace, NotificationStore notifications) {
        this.keyspace = keyspace;
        this.notifications = notifications;
    }

    @Override
    public Keep.Holdings holdings() {
        Footprint own = keyspace.footprint(NotificationsLayouts.NOTIFICATIONS);
        Footprint sent = keyspace.footprint(NotificationsLayouts.TRANSMISSIONS);
        return new Keep.Holdings(own.count(), own.bytes() + sent.bytes());
    }

    @Override
    public long removeOldest(int most, long before) {
        Iterator<Stored<Notification>> oldest =
                notifications.byCreated(
                        Double.NEGATIVE_INFINITY, Math.nextDown((double) before), 0);
        return Removal.of(
                oldest,
                each -> each.value().status() != NotificationStatus.NEW,
                each -> notifications.delete(each.id()).isStored(),
                most);
    }
}
