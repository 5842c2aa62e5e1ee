package dev.millrace.hub.live;

import dev.millrace.hub.access.Decision;
import dev.millrace.hub.access.Door;
import dev.millrace.hub.access.Gate;

import java.net.InetAddress;
import java.util.Optional;

/** What a client came in with. A connection may last for days, so it is looked at again. */
public record Pass(Gate gate, Optional<String> token, InetAddress peer) {

    /** Asks the gate; may wait for Redis. */
    public Decision admit(Door door) {
        return gate.admit(door, token, peer);
    }

    /**
     * Whether it still opens the door, from what is known here. As long as Redis cannot be asked
     * there is nothing to be heard either, and the connection may stay.
     */
    public boolean stillOpens(Door door) {
        return switch (gate.admitAtOnce(door, token, peer).orElse(null)) {
            case Decision.Admitted admitted -> true;
            case Decision.Unavailable unavailable -> true;
            case Decision.Unknown unknown -> false;
            case Decision.Forbidden forbidden -> false;
            case Decision.SlowDown slow -> false;
            case null -> false;
        };
    }
}
