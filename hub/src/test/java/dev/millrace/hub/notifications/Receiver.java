package dev.millrace.hub.notifications;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import dev.millrace.hub.notifications.delivery.RestSender;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;

/** Somebody who subscribed by REST: answers as told, and remembers what came. */
public final class Receiver implements AutoCloseable {
    /** A request as it came in. */
    public record Got(String path, Map<String, List<String>> headers, String body) {
        public String header(String name) {
            return headers.getOrDefault(name, List.of("")).getFirst();
        }

        public String transmission() {
            return header(RestSender.TRANSMISSION);
        }
    }

    private final HttpServer server;
    private final List<Got> got = new CopyOnWriteArrayList<>();
    private final CountDownLatch released = new CountDownLatch(1);
    private volatile int status;
    private volatile boolean holding;

    private Receiver(int port, int status) {
        this.status = status;
        try {
            server =
                    HttpServer.create(
                            new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", this::answer);
        server.start();
    }

    public static Receiver answering(int status) {
        return new Receiver(0, status);
    }

    /** At the port of one that was closed. */
    static Receiver at(int port) {
        return new Receiver(port, 200);
    }

    private void answer(HttpExchange exchange) throws IOException {
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        got.add(new Got(exchange.getRequestURI().getPath(), exchange.getRequestHeaders(), body));
        if (holding) {
            try {
                released.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
        if (status >= 300 && status < 400) {
            exchange.getResponseHeaders().add("Location", url() + "elsewhere");
        }
        exchange.sendResponseHeaders(status, -1);
        exchange.close();
    }

    public void answer(int newStatus) {
        status = newStatus;
    }

    /** From now on it takes requests and does not answer them. */
    Receiver holdingThem() {
        holding = true;
        return this;
    }

    void release() {
        holding = false;
        released.countDown();
    }

    public int port() {
        return server.getAddress().getPort();
    }

    public String url() {
        return "http://127.0.0.1:%d/".formatted(port());
    }

    public List<Got> got() {
        return List.copyOf(got);
    }

    @Override
    public void close() {
        release();
        server.stop(0);
    }
}
