package dev.millrace.hub.shop.visits;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A visitor with a token.
 *
 * @param user empty for somebody who has not said who he is
 * @param created unknown where another program made it
 * @param seen unknown where another program did not say
 * @param ttl a lifetime of its own
 * @param attributes JSON by name
 */
record Session(
        String token,
        String user,
        Optional<Instant> created,
        Optional<Instant> seen,
        Optional<Duration> ttl,
        Map<String, String> attributes) {
    static final String ATTRIBUTE = "a:";

    /** When it ends if nobody uses it. */
    Optional<Instant> ends(Duration idle) {
        return seen.map(at -> at.plus(ttl.orElse(idle)));
    }

    /** One whose last use is unknown lives. */
    boolean livesAt(Instant now, Duration idle) {
        return ends(idle).filter(end -> !end.isAfter(now)).isEmpty();
    }

    /** As scripts give it, fields and values in one list. */
    static Session of(String token, String user, String seen, List<?> flat) {
        Map<String, String> attributes = new TreeMap<>();
        String created = "";
        String ttl = "";
        for (int i = 0; i + 1 < flat.size(); i += 2) {
            String name = Words.textOf(flat.get(i));
            String value = Words.textOf(flat.get(i + 1));
            if (name.startsWith(ATTRIBUTE)) {
                attributes.put(name.substring(ATTRIBUTE.length()), value);
            } else if (name.equals("created")) {
                created = value;
            } else if (name.equals("ttl")) {
                ttl = value;
            }
        }
        return of(token, user, seen, created, ttl, attributes);
    }

    static Session of(
            String token,
            String user,
            String seen,
            String created,
            String ttl,
            Map<String, String> attributes) {
        var millis = Words.whole(created);
        var seconds = Words.whole(ttl);
        return new Session(
                token,
                user,
                millis.isPresent()
                        ? Optional.of(Instant.ofEpochMilli(millis.getAsLong()))
                        : Optional.empty(),
                Words.time(seen),
                seconds.isPresent()
                        ? Optional.of(Duration.ofSeconds(seconds.getAsLong()))
                        : Optional.empty(),
                attributes);
    }
}
