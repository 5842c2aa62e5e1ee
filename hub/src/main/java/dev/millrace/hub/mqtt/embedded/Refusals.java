package dev.millrace.hub.mqtt.embedded;

import dev.millrace.hub.work.Seldom;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What clients sent that the broker must not see. All of it is counted; the log gets a line now and
 * then, because whoever sends garbage sends much of it, and a disk must not fill with complaints.
 * Thread-safe.
 */
final class Refusals {
    private static final Logger log = LoggerFactory.getLogger(Refusals.class);

    private final Counter packets;
    private final Seldom lines = new Seldom();

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
        lines.say(
                others ->
                        log.warn(
                                "Ended the connection of an MQTT client: {} peer={} others={}",
                                reason,
                                from,
                                others));
    }
}
