package dev.millrace.hub.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;

import dev.millrace.hub.cli.Millrace.Ended;
import dev.millrace.keyspace.testing.TestPorts;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** What the launcher lets a hub do to make the ahead-of-time cache. */
class RehearsalTest {

    @Test
    void a_hub_that_rehearses_is_ready_and_stops_by_itself(@TempDir Path directory) {
        Ended ended = Millrace.run(directory, "run", "--rehearse");
        assertThat(ended.exit()).isZero();
        assertThat(ended.out()).startsWith("ready");
        assertThat(ended.err()).contains("Stopped.");
    }

    @Test
    void it_asks_for_the_usual_pages_also_where_some_are_missing() throws IOException {
        Set<String> asked = ConcurrentHashMap.newKeySet();
        HttpServer server =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext(
                "/",
                exchange -> {
                    asked.add(exchange.getRequestURI().getPath());
                    exchange.sendResponseHeaders(404, -1);
                    exchange.close();
                });
        server.start();
        Rehearsal.visit(URI.create("http://127.0.0.1:" + server.getAddress().getPort()));
        server.stop(0);
        assertThat(asked)
                .containsExactlyInAnyOrder("/", "/openapi.json", "/metrics", "/health/ready");
    }

    @Test
    void that_nobody_answers_is_no_failure() throws IOException {
        int port = TestPorts.take();
        Rehearsal.visit(URI.create("http://127.0.0.1:" + port));
    }
}
