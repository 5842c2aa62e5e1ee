package dev.millrace.hub.mqtt.embedded;

import io.netty.handler.codec.mqtt.MqttTopicSubscription;

import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.postoffice.impl.LocalQueueBinding;
import org.apache.activemq.artemis.core.protocol.mqtt.MQTTSessionState;
import org.apache.activemq.artemis.core.protocol.mqtt.MQTTStateManager;
import org.apache.activemq.artemis.core.protocol.mqtt.MQTTUtil;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.Queue;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * What is on disk from earlier, and must not be used as it is.
 *
 * <ul>
 *   <li>Shared subscriptions of a time when names were not yet rewritten ({@link Inside}): in them
 *       a client may still share with another's queue, or with the hub's.
 *   <li>Queues that belong to no session any more. Nobody takes from them; they would grow until
 *       nobody could send to their topics.
 * </ul>
 */
final class Leftovers {
    private static final Logger log = LoggerFactory.getLogger(Leftovers.class);

    /** What the broker keeps for itself, and retained messages. */
    private static final SimpleString OF_THE_BROKER = SimpleString.of("$");

    private Leftovers() {}

    /** To be called before anybody comes. */
    static void tidy(ActiveMQServer server, MQTTStateManager sessions) throws Exception {
        Set<String> used = new HashSet<>();
        for (MQTTSessionState session : sessions.getSessionStates().values()) {
            for (MqttTopicSubscription each : List.copyOf(session.getSubscriptions())) {
                if (Inside.isForeign(each.topicFilter())) {
                    session.removeSubscription(each.topicFilter());
                    sessions.storeDurableSubscriptionState(session);
                } else {
                    used.add(
                            MQTTUtil.getCoreQueueFromMqttTopic(
                                    each.topicFilter(),
                                    session.getClientId(),
                                    server.getConfiguration().getWildcardConfiguration()));
                }
            }
        }
        List<Queue> unused =
                server.getPostOffice()
                        .getAllBindings()
                        .filter(LocalQueueBinding.class::isInstance)
                        .map(each -> ((LocalQueueBinding) each).getQueue())
                        .filter(each -> !each.getAddress().startsWith(OF_THE_BROKER))
                        .filter(each -> !used.contains(each.getName().toString()))
                        .toList();
        for (Queue each : unused) {
            log.info(
                    "Removed a queue that belongs to no session. queue={} messages={}",
                    each.getName(),
                    each.getMessageCount());
            server.destroyQueue(each.getName(), null, false, true);
        }
    }
}
