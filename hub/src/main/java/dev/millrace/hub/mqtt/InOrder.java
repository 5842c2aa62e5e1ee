package dev.millrace.hub.mqtt;

import io.netty.handler.codec.mqtt.MqttMessage;

import org.apache.activemq.artemis.core.persistence.OperationContext;
import org.apache.activemq.artemis.core.protocol.mqtt.MQTTProtocolHandler;
import org.apache.activemq.artemis.core.protocol.mqtt.MQTTProtocolManager;
import org.apache.activemq.artemis.core.server.ActiveMQServer;

/**
 * The broker's end of one connection, keeping order. The broker works on the packets of a
 * connection one after the other, but on changing threads, and a message reaches its queues when
 * the disk has done what <em>that thread</em> had asked for: messages of one client overtake each
 * other, also on the same topic (a hundred in a row were enough to see it). With one context for
 * the connection, whatever the thread, they stay in line.
 */
final class InOrder extends MQTTProtocolHandler {
    private final ActiveMQServer server;
    private final OperationContext line;

    InOrder(ActiveMQServer server, MQTTProtocolManager manager) {
        super(server, manager);
        this.server = server;
        this.line = server.newOperationContext();
    }

    @Override
    public void act(MqttMessage packet) {
        server.getStorageManager().setContext(line);
        try {
            super.act(packet);
        } finally {
            server.getStorageManager().clearContext();
        }
    }
}
