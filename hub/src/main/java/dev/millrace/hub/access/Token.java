package dev.millrace.hub.access;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * An API token as lists show it: without its secret, which nobody has but its holder.
 *
 * @param by who made it
 * @param lastUsed to about a minute
 */
public record Token(
        String id,
        String name,
        Role role,
        List<Scope> scopes,
        Instant created,
        String by,
        Optional<Instant> expires,
        Optional<Instant> lastUsed) {

    public Token {
        scopes = List.copyOf(scopes);
    }

    public boolean expired(Instant now) {
        return expires.isPresent() && !now.isBefore(expires.get());
    }
}
