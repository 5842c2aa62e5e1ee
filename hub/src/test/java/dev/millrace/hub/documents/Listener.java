package dev.millrace.hub.documents;

import com.hivemq.client.mqtt.MqttClient;
import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.mqtt5.Mqtt5AsyncClient;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5Publish;

import dev.millrace.hub.mqtt.BrokerUrl;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/** Somebody who listens to all changes of documents, and whose session outlasts the broker. */
public final class Listener implements AutoCloseable {
    private final List<Heard> heard = new CopyOnWriteArrayList<>();
    private final Mqtt5AsyncClient client;

    /** One message. */
    public record Heard(String topic, String text, long number, boolean retained) {}

    public Listener(BrokerUrl broker) {
        client =
                MqttClient.builder()
                        .useMqttVersion5()
                        .identifier("listener-" + UUID.randomUUID())
                        .serverHost(broker.host())
                        .serverPort(broker.port())
                        .automaticReconnect()
                        .initialDelay(50, TimeUnit.MILLISECONDS)
                        .maxDelay(200, TimeUnit.MILLISECONDS)
                        .applyAutomaticReconnect()
                        .buildAsync();
        // What came while we were away comes later.
        client.connectWith()
                .cleanStart(false)
                .sessionExpiryInterval(3600)
                .send()
                .orTimeout(60, TimeUnit.SECONDS)
                .join();
        client.subscribeWith()
                .topicFilter("brewcast/datastore/#")
                .qos(MqttQos.AT_LEAST_ONCE)
                .callback(message -> heard.add(read(message)))
                .send()
                .join();
    }

    private static Heard read(Mqtt5Publish message) {
        long number =
                message.getUserProperties().asList().stream()
                        .filter(each -> each.getName().toString().equals("seq"))
                        .mapToLong(each -> Long.parseLong(each.getValue().toString()))
                        .findFirst()
                        .orElse(0);
        return new Heard(
                message.getTopic().toString(),
                new String(message.getPayloadAsBytes(), StandardCharsets.UTF_8),
                number,
                message.isRetain());
    }

    public List<Heard> heard() {
        return heard;
    }

    /** The numbers in the order in which each came for the first time. */
    public List<Long> numbers() {
        List<Long> numbers = new ArrayList<>();
        for (Heard each : heard) {
            if (!numbers.contains(each.number)) {
                numbers.add(each.number);
            }
        }
        return numbers;
    }

    @Override
    public void close() {
        client.toBlocking().disconnect();
    }
}
