package dev.millrace.hub.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.hub.access.Role;
import dev.millrace.hub.http.Answer;
import dev.millrace.hub.http.Route;
import dev.millrace.keyspace.testing.ChildJvm;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Thousands of connections on which nothing happens, from a process of their own: two thousand, or
 * ten thousand with {@code millrace.full}.
 */
class IdleConnectionsTest {
    private static final int CONNECTIONS = Boolean.getBoolean("millrace.full") ? 10_000 : 2_000;
    private static final Duration CAP = Duration.ofMinutes(2);

    /** Several times what one takes; a buffer for each of them would be more. */
    private static final long MOST_EACH = 32 << 10;

    /** Less than what is kept for a connection; more than what other tests leave about. */
    private static final long LEAK_EACH = 512;

    private static final int ROUNDS = 10;

    /** The clients: told how many, they connect, send half of a head, and stay. */
    static final class Clients {
        private Clients() {}

        public static void main(String[] arguments) throws IOException {
            InetSocketAddress server =
                    new InetSocketAddress(
                            InetAddress.getLoopbackAddress(), Integer.parseInt(arguments[0]));
            List<SocketChannel> open = new ArrayList<>();
            ChildJvm.answer("ready");
            ChildJvm.obey(
                    line -> {
                        try {
                            if (line.equals("close")) {
                                for (SocketChannel each : open) {
                                    each.close();
                                }
                                open.clear();
                            } else {
                                connect(server, Integer.parseInt(line), open);
                            }
                            ChildJvm.answer("done");
                        } catch (IOException e) {
                            ChildJvm.answer(e.toString());
                        }
                    });
        }

        private static void connect(InetSocketAddress server, int count, List<SocketChannel> open)
                throws IOException {
            for (int i = 0; i < count; i++) {
                SocketChannel channel = SocketChannel.open(server);
                open.add(channel);
                if (i % 2 == 0) {
                    channel.write(
                            ByteBuffer.wrap(
                                    "GET /hello HTTP/1.1\r\nHost: "
                                            .getBytes(StandardCharsets.US_ASCII)));
                }
            }
        }
    }

    private static long memory() {
        System.gc();
        long buffers =
                ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                        .mapToLong(BufferPoolMXBean::getMemoryUsed)
                        .sum();
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() + buffers;
    }

    @Test
    void idle_connections_cost_little_and_leave_nothing() {
        try (TestWeb web =
                        TestWeb.with(
                                List.of(
                                        Route.get("/hello")
                                                .needs(Role.VIEWER, "test")
                                                .about("Greets.")
                                                .by(request -> Answer.text(200, "hello"))),
                                "http.idle-time-out=10m",
                                "http.max-connections=20000");
                ChildJvm clients =
                        ChildJvm.start(
                                Clients.class, news -> {}, Integer.toString(web.server().port()))) {
            assertThat(clients.answer()).isEqualTo("ready");
            long before = memory();
            long during = round(web, clients);
            // The pools of buffers keep what they have, and others leave garbage about; but what
            // leaks, leaks in every round.
            long left = Long.MAX_VALUE;
            for (int i = 0; i < ROUNDS && left >= LEAK_EACH; i++) {
                long after = memory();
                round(web, clients);
                left = Math.min(left, (memory() - after) / CONNECTIONS);
            }
            System.out.printf(
                    "%d idle connections: %d bytes each, and each leaves %d%n",
                    CONNECTIONS, (during - before) / CONNECTIONS, left);
            assertThat((during - before) / CONNECTIONS).isLessThan(MOST_EACH);
            assertThat(left).isLessThan(LEAK_EACH);
            assertThat(web.get("/hello").body()).isEqualTo("hello");
            web.awaitQuiet();
        }
    }

    /** They come and go; the memory while they are there. */
    private static long round(TestWeb web, ChildJvm clients) {
        assertThat(clients.ask(Integer.toString(CONNECTIONS))).isEqualTo("done");
        Awaitility.await().atMost(CAP).until(() -> web.gauge("connections") >= CONNECTIONS);
        for (int i = 0; i < 100; i++) {
            assertThat(web.get("/hello").body()).isEqualTo("hello");
        }
        long during = memory();
        assertThat(clients.ask("close")).isEqualTo("done");
        closed(web);
        return during;
    }

    /** All but that of the client that looks whether it is served. */
    private static void closed(TestWeb web) {
        Awaitility.await().atMost(CAP).until(() -> web.gauge("connections") <= 1);
    }

    @Test
    void idle_connections_are_closed_after_a_while() throws IOException {
        try (TestWeb web =
                TestWeb.with(
                        List.of(
                                Route.get("/hello")
                                        .forAnyone()
                                        .about("Greets.")
                                        .by(request -> Answer.text(200, "hello"))),
                        "http.idle-time-out=500ms")) {
            assertThat(web.raw("")).isEmpty();
            assertThat(web.get("/hello").body()).isEqualTo("hello");
            Awaitility.await().atMost(CAP).until(() -> web.gauge("connections") == 0);
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }
}
