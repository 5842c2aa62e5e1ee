package dev.millrace.hub.http.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.millrace.hub.access.Role;
import dev.millrace.hub.http.Answer;
import dev.millrace.hub.http.Route;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** How a server ends: politely where it can, and in any case. */
class GracefulStopTest {
    private final CountDownLatch release = new CountDownLatch(1);
    private final CountDownLatch inside = new CountDownLatch(1);
    private final AtomicInteger interrupted = new AtomicInteger();
    private final AtomicInteger closed = new AtomicInteger();
    private final CompletableFuture<String> news = new CompletableFuture<>();

    private TestWeb web = start();

    private TestWeb start(String... set) {
        return TestWeb.with(
                List.of(
                        route("/hello").by(request -> Answer.text(200, "hello")),
                        route("/alive")
                                .alsoWhileStopping()
                                .by(request -> Answer.text(200, "alive")),
                        route("/waits")
                                .by(
                                        request -> {
                                            inside.countDown();
                                            try {
                                                release.await();
                                            } catch (InterruptedException e) {
                                                interrupted.incrementAndGet();
                                                throw e;
                                            }
                                            return Answer.text(200, "waited");
                                        }),
                        route("/poll")
                                .parked()
                                .by(
                                        request -> {
                                            inside.countDown();
                                            return Answer.text(200, news.get());
                                        }),
                        route("/stubborn")
                                .promptlyBy(
                                        request -> {
                                            inside.countDown();
                                            release.countDown();
                                            while (closed.get() == 0) {
                                                Thread.onSpinWait();
                                            }
                                            return CompletableFuture.completedFuture(
                                                    Answer.empty(204));
                                        }),
                        route("/stream")
                                .streamingBy(
                                        (request, stream) -> {
                                            stream.whileThere(() -> {}, closed::incrementAndGet);
                                            stream.whenStopping(
                                                    () -> {
                                                        stream.write("bye".getBytes(US_ASCII));
                                                        stream.end();
                                                    });
                                            stream.begin("text/plain", List.of());
                                            stream.write("hi".getBytes(US_ASCII));
                                        }),
                        route("/talk")
                                .talkingBy(
                                        (request, talk) -> {
                                            talk.whileThere(() -> {}, closed::incrementAndGet);
                                            talk.whenHeard(talk::say);
                                            talk.say("hi");
                                        })),
                set);
    }

    private static Route.Draft route(String path) {
        return Route.get(path).needs(Role.VIEWER, "test").about("For a test.");
    }

    @AfterEach
    void stop() {
        closed.incrementAndGet();
        release.countDown();
        web.close();
    }

    private Socket ask(String path) throws IOException {
        Socket socket = web.connect();
        socket.getOutputStream()
                .write(("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n").getBytes(US_ASCII));
        return socket;
    }

    private Thread stopping() {
        return Thread.ofVirtual().start(() -> web.server().close());
    }

    @Test
    void what_is_in_flight_is_finished_and_nothing_new_is_taken() throws Exception {
        try (Socket idle = web.connect();
                Socket working = ask("/waits")) {
            inside.await();
            Thread stopping = stopping();
            // An idle connection ends, and there is no new one.
            assertThat(TestWeb.readAll(idle)).isEmpty();
            Awaitility.await()
                    .untilAsserted(
                            () ->
                                    assertThatThrownBy(() -> web.connect())
                                            .isInstanceOf(IOException.class));
            release.countDown();
            String all = TestWeb.readAll(working);
            assertThat(all).endsWith("waited").containsIgnoringCase("connection: close");
            stopping.join();
        }
        assertThat(interrupted.get()).isZero();
    }

    @Test
    void a_long_poll_is_told_and_answers() throws Exception {
        web.server()
                .whenStopping(
                        () -> {
                            throw new IllegalStateException(
                                    "one that fails keeps nobody from being told");
                        });
        web.server().whenStopping(() -> news.complete("no news"));
        try (Socket poll = ask("/poll")) {
            inside.await();
            stopping().join();
            assertThat(TestWeb.readAll(poll)).endsWith("no news");
        }
    }

    @Test
    void only_what_may_be_asked_at_any_time_is_answered_while_it_stops() {
        assertThat(web.get("/hello").statusCode()).isEqualTo(200);
        List<Integer> answers = new ArrayList<>();
        web.server()
                .whenStopping(
                        () -> {
                            answers.add(web.get("/alive").statusCode());
                            answers.add(web.get("/hello").statusCode());
                        });
        web.server().close();
        assertThat(answers).containsExactly(200, 503);
    }

    @Test
    void a_stream_says_good_bye() throws Exception {
        try (Socket stream = ask("/stream")) {
            Awaitility.await().until(() -> stream.getInputStream().available() > 0);
            stopping().join();
            assertThat(TestWeb.readAll(stream)).contains("bye").endsWith("0\r\n\r\n");
        }
        assertThat(closed.get()).isEqualTo(1);
    }

    @Test
    void a_talk_says_good_bye() throws Exception {
        CompletableFuture<Integer> code = new CompletableFuture<>();
        CompletableFuture<String> echo = new CompletableFuture<>();
        try (HttpClient client = HttpClient.newHttpClient()) {
            WebSocket socket =
                    client.newWebSocketBuilder()
                            .buildAsync(
                                    URI.create(web.server().url().replace("http", "ws") + "/talk"),
                                    new WebSocket.Listener() {
                                        @Override
                                        public CompletionStage<?> onText(
                                                WebSocket from, CharSequence text, boolean last) {
                                            if (text.toString().equals("echo")) {
                                                echo.complete(text.toString());
                                            }
                                            from.request(1);
                                            return CompletableFuture.completedFuture(null);
                                        }

                                        @Override
                                        public CompletionStage<?> onClose(
                                                WebSocket from, int status, String reason) {
                                            code.complete(status);
                                            return CompletableFuture.completedFuture(null);
                                        }
                                    })
                            .join();
            Awaitility.await()
                    .until(
                            () -> {
                                socket.sendText("echo", true).join();
                                return echo.isDone();
                            });
            stopping().join();
            assertThat(code.join()).isEqualTo(1001);
        }
        assertThat(closed.get()).isEqualTo(1);
    }

    @Test
    void a_talk_that_ends_leaves_nothing() {
        try (HttpClient client = HttpClient.newHttpClient()) {
            WebSocket socket =
                    client.newWebSocketBuilder()
                            .buildAsync(
                                    URI.create(web.server().url().replace("http", "ws") + "/talk"),
                                    new WebSocket.Listener() {})
                            .join();
            Awaitility.await().until(() -> web.gauge("connections") == 1);
            socket.abort();
            Awaitility.await().until(() -> closed.get() == 1);
            Awaitility.await().until(() -> web.gauge("connections") == 0);
        }
    }

    @Test
    void a_handler_that_hangs_is_interrupted_in_the_end() throws Exception {
        web.close();
        web = start("http.stop-time-out=300ms");
        try (Socket working = ask("/waits")) {
            inside.await();
            stopping().join();
            assertThat(TestWeb.readAll(working)).isEmpty();
            Awaitility.await().until(() -> interrupted.get() == 1);
        }
    }

    /** Even one that holds an event loop, which it must not. */
    @Test
    void nothing_keeps_a_server_from_its_end() throws Exception {
        web.close();
        web = start("http.stop-time-out=300ms");
        try (Socket working = ask("/stubborn")) {
            inside.await();
            stopping().join();
            assertThat(closed.get()).isZero();
            closed.incrementAndGet();
            assertThat(TestWeb.readAll(working)).doesNotContain(" 200 ");
        }
    }

    @Test
    void a_client_that_does_not_read_keeps_no_server_from_its_end() throws Exception {
        web.close();
        web = start("http.stop-time-out=300ms");
        try (Socket socket = web.connect()) {
            HttpResponse<String> before = web.get("/hello");
            assertThat(before.statusCode()).isEqualTo(200);
            socket.getOutputStream()
                    .write(
                            "GET /hello HTTP/1.1\r\nHost: localhost\r\n\r\n"
                                    .repeat(50_000)
                                    .getBytes(US_ASCII));
            stopping().join();
        } catch (IOException e) {
            // Closed while it was still sending.
        }
    }
}
