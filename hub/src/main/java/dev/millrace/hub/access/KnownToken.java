package dev.millrace.hub.access;

import java.security.MessageDigest;
import java.time.Instant;
import java.util.List;

/** A token in memory, with what every request needs made ready. Thread-safe. */
final class KnownToken {
    /** More often it is not worth to write to memory that other processors read. */
    private static final long TOUCH_MILLIS = 1000;

    private final StoredToken token;
    private final byte[] hash;
    private final Verdict.Good good;
    private final long expires;

    /** When it was used last, here or, as far as Redis says, elsewhere; 0 for never. */
    private volatile long used;

    /** What Redis has for it. */
    private volatile long kept;

    KnownToken(StoredToken token, long usedHere) {
        this.token = token;
        this.hash = token.hash();
        this.good =
                new Verdict.Good(
                        new Caller(token.name(), List.of(new Grant(token.role(), token.scopes()))));
        Instant end = token.expires();
        this.expires = end == null ? Long.MAX_VALUE : end.toEpochMilli();
        Instant stored = token.used();
        this.kept = stored == null ? 0 : stored.toEpochMilli();
        this.used = Math.max(kept, usedHere);
    }

    Verdict verify(TokenText text, long now) {
        // In constant time: how far a guess is right must not show in how long it takes.
        if (!MessageDigest.isEqual(hash, text.hash())) {
            return new Verdict.Wrong(token.id());
        }
        if (now >= expires) {
            return new Verdict.Expired(token.shown());
        }
        if (now - used > TOUCH_MILLIS) {
            used = now;
        }
        return good;
    }

    /** Whether it is the one of this name, and can still be used. */
    boolean isGood(String name, long now) {
        return now < expires && token.name().equals(name);
    }

    String id() {
        return token.id();
    }

    long used() {
        return used;
    }

    /** How far Redis is behind. */
    long unkept() {
        return used - kept;
    }

    void kept(long moment) {
        kept = moment;
    }
}
