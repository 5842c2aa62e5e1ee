package dev.millrace.hub.fuzz;

import dev.millrace.hub.TestHub;
import dev.millrace.hub.access.Role;
import dev.millrace.hub.http.Json;
import dev.millrace.hub.http.Route;
import dev.millrace.keyspace.testing.TestPorts;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A whole hub in this process, and what an attacker knows of it. */
final class Target implements AutoCloseable {
    /** So many browsers; small, so that it shows if one of them is never counted out. */
    static final int BROWSERS = 12;

    static final String ADMIN_BEARER = "sesame";

    /**
     * Longer than anything takes on the slowest machine, with others beside it. Whoever hunts for
     * faults on a machine of his own gives less, and gets to see all of them.
     */
    static final int PATIENCE_MILLIS = Integer.getInteger("millrace.fuzz.patience", 60_000);

    final TestHub hub;
    final Mode mode;
    final InetSocketAddress http;
    final InetSocketAddress mqtt;

    /** Of each role; none in mode open. */
    final List<String> tokens = new ArrayList<>();

    /** Parameters by the name of their route, as the documentation has them. */
    final Map<String, List<String>> parameters = new TreeMap<>();

    final List<Route> routes;

    /** Who is let in. */
    enum Mode {
        OPEN,
        TOKEN
    }

    Target(String redisUrl, Mode mode, Path directory) {
        this.mode = mode;
        InetAddress here = InetAddress.getLoopbackAddress();
        this.mqtt = new InetSocketAddress(here, TestPorts.take());
        this.hub =
                TestHub.start(
                        redisUrl,
                        "access.mode=" + mode.name().toLowerCase(java.util.Locale.ROOT),
                        "access.free-attempts=1000",
                        // Whoever guesses is slowed down by address, and all of us have the same.
                        "access.longest-delay=1ms",
                        "data.dir=" + directory,
                        "mqtt.embedded.port=" + mqtt.getPort(),
                        "mqtt.eventbus.max-connections=" + BROWSERS,
                        "pubsub.http.longPollingMaxTimeout=100ms",
                        "pubsub.admin.auth.bearer=[" + ADMIN_BEARER + "]");
        this.http = new InetSocketAddress(here, URI.create(hub.url()).getPort());
        this.routes = hub.routes();
        if (mode == Mode.TOKEN) {
            for (Role role : Role.values()) {
                tokens.add(hub.token("fuzz-" + role.word(), role));
            }
        }
        // Not with the client of the hub, whose connections stay open.
        Json.MAPPER
                .readTree(new Calls(this).get("/openapi.json").body())
                .get("paths")
                .forEachEntry(
                        (path, methods) ->
                                methods.forEachEntry(
                                        (method, about) -> {
                                            List<String> names = new ArrayList<>();
                                            about.path("parameters")
                                                    .forEach(each -> query(each, names));
                                            parameters.put(
                                                    method.toUpperCase(java.util.Locale.ROOT)
                                                            + " "
                                                            + path,
                                                    names);
                                        }));
    }

    private static void query(tools.jackson.databind.JsonNode parameter, List<String> names) {
        if (parameter.path("in").asString().equals("query")) {
            names.add(parameter.path("name").asString());
        }
    }

    List<String> parameters(Route route) {
        return parameters.getOrDefault(route.name().replaceAll(":(digits|any)}", "}"), List.of());
    }

    /** Of an admin; empty in mode open. */
    String admin() {
        return tokens.isEmpty() ? "" : tokens.getLast();
    }

    /** Usually one that is let in, sometimes a poor one, sometimes none, sometimes garbage. */
    String token(Dice dice) {
        if (dice.percent(5)) {
            return dice.of(Samples.GARBAGE_TOKENS);
        }
        if (tokens.isEmpty() || dice.percent(5)) {
            return "";
        }
        return dice.percent(70) ? admin() : dice.of(tokens);
    }

    Socket connect(InetSocketAddress where) throws IOException {
        Socket socket = new Socket();
        socket.setSoTimeout(PATIENCE_MILLIS);
        socket.setTcpNoDelay(true);
        socket.connect(where, PATIENCE_MILLIS);
        return socket;
    }

    /** Ends it as a process that dies does. */
    static void reset(Socket socket) throws IOException {
        socket.setSoLinger(true, 0);
        socket.close();
    }

    @Override
    public void close() {
        hub.close();
    }
}
