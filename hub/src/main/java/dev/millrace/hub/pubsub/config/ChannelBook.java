package dev.millrace.hub.pubsub.config;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.google.re2j.Matcher;

import dev.millrace.hub.pubsub.jwt.JwtRule;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Which rules apply to which channel. All entries that match a name apply together: the longest
 * lifetime, every webhook, every demand for a token, the smallest limits. What was found out is
 * remembered, for those names that are asked for most: nobody can fill the memory with names.
 * Thread-safe.
 */
public final class ChannelBook {
    /** Some megabytes at most. */
    private static final int REMEMBERED = 20_000;

    private final List<ChannelEntry> entries;
    private final int maxMessageBytes;
    private final Cache<String, Optional<ChannelRules>> known =
            Caffeine.newBuilder().maximumSize(REMEMBERED).build();

    public ChannelBook(PubsubSettings settings) {
        this.entries = settings.channels();
        this.maxMessageBytes = settings.maxMessageBytes();
    }

    /** The rules of a channel; empty if no entry matches its name. */
    public Optional<ChannelRules> rules(String channel) {
        return known.get(channel, this::merged);
    }

    private Optional<ChannelRules> merged(String channel) {
        boolean matched = false;
        Duration expire = Duration.ZERO;
        List<Webhook> webhooks = new ArrayList<>();
        List<JwtRule> jwt = new ArrayList<>();
        int bytes = maxMessageBytes;
        int perSecond = 0;
        for (ChannelEntry entry : entries) {
            Optional<Matcher> match = entry.match(channel);
            if (match.isPresent()) {
                matched = true;
                expire = entry.expire().compareTo(expire) > 0 ? entry.expire() : expire;
                entry.webhooks().forEach(webhook -> webhooks.add(webhook.of(match.get())));
                entry.jwt().ifPresent(rule -> jwt.add(rule.of(match.get())));
                bytes = smaller(bytes, entry.maxMessageBytes());
                perSecond = smaller(perSecond, entry.maxPerSecond());
            }
        }
        return matched
                ? Optional.of(new ChannelRules(expire, webhooks, jwt, bytes, perSecond))
                : Optional.empty();
    }

    /** The smaller limit, where 0 is none. */
    private static int smaller(int one, int other) {
        if (one == 0 || other == 0) {
            return Math.max(one, other);
        }
        return Math.min(one, other);
    }
}
