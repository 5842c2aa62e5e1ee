package dev.millrace.bench.documents;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.hivemq.client.mqtt.MqttClient;
import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.mqtt5.Mqtt5BlockingClient;

import dev.millrace.bench.race.Latencies;
import dev.millrace.bench.race.WholeHub;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * One document set after the other, and how long each takes to reach a subscriber of the broker.
 */
final class Announced {
    private static final String TOPIC = "brewcast/datastore/announced";
    private static final long LOST_SECONDS = 60;

    private Announced() {}

    static Latencies measure(WholeHub hub, int count) throws IOException, InterruptedException {
        BlockingQueue<String> heard = new LinkedBlockingQueue<>();
        Mqtt5BlockingClient subscriber =
                MqttClient.builder()
                        .useMqttVersion5()
                        .serverHost("127.0.0.1")
                        .serverPort(hub.broker())
                        .buildBlocking();
        subscriber.connect();
        try (HttpClient client = HttpClient.newHttpClient()) {
            subscriber
                    .toAsync()
                    .subscribeWith()
                    .topicFilter(TOPIC)
                    .qos(MqttQos.AT_LEAST_ONCE)
                    .callback(each -> heard.add(new String(each.getPayloadAsBytes(), UTF_8)))
                    .send()
                    .join();
            long[] nanos = new long[count];
            for (int i = -count / 5; i < count; i++) {
                long took = one(hub, client, heard, i);
                if (i >= 0) {
                    nanos[i] = took;
                }
            }
            return Latencies.of(nanos);
        } finally {
            subscriber.disconnect();
        }
    }

    private static long one(
            WholeHub hub, HttpClient client, BlockingQueue<String> heard, int number)
            throws IOException, InterruptedException {
        String mark = "\"number\":" + number + "}";
        HttpRequest set =
                HttpRequest.newBuilder(hub.address().url("/history/datastore/set"))
                        .header("Content-Type", "application/json")
                        .POST(
                                BodyPublishers.ofString(
                                        "{\"value\":{\"namespace\":\"announced\",\"id\":\"x\","
                                                + mark
                                                + "}"))
                        .build();
        long began = System.nanoTime();
        HttpResponse<String> answer = client.send(set, BodyHandlers.ofString());
        if (answer.statusCode() != 200) {
            throw new IllegalStateException("Not set: " + answer.body());
        }
        for (String event = ""; !event.contains(mark); ) {
            event = heard.poll(LOST_SECONDS, TimeUnit.SECONDS);
            if (event == null) {
                throw new IllegalStateException("An event did not come within a minute.");
            }
        }
        return System.nanoTime() - began;
    }
}
