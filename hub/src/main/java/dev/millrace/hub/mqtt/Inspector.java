package dev.millrace.hub.mqtt;

import io.netty.handler.codec.mqtt.MqttConnectMessage;
import io.netty.handler.codec.mqtt.MqttMessage;
import io.netty.handler.codec.mqtt.MqttProperties;
import io.netty.handler.codec.mqtt.MqttPublishMessage;
import io.netty.handler.codec.mqtt.MqttSubscribeMessage;

import org.apache.activemq.artemis.core.protocol.mqtt.MQTTInterceptor;
import org.apache.activemq.artemis.spi.core.protocol.RemotingConnection;
import org.jspecify.annotations.Nullable;

import java.time.Duration;

/**
 * Looks at what clients send before the broker does. Three things it would take that we do not
 * want: a session that never ends (it is shortened to what is allowed); a topic with {@code ::}, by
 * which it would name a queue, also that of another client; and more retained messages than there
 * may be. For these the connection is ended. Thread-safe.
 */
final class Inspector implements MQTTInterceptor {
    private static final String QUEUE_MARK = "::";

    /** The number of this property in MQTT 5. */
    private static final int SESSION_EXPIRY = 0x11;

    private final int longestSession;
    private final RetainedMessages retained;

    Inspector(Duration longestSession, RetainedMessages retained) {
        this.longestSession = Math.toIntExact(longestSession.toSeconds());
        this.retained = retained;
    }

    @Override
    public boolean intercept(MqttMessage packet, RemotingConnection connection) {
        return switch (packet) {
            case MqttConnectMessage connect -> {
                shorten(connect.variableHeader().properties());
                yield isTopic(connect.payload().willTopic()) && retained.fit(connect);
            }
            case MqttPublishMessage publish ->
                    isTopic(publish.variableHeader().topicName())
                            && retained.fit(publish, connection);
            case MqttSubscribeMessage subscribe ->
                    subscribe.payload().topicSubscriptions().stream()
                            .allMatch(each -> isTopic(each.topicFilter()));
            default -> true;
        };
    }

    private static boolean isTopic(@Nullable String topic) {
        return topic == null || !topic.contains(QUEUE_MARK);
    }

    private void shorten(MqttProperties properties) {
        MqttProperties.MqttProperty<?> wish = properties.getProperty(SESSION_EXPIRY);
        // The wish for no end at all is the largest number, which as an int is -1.
        if (wish != null
                && wish.value() instanceof Integer seconds
                && (seconds < 0 || seconds > longestSession)) {
            properties.add(new MqttProperties.IntegerProperty(SESSION_EXPIRY, longestSession));
        }
    }
}
