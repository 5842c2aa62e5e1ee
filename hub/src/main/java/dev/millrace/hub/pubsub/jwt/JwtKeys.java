package dev.millrace.hub.pubsub.jwt;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The keys that tokens of one entry may be signed with, by algorithm. All keys of an algorithm are
 * tried, so that one can be replaced while tokens of the one before it still go around. A signature
 * that was good stays good, so the last good tokens are remembered: to check one takes longer than
 * everything else in a request. Thread-safe.
 */
public final class JwtKeys {
    /** Signed by nobody; then there must be no signature. */
    public static final String NONE = "none";

    /** Letters of all remembered tokens together. */
    private static final long REMEMBERED = 4 << 20;

    private final Map<String, List<JwtKey>> keys;
    private final Cache<String, Boolean> good =
            Caffeine.newBuilder()
                    .maximumWeight(REMEMBERED)
                    .weigher((String token, Boolean yes) -> token.length())
                    .build();

    public JwtKeys(Map<String, List<JwtKey>> keys) {
        this.keys = Map.copyOf(keys);
    }

    /** Why a token cannot be believed; empty if it can. */
    Optional<String> refusal(Jwt jwt) {
        List<JwtKey> candidates = jwt.algorithm().map(keys::get).orElse(null);
        if (candidates == null) {
            return Optional.of("its algorithm is not accepted here");
        }
        if (jwt.demandsMore()) {
            return Optional.of("it has critical header parameters that are not understood");
        }
        if (good.getIfPresent(jwt.text()) != null) {
            return Optional.empty();
        }
        if (!fits(jwt, candidates)) {
            return Optional.of("its signature does not fit any key");
        }
        good.put(jwt.text(), true);
        return Optional.empty();
    }

    private static boolean fits(Jwt jwt, List<JwtKey> candidates) {
        if (candidates.isEmpty()) {
            return jwt.signature().isEmpty();
        }
        byte[] signature;
        try {
            signature = Base64.getUrlDecoder().decode(jwt.signature());
        } catch (IllegalArgumentException e) {
            return false;
        }
        byte[] signed = jwt.signed().getBytes(StandardCharsets.US_ASCII);
        for (JwtKey key : candidates) {
            if (key.fits(signed, signature)) {
                return true;
            }
        }
        return false;
    }

    /** Two that hold the same keys are the same. */
    @Override
    public boolean equals(Object other) {
        return other instanceof JwtKeys that && keys.equals(that.keys);
    }

    @Override
    public int hashCode() {
        return keys.hashCode();
    }
}
