package dev.millrace.hub.http.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.hub.access.Role;
import dev.millrace.hub.http.Route;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** WebSockets of clients that do not wait for the handshake, and leave when it suits them. */
class EarlyTalkTest {
    private static final int TRIES = 200;
    private static final byte[] HANDSHAKE = RawTalk.handshake("/talk");

    private final AtomicInteger begun = new AtomicInteger();
    private final AtomicInteger ended = new AtomicInteger();
    private final List<String> heard = new CopyOnWriteArrayList<>();
    private TestWeb web;

    @BeforeEach
    void start() {
        web =
                TestWeb.with(
                        List.of(
                                Route.get("/talk")
                                        .needs(Role.VIEWER, "test")
                                        .about("Listens.")
                                        .talkingBy(
                                                (request, talk) -> {
                                                    begun.incrementAndGet();
                                                    talk.whileThere(
                                                            () -> talk.whenHeard(heard::add),
                                                            ended::incrementAndGet);
                                                })));
    }

    @AfterEach
    void stop() {
        web.close();
    }

    /** Whoever was told of a beginning is told of its end, and of one only. */
    private void awaitNobody() {
        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(
                        () -> {
                            assertThat(web.gauge("connections")).isZero();
                            assertThat(ended).hasValue(begun.get());
                        });
    }

    @ParameterizedTest(name = "with a reset: {0}")
    @ValueSource(booleans = {false, true})
    void a_talk_whose_first_frame_comes_with_the_handshake_ends_with_its_connection(boolean reset)
            throws IOException {
        byte[] all = RawTalk.together(HANDSHAKE, RawTalk.text("hello"));
        for (int i = 0; i < TRIES; i++) {
            RawTalk.sendAndLeave(web.server().port(), all, reset);
        }
        awaitNobody();
    }

    @Test
    void a_talk_that_is_left_at_any_byte_ends() throws IOException {
        byte[] all = RawTalk.together(HANDSHAKE, RawTalk.text("hello"), RawTalk.close());
        for (int length = 1; length <= all.length; length++) {
            RawTalk.sendAndLeave(web.server().port(), Arrays.copyOf(all, length), length % 2 == 0);
        }
        awaitNobody();
    }

    @Test
    void a_frame_that_comes_with_the_handshake_is_heard() throws IOException {
        try (Socket socket = RawTalk.connect(web.server().port())) {
            socket.getOutputStream()
                    .write(RawTalk.together(HANDSHAKE, RawTalk.text("hello"), RawTalk.text("you")));
            await().atMost(Duration.ofSeconds(60)).until(() -> heard.size() == 2);
        }
        assertThat(heard).containsExactly("hello", "you");
        awaitNobody();
    }

    @Test
    void a_talk_that_is_closed_with_its_handshake_is_over_and_deaf_to_what_follows()
            throws IOException {
        for (int i = 0; i < TRIES; i++) {
            try (Socket socket = RawTalk.connect(web.server().port())) {
                socket.getOutputStream()
                        .write(
                                RawTalk.together(
                                        HANDSHAKE, RawTalk.close(), RawTalk.text("too late")));
                assertThat(TestWeb.readAll(socket))
                        .startsWith("HTTP/1.1 101 ")
                        .endsWith("\u0088\u0002\u0003\u00e8");
            }
        }
        awaitNobody();
        assertThat(heard).isEmpty();
    }
}
