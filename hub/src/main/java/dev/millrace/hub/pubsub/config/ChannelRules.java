package dev.millrace.hub.pubsub.config;

import dev.millrace.hub.pubsub.jwt.JwtRule;

import java.time.Duration;
import java.util.List;

/**
 * What applies to one channel: all entries of the configuration that match its name, together.
 *
 * @param expire how long messages live, and subscribers that do nothing
 * @param jwt every one of them must accept a token
 * @param maxMessageBytes the largest message
 * @param maxPerSecond messages that may be published in a second; 0 for any number
 */
public record ChannelRules(
        Duration expire,
        List<Webhook> webhooks,
        List<JwtRule> jwt,
        int maxMessageBytes,
        int maxPerSecond) {

    /** Added to every lifetime, since the clocks of servers differ. */
    private static final Duration MARGIN = Duration.ofSeconds(15);

    public ChannelRules {
        webhooks = List.copyOf(webhooks);
        jwt = List.copyOf(jwt);
    }

    /** How long a key lives, in whole seconds. */
    public int seconds() {
        Duration life = expire.plus(MARGIN);
        long seconds = life.getSeconds() + (life.getNano() > 0 ? 1 : 0);
        return (int) Math.min(seconds, Integer.MAX_VALUE);
    }
}
