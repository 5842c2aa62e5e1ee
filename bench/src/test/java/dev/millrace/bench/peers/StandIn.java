package dev.millrace.bench.peers;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Answers like EdgeX core data, as far as it is asked, and counts what it was sent. */
public final class StandIn implements AutoCloseable {
    private static final Pattern DEVICE = Pattern.compile("\"device\":\"([^\"]+)\"");
    private static final int READINGS = 2;

    private final HttpServer server;
    private final Map<String, AtomicInteger> events = new ConcurrentHashMap<>();

    private StandIn(HttpServer server) {
        this.server = server;
    }

    public static StandIn start() {
        try {
            HttpServer server =
                    HttpServer.create(
                            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 64);
            StandIn standIn = new StandIn(server);
            server.createContext("/core/api/v1/event", standIn::take);
            server.createContext("/core/api/v1/reading/device/", standIn::latest);
            server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
            server.start();
            return standIn;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Below a path, as behind a gateway. */
    public String url() {
        return "http://localhost:%d/core/".formatted(server.getAddress().getPort());
    }

    public int events() {
        return events.values().stream().mapToInt(AtomicInteger::get).sum();
    }

    private void take(HttpExchange exchange) throws IOException {
        Matcher device =
                DEVICE.matcher(new String(exchange.getRequestBody().readAllBytes(), UTF_8));
        boolean named = device.find();
        if (named) {
            events.computeIfAbsent(device.group(1), any -> new AtomicInteger()).incrementAndGet();
        }
        answer(exchange, named ? 200 : 400, UUID.randomUUID().toString());
    }

    private void latest(HttpExchange exchange) throws IOException {
        String[] path = exchange.getRequestURI().getPath().split("/", -1);
        String device = path[path.length - 2];
        int stored = events.getOrDefault(device, new AtomicInteger()).get() * READINGS;
        answer(
                exchange,
                200,
                IntStream.range(0, Math.min(stored, Integer.parseInt(path[path.length - 1])))
                        .mapToObj(
                                i ->
                                        String.format(
                                                Locale.ROOT,
                                                "{\"id\":\"%s\",\"device\":\"%s\",\"name\":\"flow\",\"value\":\"%d\"}",
                                                UUID.randomUUID(),
                                                device,
                                                i))
                        .collect(Collectors.joining(",", "[", "]\n")));
    }

    private static void answer(HttpExchange exchange, int status, String text) throws IOException {
        byte[] body = text.getBytes(UTF_8);
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
