package dev.millrace.hub.mqtt;

import io.netty.handler.codec.mqtt.MqttMessage;
import io.netty.handler.codec.mqtt.MqttPublishMessage;

import org.apache.activemq.artemis.core.protocol.mqtt.MQTTInterceptor;
import org.apache.activemq.artemis.core.remoting.impl.netty.NettyConnection;
import org.apache.activemq.artemis.spi.core.protocol.RemotingConnection;

/**
 * Hands messages to clients at once, in the order in which they stand in their queue. The broker
 * itself lets each wait for whatever the thread that happens to carry it had asked of the disk;
 * threads change, so that would be another way to lose the order (see {@link InOrder}). What stands
 * in a queue is on disk already, and there is nothing to wait for. Thread-safe.
 */
final class Postman implements MQTTInterceptor {
    @Override
    public boolean intercept(MqttMessage packet, RemotingConnection connection) {
        if (packet instanceof MqttPublishMessage
                && connection.getTransportConnection() instanceof NettyConnection line) {
            // What cannot be written is given again at the next connection.
            var _ = line.getChannel().writeAndFlush(packet, line.getChannel().voidPromise());
            return false;
        }
        return true;
    }
}
