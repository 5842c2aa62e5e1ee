package dev.millrace.hub.mqtt.embedded;

import dev.millrace.hub.access.Caller;
import dev.millrace.hub.access.Decision;
import dev.millrace.hub.access.Door;
import dev.millrace.hub.access.Gate;
import dev.millrace.hub.access.Role;

import org.apache.activemq.artemis.core.remoting.impl.netty.NettyConnection;
import org.apache.activemq.artemis.core.security.CheckType;
import org.apache.activemq.artemis.spi.core.protocol.RemotingConnection;
import org.apache.activemq.artemis.spi.core.security.ActiveMQSecurityManager5;
import org.apache.activemq.artemis.spi.core.security.jaas.UserPrincipal;
import org.jspecify.annotations.Nullable;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

import javax.security.auth.Subject;

/**
 * Who may do what at the embedded broker. The password of a client is its API token, whatever its
 * user name; without one its network decides, and in mode open everybody on this machine may come.
 * A viewer may listen, an operator may send. Only the hub itself sends what others believe to come
 * from it, or uses its client ids; it has a password that is made at each start and is nowhere
 * written down. What belongs to the broker itself is nobody's, and guests make only as many topics
 * as {@link TopicLimits} has room for. To share a subscription means to take messages away from the
 * others that share it, so it needs an operator. Nothing is cached: a revoked token is refused with
 * the next message, and who only listens is looked at every second by {@link Housekeeping}.
 * Thread-safe.
 */
final class Doorkeeper implements ActiveMQSecurityManager5 {
    /** The room of these doors. */
    static final String ROOM = "mqtt";

    private static final Door LISTEN = Door.of(Role.VIEWER, ROOM);
    static final String HUB = "millrace";

    private final Gate gate;
    private final byte[] secret;
    private final TopicLimits limits;
    private final Refusals refusals;
    private final Predicate<String> reserved;

    /** There is no broker before there is a doorkeeper, and no storage before there is a broker. */
    private volatile @Nullable Owners owners;

    /** Connections over WebSocket come from this machine; here is where they really come from. */
    private final Map<InetSocketAddress, InetAddress> elsewhere = new ConcurrentHashMap<>();

    /**
     * At the door.
     *
     * @param reserved topics that only the hub itself sends to
     */
    Doorkeeper(
            Gate gate,
            String secret,
            TopicLimits limits,
            Refusals refusals,
            Predicate<String> reserved) {
        this.limits = limits;
        this.refusals = refusals;
        this.reserved = reserved;
        this.gate = gate;
        this.secret = secret.getBytes(StandardCharsets.UTF_8);
    }

    /** Now it is known whose client ids are; before, nobody is let in. */
    void know(Owners whose) {
        owners = whose;
    }

    /** A connection from this place on our own machine is made for somebody else. */
    void guest(InetSocketAddress here, InetAddress from) {
        elsewhere.put(here, from);
    }

    void guestLeft(InetSocketAddress here) {
        elsewhere.remove(here);
    }

    @Override
    public @Nullable Subject authenticate(
            @Nullable String user,
            @Nullable String password,
            RemotingConnection connection,
            @Nullable String domain) {
        String client = String.valueOf(connection.getClientID());
        if (isHub(user, password)) {
            return entering(connection, HUB, new Visitor(client, Optional.empty()));
        }
        Owners whose = owners;
        if (whose == null || Inside.isOurs(client)) {
            return null;
        }
        Optional<String> token = Optional.ofNullable(password).filter(text -> !text.isEmpty());
        Optional<InetAddress> peer = peer(connection);
        if (peer.isEmpty()
                || !(gate.admit(LISTEN, token, peer.get())
                        instanceof Decision.Admitted(Caller caller))) {
            return null;
        }
        switch (whose.claim(client, caller.name())) {
            case GRANTED -> {}
            case ANOTHERS -> {
                return refused(peer.get(), "The client id " + client + " is another token's.");
            }
            case TOO_MANY -> {
                return refused(peer.get(), "There are as many sessions as there may be.");
            }
        }
        return entering(
                connection,
                caller.name(),
                new Visitor(client, Optional.of(new Visitor.Guest(caller, token, peer.get()))));
    }

    private @Nullable Subject refused(InetAddress peer, String reason) {
        refusals.note(peer, reason);
        return null;
    }

    private static Subject entering(RemotingConnection connection, String name, Visitor visitor) {
        if (connection.getTransportConnection() instanceof NettyConnection line) {
            visitor.enter(line.getChannel());
        }
        return new Subject(true, Set.of(new UserPrincipal(name)), Set.of(visitor), Set.of());
    }

    /**
     * Whether a group may be joined: by those who may take something away, and never one of ours.
     */
    boolean mayShare(Visitor visitor, Inside.Shared shared) {
        return visitor.guest()
                .map(guest -> guest.caller().may(Role.OPERATOR, ROOM) && !shared.isOurs())
                .orElse(true);
    }

    /** Notes that a session stays when its client leaves. */
    void stays(Visitor visitor) {
        Owners whose = owners;
        if (whose != null) {
            visitor.guest()
                    .ifPresent(guest -> whose.keep(visitor.clientId(), guest.caller().name()));
        }
    }

    /** Whether it would be let in again. */
    boolean stillWelcome(RemotingConnection connection) {
        Subject subject = connection.getSubject();
        if (subject == null) {
            // It is only just being let in.
            return true;
        }
        for (Visitor visitor : subject.getPublicCredentials(Visitor.class)) {
            return visitor.guest().map(this::stillWelcome).orElse(true);
        }
        return false;
    }

    /** What cannot be decided now, because Redis is away, does not throw out anybody. */
    private boolean stillWelcome(Visitor.Guest guest) {
        return switch (gate.admit(LISTEN, guest.token(), guest.peer())) {
            case Decision.Admitted admitted -> true;
            case Decision.Unavailable unavailable -> true;
            case Decision.Unknown unknown -> false;
            case Decision.Forbidden forbidden -> false;
            case Decision.SlowDown wrong -> false;
        };
    }

    private boolean isHub(@Nullable String user, @Nullable String password) {
        return HUB.equals(user)
                && password != null
                && MessageDigest.isEqual(secret, password.getBytes(StandardCharsets.UTF_8));
    }

    /** From {@code /127.0.0.1:1234}, as the broker writes it. */
    private Optional<InetAddress> peer(RemotingConnection connection) {
        String text = String.valueOf(connection.getRemoteAddress());
        int slash = text.lastIndexOf('/');
        int colon = text.lastIndexOf(':');
        if (colon <= slash) {
            return Optional.empty();
        }
        try {
            InetAddress address = InetAddress.getByName(text.substring(slash + 1, colon));
            int port = Integer.parseInt(text.substring(colon + 1));
            InetAddress guest = elsewhere.get(new InetSocketAddress(address, port));
            return Optional.of(guest == null ? address : guest);
        } catch (UnknownHostException | NumberFormatException e) {
            return Optional.empty();
        }
    }

    @Override
    public boolean authorize(
            Subject subject,
            Set<org.apache.activemq.artemis.core.security.Role> roles,
            CheckType check,
            String address) {
        int queue = address.indexOf("::");
        String topic = queue < 0 ? address : address.substring(0, queue);
        for (Visitor visitor : subject.getPublicCredentials(Visitor.class)) {
            return visitor.guest().map(guest -> may(guest.caller(), check, topic)).orElse(true);
        }
        return false;
    }

    private boolean may(Caller caller, CheckType check, String topic) {
        return switch (check) {
            case SEND ->
                    caller.may(Role.OPERATOR, ROOM)
                            && !reserved.test(topic)
                            && !isOfTheBroker(topic);
            // The broker asks this for what it does not know yet, and only then.
            case CREATE_ADDRESS ->
                    caller.may(Role.VIEWER, ROOM)
                            && !isOfTheBroker(topic)
                            && limits.takeTopic(topic);
            case CONSUME,
                    CREATE_DURABLE_QUEUE,
                    CREATE_NON_DURABLE_QUEUE,
                    DELETE_ADDRESS,
                    DELETE_DURABLE_QUEUE,
                    DELETE_NON_DURABLE_QUEUE ->
                    caller.may(Role.VIEWER, ROOM) && !isOfTheBroker(topic);
            case MANAGE, BROWSE, VIEW, EDIT -> false;
        };
    }

    private static boolean isOfTheBroker(String topic) {
        return topic.startsWith("$") || topic.startsWith("activemq.");
    }

    // What older versions of the broker would ask.

    @Override
    public boolean validateUser(String user, String password) {
        return false;
    }

    @Override
    public boolean validateUserAndRole(
            String user,
            String password,
            Set<org.apache.activemq.artemis.core.security.Role> roles,
            CheckType check) {
        return false;
    }
}
