package dev.millrace.hub;

import dev.millrace.hub.settings.Key;
import dev.millrace.hub.settings.Keys;
import dev.millrace.hub.settings.Kind;
import dev.millrace.hub.settings.Network;
import dev.millrace.hub.settings.Values;

import java.util.List;
import java.util.Map;

/**
 * Who may do what, as the settings say.
 *
 * @param networks clients that cannot send a token: what those of a range of addresses may do; of
 *     several ranges the first that fits counts
 */
record AccessChoice(Mode mode, Map<Network, Role> networks) {

    /** Whether everybody may do everything, or who has a token what its role allows. */
    enum Mode {
        OPEN,
        TOKEN
    }

    /** From the least to the most. */
    enum Role {
        VIEWER,
        OPERATOR,
        ENGINEER,
        ADMIN
    }

    static final Key<Mode> MODE =
            Key.of(
                    "access.mode",
                    Kind.choice(Mode.class),
                    "open",
                    "who is let in: with open everybody, on 127.0.0.1 only; with token who has one"
                            + ", as far as its role goes");

    private static final Key<Map<Network, Role>> NETWORKS =
            Key.none(
                    "access.networks",
                    Kind.map(Kind.NETWORK, Kind.choice(Role.class)),
                    "none",
                    "for clients that cannot send a token: roles (viewer, operator, engineer,"
                            + " admin) of addresses, as 10.0.0.0/8=viewer,10.1.0.7=operator");

    static final Keys.Group KEYS = new Keys.Group("Who may do what", List.of(MODE, NETWORKS));

    static AccessChoice read(Values values) {
        return new AccessChoice(values.get(MODE), values.get(NETWORKS));
    }
}
