package dev.millrace.hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.hub.cli.Millrace;
import dev.millrace.keyspace.testing.TestServer;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.net.http.HttpClient;
import java.nio.file.Path;
import java.util.Optional;

/** A hub is killed while a delay runs: the alarm goes off when the time is over all the same. */
class AlarmsKillTest {
    @TempDir private Path directory;

    private Millrace hub(TestServer server) throws InterruptedException {
        return Millrace.start(directory, "run", "--set", "redis.url=" + server.url()).awaitReady();
    }

    private static int send(
            Millrace hub, HttpClient client, String method, String path, String body) {
        String url = String.valueOf(hub.url()).replaceAll("/$", "");
        return TestHub.send(url, client, method, path, body, Optional.empty()).status();
    }

    @Test
    void a_delay_goes_on_without_the_hub_that_began_it() throws Exception {
        try (TestServer server = TestServer.start();
                HttpClient client = HttpClient.newHttpClient()) {
            try (Millrace first = hub(server)) {
                send(
                        first,
                        client,
                        "PUT",
                        "/api/alarm-rules/hot",
                        "{\"source_key\":\"comsrv:1:T\",\"field\":\"101\",\"threshold\":85,"
                                + "\"on_delay\":2}");
                send(first, client, "POST", "/api/channels/1/T", "{\"101\":90}");
                first.signal("KILL").end();
            }
            assertThat(server.command("HGET", "alarm:hot", "status")).isEqualTo("cleared");
            long since =
                    Long.parseLong(
                            String.valueOf(server.command("HGET", "alarm:hot", "pending_since")));
            try (Millrace second = hub(server)) {
                await().until(() -> "active".equals(server.command("HGET", "alarm:hot", "status")));
                assertThat(second.url()).isNotNull();
            }
            long raised =
                    Long.parseLong(
                            String.valueOf(server.command("HGET", "alarm:hot", "triggered_at")));
            assertThat(raised).isGreaterThanOrEqualTo(since + 2);
            assertThat(server.command("HGET", "alarm:hot", "trigger_value")).isEqualTo("90");
        }
    }
}
