package dev.millrace.hub.mqtt.embedded;

import io.netty.handler.codec.mqtt.MqttConnectMessage;
import io.netty.handler.codec.mqtt.MqttProperties;
import io.netty.handler.codec.mqtt.MqttPublishMessage;

import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.protocol.mqtt.MQTTSessionState;
import org.apache.activemq.artemis.core.protocol.mqtt.MQTTStateManager;
import org.apache.activemq.artemis.core.protocol.mqtt.MQTTUtil;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.jspecify.annotations.Nullable;

/**
 * Whether there is room for what a guest wants to leave behind. The broker makes a queue for each
 * topic with a retained message and asks nobody, so it is looked at before. Thread-safe.
 */
final class RetainedMessages {
    private final ActiveMQServer server;
    private final MQTTStateManager sessions;
    private final TopicLimits limits;

    RetainedMessages(ActiveMQServer server, TopicLimits limits) throws Exception {
        this.server = server;
        this.sessions = MQTTStateManager.getInstance(server);
        this.limits = limits;
    }

    /** An empty one takes away what is there. */
    boolean fit(MqttPublishMessage publish, String clientId) {
        return !publish.fixedHeader().isRetain()
                || !publish.payload().isReadable()
                || fits(topic(publish, clientId));
    }

    /** What is to be left behind by a client that gets lost; nobody looks when that happens. */
    boolean fit(MqttConnectMessage connect) {
        String topic = connect.payload().willTopic();
        return !connect.variableHeader().isWillRetain() || topic == null || fits(topic);
    }

    private boolean fits(@Nullable String topic) {
        return topic == null || isThere(topic) || limits.takeRetained(topic);
    }

    private boolean isThere(String topic) {
        return server.locateQueue(
                        SimpleString.of(
                                MQTTUtil.getCoreRetainAddressFromMqttTopic(
                                        topic,
                                        server.getConfiguration().getWildcardConfiguration())))
                != null;
    }

    /** Null if there is none, which the broker will notice. */
    private @Nullable String topic(MqttPublishMessage publish, String clientId) {
        String topic = publish.variableHeader().topicName();
        MqttProperties.MqttProperty<?> alias =
                publish.variableHeader().properties().getProperty(Property.TOPIC_ALIAS.number());
        if (!topic.isEmpty() || alias == null || !(alias.value() instanceof Integer number)) {
            return topic.isEmpty() ? null : topic;
        }
        MQTTSessionState session = sessions.getSessionStates().get(clientId);
        return session == null ? null : session.getClientTopicAlias(number);
    }
}
