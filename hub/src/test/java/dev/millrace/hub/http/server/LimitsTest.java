package dev.millrace.hub.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.millrace.hub.access.Role;
import dev.millrace.hub.http.Answer;
import dev.millrace.hub.http.Code;
import dev.millrace.hub.http.Problem;
import dev.millrace.hub.http.Route;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.GZIPOutputStream;

/** How much is taken, and that whatever a handler or a client does, all of it is given back. */
class LimitsTest {
    private final CountDownLatch release = new CountDownLatch(1);
    private final CompletableFuture<Answer> later = new CompletableFuture<>();
    private final AtomicInteger inside = new AtomicInteger();
    private final AtomicInteger interrupted = new AtomicInteger();

    private final List<Route> routes =
            List.of(
                    route("/hello").by(request -> Answer.text(200, "hello")),
                    route("/waits").by(request -> waits()),
                    route("/poll").parked().by(request -> waits()),
                    route("/late")
                            .by(
                                    request -> {
                                        inside.incrementAndGet();
                                        awaitInspiteOfInterrupts();
                                        return Answer.streamed("text/plain", out -> out.write(1));
                                    }),
                    route("/later").promptlyBy(request -> later.minimalCompletionStage()),
                    route("/never").promptlyBy(request -> new CompletableFuture<>()),
                    route("/overflow").by(request -> overflow(1)),
                    route("/prompt-overflow")
                            .promptlyBy(request -> CompletableFuture.completedFuture(overflow(1))),
                    route("/memory")
                            .by(
                                    request -> {
                                        throw new OutOfMemoryError("as if");
                                    }),
                    route("/null").by(request -> nothing()),
                    route("/prompt-null")
                            .promptlyBy(request -> CompletableFuture.completedFuture(nothing())),
                    route("/prompt-no-future").promptlyBy(request -> noFuture()),
                    route("/prompt-streamed")
                            .promptlyBy(
                                    request ->
                                            CompletableFuture.completedFuture(
                                                    Answer.streamed(
                                                            "text/plain", out -> out.write(65)))),
                    route("/bad-header").by(request -> Answer.empty(200).with("X", "a\r\nb: c")),
                    route("/odd-status").by(request -> Answer.empty(999)),
                    route("/half")
                            .by(
                                    request ->
                                            Answer.streamed(
                                                    "text/plain",
                                                    out -> {
                                                        out.write(new byte[100_000]);
                                                        throw Problem.of(Code.CONFLICT);
                                                    })),
                    route("/stream-broken")
                            .streamingBy(
                                    (request, stream) -> {
                                        throw Problem.of(Code.CONFLICT);
                                    }),
                    Route.post("/echo")
                            .needs(Role.OPERATOR, "test")
                            .about("Gives back what it got.")
                            .by(request -> Answer.bytes(200, "text/plain", request.body())));

    private TestWeb web = start("1m");

    private TestWeb start(String timeOut) {
        return TestWeb.withMemory(
                routes,
                1 << 20,
                "http.max-in-flight=4",
                "http.max-connections=60",
                "http.request-time-out=" + timeOut,
                "http.body-time-out=1m",
                "http.max-body=800KiB");
    }

    /** For what takes too long on purpose. */
    private void restartInAHurry() {
        web.close();
        web = start("1s");
    }

    private static Route.Draft route(String path) {
        return Route.get(path).needs(Role.VIEWER, "test").about("For a test.");
    }

    @SuppressWarnings({"NullAway", "DataFlowIssue"}) // a mistake that a handler can make
    private static Answer nothing() {
        return null;
    }

    @SuppressWarnings({"NullAway", "DataFlowIssue"}) // a mistake that a handler can make
    private static CompletableFuture<Answer> noFuture() {
        return null;
    }

    private Answer waits() throws InterruptedException {
        inside.incrementAndGet();
        try {
            release.await();
        } catch (InterruptedException e) {
            interrupted.incrementAndGet();
            throw e;
        }
        return Answer.text(200, "waited");
    }

    private void awaitInspiteOfInterrupts() {
        while (release.getCount() > 0) {
            try {
                release.await();
            } catch (InterruptedException e) {
                interrupted.incrementAndGet();
            }
        }
    }

    private static Answer overflow(int n) {
        return n == 0 ? Answer.empty(n) : overflow(n + 1).with("X", "Y");
    }

    @AfterEach
    void stop() {
        release.countDown();
        web.close();
    }

    private Socket ask(String path) throws IOException {
        Socket socket = web.connect();
        socket.getOutputStream()
                .write(("GET " + path + " HTTP/1.1\r\nHost: localhost\r\n\r\n").getBytes(US_ASCII));
        return socket;
    }

    private void quiet() {
        assertThat(web.get("/hello").body()).isEqualTo("hello");
        web.awaitQuiet();
    }

    @Test
    void whatever_a_handler_does_the_client_is_answered() {
        for (String path :
                List.of(
                        "/overflow",
                        "/prompt-overflow",
                        "/memory",
                        "/null",
                        "/prompt-null",
                        "/prompt-no-future")) {
            HttpResponse<String> answer = web.get(path);
            assertThat(answer.statusCode()).as(path).isEqualTo(500);
            assertThat(answer.body()).contains("internal").doesNotContain("Error");
        }
        assertThat(web.get("/prompt-streamed").body()).isEqualTo("A");
        assertThat(web.get("/stream-broken").statusCode()).isEqualTo(409);
        assertThat(web.get("/odd-status").statusCode()).isEqualTo(999);
        quiet();
    }

    @Test
    void what_cannot_be_written_or_fails_half_way_is_cut_off() throws IOException {
        try (Socket socket = ask("/bad-header")) {
            assertThat(TestWeb.readAll(socket)).doesNotContain("b: c");
        }
        try (Socket socket = ask("/half")) {
            // The last chunk is what would make it look whole.
            assertThat(TestWeb.readAll(socket)).doesNotEndWith("0\r\n\r\n");
        }
        quiet();
    }

    @Test
    void a_prompt_handler_that_never_answers_or_too_late_leaves_nothing() {
        restartInAHurry();
        assertThat(web.get("/never").statusCode()).isEqualTo(503);
        assertThat(web.get("/later").statusCode()).isEqualTo(503);
        later.complete(Answer.text(200, "too late"));
        quiet();
        assertThat(web.get("/later").body()).isEqualTo("too late");
    }

    @Test
    void an_answer_in_pieces_that_comes_after_the_time_out_is_left_out() throws Exception {
        restartInAHurry();
        try (Socket socket = ask("/late")) {
            Awaitility.await().until(() -> interrupted.get() > 0);
            // It counts as long as it is at work, also when nobody waits.
            assertThat(web.gauge("in.flight")).isEqualTo(1);
            release.countDown();
            web.awaitQuiet();
            socket.getOutputStream()
                    .write(
                            "GET /hello HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
                                    .getBytes(US_ASCII));
            String all = TestWeb.readAll(socket);
            assertThat(all).contains(" 503 ").endsWith("hello");
            assertThat(all.split("HTTP/1.1", -1)).hasSize(3);
        }
        quiet();
    }

    @Test
    void long_polls_take_no_place_and_have_no_deadline() throws IOException {
        restartInAHurry();
        List<Socket> polls = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            polls.add(ask("/poll"));
        }
        Awaitility.await().until(() -> inside.get() == 10);
        assertThat(web.gauge("in.flight")).isZero();
        // Longer than the time a request has.
        assertThat(web.get("/waits").statusCode()).isEqualTo(503);
        Awaitility.await().until(() -> interrupted.get() == 1);
        release.countDown();
        for (Socket poll : polls) {
            byte[] start = poll.getInputStream().readNBytes(12);
            assertThat(new String(start, US_ASCII)).isEqualTo("HTTP/1.1 200");
            poll.close();
        }
        quiet();
    }

    @Test
    void a_long_poll_whose_client_has_gone_is_told_so() throws IOException {
        ask("/poll").close();
        Awaitility.await().until(() -> interrupted.get() == 1);
        quiet();
    }

    @Test
    void a_client_that_goes_while_its_request_is_at_work_leaves_nothing() throws IOException {
        for (int i = 0; i < 3; i++) {
            ask("/waits").close();
        }
        Awaitility.await().until(() -> inside.get() == 3);
        release.countDown();
        quiet();
    }

    @Test
    void slow_bodies_take_nobodys_place() throws IOException {
        List<Socket> slow = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            Socket socket = web.connect();
            socket.getOutputStream()
                    .write(
                            "POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n12"
                                    .getBytes(US_ASCII));
            slow.add(socket);
        }
        Awaitility.await().until(() -> web.gauge("connections") >= 20);
        assertThat(web.get("/hello").body()).isEqualTo("hello");
        assertThat(web.send("POST", "/echo", "x").body()).isEqualTo("x");
        for (Socket socket : slow) {
            socket.close();
        }
        quiet();
    }

    @Test
    void all_bodies_together_have_a_limit_and_small_ones_are_let_through() throws IOException {
        List<Socket> large = new ArrayList<>();
        byte[] part = new byte[600 << 10];
        for (int i = 0; i < 2; i++) {
            Socket socket = web.connect();
            socket.getOutputStream()
                    .write(
                            "POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 700000\r\n\r\n"
                                    .getBytes(US_ASCII));
            socket.getOutputStream().write(part);
            large.add(socket);
            // The first has its place before the second comes, which is refused with what it sent.
            Awaitility.await().until(() -> web.gauge("bodies.bytes") > 500_000);
        }
        HttpResponse<String> third = web.send("POST", "/echo", "x".repeat(700_000));
        assertThat(third.statusCode()).isEqualTo(503);
        assertThat(third.headers().firstValue("Retry-After")).isPresent();
        assertThat(web.gauge("bodies.bytes")).isLessThanOrEqualTo(1 << 20);
        assertThat(web.send("POST", "/echo", "small").body()).isEqualTo("small");
        for (Socket socket : large) {
            socket.close();
        }
        quiet();
        assertThat(web.send("POST", "/echo", "x".repeat(700_000)).statusCode()).isEqualTo(200);
    }

    @Test
    void a_small_body_that_hides_a_huge_one_is_refused() throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
            byte[] zeros = new byte[1 << 20];
            for (int i = 0; i < 200; i++) {
                gzip.write(zeros);
            }
        }
        for (byte[] body : List.of(packed.toByteArray(), "no gzip".getBytes(US_ASCII))) {
            try (Socket socket = web.connect()) {
                socket.getOutputStream()
                        .write(
                                ("POST /echo HTTP/1.1\r\n"
                                                + "Host: localhost\r\n"
                                                + "Content-Encoding: gzip\r\n"
                                                + "Connection: close\r\n"
                                                + "Content-Length: "
                                                + body.length
                                                + "\r\n\r\n")
                                        .getBytes(US_ASCII));
                socket.getOutputStream().write(body);
                assertThat(TestWeb.readAll(socket)).containsPattern("^HTTP/1.1 4(00|13) ");
            }
        }
        assertThat(web.send("POST", "/echo", "x", "Content-Encoding", "br").statusCode())
                .isEqualTo(415);
        quiet();
    }

    @Test
    void more_connections_than_the_limit_are_closed_and_the_others_served() throws IOException {
        assertThat(web.get("/hello").body()).isEqualTo("hello");
        List<Socket> sockets = new ArrayList<>();
        for (int i = 0; i < 59; i++) {
            sockets.add(web.connect());
        }
        Awaitility.await().until(() -> web.gauge("connections") == 60);
        try (Socket socket = ask("/hello")) {
            assertThat(TestWeb.readAll(socket)).isEmpty();
        }
        assertThat(web.get("/hello").body()).isEqualTo("hello");
        for (Socket socket : sockets) {
            socket.close();
        }
        Awaitility.await().untilAsserted(() -> assertThat(web.gauge("connections")).isEqualTo(1));
    }
}
