package dev.millrace.hub.shop.visits;

import dev.millrace.hub.http.Json;

import org.jspecify.annotations.Nullable;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;

/**
 * A session as clients see it.
 *
 * @param user null for somebody who has not said who he is
 * @param createdAt null where another program made it
 * @param lastSeenEpoch as it stands in {@code recent:}
 */
record SessionView(
        String token,
        @Nullable String user,
        @Nullable String createdAt,
        @Nullable String lastSeen,
        @Nullable Double lastSeenEpoch,
        @Nullable String expiresAt,
        Map<String, JsonNode> attributes) {

    static SessionView of(Session session, Duration idle) {
        Map<String, JsonNode> attributes = new TreeMap<>();
        session.attributes().forEach((name, json) -> attributes.put(name, read(json)));
        return new SessionView(
                session.token(),
                session.user().isEmpty() ? null : session.user(),
                session.created().map(Instant::toString).orElse(null),
                session.seen().map(Instant::toString).orElse(null),
                session.seen().map(SessionView::epoch).orElse(null),
                session.ends(idle).map(Instant::toString).orElse(null),
                attributes);
    }

    /** Seconds since 1970, with a fraction. */
    static double epoch(Instant at) {
        return at.getEpochSecond() + at.getNano() / 1e9;
    }

    /** What somebody else put there is shown as the text that it is. */
    private static JsonNode read(String json) {
        try {
            return Json.MAPPER.readTree(json);
        } catch (JacksonException e) {
            return Json.MAPPER.getNodeFactory().stringNode(json);
        }
    }
}
