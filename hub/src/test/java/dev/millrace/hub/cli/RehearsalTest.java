package dev.millrace.hub.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;

import dev.millrace.hub.TestHub;
import dev.millrace.hub.cli.Millrace.Ended;
import dev.millrace.keyspace.testing.SharedServers;
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
        Ended ended = Millrace.run(directory, "run", "--rehearse=2");
        assertThat(ended.exit()).isZero();
        assertThat(ended.out()).startsWith("ready");
        assertThat(ended.err()).contains("Stopped.").doesNotContain("rehearsal was refused");
    }

    @Test
    void it_does_what_clients_do_in_all_rooms_and_on_the_pages() throws IOException {
        try (TestHub hub = TestHub.start(SharedServers.standalone().url())) {
            assertThat(Rehearsal.visit(URI.create(hub.url()), 40)).isEmpty();
        }
    }

    @Test
    void that_something_is_missing_does_not_end_it() throws IOException {
        Set<String> asked = ConcurrentHashMap.newKeySet();
        HttpServer server =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext(
                "/",
                exchange -> {
                    asked.add(
                            exchange.getRequestMethod()
                                    + " "
                                    + exchange.getRequestURI().getPath().replaceAll("\\d+", "n"));
                    exchange.getRequestBody().readAllBytes();
                    exchange.sendResponseHeaders(404, -1);
                    exchange.close();
                });
        server.start();
        Set<String> refused =
                Rehearsal.visit(
                        URI.create("http://127.0.0.1:" + server.getAddress().getPort()), 40);
        server.stop(0);
        assertThat(asked)
                .contains("GET /", "GET /openapi.json", "GET /metrics", "GET /health/ready")
                .contains("POST /api/vn/event", "GET /api/vn/reading/device/rehearsal-n/n")
                .contains("POST /history/datastore/set", "POST /history/datastore/mget")
                .contains("PUT /channel/rehearsal/message/m-n-n")
                .contains("GET /channel/rehearsal/subscription/polling/one");
        assertThat(refused).hasSize(asked.size());
    }

    @Test
    void that_nobody_answers_is_no_failure() throws IOException {
        int port = TestPorts.take();
        assertThat(Rehearsal.visit(URI.create("http://127.0.0.1:" + port), 1)).isEmpty();
    }
}
