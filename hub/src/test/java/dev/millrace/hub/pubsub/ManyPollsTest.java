package dev.millrace.hub.pubsub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import static java.nio.charset.StandardCharsets.US_ASCII;

import dev.millrace.hub.TestHub;
import dev.millrace.keyspace.testing.SharedServers;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Very many polls wait at one hub, and each of them gets its message. */
class ManyPollsTest {
    /** Both ends of each connection are files of this process, which may often have 20,000. */
    private static final int POLLS = Boolean.getBoolean("millrace.full") ? 8_000 : 1_000;

    private static final int CHANNELS = 100;

    @Test
    void each_of_very_many_polls_wakes_with_its_message() throws Exception {
        SharedServers.flushAll();
        List<SocketChannel> sockets = new ArrayList<>();
        try (TestHub hub =
                TestHub.start(
                        SharedServers.standalone().url(),
                        "http.max-connections=20000",
                        "pubsub.http.longPollingMaxTimeout=10m")) {
            for (int i = 0; i < CHANNELS; i++) {
                hub.send("PUT", "/channel/many-%d/subscription/polling/s".formatted(i), "");
            }
            int port = URI.create(hub.url()).getPort();
            for (int i = 0; i < POLLS; i++) {
                sockets.add(poll(port, i % CHANNELS));
            }
            await().atMost(300, TimeUnit.SECONDS)
                    .until(
                            () ->
                                    hub.get("/metrics")
                                            .body()
                                            .contains(
                                                    "millrace_pubsub_waiting %d.0"
                                                            .formatted(POLLS)));
            for (int i = 0; i < CHANNELS; i++) {
                hub.send("PUT", "/channel/many-%d/message/m".formatted(i), "1");
            }
            for (SocketChannel socket : sockets) {
                assertThat(answer(socket)).contains("\"messageID\":\"m\"");
            }
        } finally {
            for (SocketChannel socket : sockets) {
                socket.close();
            }
        }
    }

    private static SocketChannel poll(int port, int channel) throws IOException {
        SocketChannel socket =
                SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        String request =
                "GET /channel/many-%d/subscription/polling/s?timeout=10m HTTP/1.1\r\nHost: localhost\r\n\r\n"
                        .formatted(channel);
        socket.write(ByteBuffer.wrap(request.getBytes(US_ASCII)));
        return socket;
    }

    private static String answer(SocketChannel socket) throws IOException {
        ByteBuffer text = ByteBuffer.allocate(4096);
        while (socket.read(text) > 0) {
            String soFar = new String(text.array(), 0, text.position(), US_ASCII);
            if (soFar.endsWith("}\n")) {
                return soFar;
            }
        }
        return new String(text.array(), 0, text.position(), US_ASCII);
    }
}
