package dev.millrace.hub.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.millrace.hub.access.AccessSettings.Mode;
import dev.millrace.hub.access.Actor;
import dev.millrace.hub.access.Role;
import dev.millrace.hub.access.Tokens;
import dev.millrace.hub.http.server.RawTalk;
import dev.millrace.keyspace.feed.Topic;
import dev.millrace.keyspace.testing.SharedServers;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.io.IOException;
import java.net.Socket;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** Clients that speak too early and leave too early. */
class EarlyLiveTest {
    private static final int TRIES = 200;
    private static final LiveFeed PLANT =
            LiveFeed.of("plant", Topic.named("live-plant"), Role.VIEWER, "plant");

    private TestHub hub;

    @BeforeEach
    void start() {
        SharedServers.flushAll();
        hub = hub(Mode.OPEN);
    }

    private static TestHub hub(Mode mode) {
        return new TestHub(SharedServers.standalone().url(), TestHub.SETTINGS, mode, PLANT);
    }

    @AfterEach
    void stop() {
        hub.close();
    }

    private void awaitClients(int count) {
        await().atMost(Duration.ofSeconds(60))
                .untilAsserted(
                        () ->
                                assertThat(hub.figure("millrace.live.clients"))
                                        .isEqualTo((double) count));
    }

    /** What may follow the handshake in the same packet. */
    enum Early {
        A_MESSAGE,
        AN_END,
        NO_FRAME;

        byte[] bytes() {
            return RawTalk.together(
                    RawTalk.handshake("/live/ws"),
                    switch (this) {
                        case A_MESSAGE -> RawTalk.text("{\"subscribe\":[\"plant\"]}");
                        case AN_END -> RawTalk.close();
                        case NO_FRAME -> RawTalk.unmasked();
                    });
        }
    }

    @ParameterizedTest
    @EnumSource(Early.class)
    void whoever_says_something_with_the_handshake_and_leaves_is_not_counted_any_more(Early early)
            throws IOException {
        for (int i = 0; i < TRIES; i++) {
            RawTalk.sendAndLeave(hub.port(), early.bytes(), i % 2 == 0);
        }
        awaitClients(0);
    }

    @ParameterizedTest
    @EnumSource(Early.class)
    void whoever_leaves_as_soon_as_the_handshake_is_answered_is_not_counted_any_more(Early early)
            throws IOException {
        for (int i = 0; i < TRIES; i++) {
            try (Socket socket = RawTalk.connect(hub.port())) {
                socket.getOutputStream().write(early.bytes());
                assertThat(socket.getInputStream().read()).isEqualTo('H');
            }
        }
        awaitClients(0);
    }

    @Test
    void whoever_leaves_at_any_byte_is_not_counted_any_more() throws IOException {
        byte[] talk =
                RawTalk.together(Early.A_MESSAGE.bytes(), RawTalk.text("{}"), RawTalk.close());
        byte[] stream =
                "GET /live?feeds=plant HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(US_ASCII);
        for (byte[] all : List.of(talk, stream)) {
            for (int length = 1; length <= all.length; length++) {
                for (boolean reset : new boolean[] {false, true}) {
                    RawTalk.sendAndLeave(hub.port(), Arrays.copyOf(all, length), reset);
                }
            }
        }
        awaitClients(0);
    }

    @Test
    void streams_that_are_left_at_once_are_not_counted_any_more() throws IOException {
        byte[] stream =
                "GET /live?feeds=plant HTTP/1.1\r\nHost: localhost\r\n\r\n".getBytes(US_ASCII);
        for (int i = 0; i < TRIES; i++) {
            RawTalk.sendAndLeave(hub.port(), stream, i % 2 == 0);
        }
        awaitClients(0);
    }

    @Test
    void a_revoked_token_hears_nothing_more_whoever_else_was_there() throws IOException {
        hub.close();
        hub = hub(Mode.TOKEN);
        Tokens.Made viewer = LiveContract.token(hub, "v", Role.VIEWER);
        for (int i = 0; i < TRIES / 2; i++) {
            RawTalk.sendAndLeave(hub.port(), Early.NO_FRAME.bytes(), i % 2 == 0);
        }
        try (TalkListener listener = TalkListener.connect(hub.url(), Optional.of(viewer.text()))) {
            listener.say("{\"subscribe\":[\"plant\"]}");
            listener.awaitEvent("ready");
            for (int i = 0; i < TRIES / 2; i++) {
                RawTalk.sendAndLeave(hub.port(), Early.NO_FRAME.bytes(), i % 2 == 0);
            }
            hub.access.tokens().revoke(viewer.token().id(), new Actor("test", "here")).orThrow();
            listener.awaitEnd();
            assertThat(listener.closeCode).isEqualTo(1008);
        }
        awaitClients(0);
    }
}
