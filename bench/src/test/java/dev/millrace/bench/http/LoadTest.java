package dev.millrace.bench.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;

/** What is counted is what was meant: the load looks at every answer. */
class LoadTest {
    private static final long MILLIS = 200_000_000;
    private static final int CHUNKED = 0;
    private static final int NONE = -1;

    private final AtomicLong requests = new AtomicLong();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final HttpServer server = create();

    private static HttpServer create() {
        try {
            return HttpServer.create(
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 16);
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @AfterEach
    void stop() {
        server.stop(0);
        threads.close();
    }

    private long run(Workload workload, HttpHandler handler) throws IOException {
        server.setExecutor(threads);
        server.createContext("/prefix" + workload.path(), handler);
        server.start();
        try (Load load = new Load(server.getAddress().getPort(), workload, "/prefix", 4)) {
            return load.run(MILLIS);
        }
    }

    private HttpHandler answering(int status, int length, byte[] body) {
        return exchange -> {
            requests.incrementAndGet();
            exchange.getRequestBody().readAllBytes();
            answer(exchange, status, length, body);
        };
    }

    private static void answer(HttpExchange exchange, int status, int length, byte[] body)
            throws IOException {
        exchange.sendResponseHeaders(status, length);
        if (length != NONE) {
            exchange.getResponseBody().write(body);
        }
        exchange.close();
    }

    @Test
    void every_answer_counts_once_and_each_connection_has_one_request_in_flight()
            throws IOException {
        long count = run(Workload.EMPTY, answering(204, NONE, new byte[0]));
        assertThat(count).isPositive().isBetween(requests.get() - 4, requests.get());
    }

    @Test
    void an_echo_may_come_in_chunks() throws IOException {
        long count =
                run(
                        Workload.ECHO,
                        exchange -> {
                            byte[] body = exchange.getRequestBody().readAllBytes();
                            assertThat(body).hasSizeBetween(400, 450);
                            answer(exchange, 200, CHUNKED, body);
                        });
        assertThat(count).isPositive();
    }

    @Test
    void another_status_is_no_answer() {
        assertThatIllegalStateException()
                .isThrownBy(() -> run(Workload.EMPTY, answering(503, NONE, new byte[0])))
                .withMessageContaining("503");
    }

    @Test
    void an_echo_of_something_else_is_no_answer() {
        byte[] other = Workload.event(99);
        assertThatIllegalStateException()
                .isThrownBy(() -> run(Workload.ECHO, answering(200, other.length, other)))
                .withMessageContaining("pump-station-99");
    }

    @Test
    void a_commit_without_an_id_is_no_answer() {
        assertThatIllegalStateException()
                .isThrownBy(
                        () ->
                                run(
                                        Workload.COMMIT,
                                        answering(
                                                201,
                                                2,
                                                "ok"
                                                        .getBytes(
                                                                java.nio.charset.StandardCharsets
                                                                        .US_ASCII))))
                .withMessageContaining("ok");
    }
}
