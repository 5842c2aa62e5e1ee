package dev.millrace.hub.pubsub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.millrace.hub.TestHub;
import dev.millrace.hub.http.server.RawTalk;
import dev.millrace.keyspace.testing.SharedServers;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;

/** Subscribers that leave before they have begun to wait. */
class EarlyLeaverTest {
    private static final int TRIES = 300;
    private static final String SUBSCRIPTION = "/channel/c/subscription/";

    private TestHub hub;

    enum Way {
        EVENTS,
        TALK,
        POLL;

        byte[] request() {
            return switch (this) {
                case EVENTS -> get(SUBSCRIPTION + "sse/u");
                case TALK ->
                        RawTalk.together(
                                RawTalk.handshake(SUBSCRIPTION + "ws/u"), RawTalk.text("{}"));
                case POLL -> get(SUBSCRIPTION + "polling/u?timeout=300s");
            };
        }

        private static byte[] get(String path) {
            return "GET %s HTTP/1.1\r\nHost: localhost\r\n\r\n".formatted(path).getBytes(US_ASCII);
        }
    }

    @BeforeEach
    void start() {
        String url = SharedServers.standalone().url();
        SharedServers.flushAll();
        hub = TestHub.start(url);
        assertThat(hub.send("PUT", SUBSCRIPTION + "polling/u", "").status()).isEqualTo(200);
    }

    @AfterEach
    void stop() {
        hub.close();
    }

    private int port() {
        return URI.create(hub.url()).getPort();
    }

    private void awaitNobody() {
        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(
                        () ->
                                assertThat(hub.get("/metrics").body())
                                        .contains("millrace_pubsub_waiting 0.0"));
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void whoever_leaves_at_once_does_not_wait_any_more(Way way) throws IOException {
        for (int i = 0; i < TRIES; i++) {
            try (Socket socket = RawTalk.connect(port())) {
                socket.getOutputStream().write(way.request());
                // Earlier, in the middle and later than the hub begins; any of them must do.
                LockSupport.parkNanos(Duration.ofNanos(i * 10_000L).toNanos());
                if (i % 3 != 0) {
                    socket.setSoLinger(true, 0);
                }
            }
        }
        awaitNobody();
    }

    @ParameterizedTest
    @EnumSource(Way.class)
    void whoever_leaves_at_any_byte_does_not_wait_any_more(Way way) throws IOException {
        byte[] all = way.request();
        for (int length = 1; length <= all.length; length++) {
            RawTalk.sendAndLeave(port(), Arrays.copyOf(all, length), length % 2 == 0);
        }
        awaitNobody();
    }
}
