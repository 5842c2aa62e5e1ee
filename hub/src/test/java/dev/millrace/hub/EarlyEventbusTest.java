package dev.millrace.hub;

import static org.awaitility.Awaitility.await;

import dev.millrace.hub.http.server.RawTalk;
import dev.millrace.keyspace.testing.SharedServers;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Pages that leave {@code /eventbus} while their connection is made. The broker here never says a
 * word and never closes, so nobody but the hub can notice.
 */
class EarlyEventbusTest {
    private static final int MOST = 2;
    private static final int TRIES = 100;
    private static final byte[] HANDSHAKE = RawTalk.handshake("/eventbus");

    @TempDir Path directory;
    private final List<Socket> connections = new CopyOnWriteArrayList<>();
    private ServerSocket broker;
    private TestHub hub;

    @BeforeEach
    void start() throws IOException {
        SharedServers.flushAll();
        broker = new ServerSocket(0, 1000, InetAddress.getLoopbackAddress());
        Thread.startVirtualThread(
                () -> {
                    try {
                        while (true) {
                            connections.add(broker.accept());
                        }
                    } catch (IOException e) {
                        // Closed by the test.
                    }
                });
        hub =
                TestHub.start(
                        SharedServers.standalone().url(),
                        "data.dir=" + directory,
                        "mqtt.url=mqtt://127.0.0.1:" + broker.getLocalPort(),
                        "mqtt.eventbus.max-connections=" + MOST);
    }

    @AfterEach
    void stop() throws IOException {
        hub.close();
        broker.close();
        for (Socket each : connections) {
            each.close();
        }
    }

    private int port() {
        return URI.create(hub.url()).getPort();
    }

    /** Whether a page gets in: one too many is told to try later, by a frame that closes. */
    private boolean letsIn() throws IOException {
        try (Socket socket = RawTalk.connect(port())) {
            socket.getOutputStream().write(RawTalk.handshake("/eventbus"));
            int before = connections.size();
            StringBuilder head = new StringBuilder();
            while (!head.toString().endsWith("\r\n\r\n")) {
                head.append((char) socket.getInputStream().read());
            }
            await().atMost(Duration.ofSeconds(60))
                    .until(
                            () ->
                                    socket.getInputStream().available() > 0
                                            || connections.size() > before);
            return socket.getInputStream().available() == 0;
        }
    }

    private void awaitRoom() {
        await().atMost(Duration.ofSeconds(60)).until(this::letsIn);
    }

    @Test
    void the_place_of_whoever_leaves_is_free_again() throws IOException {
        byte[][] early = {
            HANDSHAKE,
            RawTalk.together(HANDSHAKE, RawTalk.binary((byte) 0x10)),
            RawTalk.together(HANDSHAKE, RawTalk.unmasked()),
            RawTalk.together(HANDSHAKE, RawTalk.close())
        };
        for (byte[] each : early) {
            for (int i = 0; i < TRIES; i++) {
                RawTalk.sendAndLeave(port(), each, i % 2 == 0);
            }
            awaitRoom();
        }
    }

    @Test
    void the_place_of_whoever_leaves_at_any_byte_is_free_again() throws IOException {
        byte[] all =
                RawTalk.together(HANDSHAKE, RawTalk.binary((byte) 0x10, (byte) 1), RawTalk.close());
        for (int length = 1; length <= all.length; length++) {
            RawTalk.sendAndLeave(port(), Arrays.copyOf(all, length), length % 2 == 0);
        }
        awaitRoom();
    }
}
