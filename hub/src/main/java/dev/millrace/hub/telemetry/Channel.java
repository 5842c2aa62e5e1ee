package dev.millrace.hub.telemetry;

import dev.millrace.hub.telemetry.bus.HeldChannel;
import dev.millrace.hub.telemetry.bus.Tally;
import dev.millrace.hub.telemetry.kept.ChannelStatus;
import dev.millrace.hub.telemetry.kept.PointType;
import dev.millrace.keyspace.commit.Stored;

import org.jspecify.annotations.Nullable;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What this hub remembers of a channel. All of it may be out of date: a commit checks what it goes
 * by. Thread-safe.
 */
final class Channel {
    final int id;
    final String owner;

    /** Held while a commit is put together and sent, never while anybody waits for an answer. */
    final ReentrantLock lock = new ReentrantLock();

    /** Writes that were stored, as clients of the reference count them. */
    final AtomicLong successes = new AtomicLong();

    private final Source telemetry;
    private final Source signals;

    /** The status as it was read last; null if it must be read first. */
    volatile @Nullable Known status;

    /** The second in which the status was last written. */
    volatile long statusSecond;

    /** How its polling goes, while this hub polls it. */
    volatile @Nullable Tally tally;

    /** What was written down of that last, and in which second. */
    volatile @Nullable Tally written;

    volatile long writtenSecond;

    /**
     * What a write of a driver goes by: that its hub holds the channel, and that the channel has
     * not been deleted, so that this point is in its index.
     */
    record Guard(HeldChannel held, String point) {}

    /** That a status was read, and whether there was one. */
    record Known(@Nullable Stored<ChannelStatus> stored) {}

    Channel(int id) {
        this.id = id;
        this.owner = Integer.toString(id);
        this.telemetry = new Source(id, PointType.T);
        this.signals = new Source(id, PointType.S);
    }

    /** Of T or S. */
    Source source(PointType type) {
        return type == PointType.S ? signals : telemetry;
    }

    /** Something was not as it was remembered. */
    void forget() {
        status = null;
        statusSecond = 0;
        telemetry.known.clear();
        signals.known.clear();
    }
}
