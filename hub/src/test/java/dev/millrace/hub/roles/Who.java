package dev.millrace.hub.roles;

import dev.millrace.hub.access.Role;

import java.util.Locale;
import java.util.Optional;

/** Who tries something: those with a token of each role, and those without any. */
enum Who {
    NOBODY(Optional.empty()),
    VIEWER(Optional.of(Role.VIEWER)),
    OPERATOR(Optional.of(Role.OPERATOR)),
    ENGINEER(Optional.of(Role.ENGINEER)),
    ADMIN(Optional.of(Role.ADMIN));

    private final Optional<Role> role;

    Who(Optional<Role> role) {
        this.role = role;
    }

    Optional<Role> role() {
        return role;
    }

    boolean atLeast(Who needed) {
        return compareTo(needed) >= 0;
    }

    String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
