package dev.millrace.hub.mqtt.embedded;

import dev.millrace.hub.access.Gate;
import dev.millrace.hub.http.server.CannotListenException;
import dev.millrace.hub.http.server.TlsPair;

import io.micrometer.core.instrument.MeterRegistry;

import org.apache.activemq.artemis.core.protocol.mqtt.MQTTConnection;
import org.apache.activemq.artemis.core.protocol.mqtt.MQTTStateManager;
import org.apache.activemq.artemis.core.remoting.impl.netty.NettyAcceptor;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.impl.ActiveMQServerImpl;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;

/**
 * The broker in the hub itself, for all who have none: MQTT 3.1.1 and 5, retained messages and
 * sessions that survive a restart. It is Apache Artemis, set up by {@link EmbeddedConfig}; who may
 * do what is said by {@link Doorkeeper}, and what it would let grow is kept small by {@link
 * Housekeeping}. Guests come to the ports of the settings; the hub itself to one of its own, on
 * this machine only, so that it needs no certificate and guests cannot crowd it out. Thread-safe.
 */
public final class EmbeddedBroker implements AutoCloseable {
    /**
     * What it has to know.
     *
     * @param sessionExpiry how long what waits for a client that is away is kept
     */
    public record Plan(EmbeddedSettings settings, Doorway doorway, Duration sessionExpiry) {}

    /** As whom the hub comes. */
    public static final String USER = Doorkeeper.HUB;

    private static final Logger log = LoggerFactory.getLogger(EmbeddedBroker.class);

    /** Sessions of guests, those that are away included. */
    private static final int LEAST_SESSIONS = 10_000;

    /** What was started, the newest first. */
    private final Deque<AutoCloseable> started = new ArrayDeque<>();

    private final Doorkeeper doorkeeper;
    private final Roster roster = new Roster();
    private @Nullable Entrance entrance;
    private List<Integer> ports = List.of();
    private int inside;

    /**
     * Starts it, for the hub itself at first; {@link #letGuestsIn} opens it to all.
     *
     * @param directory of what it keeps
     * @param secret the password of the hub itself
     * @param reserved topics that only the hub itself sends to
     * @throws CannotListenException with a sentence that says what to do
     */
    public static EmbeddedBroker start(
            Plan plan,
            Path directory,
            Gate gate,
            MeterRegistry figures,
            String secret,
            Predicate<String> reserved) {
        Doorway doorway = plan.doorway();
        doorway.port().ifPresent(port -> mustBeFree(doorway.host(), port));
        doorway.clearPort().ifPresent(port -> mustBeFree(doorway.host(), port));
        TopicLimits limits = new TopicLimits(plan.settings(), figures);
        Refusals refusals = new Refusals(figures);
        Doorkeeper doorkeeper = new Doorkeeper(gate, secret, limits, reserved);
        EmbeddedBroker broker = new EmbeddedBroker(doorkeeper);
        try {
            broker.open(plan, directory, gate, limits, refusals);
            return broker;
        } catch (Exception e) {
            broker.close();
            throw e instanceof CannotListenException sentence
                    ? sentence
                    : new CannotListenException(
                            "The embedded MQTT broker does not start: %s. Its data are in %s; --set"
                                            .formatted(e.getMessage(), directory)
                                    + " mqtt.embedded.port=off goes without it.");
        }
    }

    private EmbeddedBroker(Doorkeeper doorkeeper) {
        this.doorkeeper = doorkeeper;
    }

    private void open(Plan plan, Path directory, Gate gate, TopicLimits limits, Refusals refusals)
            throws Exception {
        EmbeddedSettings settings = plan.settings();
        Doorway doorway = plan.doorway();
        Listener listener = new Listener(refusals, settings.maxConnections());
        started.push(listener);
        AtomicReference<GuestLine.@Nullable Hall> hall = new AtomicReference<>();
        ActiveMQServer server =
                new ActiveMQServerImpl(EmbeddedConfig.of(plan, directory), doorkeeper);
        server.addProtocolManagerFactory(
                new MqttProtocol(
                        settings.maxMessage().toInt(), () -> Objects.requireNonNull(hall.get())));
        server.registerBrokerPlugin(roster);
        started.push(server::stop);
        server.start();
        if (!server.waitForActivation(1, TimeUnit.MINUTES)) {
            throw new IOException("it did not become active within a minute");
        }
        server.getRemotingService().addOutgoingInterceptor(new Postman());
        ClientOwners owners =
                new ClientOwners(
                        server.getStorageManager(),
                        gate::knows,
                        Math.max(LEAST_SESSIONS, 2 * settings.maxConnections()));
        doorkeeper.know(owners);
        MQTTStateManager sessions = MQTTStateManager.getInstance(server);
        Leftovers.tidy(server, sessions);
        hall.set(
                new GuestLine.Hall(
                        sessions,
                        new PacketRules(plan.sessionExpiry()),
                        doorkeeper,
                        new RetainedMessages(server, limits),
                        refusals));
        Optional<Listener.Tls> tls = Optional.empty();
        if (doorway.tls().isPresent()) {
            tls = Optional.of(new Listener.Tls(new TlsPair(doorway.tls().get())));
        }
        started.push(Housekeeping.start(server, doorkeeper, limits, owners, tls, plan));
        started.push(() -> sendAway(sessions));
        started.push(listener::stopListening);
        inside = listener.listenInside(acceptor(server, EmbeddedConfig.INSIDE));
        entrance = new Entrance(listener, acceptor(server, EmbeddedConfig.GUESTS), doorway, tls);
    }

    /** Where guests come in, once they may. */
    private record Entrance(
            Listener listener,
            NettyAcceptor acceptor,
            Doorway doorway,
            Optional<Listener.Tls> tls) {
        List<Integer> open() throws IOException {
            List<Integer> ports = new ArrayList<>();
            if (doorway.port().isPresent()) {
                ports.add(listener.listen(acceptor, doorway.host(), doorway.port().get(), tls));
            }
            if (doorway.clearPort().isPresent()) {
                int port = doorway.clearPort().get();
                ports.add(listener.listen(acceptor, doorway.host(), port, Optional.empty()));
            }
            return ports;
        }
    }

    /**
     * Listens where guests come; until then only the hub itself is served.
     *
     * @throws CannotListenException with a sentence that says what to do
     */
    public void letGuestsIn() {
        Entrance closed = Objects.requireNonNull(entrance);
        try {
            ports = closed.open();
        } catch (IOException e) {
            throw new CannotListenException(
                    "Cannot listen on %s for MQTT: %s. --set mqtt.embedded.port=off goes without it."
                            .formatted(closed.doorway().host(), e.getMessage()));
        }
    }

    /** While there is still a journal: the broker would do it when that is closed already. */
    private static void sendAway(MQTTStateManager sessions) {
        for (MQTTConnection each : sessions.getConnectedClients().values()) {
            try {
                each.fail(null);
            } catch (RuntimeException e) {
                log.warn(
                        "Could not disconnect a client properly. client={} reason={}",
                        each.getClientID(),
                        e.toString());
            }
        }
    }

    private static NettyAcceptor acceptor(ActiveMQServer server, String name) {
        return (NettyAcceptor) server.getRemotingService().getAcceptor(name);
    }

    /** What stands in the way of listening there is said before anything is begun. */
    private static void mustBeFree(String host, int port) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(host, port));
        } catch (IOException e) {
            String reason = String.valueOf(e.getMessage());
            String advice = "";
            if (reason.contains("in use")) {
                advice =
                        " Another broker, or another hub, has this port; --set"
                                + " mqtt.embedded.port=1884 takes another one, 0 any free one, off"
                                + " goes without a broker.";
            } else if (reason.contains("ssign requested address")) {
                advice =
                        " This machine has no such address; mqtt.embedded.host names one of its"
                                + " own.";
            }
            throw new CannotListenException(
                    "Cannot listen on %s:%d for MQTT: %s.%s".formatted(host, port, reason, advice));
        }
    }

    /** Where guests come; the second one, if there is one, is without TLS. */
    public List<Integer> ports() {
        return ports;
    }

    /** Where guests come first of all. */
    public int port() {
        return ports.getFirst();
    }

    /** Where the hub itself comes, on this machine. */
    public int insidePort() {
        return inside;
    }

    /**
     * Those who would get what is sent to these topics.
     *
     * @param topics as a filter
     */
    public Listeners listeners(String topics) {
        return roster.listeners(topics);
    }

    /** A connection from this place on our own machine is made for somebody else. */
    public void guest(InetSocketAddress here, InetAddress from) {
        doorkeeper.guest(here, from);
    }

    public void guestLeft(InetSocketAddress here) {
        doorkeeper.guestLeft(here);
    }

    @Override
    public void close() {
        while (!started.isEmpty()) {
            try {
                started.pop().close();
            } catch (Exception e) {
                log.warn("The embedded MQTT broker did not stop cleanly. reason={}", e.toString());
            }
        }
    }
}
