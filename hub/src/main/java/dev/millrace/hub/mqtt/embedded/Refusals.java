package dev.millrace.hub.mqtt.embedded;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/**
 * What clients sent that the broker must not see. All of it is counted; the log gets a line now and
 * then, because whoever sends garbage sends much of it, and a disk must not fill with complaints.
 * Thread-safe.
 */
final class Refusals {
    private static final Logger log = LoggerFactory.getLogger(Refusals.class);
    private static final long BETWEEN_LINES_NANOS = Duration.ofSeconds(10).toNanos();

    private final Counter packets;
    private final AtomicLong lastLine = new AtomicLong(System.nanoTime() - BETWEEN_LINES_NANOS);
    private final AtomicLong unlogged = new AtomicLong();

    Refusals(MeterRegistry figures) {
        packets =
                Counter.builder("millrace.mqtt.embedded.malformed")
                        .description(
                                "Connections that the embedded broker has ended because of what"
                                        + " their client sent.")
                        .register(figures);
    }

    /**
     * Somebody was sent away.
     *
     * @param from an address
     */
    void note(Object from, String reason) {
        packets.increment();
        long now = System.nanoTime();
        long before = lastLine.get();
        if (now - before >= BETWEEN_LINES_NANOS && lastLine.compareAndSet(before, now)) {
            log.warn(
                    "Ended the connection of an MQTT client: {} peer={} others={}",
                    reason,
                    from,
                    unlogged.getAndSet(0));
        } else {
            unlogged.incrementAndGet();
        }
    }
}
