package dev.millrace.hub.pubsub;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.hub.TestHub;
import dev.millrace.keyspace.testing.SharedServers;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;

/** Who is an admin of channels where no token for that is configured. */
class AdminTest {
    private static final String CALL = "/admin/log/level?category=x&level=INFO";

    @BeforeEach
    void empty() {
        SharedServers.flushAll();
    }

    private static int call(TestHub hub) {
        HttpRequest request =
                HttpRequest.newBuilder(URI.create(hub.url() + CALL))
                        .PUT(HttpRequest.BodyPublishers.noBody())
                        .build();
        try (HttpClient client = HttpClient.newHttpClient()) {
            return client.send(request, BodyHandlers.discarding()).statusCode();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @Test
    void in_mode_open_whoever_is_on_this_machine_is_one_and_nothing_secret_is_printed() {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        PrintStream before = System.err;
        System.setErr(new PrintStream(printed, true, StandardCharsets.UTF_8));
        try (TestHub hub = TestHub.start(SharedServers.standalone().url())) {
            assertThat(call(hub)).isEqualTo(204);
        } finally {
            System.setErr(before);
        }
        assertThat(printed.toString(StandardCharsets.UTF_8)).doesNotContainPattern("[0-9a-f]{32}");
    }

    @Test
    void the_networks_count_all_the_same() {
        try (TestHub hub =
                TestHub.start(
                        SharedServers.standalone().url(),
                        "pubsub.admin.auth.networks=[10.0.0.0/8]")) {
            assertThat(call(hub)).isEqualTo(403);
        }
    }

    @Test
    void in_mode_token_nobody_is_one_without_a_token() {
        try (TestHub hub = TestHub.start(SharedServers.standalone().url(), "access.mode=token")) {
            assertThat(call(hub)).isEqualTo(403);
        }
    }
}
