package dev.millrace.hub.pubsub.channels;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;

import dev.millrace.keyspace.layout.Cell;

import java.time.Duration;

/**
 * When a subscriber was seen is for people who look at a channel, and ten seconds are near enough
 * for them; to write it at every fetch would be half of what a fetch costs Redis. If Redis loses
 * one of these notes, the next is at most so much later. Thread-safe.
 */
final class Sightings {
    private static final Duration NEAR_ENOUGH = Duration.ofSeconds(10);
    private static final int REMEMBERED = 20_000;

    private final Cache<String, Boolean> fresh;

    Sightings() {
        this(Ticker.systemTicker());
    }

    Sightings(Ticker ticker) {
        this.fresh =
                Caffeine.newBuilder()
                        .maximumSize(REMEMBERED)
                        .expireAfterWrite(NEAR_ENOUGH)
                        .ticker(ticker)
                        .build();
    }

    /** Whether it is time to note that the owner of this cursor was seen. */
    boolean isDue(Cell.Key cursor) {
        return fresh.asMap().putIfAbsent(cursor.key(), true) == null;
    }
}
