package dev.millrace.hub.readings;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;

/** A small metadata service: answers what it was told to, and remembers what it was asked. */
public final class MetadataService implements AutoCloseable {
    private record Said(int status, String body) {}

    private final HttpServer server;
    private final Map<String, Said> answers = new ConcurrentHashMap<>();
    private final List<String> asked = new CopyOnWriteArrayList<>();
    private volatile CountDownLatch gate = new CountDownLatch(0);

    public MetadataService() {
        try {
            server =
                    HttpServer.create(
                            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", this::answer);
        server.start();
    }

    public URI url() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    /** From now on this request, as {@code GET /path}, is answered so; all others with 404. */
    public MetadataService says(String request, int status, String body) {
        answers.put(request, new Said(status, body));
        return this;
    }

    /** Everything it was asked, in order. */
    public List<String> asked() {
        return List.copyOf(asked);
    }

    /** From now on it takes requests and does not answer, until {@link #wakeUp}. */
    public void fallAsleep() {
        gate = new CountDownLatch(1);
    }

    public void wakeUp() {
        gate.countDown();
    }

    private void answer(HttpExchange exchange) throws IOException {
        String request = exchange.getRequestMethod() + " " + exchange.getRequestURI();
        asked.add(request);
        try {
            gate.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        Said said = answers.getOrDefault(request, new Said(404, "not known here\n"));
        byte[] body = said.body.getBytes(StandardCharsets.UTF_8);
        try (exchange) {
            exchange.sendResponseHeaders(said.status, body.length == 0 ? -1 : body.length);
            exchange.getResponseBody().write(body);
        }
    }

    @Override
    public void close() {
        wakeUp();
        server.stop(0);
    }
}
