package dev.millrace.hub.mqtt.embedded;

import dev.millrace.hub.access.Caller;

import io.netty.channel.Channel;
import io.netty.util.AttributeKey;

import java.net.InetAddress;
import java.util.Optional;

/**
 * Who is at the other end of a connection.
 *
 * @param clientId as it is {@link Inside}; empty for nobody
 * @param guest empty for the hub itself
 */
record Visitor(String clientId, Optional<Guest> guest) {
    /** Not let in, or not yet. */
    static final Visitor NOBODY =
            new Visitor(
                    "",
                    Optional.of(
                            new Guest(
                                    Caller.NOBODY,
                                    Optional.empty(),
                                    InetAddress.getLoopbackAddress())));

    private static final AttributeKey<Visitor> HERE = AttributeKey.valueOf(Visitor.class, "here");

    /** Somebody else than the hub, and how that one was let in. */
    record Guest(Caller caller, Optional<String> token, InetAddress peer) {

        /** Tokens do not belong in a log. */
        @Override
        public String toString() {
            return caller.name();
        }
    }

    /** Nobody in particular for the hub. */
    Caller caller() {
        return guest.map(Guest::caller).orElse(Caller.NOBODY);
    }

    boolean isHub() {
        return guest.isEmpty();
    }

    static Visitor on(Channel channel) {
        Visitor here = channel.attr(HERE).get();
        return here == null ? NOBODY : here;
    }

    void enter(Channel channel) {
        channel.attr(HERE).set(this);
    }
}
