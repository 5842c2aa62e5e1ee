package dev.millrace.hub.mqtt.embedded;

import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.mqtt.MqttDecoder;

import org.apache.activemq.artemis.api.core.ActiveMQBuffer;
import org.apache.activemq.artemis.api.core.BaseInterceptor;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.protocol.mqtt.MQTTInterceptor;
import org.apache.activemq.artemis.core.protocol.mqtt.MQTTProtocolHandler;
import org.apache.activemq.artemis.core.protocol.mqtt.MQTTProtocolManager;
import org.apache.activemq.artemis.core.protocol.mqtt.MQTTProtocolManagerFactory;
import org.apache.activemq.artemis.core.protocol.mqtt.MQTTRoutingHandler;
import org.apache.activemq.artemis.core.remoting.impl.netty.NettyServerConnection;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.spi.core.protocol.ConnectionEntry;
import org.apache.activemq.artemis.spi.core.protocol.ProtocolManager;
import org.apache.activemq.artemis.spi.core.protocol.ProtocolManagerFactory;
import org.apache.activemq.artemis.spi.core.protocol.RemotingConnection;
import org.apache.activemq.artemis.spi.core.remoting.Acceptor;
import org.apache.activemq.artemis.spi.core.remoting.Connection;

import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * The broker's MQTT, with a limit to what it reads into memory. By itself it collects a packet of
 * up to 256 MB, from anybody, before it looks whether that is too much; with this, a packet that
 * says it will be too large ends its connection.
 */
@SuppressWarnings("rawtypes") // as the broker's own methods have it
final class MqttProtocol extends MQTTProtocolManagerFactory {
    private final int largest;
    private final Supplier<GuestLine.Hall> hall;

    /**
     * With a limit.
     *
     * @param hall asked when the first client comes: it needs the broker, which needs this
     */
    MqttProtocol(int largest, Supplier<GuestLine.Hall> hall) {
        this.largest = largest;
        this.hall = hall;
    }

    @Override
    public ProtocolManager<?, ?> createProtocolManager(
            ActiveMQServer server,
            Map<String, Object> parameters,
            List<BaseInterceptor> incoming,
            List<BaseInterceptor> outgoing)
            throws Exception {
        return new Bounded(
                server,
                (MQTTProtocolManager)
                        super.createProtocolManager(server, parameters, incoming, outgoing),
                largest,
                hall);
    }

    /** All as it is, but for the decoder and for {@link GuestLine}. */
    private static final class Bounded
            implements ProtocolManager<MQTTInterceptor, MQTTRoutingHandler> {
        private final ActiveMQServer server;
        private final MQTTProtocolManager whole;
        private final int largest;
        private final Supplier<GuestLine.Hall> hall;

        Bounded(
                ActiveMQServer server,
                MQTTProtocolManager whole,
                int largest,
                Supplier<GuestLine.Hall> hall) {
            this.hall = hall;
            this.server = server;
            this.whole = whole;
            this.largest = largest;
        }

        @Override
        public void addChannelHandlers(ChannelPipeline pipeline) {
            whole.addChannelHandlers(pipeline);
            GuestLine line = new GuestLine(server, whole, hall.get());
            pipeline.replace(MQTTProtocolHandler.class, "line", line);
            pipeline.replace(MqttDecoder.class, "bounded", new MqttDecoder(largest));
            pipeline.addBefore("bounded", "frames", new Frames(largest, line));
        }

        @Override
        @SuppressWarnings("unchecked") // the broker's own signature forgets it
        public ProtocolManagerFactory<MQTTInterceptor> getFactory() {
            return whole.getFactory();
        }

        @Override
        public void updateInterceptors(
                List<BaseInterceptor> incoming, List<BaseInterceptor> outgoing) {
            whole.updateInterceptors(incoming, outgoing);
        }

        @Override
        public ConnectionEntry createConnectionEntry(Acceptor acceptor, Connection connection) {
            return whole.createConnectionEntry(acceptor, connection);
        }

        @Override
        public void handleBuffer(RemotingConnection connection, ActiveMQBuffer buffer) {
            whole.handleBuffer(connection, buffer);
        }

        /** There is no other here, and what is not MQTT after all is found out by reading it. */
        @Override
        public boolean isProtocol(byte[] array) {
            return true;
        }

        @Override
        public boolean acceptsNoHandshake() {
            return whole.acceptsNoHandshake();
        }

        @Override
        public void handshake(NettyServerConnection connection, ActiveMQBuffer buffer) {
            whole.handshake(connection, buffer);
        }

        @Override
        public List<String> websocketSubprotocolIdentifiers() {
            return whole.websocketSubprotocolIdentifiers();
        }

        @Override
        public void setAnycastPrefix(String prefix) {
            whole.setAnycastPrefix(prefix);
        }

        @Override
        public void setMulticastPrefix(String prefix) {
            whole.setMulticastPrefix(prefix);
        }

        @Override
        public Map<SimpleString, RoutingType> getPrefixes() {
            return whole.getPrefixes();
        }

        @Override
        public void setSecurityDomain(String domain) {
            whole.setSecurityDomain(domain);
        }

        @Override
        public String getSecurityDomain() {
            return whole.getSecurityDomain();
        }

        @Override
        public MQTTRoutingHandler getRoutingHandler() {
            return whole.getRoutingHandler();
        }
    }
}
