package dev.millrace.hub.access;

import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Who asks, and what that one may do.
 *
 * <p>A caller may have two grants: that of its token and that of its network. They are not mixed: a
 * token that may operate in one namespace, sent from a network that may view everything, operates
 * only there.
 *
 * @param name of the token, {@code network 10.0.0.0/8}, {@code anyone here} in mode open, or {@code
 *     nobody}
 */
public record Caller(String name, List<Grant> grants) {
    public static final Caller NOBODY = new Caller("nobody", List.of());
    static final Caller ANYONE_HERE =
            new Caller("anyone here", List.of(Grant.everywhere(Role.ADMIN)));

    public Caller {
        grants = List.copyOf(grants);
    }

    /** The strongest role it has anywhere. */
    public Optional<Role> role() {
        return grants.stream().map(Grant::role).max(Role::compareTo);
    }

    /** Whether it has at least this role in all of the room. */
    public boolean may(Role needed, String room) {
        return any(needed, grant -> grant.covers(room));
    }

    /** Whether it has at least this role in this namespace of the room. */
    public boolean mayUse(Role needed, String room, String namespace) {
        return any(needed, grant -> grant.covers(room, namespace));
    }

    /**
     * Whether it has at least this role in some part of the room. Only for rooms that then ask
     * {@link #mayUse} for each namespace.
     */
    public boolean mayEnter(Role needed, String room) {
        return any(needed, grant -> grant.touches(room));
    }

    private boolean any(Role needed, Predicate<Grant> where) {
        for (Grant grant : grants) {
            if (grant.role().atLeast(needed) && where.test(grant)) {
                return true;
            }
        }
        return false;
    }

    Caller and(Grant more) {
        return new Caller(name, Stream.concat(grants.stream(), Stream.of(more)).toList());
    }
}
