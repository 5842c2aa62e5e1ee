package dev.millrace.hub.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.millrace.hub.access.Role;
import dev.millrace.hub.http.Answer;
import dev.millrace.hub.http.Code;
import dev.millrace.hub.http.Problem;
import dev.millrace.hub.http.Route;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.Socket;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.zip.GZIPOutputStream;

/** Handlers that read a body while it arrives. */
class ReceivingTest {
    private static final int PIECE = 64 << 10;
    private static final String HEAD = "POST %s HTTP/1.1\r\nHost: localhost\r\n";

    private final CountDownLatch mayRead = new CountDownLatch(1);
    private final AtomicInteger broken = new AtomicInteger();

    private TestWeb web = start();

    private TestWeb start(String... set) {
        return TestWeb.with(
                List.of(
                        route("/lines").receivingBy((request, body) -> echo(body)),
                        route("/count")
                                .receivingBy(
                                        (request, body) ->
                                                Answer.text(200, Long.toString(count(body)))),
                        route("/refuse")
                                .receivingBy(
                                        (request, body) -> {
                                            throw Problem.of(Code.BAD_BODY, "Not wanted.");
                                        })),
                set);
    }

    private static Route.Draft route(String path) {
        return Route.post(path).needs(Role.VIEWER, "test").about("For a test.");
    }

    private static Answer echo(InputStream body) {
        BufferedReader lines = new BufferedReader(new InputStreamReader(body, US_ASCII));
        return Answer.streamed(
                "text/plain",
                out -> {
                    for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                        out.write((line + "\n").getBytes(US_ASCII));
                        out.flush();
                    }
                });
    }

    private long count(InputStream body) throws IOException, InterruptedException {
        byte[] bytes = new byte[PIECE];
        long all = 0;
        try {
            mayRead.await();
            for (int n = body.read(bytes); n >= 0; n = body.read(bytes)) {
                all += n;
            }
        } catch (IOException | Problem | InterruptedException e) {
            broken.incrementAndGet();
            throw e;
        }
        return all;
    }

    @AfterEach
    void stop() {
        mayRead.countDown();
        web.close();
    }

    private static void write(Socket socket, String text) throws IOException {
        socket.getOutputStream().write(text.getBytes(ISO_8859_1));
        socket.getOutputStream().flush();
    }

    private static String chunk(String text) {
        return Integer.toHexString(text.length()) + "\r\n" + text + "\r\n";
    }

    private static String until(Socket socket, String end) throws IOException {
        StringBuilder all = new StringBuilder();
        while (all.indexOf(end) < 0) {
            int next = socket.getInputStream().read();
            assertThat(next).as("after: %s", all).isNotNegative();
            all.append((char) next);
        }
        return all.toString();
    }

    @Test
    void answers_come_while_the_body_is_still_being_sent() throws IOException {
        try (Socket socket = web.connect()) {
            write(socket, HEAD.formatted("/lines") + "Transfer-Encoding: chunked\r\n\r\n");
            write(socket, chunk("one\n"));
            assertThat(until(socket, "one")).startsWith("HTTP/1.1 200");
            write(socket, chunk("two\n"));
            until(socket, "two");
            write(socket, "0\r\n\r\n");
            until(socket, "0\r\n\r\n");
            write(socket, HEAD.formatted("/lines") + "Content-Length: 4\r\n\r\nnew\n");
            until(socket, "new");
        }
        web.awaitQuiet();
    }

    @Test
    void a_body_that_is_not_read_is_not_listened_to() throws IOException {
        int pieces = 1024;
        AtomicLong sent = new AtomicLong();
        try (Socket socket = web.connect()) {
            socket.setSendBufferSize(PIECE);
            write(
                    socket,
                    HEAD.formatted("/count") + "Content-Length: " + pieces * PIECE + "\r\n\r\n");
            Thread sender =
                    Thread.startVirtualThread(
                            () -> {
                                try {
                                    OutputStream out = socket.getOutputStream();
                                    for (int i = 0; i < pieces; i++) {
                                        out.write(new byte[PIECE]);
                                        sent.addAndGet(PIECE);
                                    }
                                } catch (IOException e) {
                                    broken.incrementAndGet();
                                }
                            });
            long[] before = {-1};
            Awaitility.await()
                    .until(
                            () -> {
                                boolean still = sent.get() > 0 && sent.get() == before[0];
                                before[0] = sent.get();
                                return still;
                            });
            assertThat(sent.get()).isLessThan((long) pieces * PIECE / 4);
            mayRead.countDown();
            assertThat(until(socket, Integer.toString(pieces * PIECE))).contains(" 200 ");
            assertThat(sender.isAlive() && broken.get() > 0).isFalse();
        }
        web.awaitQuiet();
    }

    @Test
    void a_refusal_reaches_somebody_who_has_not_sent_everything() throws IOException {
        try (Socket socket = web.connect()) {
            write(socket, HEAD.formatted("/refuse") + "Transfer-Encoding: chunked\r\n\r\n");
            write(socket, chunk("a".repeat(100)));
            assertThat(until(socket, "Not wanted.")).startsWith("HTTP/1.1 400");
            write(socket, chunk("a".repeat(100)) + "0\r\n\r\n");
            write(socket, HEAD.formatted("/lines") + "Content-Length: 4\r\n\r\nnew\n");
            until(socket, "new");
        }
        web.awaitQuiet();
    }

    @Test
    void who_goes_away_in_the_middle_is_noticed() throws IOException {
        mayRead.countDown();
        try (Socket socket = web.connect()) {
            write(socket, HEAD.formatted("/count") + "Content-Length: 1000\r\n\r\n12345");
        }
        Awaitility.await().untilAsserted(() -> assertThat(broken).hasValue(1));
        web.awaitQuiet();
    }

    @Test
    void who_sends_nothing_more_is_told_so() throws IOException {
        web.close();
        web = start("http.body-time-out=200ms");
        mayRead.countDown();
        try (Socket socket = web.connect()) {
            write(socket, HEAD.formatted("/count") + "Content-Length: 1000\r\n\r\n12345");
            assertThat(until(socket, "\r\n\r\n")).startsWith("HTTP/1.1 408");
        }
        web.awaitQuiet();
    }

    @Test
    void a_packed_body_is_unpacked_while_it_arrives() throws Exception {
        mayRead.countDown();
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
            gzip.write(new byte[1 << 20]);
        }
        try (Socket socket = web.connect()) {
            write(
                    socket,
                    HEAD.formatted("/count")
                            + "Content-Encoding: gzip\r\nContent-Length: "
                            + packed.size()
                            + "\r\n\r\n"
                            + packed.toString(ISO_8859_1));
            assertThat(until(socket, "1048576")).startsWith("HTTP/1.1 200");
        }
        assertThat(web.send("POST", "/count", "abc", "Content-Encoding", "gzip").statusCode())
                .isEqualTo(400);
        assertThat(web.send("POST", "/count", "abc", "Content-Encoding", "br").statusCode())
                .isEqualTo(415);
    }

    @Test
    void at_a_stop_nobody_takes_a_part_for_the_whole() throws Exception {
        mayRead.countDown();
        Thread stopping;
        try (Socket socket = web.connect()) {
            write(socket, HEAD.formatted("/lines") + "Transfer-Encoding: chunked\r\n\r\n");
            write(socket, chunk("one\n"));
            until(socket, "one");
            stopping = Thread.startVirtualThread(web.server()::close);
            assertThat(TestWeb.readAll(socket)).doesNotContain("0\r\n\r\n");
        }
        stopping.join();
    }
}
