package dev.millrace.hub.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.millrace.hub.access.Role;
import dev.millrace.hub.http.Answer;
import dev.millrace.hub.http.Route;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** Clients that ask and do not read cost little, and not for ever. */
class NotReadingTest {
    private static final int REQUESTS = 2_000;
    private static final int ANSWER = 60_000;
    private static final int LARGE = 4 << 20;
    private static final int MEMORY = 16 << 20;

    private final AtomicInteger asked = new AtomicInteger();
    private final AtomicInteger written = new AtomicInteger();
    private final AtomicInteger stopped = new AtomicInteger();

    private TestWeb web = start("http.body-time-out=1m");

    private TestWeb start(String... set) {
        return TestWeb.withMemory(
                List.of(
                        route("/hello").by(request -> Answer.text(200, "hello")),
                        route("/counted")
                                .by(
                                        request -> {
                                            asked.incrementAndGet();
                                            return Answer.bytes(200, "image/png", new byte[ANSWER]);
                                        }),
                        route("/large")
                                .by(
                                        request -> {
                                            asked.incrementAndGet();
                                            return Answer.bytes(200, "image/png", new byte[LARGE]);
                                        }),
                        route("/endless")
                                .by(request -> Answer.streamed("image/png", this::endless))),
                MEMORY,
                set);
    }

    private void endless(java.io.OutputStream out) throws IOException {
        try {
            while (true) {
                out.write(new byte[ANSWER]);
                written.incrementAndGet();
            }
        } finally {
            stopped.incrementAndGet();
        }
    }

    private static Route.Draft route(String path) {
        return Route.get(path).needs(Role.VIEWER, "test").about("For a test.");
    }

    @AfterEach
    void stop() {
        web.close();
    }

    private void restart(String... set) {
        web.close();
        web = start(set);
    }

    private static void ask(Socket socket, String path, int times) throws IOException {
        socket.getOutputStream()
                .write(
                        ("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n")
                                .repeat(times)
                                .getBytes(US_ASCII));
    }

    private void others_are_served() {
        for (int i = 0; i < 50; i++) {
            assertThat(web.get("/hello").body()).isEqualTo("hello");
        }
    }

    @Test
    void work_on_a_pipelined_request_begins_when_the_answers_before_it_were_taken()
            throws Exception {
        try (Socket socket = web.connect()) {
            ask(socket, "/counted", REQUESTS);
            Awaitility.await().until(() -> asked.get() > 10);
            int before;
            do {
                before = asked.get();
                others_are_served();
            } while (asked.get() > before);
            // What the operating system takes on both sides is a few megabytes.
            assertThat(asked.get()).isLessThan(REQUESTS / 4);
            byte[] some = new byte[1 << 16];
            while (asked.get() < REQUESTS) {
                assertThat(socket.getInputStream().read(some)).isPositive();
            }
        }
        web.awaitQuiet();
    }

    @Test
    void large_answers_that_nobody_takes_are_bounded_and_given_up() throws Exception {
        restart("http.body-time-out=2s");
        List<Socket> sockets = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            Socket socket = web.connect();
            socket.setReceiveBufferSize(4096);
            ask(socket, "/large", 2);
            sockets.add(socket);
        }
        Awaitility.await().until(() -> asked.get() >= 40);
        assertThat(web.gauge("answers.bytes")).isLessThanOrEqualTo(MEMORY);
        others_are_served();
        web.awaitQuiet();
        assertThat(web.get("/large").body()).hasSize(LARGE);
        for (Socket socket : sockets) {
            socket.close();
        }
    }

    @Test
    void a_large_answer_arrives_whole_however_slowly_it_is_taken() throws Exception {
        try (Socket socket = web.connect()) {
            ask(socket, "/large", 3);
            long length = 0;
            byte[] some = new byte[1 << 15];
            while (length < 3L * LARGE) {
                length += socket.getInputStream().read(some);
            }
        }
        web.awaitQuiet();
    }

    @Test
    void a_streamed_answer_that_nobody_takes_is_given_up() throws Exception {
        restart("http.request-time-out=1s");
        try (Socket socket = web.connect()) {
            ask(socket, "/endless", 1);
            Awaitility.await().until(() -> stopped.get() == 1);
            others_are_served();
            assertThat(written.get()).isLessThan(1000);
            // The connection too: what is left in it ends in a cut.
            TestWeb.readAll(socket);
        }
        web.awaitQuiet();
        Awaitility.await().untilAsserted(() -> assertThat(web.gauge("connections")).isLessThan(3));
    }

    @Test
    void an_idle_client_that_has_not_read_its_answers_is_closed_all_the_same() throws Exception {
        restart("http.idle-time-out=500ms", "http.body-time-out=500ms");
        try (Socket socket = web.connect()) {
            ask(socket, "/counted", REQUESTS);
            Awaitility.await().until(() -> asked.get() > 10);
            Awaitility.await().untilAsserted(() -> assertThat(web.gauge("connections")).isZero());
            assertThat(asked.get()).isLessThan(REQUESTS);
        }
        web.awaitQuiet();
    }
}
