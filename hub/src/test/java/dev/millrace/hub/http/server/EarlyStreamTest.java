package dev.millrace.hub.http.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.millrace.hub.access.Role;
import dev.millrace.hub.http.Route;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** Streams of clients that leave before they have begun. */
class EarlyStreamTest {
    private static final int TRIES = 300;

    private final AtomicInteger begun = new AtomicInteger();
    private final AtomicInteger present = new AtomicInteger();
    private final AtomicInteger interrupted = new AtomicInteger();
    private final CountDownLatch never = new CountDownLatch(1);
    private TestWeb web;

    @BeforeEach
    void start() {
        web =
                TestWeb.with(
                        List.of(
                                Route.get("/stream")
                                        .needs(Role.VIEWER, "test")
                                        .about("Stays.")
                                        .streamingBy(
                                                (request, stream) -> {
                                                    stream.begin("text/plain", List.of());
                                                    begun.incrementAndGet();
                                                    present.incrementAndGet();
                                                    stream.whileThere(
                                                            () -> stream.write(new byte[] {'x'}),
                                                            present::decrementAndGet);
                                                }),
                                Route.get("/waiting")
                                        .needs(Role.VIEWER, "test")
                                        .about("Waits for something that does not come.")
                                        .streamingBy((request, stream) -> waiting())));
    }

    private void waiting() {
        begun.incrementAndGet();
        try {
            never.await();
        } catch (InterruptedException e) {
            interrupted.incrementAndGet();
        }
    }

    @AfterEach
    void stop() {
        never.countDown();
        web.close();
    }

    private static byte[] request(String path) {
        return "GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n".formatted(path).getBytes(US_ASCII);
    }

    @Test
    void a_stream_that_is_left_at_once_ends() throws IOException {
        for (int i = 0; i < TRIES; i++) {
            RawTalk.sendAndLeave(web.server().port(), request("/stream"), i % 2 == 0);
        }
        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(
                        () -> {
                            assertThat(web.gauge("connections")).isZero();
                            assertThat(present).hasValue(0);
                        });
    }

    @Test
    void a_handler_that_waits_for_somebody_who_has_left_is_interrupted() throws IOException {
        try (Socket socket = web.connect()) {
            socket.getOutputStream().write(request("/waiting"));
            await().atMost(Duration.ofSeconds(60)).until(() -> begun.get() == 1);
        }
        await().atMost(Duration.ofSeconds(60)).until(() -> interrupted.get() == 1);
    }
}
