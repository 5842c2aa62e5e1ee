package dev.millrace.hub.mqtt.embedded;

import io.netty.handler.codec.mqtt.MqttMessage;
import io.netty.handler.codec.mqtt.MqttProperties;
import io.netty.handler.codec.mqtt.MqttProperties.MqttPropertyType;
import io.netty.handler.codec.mqtt.MqttPublishMessage;
import io.netty.handler.codec.mqtt.MqttPublishVariableHeader;

import org.apache.activemq.artemis.core.protocol.mqtt.MQTTInterceptor;
import org.apache.activemq.artemis.core.remoting.impl.netty.NettyConnection;
import org.apache.activemq.artemis.spi.core.protocol.RemotingConnection;

/**
 * Hands messages to clients at once, in the order in which they stand in their queue. The broker
 * itself lets each wait for whatever the thread that happens to carry it had asked of the disk;
 * threads change, so that would be another way to lose the order (see {@link Line}). What stands in
 * a queue is on disk already, and there is nothing to wait for. Thread-safe.
 */
final class Postman implements MQTTInterceptor {
    @Override
    public boolean intercept(MqttMessage packet, RemotingConnection connection) {
        if (packet instanceof MqttPublishMessage publish
                && connection.getTransportConnection() instanceof NettyConnection line) {
            // What cannot be written is given again at the next connection.
            var _ =
                    line.getChannel()
                            .writeAndFlush(
                                    withoutWrongProperties(publish),
                                    line.getChannel().voidPromise());
            return false;
        }
        return true;
    }

    /**
     * Messages that were kept from a time when {@link PacketRules} were not yet looked at, or came
     * past them: whoever gets them must not have to hang up.
     */
    private static MqttMessage withoutWrongProperties(MqttPublishMessage publish) {
        MqttPublishVariableHeader header = publish.variableHeader();
        MqttProperties right = new MqttProperties();
        boolean wrong = false;
        for (MqttProperties.MqttProperty<?> each : header.properties().listAll()) {
            if (PacketRules.isRight(MqttPropertyType.valueOf(each.propertyId()), each)) {
                right.add(each);
            } else {
                wrong = true;
            }
        }
        return wrong
                ? new MqttPublishMessage(
                        publish.fixedHeader(),
                        new MqttPublishVariableHeader(header.topicName(), header.packetId(), right),
                        publish.payload())
                : publish;
    }
}
