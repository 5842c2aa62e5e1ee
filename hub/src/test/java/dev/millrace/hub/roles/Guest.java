package dev.millrace.hub.roles;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;

import com.hivemq.client.mqtt.MqttClient;
import com.hivemq.client.mqtt.MqttClientBuilder;
import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.mqtt5.Mqtt5AsyncClient;
import com.hivemq.client.mqtt.mqtt5.message.connect.Mqtt5Connect;
import com.hivemq.client.mqtt.mqtt5.message.connect.Mqtt5ConnectBuilder;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;

/** A client of MQTT; one that was not let in does nothing. */
final class Guest implements AutoCloseable {
    private static final int CLEAN = 0x02;
    private static final int WILL = 0x04 | 0x08;
    private static final int USER_AND_PASSWORD = 0x80 | 0x40;

    private final Mqtt5AsyncClient client;
    private final List<String> heard = new CopyOnWriteArrayList<>();
    private final boolean welcome;

    private Guest(Mqtt5AsyncClient client, boolean welcome) {
        this.client = client;
        this.welcome = welcome;
    }

    static Guest come(int port, String id, Optional<String> token) {
        return come(MqttClient.builder().serverHost("127.0.0.1").serverPort(port), id, token);
    }

    /** As a page in a browser does. */
    static Guest comeByWebSocket(String url, String id, Optional<String> token) {
        URI hub = URI.create(url);
        return come(
                MqttClient.builder()
                        .serverHost(hub.getHost())
                        .serverPort(hub.getPort())
                        .webSocketConfig()
                        .serverPath("eventbus")
                        .subprotocol("mqtt")
                        .applyWebSocketConfig(),
                id,
                token);
    }

    private static Guest come(MqttClientBuilder builder, String id, Optional<String> token) {
        Mqtt5AsyncClient client = builder.identifier(id).useMqttVersion5().buildAsync();
        Mqtt5ConnectBuilder connect =
                Mqtt5Connect.builder().cleanStart(false).sessionExpiryInterval(3600);
        if (token.isPresent()) {
            connect =
                    connect.simpleAuth()
                            .username("anybody")
                            .password(token.get().getBytes(UTF_8))
                            .applySimpleAuth();
        }
        return new Guest(client, done(client.connect(connect.build())));
    }

    private static boolean done(CompletableFuture<?> asked) {
        return asked.orTimeout(60, SECONDS).handle((answer, refusal) -> refusal == null).join();
    }

    boolean welcome() {
        return welcome;
    }

    /** Everything that came, as {@code topic payload}. */
    List<String> heard() {
        return heard;
    }

    boolean listen(String filter) {
        return welcome
                && done(
                        client.subscribeWith()
                                .topicFilter(filter)
                                .qos(MqttQos.AT_LEAST_ONCE)
                                .callback(
                                        each ->
                                                heard.add(
                                                        each.getTopic()
                                                                + " "
                                                                + new String(
                                                                        each.getPayloadAsBytes(),
                                                                        UTF_8)))
                                .send());
    }

    boolean stopListening(String filter) {
        return welcome && done(client.unsubscribeWith().topicFilter(filter).send());
    }

    boolean send(String topic, String body) {
        return send(topic, body, false);
    }

    boolean send(String topic, String body, boolean retained) {
        return welcome
                && done(
                        client.publishWith()
                                .topic(topic)
                                .qos(MqttQos.AT_LEAST_ONCE)
                                .retain(retained)
                                .payload(body.getBytes(UTF_8))
                                .send()
                                .thenAccept(
                                        result ->
                                                result.getError()
                                                        .ifPresent(
                                                                error -> {
                                                                    throw new IllegalStateException(
                                                                            error);
                                                                })));
    }

    boolean connected() {
        return client.getState().isConnected();
    }

    /**
     * Comes, and is cut off at once, so that the broker sends the will; if it is let in. By hand,
     * because a client does not let go so rudely.
     */
    static void leaveWill(int port, String id, Optional<String> token, String topic, String body) {
        ByteArrayOutputStream packet = new ByteArrayOutputStream();
        packet.writeBytes(new byte[] {0, 4, 'M', 'Q', 'T', 'T', 4});
        packet.write(token.isPresent() ? WILL | CLEAN | USER_AND_PASSWORD : WILL | CLEAN);
        packet.writeBytes(new byte[] {0, 60});
        for (String text : List.of(id, topic, body)) {
            writeText(packet, text);
        }
        if (token.isPresent()) {
            writeText(packet, "anybody");
            writeText(packet, token.get());
        }
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.setSoTimeout(60_000);
            OutputStream out = socket.getOutputStream();
            out.write(0x10);
            out.write((packet.size() & 0x7F) | 0x80);
            out.write(packet.size() >> 7);
            out.write(packet.toByteArray());
            // Its answer, or the end.
            var _ = socket.getInputStream().readNBytes(4);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void writeText(ByteArrayOutputStream packet, String text) {
        byte[] bytes = text.getBytes(UTF_8);
        packet.write(bytes.length >> 8);
        packet.write(bytes.length);
        packet.writeBytes(bytes);
    }

    @Override
    public void close() {
        var _ = done(client.disconnect());
    }
}
