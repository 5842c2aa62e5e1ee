package dev.millrace.hub.mqtt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import static java.nio.charset.StandardCharsets.US_ASCII;

import ch.qos.logback.classic.Level;

import dev.millrace.hub.access.Role;
import dev.millrace.hub.http.server.CannotListenException;
import dev.millrace.hub.mqtt.Packets.Connect;
import dev.millrace.keyspace.testing.TestCertificates;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;

/** The embedded broker with the hub's certificate. */
class EmbeddedTlsTest {
    private static final int V5 = Packets.V5;

    @TempDir static Path directory;
    private static TestCertificates certificates;
    private static TestHouse house;
    private static String hand;

    @BeforeAll
    static void start() throws IOException {
        certificates = new TestCertificates(directory);
        for (String name : List.of("first", "other")) {
            certificates.make(name, "ip:127.0.0.1", "RSA");
        }
        for (String name : List.of("second", "third")) {
            certificates.make(name, "ip:127.0.0.1", "EC");
        }
        use("first", "first");
        house =
                TestHouse.open(
                        directory.resolve("data"),
                        "http.tls.cert=" + directory.resolve("hub.crt"),
                        "http.tls.key=" + directory.resolve("hub.key"),
                        "mqtt.embedded.tls=on",
                        "mqtt.embedded.clear-port=0");
        hand = house.token("hand", Role.OPERATOR);
    }

    @AfterAll
    static void stop() {
        house.close();
    }

    private static void use(String certificate, String key) throws IOException {
        replace(Files.readString(certificates.certificate(certificate)), "hub.crt");
        replace(Files.readString(certificates.key(key)), "hub.key");
    }

    /** As tools that renew do: written beside, then moved. */
    private static void replace(String text, String to) throws IOException {
        Path beside = Files.writeString(directory.resolve("new"), text);
        Files.move(beside, directory.resolve(to), StandardCopyOption.ATOMIC_MOVE);
    }

    /** Connects as a client that believes this certificate and no other. */
    private static SSLSocket trusting(String name, int port) throws IOException {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, Trust.in(certificates.certificate(name)).getTrustManagers(), null);
            SSLSocket socket =
                    (SSLSocket) context.getSocketFactory().createSocket("127.0.0.1", port);
            SSLParameters parameters = socket.getSSLParameters();
            parameters.setEndpointIdentificationAlgorithm("HTTPS");
            socket.setSSLParameters(parameters);
            socket.startHandshake();
            return socket;
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static int encrypted() {
        return house.broker.ports().getFirst();
    }

    private static boolean isShown(String name) throws IOException {
        try (SSLSocket socket = trusting(name, encrypted())) {
            X509Certificate shown = (X509Certificate) socket.getSession().getPeerCertificates()[0];
            return shown.getSubjectX500Principal().getName().equals("CN=" + name);
        } catch (SSLException e) {
            return false;
        }
    }

    private static void awaitShown(String name) {
        await().until(() -> isShown(name));
    }

    @Test
    void what_is_sent_encrypted_is_heard_and_the_second_port_is_in_the_clear() throws IOException {
        use("first", "first");
        awaitShown("first");
        RawMqtt clear =
                RawMqtt.open(house.broker.ports().get(1))
                        .send(Connect.of(V5, "clear").as(hand).packet());
        assertThat(clear.await(RawMqtt.CONNACK).code()).isZero();
        clear.subscribe(V5, "plant/#");
        RawMqtt sender =
                RawMqtt.on(trusting("first", encrypted()))
                        .send(Connect.of(V5, "encrypted").as(hand).packet());
        assertThat(sender.await(RawMqtt.CONNACK).code()).isZero();
        String large = "x".repeat(100_000);
        sender.publish(V5, "plant/a", large);
        assertThat(clear.messages(V5, 1)).containsExactly(large);
        sender.leave();
        clear.leave();
    }

    @Test
    void who_speaks_in_the_clear_or_breaks_off_is_closed_and_no_error() throws IOException {
        double before = house.malformed();
        use("first", "first");
        awaitShown("first");
        try (LogLines lines = new LogLines()) {
            for (int i = 0; i < 100; i++) {
                try (RawMqtt client = RawMqtt.open(encrypted())) {
                    client.send(Connect.of(V5, "clear").as(hand).packet());
                    // TLS says in its own words why: a fatal alert, which is not a CONNACK.
                    assertThat(client.untilClosed())
                            .noneMatch(each -> each.type() == RawMqtt.CONNACK);
                }
                try (Socket early = new Socket(InetAddress.getLoopbackAddress(), encrypted())) {
                    early.getOutputStream().write(new byte[] {0x16, 3, 1, 0, 50, 1, 0});
                }
            }
            // Garbage below an encryption that had come about.
            try (Socket plain = new Socket(InetAddress.getLoopbackAddress(), encrypted())) {
                garbleAfterHandshake(plain);
            }
            awaitShown("first");
            assertThat(lines.of(Level.ERROR)).isEmpty();
            assertThat(lines.of(Level.WARN)).hasSizeLessThan(20);
        }
        assertThat(house.malformed()).isGreaterThanOrEqualTo(before + 100);
    }

    private static void garbleAfterHandshake(Socket plain) throws IOException {
        try {
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(
                    null, Trust.in(certificates.certificate("first")).getTrustManagers(), null);
            SSLSocket socket =
                    (SSLSocket)
                            context.getSocketFactory()
                                    .createSocket(plain, "127.0.0.1", encrypted(), false);
            socket.startHandshake();
            socket.getOutputStream().write(Connect.of(V5, "garbled").as(hand).packet());
            assertThat(socket.getInputStream().read()).isEqualTo(0x20);
            plain.getOutputStream().write("this is not encrypted".getBytes(US_ASCII));
            plain.setSoTimeout(60_000);
            plain.getInputStream().readAllBytes();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void a_renewed_certificate_is_shown_and_a_wrong_one_is_not() throws IOException {
        use("first", "first");
        awaitShown("first");
        RawMqtt before =
                RawMqtt.on(trusting("first", encrypted()))
                        .send(Connect.of(V5, "before").as(hand).packet());
        before.await(RawMqtt.CONNACK);
        use("second", "second");
        awaitShown("second");
        assertThat(isShown("first")).isFalse();
        for (String key : List.of("third", "first")) {
            try (LogLines lines = new LogLines()) {
                use("second", key);
                await().until(
                                () ->
                                        lines.of(Level.WARN).stream()
                                                .anyMatch(each -> each.contains("the old one")));
            }
            assertThat(isShown("second")).isTrue();
        }
        use("third", "third");
        awaitShown("third");
        // Who was there is not disturbed.
        before.ping();
        before.leave();
    }

    @Test
    void a_key_may_be_written_in_the_older_way() throws IOException {
        replace(Files.readString(certificates.certificate("other")), "hub.crt");
        replace(pkcs1(certificates.key("other")), "hub.key");
        awaitShown("other");
    }

    /** The newer way is the older one in an envelope of fixed size. */
    private static String pkcs1(Path pkcs8) throws IOException {
        int envelope = 26;
        byte[] der =
                Base64.getMimeDecoder()
                        .decode(Files.readString(pkcs8).replaceAll("-----[A-Z ]+-----", ""));
        return "-----BEGIN RSA PRIVATE KEY-----\n"
                + Base64.getMimeEncoder()
                        .encodeToString(Arrays.copyOfRange(der, envelope, der.length))
                + "\n-----END RSA PRIVATE KEY-----\n";
    }

    @Test
    void a_pair_that_does_not_belong_together_is_a_sentence_and_no_start(@TempDir Path own) {
        assertThatThrownBy(
                        () ->
                                TestHouse.withoutTokens(
                                        own,
                                        "http.tls.cert=" + certificates.certificate("second"),
                                        "http.tls.key=" + certificates.key("third"),
                                        "mqtt.embedded.tls=on"))
                .isInstanceOf(CannotListenException.class)
                .hasMessageContaining("is not the key to the certificate");
        // Nothing is left behind that would keep the next one from starting.
        TestHouse.withoutTokens(own).close();
    }
}
