package dev.millrace.hub.pubsub.config;

import dev.millrace.hub.http.Header;
import dev.millrace.hub.work.BackOff;

import java.net.URI;
import java.time.Duration;
import java.util.List;

/**
 * Where the messages of a channel are sent to, and how; its address and headers are filled in for
 * that channel.
 *
 * @param id the same for the same entry of the configuration, whatever stands around it
 * @param method PUT or POST
 * @param timeout of each try
 */
public record Webhook(
        String id,
        URI url,
        String method,
        List<Header> headers,
        Duration timeout,
        int maxRedirects,
        Retry retry,
        int maxConnections,
        Duration maxIdleTime) {

    public Webhook {
        headers = List.copyOf(headers);
    }

    /**
     * What happens after a failed try.
     *
     * @param count tries after the first
     * @param multiplier of the pause, from one to the next
     * @param jitter the pause is so much longer or shorter at most
     * @param force whether it is tried again also after answers that will not change
     */
    public record Retry(
            int count, Duration interval, double multiplier, Duration jitter, boolean force) {

        /** How long to wait before a message is sent again. */
        public BackOff backOff() {
            return BackOff.growing(interval, multiplier).giveOrTake(jitter);
        }
    }

    /** As which subscriber it reads its channel. */
    public String subscriber() {
        return subscriber(id);
    }

    public static String subscriber(String id) {
        return "webhook-" + id;
    }
}
