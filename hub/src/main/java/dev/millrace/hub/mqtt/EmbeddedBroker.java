package dev.millrace.hub.mqtt;

import dev.millrace.hub.access.Gate;
import dev.millrace.hub.http.CannotListenException;

import io.micrometer.core.instrument.MeterRegistry;

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
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/**
 * The broker in the hub itself, for all who have none: MQTT 3.1.1 and 5, retained messages and
 * sessions that survive a restart. It is Apache Artemis, set up by {@link EmbeddedConfig}; who may
 * do what is said by {@link Doorkeeper}, and what it would let grow is kept small by {@link
 * Housekeeping}. Thread-safe.
 */
final class EmbeddedBroker implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(EmbeddedBroker.class);

    private final ActiveMQServer server;
    private final Doorkeeper doorkeeper;
    private final Housekeeping housekeeping;
    private final String host;
    private final int port;
    private final String secret;

    private EmbeddedBroker(
            ActiveMQServer server,
            Doorkeeper doorkeeper,
            Housekeeping housekeeping,
            String host,
            String secret) {
        this.server = server;
        this.doorkeeper = doorkeeper;
        this.host = host;
        this.port =
                ((NettyAcceptor) server.getRemotingService().getAcceptor("mqtt")).getActualPort();
        this.secret = secret;
        this.housekeeping = housekeeping;
    }

    /**
     * Starts it.
     *
     * @param host where it listens
     * @param directory of what it keeps
     * @throws CannotListenException with a sentence that says what to do
     */
    static EmbeddedBroker start(
            MqttSettings settings, String host, Path directory, Gate gate, MeterRegistry registry) {
        String secret = UUID.randomUUID() + "-" + UUID.randomUUID();
        return start(settings, host, directory, gate, registry, secret);
    }

    static EmbeddedBroker start(
            MqttSettings settings,
            String host,
            Path directory,
            Gate gate,
            MeterRegistry registry,
            String secret) {
        int port = settings.embedded().port().orElseThrow();
        mustBeFree(host, port);
        TopicLimits limits = new TopicLimits(settings.embedded(), registry);
        Doorkeeper doorkeeper = new Doorkeeper(gate, secret, limits);
        @Nullable ActiveMQServer server = null;
        try {
            server =
                    new ActiveMQServerImpl(
                            EmbeddedConfig.of(settings, host, port, directory), doorkeeper);
            server.addProtocolManagerFactory(
                    new MqttProtocol(settings.embedded().maxMessage().toInt()));
            server.start();
            if (!server.waitForActivation(1, TimeUnit.MINUTES)) {
                throw new IOException("it did not become active within a minute");
            }
            server.getRemotingService()
                    .addIncomingInterceptor(
                            new Inspector(
                                    settings.sessionExpiry(),
                                    new RetainedMessages(server, doorkeeper, limits)));
            server.getRemotingService().addOutgoingInterceptor(new Postman());
            Housekeeping housekeeping = Housekeeping.start(server, doorkeeper, limits, settings);
            return new EmbeddedBroker(server, doorkeeper, housekeeping, host, secret);
        } catch (Exception e) {
            stop(server);
            throw new CannotListenException(
                    "The embedded MQTT broker does not start: %s. Its data are in %s; --set"
                                    .formatted(e.getMessage(), directory)
                            + " mqtt.embedded.port=off goes without it.");
        }
    }

    /** The broker itself would only say that it could not bind. */
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

    int port() {
        return port;
    }

    /** For the clients of this hub. */
    Target target() {
        InetAddress listening = new InetSocketAddress(host, port).getAddress();
        String near =
                listening == null || listening.isAnyLocalAddress()
                        ? InetAddress.getLoopbackAddress().getHostAddress()
                        : listening.getHostAddress();
        return Target.embedded(
                new BrokerUrl(near, port, false, Optional.of("millrace"), Optional.of(secret)));
    }

    Doorkeeper doorkeeper() {
        return doorkeeper;
    }

    private static void stop(@Nullable ActiveMQServer server) {
        if (server != null) {
            try {
                server.stop();
            } catch (Exception e) {
                log.warn("The embedded MQTT broker did not stop well. reason={}", e.toString());
            }
        }
    }

    @Override
    public void close() {
        housekeeping.close();
        stop(server);
    }
}
