package dev.millrace.hub.telemetry.bus;

/**
 * Hears which channels this hub holds, so that what is done with a device is done where its
 * connection is. A channel has a driver in one hub at most: it is configured with a protocol that
 * is spoken here and with points that are mapped, enabled and not stopped. It may be held without a
 * connection: what is ordered then is {@link Ordered.NotSent}. Called on a thread of the channel's
 * own; other channels do not wait for it.
 *
 * <p>Told to {@link Drivers} in {@code Telemetry}, before they start.
 */
public interface Holding {
    /** This hub holds the channel from now on. Returns soon; work is for a thread of one's own. */
    void begin(HeldChannel channel);

    /**
     * This hub gives it up: it was stopped, restarted, disabled, deleted or gets another
     * connection, the hub ends, or the lease has ended. Returns when nothing more will be ordered;
     * the connection stands until then, so that an order on its way gets its answer, but for some
     * seconds at most. A {@link #begin} of the same channel comes after it in this hub.
     */
    void end(HeldChannel channel);
}
