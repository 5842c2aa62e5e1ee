package dev.millrace.hub.access;

import java.util.Optional;

/**
 * What is asked for: the room, and the role that it takes. A constant beside each route and topic.
 *
 * @param needed none means that everybody may pass, also without a token
 * @param byNamespace the room asks {@link Caller#mayUse} for each namespace by itself, so that a
 *     caller may pass who is limited to some of them
 */
public record Door(Optional<Role> needed, String room, boolean byNamespace) {

    /** For everybody. */
    public static Door open(String room) {
        return new Door(Optional.empty(), room, false);
    }

    /** For those with this role in the whole room. */
    public static Door of(Role needed, String room) {
        return new Door(Optional.of(needed), room, false);
    }

    /** For those with this role in a part of the room; the handler looks which. */
    public static Door partOf(Role needed, String room) {
        return new Door(Optional.of(needed), room, true);
    }

    boolean lets(Caller caller) {
        return needed.isEmpty()
                || (byNamespace
                        ? caller.mayEnter(needed.get(), room)
                        : caller.may(needed.get(), room));
    }
}
