package dev.millrace.hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;

import com.hivemq.client.mqtt.MqttClient;
import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.mqtt5.Mqtt5AsyncClient;

import dev.millrace.hub.access.Role;
import dev.millrace.hub.mqtt.Packets;
import dev.millrace.hub.mqtt.Packets.Connect;
import dev.millrace.hub.mqtt.RawMqtt;
import dev.millrace.keyspace.testing.SharedServers;
import dev.millrace.keyspace.testing.TestCertificates;
import dev.millrace.keyspace.testing.TestPorts;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

import javax.net.ssl.TrustManagerFactory;

/** A whole hub with its own broker: what its guests try, and how they come to it encrypted. */
class MqttGuestsTest {
    private static final int V3 = Packets.V3;
    private static final int V5 = Packets.V5;
    private static final int EVENTS = 100;

    @TempDir Path directory;
    private int port;

    @BeforeEach
    void start() throws IOException {
        SharedServers.standalone();
        SharedServers.flushAll();
        port = TestPorts.take();
    }

    private TestHub hub(String... settings) {
        String[] all = new String[settings.length + 2];
        all[0] = "data.dir=" + directory;
        all[1] = "mqtt.embedded.port=" + port;
        System.arraycopy(settings, 0, all, 2, settings.length);
        return TestHub.start(SharedServers.standalone().url(), all);
    }

    private RawMqtt guest(int version, String id, String token) {
        RawMqtt guest =
                RawMqtt.open(port).send(Connect.of(version, id).as(token).staying(60).packet());
        assertThat(guest.await(RawMqtt.CONNACK).code()).isZero();
        return guest;
    }

    private static String event(int value) {
        return """
        {"device":"tank","readings":[{"name":"n","value":"%d"}]}
        """
                .formatted(value);
    }

    @Test
    void every_acknowledged_event_is_stored_whoever_wants_to_share_it() {
        try (TestHub hub = hub("access.mode=token")) {
            String eye = hub.token("eye", Role.VIEWER);
            String hand = hub.token("hand", Role.OPERATOR);
            String root = hub.token("root", Role.ADMIN);
            RawMqtt sender = guest(V5, "sender", hand);
            await().until(
                            () -> {
                                sender.publish(V5, "edgex/events/first", event(-1));
                                return stored(hub, eye) > 0;
                            });
            // Those that were sent while it was waited for are stored before what comes now.
            sender.publish(V5, "edgex/events/last", event(-2).replace("tank", "last"));
            await().until(() -> count(hub, eye, "last") == 1);
            int before = stored(hub, eye);
            int thieves = 0;
            for (String token : List.of(eye, hand, root)) {
                for (String group : List.of("millrace-readings", "sender")) {
                    for (String filter : List.of("edgex/events/#", "#")) {
                        int version = thieves % 2 == 0 ? V5 : V3;
                        guest(version, "thief-" + thieves++, token)
                                .subscribe(version, "$share/" + group + "/" + filter);
                    }
                }
            }
            for (int i = 0; i < EVENTS; i++) {
                sender.publish(V5, "edgex/events/tank", event(i));
            }
            await().until(() -> stored(hub, eye) >= before + EVENTS);
            assertThat(stored(hub, eye)).isEqualTo(before + EVENTS);
            sender.leave();
        }
    }

    private static int stored(TestHub hub, String token) {
        return count(hub, token, "tank");
    }

    private static int count(TestHub hub, String token, String device) {
        return hub.send("GET", "/api/v1/event/device/" + device + "/1000", "", Optional.of(token))
                .json()
                .size();
    }

    @Test
    void events_come_encrypted_and_a_browser_hears_of_them() throws Exception {
        TestCertificates certificates =
                new TestCertificates(directory).make("hub", "ip:127.0.0.1", "EC");
        try (TestHub hub =
                hub(
                        "http.tls.cert=" + certificates.certificate("hub"),
                        "http.tls.key=" + certificates.key("hub"),
                        "mqtt.embedded.tls=on")) {
            TrustManagerFactory trust = trust(certificates.certificate("hub"));
            URI url = URI.create(hub.url());
            Mqtt5AsyncClient browser =
                    MqttClient.builder()
                            .serverHost("127.0.0.1")
                            .serverPort(url.getPort())
                            .sslConfig()
                            .trustManagerFactory(trust)
                            .applySslConfig()
                            .webSocketConfig()
                            .serverPath("eventbus")
                            .subprotocol("mqtt")
                            .applyWebSocketConfig()
                            .useMqttVersion5()
                            .buildAsync();
            Mqtt5AsyncClient device =
                    MqttClient.builder()
                            .serverHost("127.0.0.1")
                            .serverPort(port)
                            .sslConfig()
                            .trustManagerFactory(trust)
                            .applySslConfig()
                            .useMqttVersion5()
                            .buildAsync();
            browser.connect().orTimeout(60, SECONDS).join();
            device.connect().orTimeout(60, SECONDS).join();
            List<String> heard = new CopyOnWriteArrayList<>();
            browser.subscribeWith()
                    .topicFilter("millrace/events/#")
                    .qos(MqttQos.AT_LEAST_ONCE)
                    .callback(each -> heard.add(each.getTopic().toString()))
                    .send()
                    .orTimeout(60, SECONDS)
                    .join();
            await().until(
                            () -> {
                                device.publishWith()
                                        .topic("edgex/events/tank")
                                        .qos(MqttQos.AT_LEAST_ONCE)
                                        .payload(event(1).getBytes(UTF_8))
                                        .send()
                                        .orTimeout(60, SECONDS)
                                        .join();
                                return heard.contains("millrace/events/tank");
                            });
            browser.disconnect().join();
            device.disconnect().join();
        }
    }

    private static TrustManagerFactory trust(Path certificate)
            throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance(KeyStore.getDefaultType());
        store.load(null, null);
        try (InputStream pem = Files.newInputStream(certificate)) {
            store.setCertificateEntry(
                    "hub", CertificateFactory.getInstance("X.509").generateCertificate(pem));
        }
        TrustManagerFactory factory =
                TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(store);
        return factory;
    }
}
