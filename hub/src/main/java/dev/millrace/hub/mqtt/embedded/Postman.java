package dev.millrace.hub.mqtt.embedded;

import io.netty.handler.codec.mqtt.MqttMessage;
import io.netty.handler.codec.mqtt.MqttProperties;
import io.netty.handler.codec.mqtt.MqttPublishMessage;
import io.netty.handler.codec.mqtt.MqttPublishVariableHeader;

import org.apache.activemq.artemis.core.protocol.mqtt.MQTTInterceptor;
import org.apache.activemq.artemis.core.remoting.impl.netty.NettyConnection;
import org.apache.activemq.artemis.spi.core.protocol.RemotingConnection;

/**
 * Hands messages to clients at once, in the order in which they stand in their queue. The broker
 * itself lets each wait for whatever the thread that happens to carry it had asked of the disk;
 * threads change, so that would be another way to lose the order (see {@link GuestLine}). What
 * stands in a queue is on disk already, and there is nothing to wait for. Thread-safe.
 */
final class Postman implements MQTTInterceptor {
    /** What is written for a character that cannot be written. */
    private static final char INSTEAD = '\uFFFD';

    @Override
    public boolean intercept(MqttMessage packet, RemotingConnection connection) {
        if (packet instanceof MqttPublishMessage publish
                && connection.getTransportConnection() instanceof NettyConnection line) {
            // What cannot be written is given again at the next connection.
            var _ =
                    line.getChannel()
                            .writeAndFlush(readable(publish), line.getChannel().voidPromise());
            return false;
        }
        return true;
    }

    /**
     * Messages that were kept from a time when {@link PacketRules} were not yet looked at, or came
     * past them: whoever gets them must not have to hang up.
     */
    private static MqttMessage readable(MqttPublishMessage publish) {
        MqttPublishVariableHeader header = publish.variableHeader();
        String topic = header.topicName().replace('\0', INSTEAD);
        MqttProperties right = new MqttProperties();
        boolean wrong = !topic.equals(header.topicName());
        for (MqttProperties.MqttProperty<?> each : header.properties().listAll()) {
            if (PacketRules.isRight(Property.of(each.propertyId()), each)) {
                right.add(each);
            } else {
                wrong = true;
            }
        }
        return wrong
                ? new MqttPublishMessage(
                        publish.fixedHeader(),
                        new MqttPublishVariableHeader(topic, header.packetId(), right),
                        publish.payload())
                : publish;
    }
}
