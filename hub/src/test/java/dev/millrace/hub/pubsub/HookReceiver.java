package dev.millrace.hub.pubsub;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import dev.millrace.hub.http.Json;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;

/** Somebody who is called by webhooks: answers as told, and remembers what came. */
public final class HookReceiver implements AutoCloseable {
    /** A request as it came in. */
    public record Got(
            String method,
            String path,
            Map<String, List<String>> headers,
            String body,
            long atNanos) {

        public String id() {
            return Json.MAPPER.readTree(body).get("messageID").asString();
        }

        String header(String name) {
            return headers.getOrDefault(name, List.of("")).getFirst();
        }
    }

    /** What to answer. */
    public record Reply(int status, Map<String, String> headers, boolean endless) {
        public static Reply of(int status) {
            return new Reply(status, Map.of(), false);
        }

        /** With a body that goes on until nobody reads it any more. */
        static Reply endless(int status) {
            return new Reply(status, Map.of(), true);
        }

        static Reply redirect(int status, String location) {
            return new Reply(status, Map.of("Location", location), false);
        }
    }

    private static final byte[] SOME = new byte[1 << 16];

    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final List<Got> got = new CopyOnWriteArrayList<>();
    private volatile Function<Got, Reply> behaviour = request -> Reply.of(200);

    private HookReceiver(int port) {
        try {
            server =
                    HttpServer.create(
                            new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.setExecutor(threads);
        server.createContext("/", this::answer);
        server.start();
    }

    public static HookReceiver start() {
        return new HookReceiver(0);
    }

    /** At the port of one that was closed. */
    public static HookReceiver at(int port) {
        return new HookReceiver(port);
    }

    private void answer(HttpExchange exchange) throws IOException {
        String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
        Got request =
                new Got(
                        exchange.getRequestMethod(),
                        exchange.getRequestURI().getPath(),
                        exchange.getRequestHeaders(),
                        body,
                        System.nanoTime());
        got.add(request);
        Reply reply = behaviour.apply(request);
        reply.headers().forEach((name, value) -> exchange.getResponseHeaders().add(name, value));
        exchange.sendResponseHeaders(reply.status(), reply.endless() ? 0 : -1);
        try {
            while (reply.endless()) {
                exchange.getResponseBody().write(SOME);
            }
        } catch (IOException e) {
            // It was left.
        }
        exchange.close();
    }

    public void answering(Function<Got, Reply> how) {
        behaviour = how;
    }

    public void answering(int status) {
        behaviour = request -> Reply.of(status);
    }

    public int port() {
        return server.getAddress().getPort();
    }

    public String url() {
        return "http://127.0.0.1:%d".formatted(port());
    }

    public List<Got> got() {
        return List.copyOf(got);
    }

    public List<String> ids() {
        return got().stream().filter(each -> !each.body().isEmpty()).map(Got::id).toList();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
