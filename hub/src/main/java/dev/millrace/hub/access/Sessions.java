package dev.millrace.hub.access;

import java.util.Optional;

/**
 * Who is signed in: what a session's token stands for. Asked for tokens that are none of ours;
 * waits for Redis. Thread-safe.
 */
public interface Sessions {
    /** There are none. */
    Sessions NONE =
            new Sessions() {
                @Override
                public boolean isOne(String token) {
                    return false;
                }

                @Override
                public Optional<Signed> signed(String token) {
                    return Optional.empty();
                }
            };

    /** Whether a token looks like one of a session; does not wait. */
    boolean isOne(String token);

    /** Who has signed in with it; empty if the session has ended. */
    Optional<Signed> signed(String token);

    /**
     * Somebody who is signed in.
     *
     * @param name of the token that was shown then
     */
    record Signed(String name, Role role) {}
}
