package dev.millrace.bench.readings;

import com.hivemq.client.mqtt.MqttClient;
import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.mqtt5.Mqtt5AsyncClient;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

/** Somebody who wants to hear of every event by MQTT. */
final class Listener implements AutoCloseable {
    private static final Duration LOST = Duration.ofMinutes(2);
    private static final long LOOK_MILLIS = 20;

    private final Mqtt5AsyncClient client;
    private final AtomicLong heard = new AtomicLong();

    /** Listens from now on. */
    Listener(int broker) {
        client =
                MqttClient.builder()
                        .useMqttVersion5()
                        .serverHost("127.0.0.1")
                        .serverPort(broker)
                        .buildAsync();
        client.connect().join();
        client.subscribeWith()
                .topicFilter("millrace/events/#")
                .qos(MqttQos.AT_LEAST_ONCE)
                .callback(each -> heard.incrementAndGet())
                .send()
                .join();
    }

    /**
     * Waits until it has heard so many events.
     *
     * @throws IllegalStateException if they do not come
     */
    void await(long events) throws InterruptedException {
        for (long looks = LOST.toMillis() / LOOK_MILLIS; heard.get() < events; looks--) {
            if (looks == 0) {
                throw new IllegalStateException(
                        "The listener heard of %d events and not of %d."
                                .formatted(heard.get(), events));
            }
            Thread.sleep(LOOK_MILLIS);
        }
    }

    @Override
    public void close() {
        client.disconnect().join();
    }
}
