package dev.millrace.hub.mqtt.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.hub.mqtt.Packets;
import dev.millrace.hub.mqtt.Packets.Connect;
import dev.millrace.hub.mqtt.RawMqtt;
import dev.millrace.hub.mqtt.TestEmbedded;
import dev.millrace.hub.settings.Bytes;

import io.netty.handler.codec.mqtt.MqttQoS;
import io.netty.handler.codec.mqtt.MqttTopicSubscription;

import org.apache.activemq.artemis.api.core.QueueConfiguration;
import org.apache.activemq.artemis.api.core.RoutingType;
import org.apache.activemq.artemis.api.core.SimpleString;
import org.apache.activemq.artemis.core.config.Configuration;
import org.apache.activemq.artemis.core.message.impl.CoreMessage;
import org.apache.activemq.artemis.core.protocol.mqtt.MQTTSessionState;
import org.apache.activemq.artemis.core.protocol.mqtt.MQTTStateManager;
import org.apache.activemq.artemis.core.protocol.mqtt.MQTTUtil;
import org.apache.activemq.artemis.core.server.ActiveMQServer;
import org.apache.activemq.artemis.core.server.impl.ActiveMQServerImpl;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What a broker of an earlier version has left on disk. */
class LeftoversTest {
    private static final int V5 = Packets.V5;
    private static final String FILTER = "plant/#";

    @TempDir Path directory;

    /** A queue without a session, and a session that shares with the queue of another client. */
    private void leave() throws Exception {
        EmbeddedSettings settings =
                new EmbeddedSettings(
                        Optional.empty(),
                        EmbeddedSettings.Tls.OFF,
                        new EmbeddedSettings.Port(Optional.empty()),
                        Optional.empty(),
                        Bytes.of("1MB"),
                        10,
                        Bytes.of("1MB"),
                        100,
                        100);
        Doorway doorway =
                new Doorway(Optional.of(0), Optional.empty(), Optional.empty(), "127.0.0.1");
        EmbeddedBroker.Plan plan = new EmbeddedBroker.Plan(settings, doorway, Duration.ofDays(1));
        Configuration config = EmbeddedConfig.of(plan, directory).setSecurityEnabled(false);
        config.clearAcceptorConfigurations();
        ActiveMQServer server = new ActiveMQServerImpl(config);
        server.start();
        try {
            queue(server, "nobody." + FILTER);
            queue(server, "victim." + FILTER);
            subscribe(server, "victim", FILTER);
            subscribe(server, "thief", "$share/victim/" + FILTER);
            send(server, "plant/\0");
            send(server, "plant/\0/b");
            send(server, "plant/x");
        } finally {
            server.stop();
            MQTTStateManager.removeInstance(server);
        }
    }

    private static void queue(ActiveMQServer server, String name) throws Exception {
        server.createQueue(
                QueueConfiguration.of(name)
                        .setAddress(FILTER)
                        .setRoutingType(RoutingType.MULTICAST)
                        .setDurable(true));
    }

    private static void subscribe(ActiveMQServer server, String client, String filter)
            throws Exception {
        MQTTStateManager sessions = MQTTStateManager.getInstance(server);
        MQTTSessionState session = sessions.getSessionState(client);
        session.addSubscription(
                new MqttTopicSubscription(filter, MqttQoS.AT_LEAST_ONCE),
                server.getConfiguration().getWildcardConfiguration(),
                null);
        sessions.storeDurableSubscriptionState(session);
    }

    /** With a property that nobody can read. */
    private static void send(ActiveMQServer server, String topic) throws Exception {
        CoreMessage message = new CoreMessage(server.getStorageManager().generateID(), 50);
        message.setAddress(topic);
        message.setDurable(true);
        message.putStringProperty(MQTTUtil.MQTT_RESPONSE_TOPIC_KEY, SimpleString.of("a/#"));
        message.getBodyBuffer().writeBytes("old".getBytes(UTF_8));
        server.getPostOffice().route(message, false);
    }

    private static RawMqtt client(int port, String id, boolean session) {
        RawMqtt client = RawMqtt.open(port).send(Connect.of(V5, id).staying(60).packet());
        RawMqtt.Packet welcome = client.await(RawMqtt.CONNACK);
        assertThat(welcome.code()).isZero();
        assertThat(welcome.sessionPresent()).isEqualTo(session);
        return client;
    }

    /**
     * Messages that nobody could read can be read, a session does not share with another client's
     * queue, and a queue of nobody is gone.
     */
    @Test
    void does_no_harm_any_more() throws Exception {
        leave();
        try (TestEmbedded broker = TestEmbedded.open(directory)) {
            int port = URI.create(broker.address()).getPort();
            RawMqtt victim = client(port, "victim", true);
            for (String topic : List.of("plant/\uFFFD", "plant/\uFFFD/b", "plant/x")) {
                RawMqtt.Packet old = victim.await(RawMqtt.PUBLISH);
                assertThat(old.topic()).isEqualTo(topic);
                // With the response topic there would be some properties before it.
                assertThat(old.payload(V5)).isEqualTo("old");
                assertThat(new String(old.body(), UTF_8)).doesNotContain("a/#");
            }
            RawMqtt thief = client(port, "thief", true);
            RawMqtt sender = client(port, "sender", false);
            List<String> sent = new ArrayList<>();
            for (int i = 0; i < 10; i++) {
                sender.publish(V5, "plant/a", "m" + i);
                sent.add("m" + i);
            }
            assertThat(victim.messages(V5, 10)).isEqualTo(sent);
            thief.subscribe(V5, "then");
            sender.publish(V5, "then", "the first that it gets");
            assertThat(thief.messages(V5, 1)).containsExactly("the first that it gets");
            // Were its queue still there, all the others would have waited in it.
            RawMqtt nobody = client(port, "nobody", false);
            nobody.subscribe(V5, FILTER);
            sender.publish(V5, "plant/b", "new");
            assertThat(nobody.messages(V5, 1)).containsExactly("new");
        }
    }
}
