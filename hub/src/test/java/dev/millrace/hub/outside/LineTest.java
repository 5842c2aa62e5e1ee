package dev.millrace.hub.outside;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import dev.millrace.hub.settings.Network;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;

/** What a call to another server may take. */
class LineTest {
    private static final Limits LIMITS = Limits.within(Duration.ofSeconds(60));

    private final List<String> heard = Collections.synchronizedList(new ArrayList<>());
    private final CountDownLatch end = new CountDownLatch(1);
    private final Outside outside = new Outside();
    private HttpServer server;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", this::answer);
        server.start();
    }

    @AfterEach
    void stop() {
        end.countDown();
        server.stop(0);
        outside.close();
    }

    private void answer(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        heard.add(
                "%s %s %s %s"
                        .formatted(
                                exchange.getRequestMethod(),
                                path,
                                exchange.getRequestHeaders().getFirst("X-Secret"),
                                new String(exchange.getRequestBody().readAllBytes(), UTF_8)));
        switch (path) {
            case "/elsewhere" ->
                    redirect(
                            exchange,
                            307,
                            url("/end").toString().replace("127.0.0.1", "localhost"));
            case "/home" -> redirect(exchange, 302, "/end");
            case "/round" -> redirect(exchange, 308, "/round");
            case "/slow" -> hang(exchange);
            default -> {
                byte[] body = "x".repeat(10_000).getBytes(UTF_8);
                exchange.sendResponseHeaders(200, body.length);
                exchange.getResponseBody().write(body);
                exchange.close();
            }
        }
    }

    private static void redirect(HttpExchange exchange, int status, String to) throws IOException {
        exchange.getResponseHeaders().set("Location", to);
        exchange.sendResponseHeaders(status, -1);
        exchange.close();
    }

    private void hang(HttpExchange exchange) throws IOException {
        exchange.sendResponseHeaders(200, 100);
        exchange.getResponseBody().write('x');
        exchange.getResponseBody().flush();
        try {
            end.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        exchange.close();
    }

    private URI url(String path) {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + path);
    }

    private Ended send(Limits limits, String path) throws InterruptedException {
        Call call = new Call("POST", url(path), List.of(), "body".getBytes(UTF_8));
        try (Line line = outside.line(limits)) {
            return line.send(call.with("X-Secret", "s").with("Content-Type", "text/plain"));
        }
    }

    @Test
    void a_redirect_is_an_answer_unless_it_is_to_be_followed() throws InterruptedException {
        assertThat(send(LIMITS, "/home"))
                .isInstanceOfSatisfying(
                        Ended.Answered.class, answer -> assertThat(answer.status()).isEqualTo(302));
        assertThat(send(LIMITS.following(1), "/home")).isInstanceOf(Ended.Answered.class);
        assertThat(heard).endsWith("POST /home s body", "GET /end s ");
    }

    @Test
    void a_secret_does_not_follow_to_another_host() throws InterruptedException {
        assertThat(send(LIMITS.following(1), "/elsewhere")).isInstanceOf(Ended.Answered.class);
        assertThat(heard).containsExactly("POST /elsewhere s body", "POST /end null body");
    }

    @Test
    void redirects_come_to_an_end() throws InterruptedException {
        assertThat(send(LIMITS.following(3), "/round"))
                .isEqualTo(new Ended.Misled(308, "It redirects more than 3 times."));
        assertThat(heard).hasSize(4);
    }

    @Test
    void an_answer_that_is_too_large_is_none_and_one_that_nobody_wants_is_left()
            throws InterruptedException {
        assertThat(send(LIMITS.reading(new Limits.Body.Wanted(9_999)), "/end"))
                .isInstanceOf(Ended.Failed.class);
        assertThat(send(LIMITS.reading(new Limits.Body.Wanted(10_000)), "/end"))
                .isInstanceOfSatisfying(
                        Ended.Answered.class, answer -> assertThat(answer.body()).hasSize(10_000));
        for (int longest : List.of(0, 1, 20_000)) {
            assertThat(send(LIMITS.reading(new Limits.Body.Unwanted(longest)), "/end"))
                    .isInstanceOfSatisfying(
                            Ended.Answered.class, answer -> assertThat(answer.body()).isEmpty());
        }
    }

    @Test
    void the_time_holds_for_the_body_too() throws InterruptedException {
        Limits hasty = Limits.within(Duration.ofMillis(300));
        assertThat(send(hasty.reading(new Limits.Body.Unwanted(1 << 20)), "/slow"))
                .isEqualTo(new Ended.Late());
    }

    @Test
    void a_denied_network_is_not_called_nor_a_name_that_does_not_exist()
            throws InterruptedException {
        Limits denied = LIMITS.outOf(List.of(Network.of("127.0.0.0/8")));
        assertThat(send(denied, "/end")).isInstanceOf(Ended.Denied.class);
        assertThat(heard).isEmpty();
        try (Line line = outside.line(denied)) {
            assertThat(line.send(Call.of("GET", URI.create("http://nobody.invalid/"))))
                    .isInstanceOf(Ended.NobodyThere.class);
        }
    }

    @Test
    void what_cannot_be_said_is_not_sent() throws InterruptedException {
        try (Line line = outside.line(LIMITS)) {
            assertThat(line.send(Call.of("GET", url("/end")).with("X-Bad", "a\nb")))
                    .isInstanceOf(Ended.Impossible.class);
        }
    }
}
