package dev.millrace.bench.race;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import com.sun.net.httpserver.HttpServer;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.LongStream;

class HttpLoadTest {
    private static final long MILLI = 1_000_000;

    private final AtomicInteger asked = new AtomicInteger();
    private final LongStream.Builder latencies = LongStream.builder();
    private HttpServer server;
    private Address address;

    @BeforeEach
    void start() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 16);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.start();
        address = Address.local(server.getAddress().getPort());
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    /** Counts what it is asked. */
    private void answer(String path, int status) {
        answer(path, status, () -> {});
    }

    /**
     * The same.
     *
     * @param pause before the first answer
     */
    private void answer(String path, int status, Runnable pause) {
        server.createContext(
                path,
                exchange -> {
                    if (asked.incrementAndGet() == 1) {
                        pause.run();
                    }
                    exchange.sendResponseHeaders(status, -1);
                    exchange.close();
                });
    }

    private HttpLoad load(int connections) throws IOException {
        byte[] request = address.get("/");
        return new HttpLoad(
                latencies::add, address, Collections.nCopies(connections, answer -> request));
    }

    private static void pass(long nanos) {
        long ends = System.nanoTime() + nanos;
        while (ends - System.nanoTime() > 0) {
            LockSupport.parkNanos(ends - System.nanoTime());
        }
    }

    @Test
    void at_a_rate_a_request_that_had_to_wait_for_a_slow_one_was_slow_too() throws IOException {
        answer("/", 204, () -> pass(300 * MILLI));
        try (HttpLoad load = load(1)) {
            load.atRate(200 * MILLI, 100);
        }
        // Twenty, all of which should have been sent while the server stood still.
        assertThat(latencies.build()).hasSize(20).allMatch(each -> each > 100 * MILLI);
    }

    @Test
    void at_a_rate_what_was_never_sent_counts_as_slow() throws IOException {
        CountDownLatch told = new CountDownLatch(19);
        answer("/", 204, () -> awaitZero(told));
        byte[] request = address.get("/");
        try (HttpLoad load =
                new HttpLoad(
                        nanos -> {
                            latencies.add(nanos);
                            told.countDown();
                        },
                        address,
                        List.of(answer -> request))) {
            assertThat(load.atRate(200 * MILLI, 100)).isEqualTo(1);
        }
        assertThat(asked).hasValue(1);
        assertThat(latencies.build()).hasSize(20).allMatch(each -> each > 200 * MILLI);
    }

    private static void awaitZero(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void it_ends_when_so_many_have_been_sent() throws IOException {
        answer("/", 204);
        try (HttpLoad load = load(3)) {
            assertThat(load.run(Long.MAX_VALUE / 2, Double.POSITIVE_INFINITY, 8)).isEqualTo(8);
        }
        assertThat(asked).hasValue(8);
        assertThat(latencies.build()).hasSize(8);
    }

    @Test
    void an_answer_that_is_not_the_right_one_ends_it() throws IOException {
        answer("/", 503);
        try (HttpLoad load = load(1)) {
            assertThatIllegalStateException()
                    .isThrownBy(() -> load.run(MILLI))
                    .withMessageContaining("HTTP/1.1 503")
                    .withMessageNotContaining("\n");
        }
    }

    @Test
    void the_path_of_a_url_stands_before_every_other_path() throws IOException {
        answer("/gateway/ping", 204);
        Address behind = Address.of(address.url("/gateway/").toString());
        HttpLoad.each(behind, List.of(behind.get("/ping"), behind.get("/ping")));
        assertThat(asked).hasValue(2);
    }
}
