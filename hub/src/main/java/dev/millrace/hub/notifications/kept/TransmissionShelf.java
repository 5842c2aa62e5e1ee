package dev.millrace.hub.notifications.kept;

import dev.millrace.hub.work.Keep;
import dev.millrace.hub.work.Shelf;
import dev.millrace.keyspace.commit.Stored;

import java.util.Iterator;
import java.util.Optional;

/**
 * All transmissions. They go with their notifications; this is for those that somebody brought
 * along without one, which nothing else would ever remove.
 */
public final class TransmissionShelf implements Shelf {
    /** How many there may be for each notification that is kept. */
    private static final long FOR_EACH = 10;

    private final TransmissionStore transmissions;

    public TransmissionShelf(TransmissionStore transmissions) {
        this.transmissions = transmissions;
    }

    public static Keep keep(Keep notifications) {
        long count = notifications.count();
        return new Keep(
                notifications.age(),
                count > Keep.NONE / FOR_EACH ? Keep.NONE : count * FOR_EACH,
                Optional.of(Keep.NONE));
    }

    /** Their bytes count with the notifications. */
    @Override
    public Keep.Holdings holdings() {
        return new Keep.Holdings(transmissions.count(), 0);
    }

    @Override
    public long removeOldest(int most, long before) {
        Iterator<Stored<Transmission>> oldest =
                transmissions.byCreated(
                        Double.NEGATIVE_INFINITY, Math.nextDown((double) before), 0);
        return Removal.of(
                oldest, each -> true, each -> transmissions.delete(each).isStored(), most);
    }
}
