package dev.millrace.hub.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.millrace.hub.access.Role;
import dev.millrace.hub.http.Answer;
import dev.millrace.hub.http.Route;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.zip.GZIPOutputStream;

/** On which thread a handler works that promises its answer. */
class PromptWorkTest {
    private static final String LARGE = "x".repeat((16 << 10) + 1);

    private final TestWeb web =
            TestWeb.with(
                    List.of(
                            Route.post("/prompt")
                                    .needs(Role.VIEWER, "test")
                                    .about("Says where it works and what it was sent.")
                                    .promptlyBy(
                                            request ->
                                                    CompletableFuture.completedFuture(
                                                            Answer.text(
                                                                    200,
                                                                    where()
                                                                            + request.body()
                                                                                    .length)))));

    private static String where() {
        return Thread.currentThread().isVirtual() ? "thread " : "loop ";
    }

    @AfterEach
    void stop() {
        web.close();
    }

    @Test
    void a_small_body_is_read_on_the_event_loop() {
        assertThat(web.send("POST", "/prompt", "small").body()).isEqualTo("loop 5");
        assertThat(web.send("POST", "/prompt", "").body()).isEqualTo("loop 0");
    }

    @Test
    void a_large_body_does_not_keep_the_event_loop_from_others() {
        assertThat(web.send("POST", "/prompt", LARGE).body()).isEqualTo("thread " + LARGE.length());
        web.awaitQuiet();
    }

    @Test
    void a_packed_body_is_not_unpacked_on_the_event_loop() throws IOException {
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
            gzip.write(LARGE.getBytes(ISO_8859_1));
        }
        String head =
                "POST /prompt HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
                        + "Content-Encoding: gzip\r\nContent-Length: %d\r\n\r\n"
                                .formatted(packed.size());
        assertThat(web.raw(head + packed.toString(ISO_8859_1)))
                .startsWith("HTTP/1.1 200 ")
                .endsWith("thread " + LARGE.length());
    }

    @Test
    void what_cannot_be_unpacked_is_refused() throws IOException {
        assertThat(
                        web.raw(
                                """
                                POST /prompt HTTP/1.1\r
                                Host: localhost\r
                                Connection: close\r
                                Content-Encoding: gzip\r
                                Content-Length: 5\r
                                \r
                                plain\
                                """))
                .startsWith("HTTP/1.1 400 ");
        web.awaitQuiet();
    }
}
