package dev.millrace.hub.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.millrace.hub.access.Role;
import dev.millrace.hub.http.Answer;
import dev.millrace.hub.http.Route;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.io.OutputStream;
import java.net.Socket;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What is sent, and what comes back: a status, or nothing because the connection is closed. After
 * each of them another client is served as ever, and nothing is left behind.
 */
class HostileHttpTest {
    /** Closes soon, since after most answers it is the only one that does. */
    private static TestWeb web;

    /**
     * Asked in doubt: a machine that stood still for a moment is not a client that says nothing.
     */
    private static TestWeb patient;

    @BeforeAll
    static void start() {
        web = start("200ms");
        patient = start("1m");
    }

    private static TestWeb start(String timeOut) {
        return TestWeb.with(
                List.of(
                        Route.get("/hello")
                                .needs(Role.VIEWER, "test")
                                .about("Greets.")
                                .by(request -> Answer.text(200, "hello")),
                        Route.get("/things/{id}")
                                .needs(Role.VIEWER, "test")
                                .about("One thing.")
                                .by(request -> Answer.text(200, request.variable("id"))),
                        Route.post("/echo")
                                .needs(Role.OPERATOR, "test")
                                .about("Gives back what it got.")
                                .by(request -> Answer.bytes(200, "text/plain", request.body())),
                        Route.post("/json")
                                .needs(Role.OPERATOR, "test")
                                .about("Takes JSON.")
                                .by(request -> Answer.json(request.json(Object.class))),
                        Route.get("/streamed")
                                .needs(Role.VIEWER, "test")
                                .about("Written in pieces.")
                                .by(
                                        request ->
                                                Answer.streamed(
                                                        "text/plain",
                                                        out -> out.write(new byte[100]))),
                        Route.get("/talk")
                                .needs(Role.VIEWER, "test")
                                .about("For WebSockets.")
                                .talkingBy((request, talk) -> {})),
                "http.max-header=4KiB",
                "http.max-body=64KiB",
                "http.idle-time-out=" + timeOut,
                "http.body-time-out=" + timeOut);
    }

    @AfterAll
    static void stop() {
        web.close();
        patient.close();
    }

    private static void others_are_served() {
        assertThat(web.get("/hello").body()).isEqualTo("hello");
        web.awaitQuiet();
    }

    /** The status of the first answer; 0 for none. */
    private static int status(String all) {
        Matcher line = Pattern.compile("^HTTP/1\\.[01] (\\d{3}) ").matcher(all);
        return line.find() ? Integer.parseInt(line.group(1)) : 0;
    }

    private static int answers(String all) {
        return all.split("HTTP/1\\.", -1).length - 1;
    }

    /** Here ␣ stands for a blank at an end, and ¦ for the end of a line. */
    private static String bytes(String text) {
        return text.replace("␣", " ")
                .replace("¦", "\r\n")
                .replace("␊", "\n")
                .replace("␍", "\r")
                .replace("␀", "\0");
    }

    @ParameterizedTest(name = "{1} for {0}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                // no HTTP
                "GET /hello¦¦ | 400",
                "GET /hello HTTP/1.1¦Host x¦¦ | 400",
                "hello¦¦ | 400",
                "¦¦¦¦hello¦¦ | 400",
                "GET /hello HTTP/9.9¦Host: localhost¦¦ | 505",
                "GET /hello HTTP/2.0¦Host: localhost¦¦ | 505",
                "GET /hello FTP/1.1¦Host: localhost¦¦ | 505",
                "GET  /hello  HTTP/1.1¦Host: localhost¦¦ | 200",
                "GET / EVIL/6.6¦Host: localhost¦¦ | 505",
                "GET /hello EVIL/6.6¦No colon¦¦ | 400",
                "PRI * HTTP/2.0¦¦SM¦¦ | 505",
                "␖␃␁ | 0",
                // who is asked
                "GET /hello HTTP/1.1¦¦ | 400",
                "GET /hello HTTP/1.1¦Host: a¦Host: b¦¦ | 400",
                "GET http://localhost/hello HTTP/1.1¦Host: localhost¦¦ | 200",
                "GET http://localhost HTTP/1.1¦Host: localhost¦¦ | 404",
                "GET http://other/hello HTTP/1.1¦Host: localhost¦¦ | 421",
                "GET hello HTTP/1.1¦Host: localhost¦¦ | 400",
                "OPTIONS * HTTP/1.1¦Host: localhost¦¦ | 400",
                "CONNECT other:443 HTTP/1.1¦Host: localhost¦¦ | 400",
                "TRACE /hello HTTP/1.1¦Host: localhost¦¦ | 405",
                "get /hello HTTP/1.1¦Host: localhost¦¦ | 405",
                "BREW /nothing HTTP/1.1¦Host: localhost¦¦ | 404",
                // headers
                "GET /hello HTTP/1.1¦Host: localhost¦Folded: a¦␣b¦¦ | 200",
                "GET /hello HTTP/1.1¦Host: localhost¦No Name: a¦¦ | 400",
                "GET /hello HTTP/1.1¦Host: localhost¦Name␣: a¦¦ | 400",
                "GET /hello HTTP/1.1¦Host: localhost¦: a¦¦ | 400",
                "GET /hello HTTP/1.1¦Host: localhost¦A: b␀c¦¦ | 400",
                "GET /hello HTTP/1.1¦Host: localhost¦A: b␍c¦¦ | 400",
                "GET /hello HTTP/1.1¦Host: localhost¦A␀: b¦¦ | 400",
                "GET /hello␀ HTTP/1.1¦Host: localhost¦¦ | 400",
                // two lengths, or none that can be trusted
                "POST /echo HTTP/1.1¦Host: localhost¦Content-Length: 5¦Content-Length: 6¦¦123456 |"
                        + " 400",
                "POST /echo HTTP/1.1¦Host: localhost¦Content-Length: 5, 6¦¦123456 | 400",
                "POST /echo HTTP/1.1¦Host: localhost¦Content-Length: -1¦¦ | 400",
                "POST /echo HTTP/1.1¦Host: localhost¦Content-Length: +5¦¦12345 | 400",
                "POST /echo HTTP/1.1¦Host: localhost¦Content-Length: 0x5¦¦12345 | 400",
                "POST /echo HTTP/1.1¦Host: localhost¦Content-Length: 99999999999999999999¦¦1 | 400",
                "POST /echo HTTP/1.1¦Host: localhost¦Content-Length:¦¦ | 400",
                "POST /echo HTTP/1.1¦Host: localhost¦Content-Length: 4¦Transfer-Encoding:"
                        + " chunked¦¦0¦¦ | 400",
                "POST /echo HTTP/1.1¦Host: localhost¦Transfer-Encoding: chunked¦Content-Length:"
                        + " 4¦¦0¦¦ | 400",
                "POST /echo HTTP/1.1¦Host: localhost¦Transfer-Encoding: xchunked¦¦0¦¦ | 400",
                "POST /echo HTTP/1.1¦Host: localhost¦Transfer-Encoding: chunked, identity¦¦0¦¦ |"
                        + " 400",
                "POST /echo HTTP/1.1¦Host: localhost¦Transfer-Encoding: gzip, chunked¦¦0¦¦ | 400",
                "POST /echo HTTP/1.1¦Host: localhost¦Transfer-Encoding: chunked¦Transfer-Encoding:"
                        + " x¦¦0¦¦ | 400",
                "POST /echo HTTP/1.1¦Host: localhost¦Transfer-Encoding:␋chunked¦¦0¦¦ | 400",
                "POST /echo HTTP/1.0¦Host: localhost¦Transfer-Encoding: chunked¦¦0¦¦ | 400",
                // chunks
                "POST /echo HTTP/1.1¦Host: localhost¦Transfer-Encoding: chunked¦¦3¦abc¦0¦¦ | 200",
                "POST /echo HTTP/1.1¦Host: localhost¦Transfer-Encoding: CHUNKED¦¦3;a=b¦abc¦0¦¦ |"
                        + " 200",
                "POST /echo HTTP/1.1¦Host: localhost¦Transfer-Encoding: chunked¦¦3¦abc¦0¦Host: y¦¦"
                        + " | 200",
                "POST /echo HTTP/1.1¦Host: localhost¦Transfer-Encoding:"
                        + " chunked¦¦ffffffffffffffff¦abc | 0",
                "POST /echo HTTP/1.1¦Host: localhost¦Transfer-Encoding: chunked¦¦7fffffff¦abc |"
                        + " 408",
                "POST /echo HTTP/1.1¦Host: localhost¦Transfer-Encoding: chunked¦¦-1¦abc¦0¦¦ | 0",
                "POST /echo HTTP/1.1¦Host: localhost¦Transfer-Encoding: chunked¦¦zz¦abc¦0¦¦ | 0",
                "POST /echo HTTP/1.1¦Host: localhost¦Transfer-Encoding: chunked¦¦3¦abcdef¦0¦¦ | 0",
                "POST /echo HTTP/1.1¦Host: localhost¦Transfer-Encoding: chunked¦¦3 3¦abc¦0¦¦ | 0",
                // bodies that do not come, or come where none belongs
                "POST /echo HTTP/1.1¦Host: localhost¦Content-Length: 5¦¦12 | 408",
                "GET /hello HTTP/1.1¦Host: localhost¦Content-Length: 3¦¦abc | 200",
                "POST /echo HTTP/1.1¦Host: localhost¦Content-Length: 70000¦¦ | 413",
                // expectations and upgrades
                "POST /echo HTTP/1.1¦Host: localhost¦Expect: 100-continue¦Content-Length: 70000¦¦ |"
                        + " 413",
                "GET /talk HTTP/1.1¦Host: localhost¦¦ | 400",
                "GET /talk HTTP/1.1¦Host: localhost¦Upgrade: websocket¦¦ | 400",
                "GET /talk HTTP/1.1¦Host: localhost¦Connection: Upgrade¦Upgrade: websocket¦¦ | 400",
                "GET /talk HTTP/1.1¦Host: localhost¦Connection: Upgrade¦Upgrade: websocket¦"
                        + "Sec-WebSocket-Version: 13¦Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==¦"
                        + "Content-Length: 5¦¦ | 400",
                "GET /hello HTTP/1.1¦Host: localhost¦Connection: Upgrade¦Upgrade:"
                        + " h2c¦HTTP2-Settings: AA¦¦ | 200",
                "GET /hello HTTP/1.1¦Host: localhost¦Connection: Upgrade¦Upgrade: websocket¦¦ |"
                        + " 200",
                // paths
                "GET //hello HTTP/1.1¦Host: localhost¦¦ | 404",
                "GET /x/../hello HTTP/1.1¦Host: localhost¦¦ | 404",
                "GET /x/%2e%2e/hello HTTP/1.1¦Host: localhost¦¦ | 404",
                "GET /..%2f..%2fetc/passwd HTTP/1.1¦Host: localhost¦¦ | 404",
                "GET /things%2f1 HTTP/1.1¦Host: localhost¦¦ | 200",
                "GET /things/%252e HTTP/1.1¦Host: localhost¦¦ | 200",
                "GET /things/%c0%af HTTP/1.1¦Host: localhost¦¦ | 400",
                "GET /things/%ed%a0%80 HTTP/1.1¦Host: localhost¦¦ | 400",
                "GET /things/% HTTP/1.1¦Host: localhost¦¦ | 400",
                "GET /hello#part HTTP/1.1¦Host: localhost¦¦ | 404",
                "GET ?q HTTP/1.1¦Host: localhost¦¦ | 400",
            })
    void what_is_sent_is_answered_or_closed(String sent, int status) throws IOException {
        String all = web.raw(bytes(sent));
        if (status(all) == 0 && status != 0) {
            all = patient.firstLine(bytes(sent));
        }
        assertThat(status(all)).as(all).isEqualTo(status);
        others_are_served();
    }

    private static final String GET = "GET /hello HTTP/1.1\r\nHost: localhost\r\n\r\n";

    @Test
    void a_head_that_is_too_large_is_refused() throws IOException {
        String line = "X: " + "x".repeat(5000) + "\r\n";
        assertThat(status(web.raw("GET /hello HTTP/1.1\r\nHost: localhost\r\n" + line + "\r\n")))
                .isEqualTo(431);
        assertThat(
                        status(
                                web.raw(
                                        "GET /hello HTTP/1.1\r\nHost: localhost\r\n"
                                                + "X: y\r\n".repeat(5000)
                                                + "\r\n")))
                .isIn(431, 0);
        assertThat(
                        status(
                                web.raw(
                                        "GET /"
                                                + "x".repeat(5000)
                                                + " HTTP/1.1\r\nHost: localhost\r\n\r\n")))
                .isEqualTo(414);
        others_are_served();
    }

    @Test
    void a_head_that_never_ends_is_closed() throws IOException {
        assertThat(web.raw("")).isEmpty();
        assertThat(web.raw("GET /hel")).isEmpty();
        assertThat(web.raw("GET /hello HTTP/1.1\r\nHost: localhost\r\nX: ")).isEmpty();
        assertThat(answers(web.raw(GET + "GET /hel"))).isEqualTo(1);
        others_are_served();
    }

    /** A byte now and then keeps nothing alive: the whole head has one deadline. */
    @Test
    void a_head_that_drips_is_closed() throws Exception {
        try (Socket socket = web.connect()) {
            Thread dripping =
                    Thread.startVirtualThread(
                            () -> {
                                try {
                                    OutputStream out = socket.getOutputStream();
                                    out.write("GET /hello HTTP/1.1\r\n".getBytes(US_ASCII));
                                    while (true) {
                                        out.write("X: y\r\n".getBytes(US_ASCII));
                                        LockSupport.parkNanos(20_000_000);
                                    }
                                } catch (IOException e) {
                                    // That is what it waits for.
                                }
                            });
            assertThat(status(TestWeb.readAll(socket))).isIn(0, 431);
            dripping.join();
        }
        others_are_served();
    }

    @Test
    void a_body_over_the_limit_is_refused_with_and_without_its_length() throws IOException {
        String body = "x".repeat(70_000);
        String chunk = "8000\r\n" + "x".repeat(0x8000) + "\r\n";
        String head = "POST /echo HTTP/1.1\r\nHost: localhost\r\n";
        assertThat(status(web.raw(head + "Content-Length: 70000\r\n\r\n" + body))).isEqualTo(413);
        assertThat(
                        status(
                                web.raw(
                                        head
                                                + "Transfer-Encoding: chunked\r\n\r\n"
                                                + chunk.repeat(3)
                                                + "0\r\n\r\n")))
                .isEqualTo(413);
        others_are_served();
    }

    /** The rest is read for a while, so that the sender comes to read the answer; not for ever. */
    @Test
    void a_body_without_end_is_cut_off() throws Exception {
        try (Socket socket = web.connect()) {
            OutputStream out = socket.getOutputStream();
            out.write(
                    "POST /echo HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9000000000\r\n\r\n"
                            .getBytes(US_ASCII));
            byte[] some = new byte[64 << 10];
            org.assertj.core.api.Assertions.assertThatThrownBy(
                            () -> {
                                while (true) {
                                    out.write(some);
                                }
                            })
                    .isInstanceOf(IOException.class);
        }
        others_are_served();
    }

    @Test
    void an_expectation_is_met_before_the_body_is_sent() throws IOException {
        try (Socket socket = web.connect()) {
            socket.getOutputStream()
                    .write(
                            bytes(
                                            "POST /echo HTTP/1.1¦Host: localhost¦Expect:"
                                                + " 100-continue¦Connection: close¦Content-Length:"
                                                + " 3¦¦")
                                    .getBytes(US_ASCII));
            byte[] first = socket.getInputStream().readNBytes(25);
            assertThat(new String(first, US_ASCII)).isEqualTo("HTTP/1.1 100 Continue\r\n\r\n");
            socket.getOutputStream().write("abc".getBytes(US_ASCII));
            assertThat(TestWeb.readAll(socket)).startsWith("HTTP/1.1 200 ").endsWith("abc");
        }
        others_are_served();
    }

    /** It may have begun its next request instead of the body; nobody could tell them apart. */
    @Test
    void a_refused_expectation_ends_the_connection() throws IOException {
        String all =
                web.raw(
                        "POST /echo HTTP/1.1\r\nHost: localhost\r\nExpect: 100-continue\r\n"
                                + "Content-Length: 70000\r\n\r\n"
                                + GET);
        assertThat(status(all)).isEqualTo(413);
        assertThat(all.toLowerCase(Locale.ROOT)).contains("connection: close");
        assertThat(answers(all)).isEqualTo(1);
        others_are_served();
    }

    @Test
    void pipelined_requests_are_answered_in_order_and_garbage_after_them_ends_it()
            throws IOException {
        String all =
                web.raw(
                        "GET /things/1 HTTP/1.1\r\n"
                                + "Host: localhost\r\n\r\n"
                                + "GET /things/2 HTTP/1.1\r\n"
                                + "Host: localhost\r\n\r\n"
                                + "POST /echo HTTP/1.1\r\n"
                                + "Host: localhost\r\n"
                                + "Content-Length: 3\r\n\r\n"
                                + "abc\u0001\u0002 rubbish\r\n\r\n"
                                + GET);
        assertThat(answers(all)).isEqualTo(4);
        assertThat(all).containsSubsequence("\r\n\r\n1HTTP", "\r\n\r\n2HTTP", "\r\n\r\nabcHTTP");
        assertThat(all).contains(" 400 Bad Request").doesNotContain("hello");
        others_are_served();
    }

    @Test
    void http_1_0_closes_unless_asked_to_stay() throws IOException {
        assertThat(answers(web.raw("GET /hello HTTP/1.0\r\n\r\n" + GET))).isEqualTo(1);
        String stays = "GET /hello HTTP/1.0\r\nConnection: keep-alive\r\n\r\n";
        assertThat(answers(web.raw(stays + stays))).isEqualTo(2);
        String streamed = web.raw("GET /streamed HTTP/1.0\r\n\r\n");
        assertThat(streamed).endsWith("\r\n\r\n" + "\0".repeat(100));
        assertThat(streamed.toLowerCase(Locale.ROOT)).doesNotContain("transfer-encoding");
        String leaves = "GET /hello HTTP/1.1¦Host: localhost¦Connection: close¦¦";
        assertThat(answers(web.raw(bytes(leaves)))).isEqualTo(1);
        others_are_served();
    }

    @Test
    void head_never_has_a_body() throws IOException {
        for (String path : List.of("/hello", "/streamed", "/nothing")) {
            assertThat(
                            web.raw(
                                    "HEAD "
                                            + path
                                            + " HTTP/1.1\r\n"
                                            + "Host: localhost\r\n"
                                            + "Connection: close\r\n\r\n"))
                    .as(path)
                    .endsWith("\r\n\r\n");
        }
        others_are_served();
    }

    @Test
    void a_client_that_says_no_more_but_listens_is_answered_or_closed() throws IOException {
        try (Socket socket = web.connect()) {
            socket.getOutputStream().write(GET.getBytes(US_ASCII));
            socket.shutdownOutput();
            assertThat(status(TestWeb.readAll(socket))).isIn(0, 200);
        }
        others_are_served();
    }

    @Test
    void json_that_is_none_is_the_callers_mistake() throws IOException {
        for (String body :
                List.of(
                        "[".repeat(10_000),
                        "[".repeat(10_000) + "]".repeat(10_000),
                        "{\"a\":".repeat(5_000),
                        "\"\u00ff\"",
                        "\"\u00c0\u00af\"",
                        "\"\u00ed\u00a0\u0080\"",
                        "\"\u00f5\u0080\u0080\u0080\"",
                        "\u00ff\u00fe{\0}\0",
                        "\0{\0}",
                        "1e",
                        "1" + "0".repeat(2000),
                        "\"\\ud800",
                        "")) {
            String all =
                    web.raw(
                            "POST /json HTTP/1.1\r\n"
                                    + "Host: localhost\r\n"
                                    + "Connection: close\r\n"
                                    + "Content-Length: "
                                    + body.length()
                                    + "\r\n\r\n"
                                    + body);
            assertThat(status(all))
                    .as(body.substring(0, Math.min(40, body.length())) + all)
                    .isEqualTo(400);
        }
        others_are_served();
    }
}
