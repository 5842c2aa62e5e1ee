package dev.millrace.hub.mqtt;

import io.netty.handler.codec.mqtt.MqttMessage;
import io.netty.handler.codec.mqtt.MqttPublishMessage;

import org.apache.activemq.artemis.core.protocol.mqtt.MQTTInterceptor;
import org.apache.activemq.artemis.core.remoting.impl.netty.NettyConnection;
import org.apache.activemq.artemis.spi.core.protocol.RemotingConnection;

/**
 * Hands messages to clients in the order in which they stand in their queue. The broker itself
 * sends each when the disk has done what the thread that happens to carry it had asked for, and
 * since threads change, some messages overtake others, also of the same topic (a thousand messages
 * in a row were enough to see it). What stands in a queue is on disk already; there is nothing to
 * wait for. Thread-safe.
 */
final class Postman implements MQTTInterceptor {
    @Override
    public boolean intercept(MqttMessage packet, RemotingConnection connection) {
        if (packet instanceof MqttPublishMessage
                && connection.getTransportConnection() instanceof NettyConnection line) {
            line.getChannel().writeAndFlush(packet, line.getChannel().voidPromise());
            return false;
        }
        return true;
    }
}
