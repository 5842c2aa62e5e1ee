package dev.millrace.hub.pubsub.channels;

import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.layout.Cell;
import dev.millrace.keyspace.pattern.BadKeyException;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.Optional;
import java.util.concurrent.CompletionStage;

/**
 * Tokens that count no more, by their ids. The record of one lives as long as the token could have
 * been used, and a little longer, since the clocks of servers differ. Thread-safe.
 *
 * <p>The id is the hash tag of its key, so it cannot hold a closing brace there, nor be very long.
 * An id may be any text, though: such a one has a key of ours, under its digest.
 */
public final class Revocations {
    private static final Duration MARGIN = Duration.ofSeconds(15);

    /** Some ten thousand years from now: longer than Redis has to keep anything. */
    private static final long LATEST = 300_000_000_000L;

    private final Keyspace keyspace;
    private final InstantSource clock;

    public Revocations(Keyspace keyspace, InstantSource clock) {
        this.keyspace = keyspace;
        this.clock = clock;
    }

    /**
     * Whether a token with this id was revoked. What is attached runs on the connection's thread
     * and must not block.
     */
    CompletionStage<Boolean> revoked(String jti) {
        return keyspace.askValue(key(jti)).thenApply(Optional::isPresent);
    }

    /**
     * Revokes tokens with this id; waits until that is stored.
     *
     * @param until seconds since 1970 after which none could be used anyway
     */
    public void revoke(String jti, long until) {
        // Seconds that no clock will ever show are cut, so that the sums below stay in their
        // bounds.
        long bounded = Math.clamp(until, -LATEST, LATEST);
        Duration left = Duration.ofMillis(bounded * 1000 - clock.millis()).plus(MARGIN);
        if (!left.isPositive()) {
            return;
        }
        Cell.Key key = key(jti);
        keyspace.commitAt(key)
                .set(key, Long.toString(until))
                .expire(key, left)
                .twice()
                .run()
                .orThrow();
    }

    private static Cell.Key key(String jti) {
        try {
            return PubsubLayouts.REVOKED.at(jti);
        } catch (BadKeyException e) {
            return PubsubLayouts.REVOKED_BY_DIGEST.at(digest(jti));
        }
    }

    private static String digest(String jti) {
        try {
            return HexFormat.of()
                    .formatHex(
                            MessageDigest.getInstance("SHA-256")
                                    .digest(jti.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java has SHA-256.", e);
        }
    }
}
