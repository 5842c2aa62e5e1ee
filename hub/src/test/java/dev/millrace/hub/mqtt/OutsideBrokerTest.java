package dev.millrace.hub.mqtt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.hub.access.AccessSettings;
import dev.millrace.keyspace.testing.TestCertificates;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** What only a broker of somebody's own does: passwords, certificates, an old protocol. */
class OutsideBrokerTest {
    @TempDir Path directory;
    private final TestAccess access = new TestAccess(AccessSettings.Mode.OPEN);

    @AfterEach
    void close() {
        access.close();
    }

    private Mqtt to(BrokerUrl url, String... settings) {
        return MqttSamples.settings(settings)
                .withUrl(url)
                .open(directory, access.gate(), new SimpleMeterRegistry());
    }

    private static void send(Mqtt mqtt) {
        mqtt.sender("mouth").send(List.of(Outgoing.of("plant/a", "x".getBytes(UTF_8))));
    }

    @Test
    void a_wrong_password_is_a_sentence_and_the_right_one_is_let_in() {
        try (TestMosquitto broker = TestMosquitto.closed(directory, "ann", "sesame")) {
            BrokerUrl url = broker.url();
            BrokerUrl wrong =
                    new BrokerUrl(url.host(), url.port(), false, url.user(), Optional.of("barley"));
            try (Mqtt mqtt = to(wrong)) {
                assertThatThrownBy(() -> send(mqtt))
                        .isInstanceOf(MqttException.class)
                        .hasMessage(
                                "The broker %s does not let us in: not authorized.".formatted(url));
                assertThat(mqtt.warnings())
                        .singleElement()
                        .asString()
                        .doesNotContain("barley", "ann");
            }
            try (Mqtt mqtt = to(url)) {
                send(mqtt);
                assertThat(mqtt.warnings()).isEmpty();
            }
        }
    }

    @Test
    void a_certificate_is_believed_only_if_a_setting_says_so() {
        TestCertificates certificates =
                new TestCertificates(directory).make("broker", "dns:localhost", "EC");
        try (TestMosquitto broker =
                TestMosquitto.encrypted(
                        directory,
                        certificates.certificate("broker"),
                        certificates.key("broker"))) {
            try (Mqtt mqtt = to(broker.url())) {
                assertThatThrownBy(() -> send(mqtt)).isInstanceOf(MqttException.class);
            }
            try (Mqtt mqtt = to(broker.url(), "mqtt.trust=" + certificates.certificate("broker"))) {
                send(mqtt);
            }
        }
    }

    @Test
    void a_broker_that_knows_only_the_old_protocol_is_spoken_to_in_it() throws IOException {
        try (TestMosquitto broker = TestMosquitto.start(directory);
                ServerSocket door = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Thread.startVirtualThread(() -> letInOldOnes(door, broker.url().port()));
            BrokerUrl url =
                    new BrokerUrl(
                            "127.0.0.1",
                            door.getLocalPort(),
                            false,
                            Optional.empty(),
                            Optional.empty());
            try (Mqtt mqtt = to(url)) {
                send(mqtt);
                assertThat(mqtt.warnings()).isEmpty();
            }
        }
    }

    /** Refuses version 5 as a broker of 2014 does, and passes on the rest. */
    private static void letInOldOnes(ServerSocket door, int port) {
        while (!door.isClosed()) {
            try {
                Socket client = door.accept();
                byte[] start = client.getInputStream().readNBytes(9);
                if (start[8] == 5) {
                    client.getOutputStream().write(new byte[] {0x20, 2, 0, 1});
                    client.close();
                } else {
                    Socket broker = new Socket(InetAddress.getLoopbackAddress(), port);
                    broker.getOutputStream().write(start);
                    Thread.startVirtualThread(() -> copy(client, broker));
                    Thread.startVirtualThread(() -> copy(broker, client));
                }
            } catch (IOException e) {
                return;
            }
        }
    }

    private static void copy(Socket from, Socket to) {
        try (InputStream in = from.getInputStream();
                OutputStream out = to.getOutputStream()) {
            in.transferTo(out);
        } catch (IOException e) {
            // One of them has hung up.
        }
    }
}
