package dev.millrace.hub.mqtt.embedded;

import dev.millrace.hub.access.Caller;
import dev.millrace.hub.access.Decision;
import dev.millrace.hub.access.Door;
import dev.millrace.hub.access.Gate;
import dev.millrace.hub.access.Role;

import io.netty.channel.Channel;

import org.apache.activemq.artemis.core.remoting.impl.netty.NettyConnection;
import org.apache.activemq.artemis.core.security.CheckType;
import org.apache.activemq.artemis.spi.core.protocol.RemotingConnection;
import org.apache.activemq.artemis.spi.core.security.ActiveMQSecurityManager5;
import org.apache.activemq.artemis.spi.core.security.jaas.UserPrincipal;
import org.jspecify.annotations.Nullable;

import java.net.InetAddress;
import java.net.InetSocketAddress;
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

    private static final Optional<PacketRules.Wrong> NOT_LET_IN =
            PacketRules.Wrong.of(PacketRules.Wrong.BAD_LOGIN, "It has no token that is known.");

    private final Gate gate;
    private final byte[] secret;
    private final TopicLimits limits;
    private final Predicate<String> reserved;

    /** There is no broker before there is a doorkeeper, and no storage before there is a broker. */
    private volatile @Nullable ClientOwners owners;

    /** Connections over WebSocket come from this machine; here is where they really come from. */
    private final Map<InetSocketAddress, InetAddress> elsewhere = new ConcurrentHashMap<>();

    /**
     * At the door.
     *
     * @param reserved topics that only the hub itself sends to
     */
    Doorkeeper(Gate gate, String secret, TopicLimits limits, Predicate<String> reserved) {
        this.limits = limits;
        this.reserved = reserved;
        this.gate = gate;
        this.secret = secret.getBytes(StandardCharsets.UTF_8);
    }

    /** Now it is known whose client ids are; before, nobody is let in. */
    void know(ClientOwners whose) {
        owners = whose;
    }

    /** A connection from this place on our own machine is made for somebody else. */
    void guest(InetSocketAddress here, InetAddress from) {
        elsewhere.put(here, from);
    }

    void guestLeft(InetSocketAddress here) {
        elsewhere.remove(here);
    }

    /**
     * Lets in a client, or says what is wrong. This is asked before the broker gets to know of the
     * client at all: of one that it refuses itself, it would end the session of the same name,
     * whosever that is.
     *
     * @param client as it is {@link Inside}; empty if the broker is to make up a name
     */
    Optional<PacketRules.Wrong> letIn(
            Channel channel, String client, @Nullable String user, @Nullable String password) {
        if (isHub(user, password)) {
            new Visitor(client, Optional.empty()).enter(channel);
            return Optional.empty();
        }
        ClientOwners whose = owners;
        if (whose == null || Inside.isOurs(client)) {
            return NOT_LET_IN;
        }
        Optional<String> token = Optional.ofNullable(password).filter(text -> !text.isEmpty());
        if (!(channel.remoteAddress() instanceof InetSocketAddress from)) {
            return NOT_LET_IN;
        }
        InetAddress peer = elsewhere.getOrDefault(from, from.getAddress());
        return switch (gate.admit(LISTEN, token, peer)) {
            case Decision.Admitted(Caller caller) -> {
                Optional<PacketRules.Wrong> wrong = claim(whose, client, caller);
                if (wrong.isEmpty()) {
                    new Visitor(client, Optional.of(new Visitor.Guest(caller, token, peer)))
                            .enter(channel);
                }
                yield wrong;
            }
            case Decision.Unavailable(String reason) ->
                    PacketRules.Wrong.of(PacketRules.Wrong.UNAVAILABLE, reason);
            case Decision.Unknown unknown -> NOT_LET_IN;
            case Decision.Forbidden forbidden -> NOT_LET_IN;
            case Decision.SlowDown wrong -> NOT_LET_IN;
        };
    }

    private static Optional<PacketRules.Wrong> claim(
            ClientOwners whose, String client, Caller caller) {
        return switch (client.isEmpty()
                ? ClientOwners.Claim.GRANTED
                : whose.claim(client, caller.name())) {
            case GRANTED -> Optional.empty();
            case ANOTHERS ->
                    PacketRules.Wrong.of(
                            PacketRules.Wrong.BAD_CLIENT_ID,
                            "The client id %s is another token's.".formatted(client));
            case TOO_MANY ->
                    PacketRules.Wrong.of(
                            PacketRules.Wrong.QUOTA_EXCEEDED,
                            "There are as many sessions as there may be.");
        };
    }

    /** The broker asks for those who were let in, and has a name for each by now. */
    @Override
    public @Nullable Subject authenticate(
            @Nullable String user,
            @Nullable String password,
            RemotingConnection connection,
            @Nullable String domain) {
        if (!(connection.getTransportConnection() instanceof NettyConnection line)) {
            return null;
        }
        Visitor known = Visitor.on(line.getChannel());
        ClientOwners whose = owners;
        if (known.equals(Visitor.NOBODY) || whose == null) {
            return null;
        }
        Visitor visitor = new Visitor(String.valueOf(connection.getClientID()), known.guest());
        String name = known.guest().map(guest -> guest.caller().name()).orElse(HUB);
        if (!visitor.isHub() && claim(whose, visitor.clientId(), visitor.caller()).isPresent()) {
            return null;
        }
        visitor.enter(line.getChannel());
        return new Subject(true, Set.of(new UserPrincipal(name)), Set.of(visitor), Set.of());
    }

    /** Whether it may leave a message behind for the case that it gets lost. */
    boolean mayLeave(Visitor visitor, String topic) {
        return visitor.isHub() || maySend(visitor.caller(), topic);
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
        ClientOwners whose = owners;
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

    @Override
    public boolean authorize(
            Subject subject,
            Set<org.apache.activemq.artemis.core.security.Role> roles,
            CheckType check,
            String address) {
        int queue = address.indexOf("::");
        String topic = queue < 0 ? address : address.substring(0, queue);
        for (Visitor visitor : subject.getPublicCredentials(Visitor.class)) {
            return visitor.guest().map(guest -> may(guest, check, topic)).orElse(true);
        }
        return false;
    }

    private boolean may(Visitor.Guest guest, CheckType check, String topic) {
        Caller caller = guest.caller();
        return switch (check) {
            case SEND -> maySend(caller, topic) && stillWelcome(guest);
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

    private boolean maySend(Caller caller, String topic) {
        return caller.may(Role.OPERATOR, ROOM) && !reserved.test(topic) && !isOfTheBroker(topic);
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
