package dev.millrace.hub.ops;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.turbo.TurboFilter;
import ch.qos.logback.core.spi.FilterReply;

import dev.millrace.hub.work.Seldom;

import org.jspecify.annotations.Nullable;
import org.slf4j.LoggerFactory;
import org.slf4j.Marker;

import java.util.List;

/**
 * What the embedded MQTT broker calls an error, and is none of ours: a client did something odd, or
 * left at an odd moment. Clients can do so as often as they like, so it becomes a warning now and
 * then. What the broker says about its own disk and memory passes as it is.
 */
final class BrokerLines extends TurboFilter {
    private static final org.slf4j.Logger log = LoggerFactory.getLogger(BrokerLines.class);
    private static final String OF_CLIENTS = "org.apache.activemq.artemis.core.protocol.mqtt";
    private static final String OF_THE_BROKER = "org.apache.activemq.artemis";

    /** A handshake that takes too long, a consumer or connection that ends while it begins. */
    private static final List<String> CODES =
            List.of("AMQ224088", "AMQ224095", "AMQ224096", "AMQ224126");

    private final Seldom lines = new Seldom();

    @Override
    public FilterReply decide(
            @Nullable Marker marker,
            Logger logger,
            Level level,
            @Nullable String format,
            Object @Nullable [] parameters,
            @Nullable Throwable thrown) {
        if (!level.equals(Level.ERROR)
                || format == null
                || !logger.getName().startsWith(OF_THE_BROKER)
                || !isOfClients(logger.getName(), format)) {
            return FilterReply.NEUTRAL;
        }
        lines.say(
                others ->
                        log.warn(
                                "The embedded MQTT broker gave up on a client. reason={} others={}",
                                thrown == null ? format : format + ": " + thrown,
                                others));
        return FilterReply.DENY;
    }

    private static boolean isOfClients(String logger, String format) {
        return logger.startsWith(OF_CLIENTS) || CODES.stream().anyMatch(format::startsWith);
    }
}
