package dev.millrace.hub.http.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;

import dev.millrace.hub.access.Role;
import dev.millrace.hub.http.Answer;
import dev.millrace.hub.http.Route;
import dev.millrace.keyspace.testing.TestCertificates;

import io.vertx.core.Vertx;
import io.vertx.core.http.Http2Settings;
import io.vertx.core.http.HttpClientAgent;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpClientRequest;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.HostAndPort;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;

/** Encrypted: certificates that change while it serves, and HTTP/2 with all that it allows. */
class HttpTlsTest {
    private static final Duration CAP = Duration.ofSeconds(60);

    @TempDir Path directory;
    private TestCertificates certificates;
    private TestWeb web;
    private final Vertx vertx = Vertx.vertx();
    private final CountDownLatch release = new CountDownLatch(1);
    private final AtomicInteger inside = new AtomicInteger();

    @BeforeEach
    void start() throws IOException {
        certificates =
                new TestCertificates(directory)
                        .make("first", "ip:127.0.0.1", "RSA")
                        .make("second", "ip:127.0.0.1", "EC")
                        .make("third", "ip:127.0.0.1", "EC");
        copy("first", "first");
        web =
                TestWeb.with(
                        routes(),
                        "http.tls.cert=" + directory.resolve("hub.crt"),
                        "http.tls.key=" + directory.resolve("hub.key"),
                        "http.max-in-flight=300",
                        "http.max-header=4KiB");
    }

    private List<Route> routes() {
        return List.of(
                Route.get("/hello")
                        .needs(Role.VIEWER, "test")
                        .about("Greets.")
                        .by(request -> Answer.text(200, "hello")),
                Route.post("/write")
                        .needs(Role.OPERATOR, "test")
                        .about("Writes.")
                        .by(request -> Answer.empty(204)),
                Route.get("/large")
                        .needs(Role.VIEWER, "test")
                        .about("Large.")
                        .by(request -> Answer.bytes(200, "image/png", new byte[3_000_000])),
                Route.get("/waits")
                        .needs(Role.VIEWER, "test")
                        .about("Waits.")
                        .by(
                                request -> {
                                    inside.incrementAndGet();
                                    release.await();
                                    return Answer.text(200, "waited");
                                }));
    }

    @AfterEach
    void stop() {
        release.countDown();
        web.close();
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }

    private void copy(String certificate, String key) throws IOException {
        replace(certificates.certificate(certificate), "hub.crt");
        replace(certificates.key(key), "hub.key");
    }

    /** As tools that renew do: written beside, then moved. */
    private void replace(Path from, String to) throws IOException {
        Path beside =
                Files.copy(from, directory.resolve("new"), StandardCopyOption.REPLACE_EXISTING);
        Files.move(beside, directory.resolve(to), StandardCopyOption.ATOMIC_MOVE);
    }

    /** The name in the certificate that a new connection is shown. */
    private String shown() throws IOException {
        try {
            SSLContext trusting = SSLContext.getInstance("TLS");
            trusting.init(null, new TrustManager[] {new TrustsAll()}, null);
            try (SSLSocket socket =
                    (SSLSocket)
                            trusting.getSocketFactory()
                                    .createSocket(
                                            InetAddress.getLoopbackAddress(),
                                            web.server().port())) {
                socket.startHandshake();
                X509Certificate certificate =
                        (X509Certificate) socket.getSession().getPeerCertificates()[0];
                return certificate.getSubjectX500Principal().getName();
            }
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    private static final class TrustsAll implements X509TrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }

    private HttpClientAgent client() {
        return vertx.createHttpClient(
                new HttpClientOptions()
                        .setSsl(true)
                        .setTrustAll(true)
                        .setVerifyHost(false)
                        .setUseAlpn(true)
                        .setProtocolVersion(HttpVersion.HTTP_2));
    }

    private HttpClientRequest ask(HttpClientAgent client, String path) throws Exception {
        return client.request(HttpMethod.GET, web.server().port(), "127.0.0.1", path)
                .toCompletionStage()
                .toCompletableFuture()
                .get(CAP.toSeconds(), TimeUnit.SECONDS);
    }

    private String get(HttpClientAgent client, String path) throws Exception {
        return ask(client, path)
                .send()
                .compose(
                        response ->
                                response.body()
                                        .map(
                                                body ->
                                                        response.version()
                                                                + " "
                                                                + response.statusCode()
                                                                + " "
                                                                + body.length()))
                .toCompletionStage()
                .toCompletableFuture()
                .get(CAP.toSeconds(), TimeUnit.SECONDS);
    }

    @Test
    void the_authority_of_http_2_is_looked_at_like_a_host() throws Exception {
        HttpClientAgent client = client();
        assertThat(status(ask(client, "/hello").authority(HostAndPort.create("localhost", 1))))
                .isEqualTo(200);
        assertThat(status(ask(client, "/hello").authority(HostAndPort.create("evil.invalid", 1))))
                .isEqualTo(421);
        // A page of the hub itself is not taken for one of another site.
        String own = "127.0.0.1:" + web.server().port();
        assertThat(
                        status(
                                ask(client, "/hello")
                                        .setMethod(HttpMethod.POST)
                                        .putHeader("Origin", "https://" + own)))
                .isEqualTo(405);
        assertThat(
                        status(
                                ask(client, "/write")
                                        .setMethod(HttpMethod.POST)
                                        .putHeader("Origin", "https://" + own)))
                .isEqualTo(204);
        assertThat(
                        status(
                                ask(client, "/write")
                                        .setMethod(HttpMethod.POST)
                                        .putHeader("Origin", "https://evil.invalid")))
                .isEqualTo(403);
    }

    private static int status(HttpClientRequest request) throws Exception {
        return request.send()
                .map(response -> response.statusCode())
                .toCompletionStage()
                .toCompletableFuture()
                .get(CAP.toSeconds(), TimeUnit.SECONDS);
    }

    @Test
    void http_2_is_spoken_and_many_answers_come_on_one_connection() throws Exception {
        HttpClientAgent client = client();
        assertThat(get(client, "/hello")).isEqualTo("HTTP_2 200 5");
        assertThat(get(client, "/large")).isEqualTo("HTTP_2 200 3000000");
        assertThat(get(client, "/nothing")).startsWith("HTTP_2 404");
        web.awaitQuiet();
    }

    @Test
    void a_renewed_certificate_is_taken_and_a_broken_one_is_not() throws Exception {
        assertThat(shown()).isEqualTo("CN=first");
        HttpClientAgent before = client();
        assertThat(get(before, "/hello")).startsWith("HTTP_2 200");

        copy("second", "second");
        Awaitility.await()
                .atMost(CAP)
                .untilAsserted(() -> assertThat(shown()).isEqualTo("CN=second"));
        // Who is connected stays so; who comes speaks HTTP/2 as before.
        assertThat(get(before, "/hello")).startsWith("HTTP_2 200");
        assertThat(get(client(), "/hello")).startsWith("HTTP_2 200");
    }

    @Test
    void files_that_are_not_right_leave_the_old_certificate_in_use() throws Exception {
        Logger logger = (Logger) LoggerFactory.getLogger(Certificates.class);
        ListAppender<ILoggingEvent> lines = new ListAppender<>();
        lines.list = new CopyOnWriteArrayList<>();
        lines.start();
        logger.addAppender(lines);
        try {
            Files.writeString(
                    directory.resolve("hub.crt"), "-----BEGIN CERTIFICATE-----\nrubbish\n");
            awaitRefusals(lines.list, 1);
            assertThat(shown()).isEqualTo("CN=first");
            Files.delete(directory.resolve("hub.crt"));
            awaitRefusals(lines.list, 2);
            assertThat(shown()).isEqualTo("CN=first");
            // A certificate of somebody else: it can be read, but nobody could connect.
            copy("second", "third");
            awaitRefusals(lines.list, 3);
            assertThat(shown()).isEqualTo("CN=first");
        } finally {
            logger.detachAppender(lines);
        }
        copy("second", "second");
        Awaitility.await()
                .atMost(CAP)
                .untilAsserted(() -> assertThat(shown()).isEqualTo("CN=second"));
    }

    /** It says so each time it has looked at other files and stays with the old ones. */
    private static void awaitRefusals(List<ILoggingEvent> lines, int count) {
        Awaitility.await()
                .atMost(CAP)
                .until(
                        () ->
                                lines.stream()
                                                .map(ILoggingEvent::getMessage)
                                                .filter(text -> text.contains("the old one stays"))
                                                .count()
                                        >= count);
    }

    @Test
    void a_key_that_belongs_to_another_certificate_is_refused_at_the_start() {
        assertThatThrownBy(() -> startWith("third", "second"))
                .isInstanceOf(CannotListenException.class)
                .hasMessageContaining("is not the key to the certificate");
        assertThatThrownBy(() -> startWith("first", "second"))
                .isInstanceOf(CannotListenException.class)
                .hasMessageContaining("http.tls.key");
    }

    private void startWith(String certificate, String key) {
        TestWeb.with(
                        routes(),
                        "http.tls.cert=" + certificates.certificate(certificate),
                        "http.tls.key=" + certificates.key(key))
                .close();
    }

    @Test
    void who_does_not_speak_tls_is_closed() throws IOException {
        try (Socket socket = web.connect()) {
            socket.getOutputStream()
                    .write(
                            "GET /hello HTTP/1.1\r\nHost: localhost\r\n\r\n"
                                    .getBytes(StandardCharsets.US_ASCII));
            assertThat(TestWeb.readAll(socket)).doesNotContain("200");
        }
        assertThat(shown()).isEqualTo("CN=first");
    }

    @Test
    void one_connection_has_no_more_than_a_hundred_requests_at_once() throws Exception {
        HttpClientAgent client = client();
        ask(client, "/hello").send();
        List<HttpClientRequest> sent = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            HttpClientRequest request = ask(client, "/waits");
            request.send();
            sent.add(request);
        }
        Awaitility.await().atMost(CAP).until(() -> inside.get() == 100);
        Http2Settings told = (Http2Settings) sent.getFirst().connection().remoteSettings();
        assertThat(told.getMaxConcurrentStreams()).isEqualTo(100);
        release.countDown();
        web.awaitQuiet();
    }

    /** Each of them begins work and takes it back: the connection is ended before long. */
    @Test
    void who_asks_and_takes_it_back_again_and_again_is_cut_off() throws Exception {
        release.countDown();
        HttpClientAgent client = client();
        HttpClientRequest first = ask(client, "/hello");
        CountDownLatch closed = new CountDownLatch(1);
        first.connection().closeHandler(gone -> closed.countDown());
        first.send();
        for (int i = 0; i < 1000 && closed.getCount() > 0; i++) {
            try {
                HttpClientRequest request = ask(client, "/waits");
                request.writeHead().onComplete(written -> request.reset(8));
            } catch (java.util.concurrent.ExecutionException e) {
                break;
            }
        }
        assertThat(closed.await(CAP.toSeconds(), TimeUnit.SECONDS)).isTrue();
        web.awaitQuiet();
        assertThat(get(client(), "/hello")).startsWith("HTTP_2 200");
    }

    @Test
    void a_head_that_is_too_large_is_refused() throws Exception {
        HttpClientAgent client = client();
        HttpClientRequest request = ask(client, "/hello");
        request.putHeader("x", "y".repeat(10_000));
        assertThatThrownBy(
                        () ->
                                request.send()
                                        .map(
                                                response -> {
                                                    assertThat(response.statusCode())
                                                            .isEqualTo(431);
                                                    throw new IllegalStateException("refused");
                                                })
                                        .toCompletionStage()
                                        .toCompletableFuture()
                                        .get(CAP.toSeconds(), TimeUnit.SECONDS))
                .isNotInstanceOf(AssertionError.class);
        assertThat(get(client(), "/hello")).startsWith("HTTP_2 200");
    }
}
