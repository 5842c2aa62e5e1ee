package dev.millrace.hub.telemetry.bus;

import dev.millrace.hub.telemetry.kept.ChannelConfiguration;
import dev.millrace.hub.telemetry.kept.PointType;

import java.time.Duration;

/**
 * A device at the other end of a channel. It is asked one thing at a time, in the order of the
 * asking; an order need not wait for a whole poll. Nothing waits for ever. It speaks in raw values,
 * as the device has them; what people read is made of them by the {@link Driver}. One thread
 * connects, polls and configures; any other may write meanwhile, or close.
 */
public interface Device extends AutoCloseable {
    /** Connects unless it is connected. */
    Connected connect() throws InterruptedException;

    /** Reads all points of T and S once. */
    Poll poll() throws InterruptedException;

    /**
     * Has one point of the device changed, once: it is never sent a second time.
     *
     * @param type C or A
     * @param raw as the device is to have it
     * @param atMost for the whole of it; when that is over before anything was sent, it is not sent
     * @return {@link Ordered.Done} with the raw value that was read back
     * @throws InterruptedException only if nothing was sent; later an interrupt is kept for the
     *     caller, and the result is {@link Ordered.Unknown}
     */
    Ordered write(PointType type, String point, double raw, Duration atMost)
            throws InterruptedException;

    /** Its points have changed, and its connection stays. */
    void configure(ChannelConfiguration channel);

    /** Ends the connection; whoever waits for an answer gets none. For good. */
    @Override
    void close();
}
