package dev.millrace.hub.site;

import dev.millrace.hub.access.Role;
import dev.millrace.hub.access.Sessions;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.layout.Cell;

import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Sessions of people: {@code temp:session:{id}}, each with a time to live that every request begins
 * anew. The id is the token; it has 192 random bits. Thread-safe.
 */
final class SessionKeys implements Sessions {
    /** No API token begins like this. */
    static final String PREFIX = "session-";

    private static final int RANDOM_BYTES = 24;
    private static final int LONGEST = 128;

    /** A session is renewed at most once in this time. */
    private static final long PAUSE_SECONDS = 30;

    private static final String SEEN = "last_seen";
    private static final String NAME = "username";
    private static final String ROLES = "roles";

    private final Keyspace keyspace;
    private final Duration time;
    private final InstantSource clock;
    private final SecureRandom random = new SecureRandom();

    SessionKeys(Keyspace keyspace, Duration time, InstantSource clock) {
        this.keyspace = keyspace;
        this.time = time;
        this.clock = clock;
    }

    Duration time() {
        return time;
    }

    private long now() {
        return clock.instant().getEpochSecond();
    }

    /** Signs somebody in; gives the token. */
    String open(String name, Role role, String address, String agent) {
        byte[] bytes = new byte[RANDOM_BYTES];
        random.nextBytes(bytes);
        String token = PREFIX + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
        Map<String, String> fields = new LinkedHashMap<>();
        fields.put("user_id", name);
        fields.put(NAME, name);
        fields.put(ROLES, role.word());
        fields.put("created_at", Long.toString(now()));
        fields.put(SEEN, Long.toString(now()));
        fields.put("ip", address);
        fields.put("user_agent", agent.substring(0, Math.min(agent.length(), 256)));
        Cell.Key key = SiteLayouts.SESSION.at(token);
        keyspace.commitAt(key).setFields(key, fields).expire(key, time).run().orThrow();
        return token;
    }

    @Override
    public boolean isOne(String token) {
        return token.startsWith(PREFIX)
                && token.length() <= LONGEST
                && token.matches("[A-Za-z0-9_-]+");
    }

    /** What is kept of it; empty if it has ended. */
    Optional<Map<String, String>> fields(String token) {
        return isOne(token)
                ? Optional.of(
                                keyspace.cells()
                                        .hash(SiteLayouts.SESSION.at(token))
                                        .answer()
                                        .or(Map.of()))
                        .filter(each -> !each.isEmpty())
                : Optional.empty();
    }

    @Override
    public Optional<Signed> signed(String token) {
        Optional<Map<String, String>> fields = fields(token);
        Optional<Signed> signed =
                fields.flatMap(
                        each ->
                                Arrays.stream(Role.values())
                                        .filter(
                                                role ->
                                                        role.word()
                                                                .equals(
                                                                        each.getOrDefault(
                                                                                ROLES, "")))
                                        .findFirst()
                                        .map(
                                                role ->
                                                        new Signed(
                                                                each.getOrDefault(NAME, ""),
                                                                role)));
        if (signed.isPresent()) {
            String seen = fields.get().getOrDefault(SEEN, "");
            if (!seen.matches("[0-9]{1,12}") || now() - Long.parseLong(seen) >= PAUSE_SECONDS) {
                renew(token);
            }
        }
        return signed;
    }

    /** Lasts its whole time from now on, if it is still there. */
    void renew(String token) {
        Cell.Key key = SiteLayouts.SESSION.at(token);
        fields(token)
                .ifPresent(
                        each ->
                                keyspace.commitAt(key)
                                        .fieldEquals(key, SEEN, each.getOrDefault(SEEN, ""))
                                        .setFields(key, Map.of(SEEN, Long.toString(now())))
                                        .expire(key, time)
                                        .run());
    }

    void end(String token) {
        Cell.Key key = SiteLayouts.SESSION.at(token);
        keyspace.commitAt(key).delete(key).run().orThrow();
    }
}
