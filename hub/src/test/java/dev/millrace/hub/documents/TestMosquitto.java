package dev.millrace.hub.documents;

import static org.awaitility.Awaitility.await;

import com.hivemq.client.mqtt.MqttClient;
import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.mqtt5.Mqtt5AsyncClient;
import com.hivemq.client.mqtt.mqtt5.message.publish.Mqtt5Publish;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/** A broker outside that can be stopped and started again, with somebody who listens. */
public final class TestMosquitto implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(1);

    private final Path directory;
    private final int port;
    private final List<Heard> heard = new CopyOnWriteArrayList<>();
    private final Mqtt5AsyncClient listener;
    private Process process;

    /** One message. */
    public record Heard(String topic, String text, long number, boolean retained) {}

    public TestMosquitto(Path directory) throws IOException {
        this.directory = directory;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        process = started();
        listener =
                MqttClient.builder()
                        .useMqttVersion5()
                        .serverHost("127.0.0.1")
                        .serverPort(port)
                        .automaticReconnect()
                        .initialDelay(50, TimeUnit.MILLISECONDS)
                        .maxDelay(200, TimeUnit.MILLISECONDS)
                        .applyAutomaticReconnect()
                        .buildAsync();
        // A session that outlasts the broker: what came while we were away comes later.
        listener.connectWith().cleanStart(false).sessionExpiryInterval(3600).send().join();
        listener.subscribeWith()
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

    private Process started() throws IOException {
        Path config = directory.resolve("mosquitto.conf");
        Files.writeString(
                config,
                """
                listener %d 127.0.0.1
                allow_anonymous true
                persistence true
                persistence_location %s/
                autosave_interval 1
                autosave_on_changes true
                max_queued_messages 0
                user %s
                """
                        .formatted(port, directory, System.getProperty("user.name")));
        Path usual = Path.of("/usr/sbin/mosquitto");
        Process begun =
                new ProcessBuilder(
                                Files.exists(usual) ? usual.toString() : "mosquitto",
                                "-c",
                                config.toString())
                        .redirectErrorStream(true)
                        .redirectOutput(directory.resolve("mosquitto.log").toFile())
                        .start();
        await().atMost(PATIENCE).ignoreExceptions().until(this::accepts);
        return begun;
    }

    private boolean accepts() throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return socket.isConnected();
        }
    }

    public void start() throws IOException {
        process = started();
    }

    public void stop() {
        process.destroy();
        process.onExit().join();
    }

    public String url() {
        return "mqtt://127.0.0.1:" + port;
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
        listener.toBlocking().disconnect();
        stop();
    }
}
