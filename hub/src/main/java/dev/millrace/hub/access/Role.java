package dev.millrace.hub.access;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;

import java.util.Locale;

/**
 * What somebody may do. Each role may do everything that those before it may. What that comes to,
 * route by route, is docs/roles.md, which a test keeps true.
 */
public enum Role {
    VIEWER("reads everything, changes nothing"),
    OPERATOR("acts: acknowledges alarms and messages, sends commands, writes data"),
    ENGINEER("configures: channels, models, alarm rules, rules, subscriptions"),
    ADMIN("runs the hub: tokens, backup, logs, repair");

    private final String about;

    Role(String about) {
        this.about = about;
    }

    /** What it may do, in some words. */
    public String about() {
        return about;
    }

    public boolean atLeast(Role needed) {
        return compareTo(needed) >= 0;
    }

    /** As people write it, and as it is stored. */
    @JsonValue
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /**
     * Reads what {@link #word} writes.
     *
     * @throws IllegalArgumentException with a sentence for a person
     */
    @JsonCreator
    public static Role parse(String word) {
        for (Role role : values()) {
            if (role.word().equals(word)) {
                return role;
            }
        }
        throw new IllegalArgumentException(
                "'%s' is not a valid role; use viewer, operator, engineer or admin."
                        .formatted(word));
    }
}
