package dev.millrace.hub.access;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;

/**
 * A token as it lies in Redis. What is missing or cannot be read makes it no token: a scope that
 * got lost must not turn into "everything".
 *
 * @param sha256 of the secret, in hexadecimal digits
 */
record StoredToken(
        String id,
        String name,
        Role role,
        List<Scope> scopes,
        String sha256,
        Instant created,
        String by,
        @Nullable Instant expires,
        @Nullable Instant used) {

    StoredToken {
        require(id, "id");
        require(name, "name");
        require(role, "role");
        require(scopes, "scopes");
        require(sha256, "sha256");
        require(created, "created");
        require(by, "by");
        scopes = List.copyOf(scopes);
    }

    /** JSON knows nothing of what may be null here. */
    private static void require(@Nullable Object value, String what) {
        if (value == null) {
            throw new IllegalArgumentException("it has no " + what);
        }
    }

    long createdMillis() {
        return created.toEpochMilli();
    }

    byte[] hash() {
        return HexFormat.of().parseHex(sha256);
    }

    StoredToken usedAt(Instant moment) {
        Instant latest = used != null && used.isAfter(moment) ? used : moment;
        return new StoredToken(id, name, role, scopes, sha256, created, by, expires, latest);
    }

    Token shown() {
        return new Token(
                id,
                name,
                role,
                scopes,
                created,
                by,
                Optional.ofNullable(expires),
                Optional.ofNullable(used));
    }
}
