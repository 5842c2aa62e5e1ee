package dev.millrace.hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.hub.cli.Millrace;
import dev.millrace.hub.http.Json;
import dev.millrace.keyspace.testing.TestServer;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import tools.jackson.databind.JsonNode;

import java.net.http.HttpClient;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * A hub is killed while values come in: the other one brings every one of them into the model, in
 * order, none of them twice; and a job of a second goes on.
 */
class ModelsKillTest {
    private static final int VALUES = Boolean.getBoolean("millrace.full") ? 3000 : 300;

    @TempDir private Path directory;

    private Millrace hub(TestServer server) throws InterruptedException {
        return Millrace.start(directory, "run", "--set", "redis.url=" + server.url()).awaitReady();
    }

    private static TestHub.Reply send(
            Millrace hub, HttpClient client, String method, String path, String body) {
        String url = String.valueOf(hub.url()).replaceAll("/$", "");
        return TestHub.send(url, client, method, path, body, Optional.empty());
    }

    private static List<JsonNode> log(TestServer server) {
        List<JsonNode> all = new ArrayList<>();
        for (Object each : (List<?>) server.command("LRANGE", "measurement:sync", "0", "-1")) {
            all.add(Json.MAPPER.readTree(String.valueOf(each)));
        }
        return all.reversed();
    }

    @Test
    void each_value_comes_into_the_model_once_whoever_is_killed() throws Exception {
        try (TestServer server = TestServer.start();
                HttpClient client = HttpClient.newHttpClient();
                Millrace survivor = hub(server)) {
            try (Millrace victim = hub(server)) {
                send(
                        victim,
                        client,
                        "PUT",
                        "/api/models/m",
                        "{\"mappings\":{\"measurement\":{\"v\":{\"channel\":1,\"point_id\":1}}},"
                            + "\"alarms\":{\"high\":{\"field\":\"v\",\"operator\":\">\",\"threshold\":1000000}}}");
                send(
                        survivor,
                        client,
                        "PUT",
                        "/api/sync/patterns/p",
                        "{\"source\":{\"pattern\":\"comsrv:1:T\"},\"target\":{\"pattern\":\"board:1\"}}");
                send(
                        survivor,
                        client,
                        "PUT",
                        "/api/sync/jobs/j",
                        "{\"pattern\":\"p\",\"interval\":1}");
                await().until(() -> runs(server) > 0);
                for (int i = 1; i <= VALUES; i++) {
                    Millrace to = i <= VALUES / 2 ? victim : survivor;
                    if (i == VALUES / 2 + 1) {
                        victim.signal("KILL").end();
                    }
                    TestHub.Reply reply =
                            send(to, client, "POST", "/api/channels/1/T", "{\"1\":" + i + "}");
                    assertThat(reply.status()).as(reply.body()).isEqualTo(200);
                }
            }
            await().until(
                            () ->
                                    ("{\"v\":" + VALUES + "}")
                                            .equals(server.command("GET", "model:m:measurement")));
            List<JsonNode> log = log(server);
            List<Integer> values = log.stream().map(each -> each.at("/changes/v").asInt()).toList();
            // Each of them was watched, so none was left out for a later one.
            assertThat(values)
                    .containsExactlyElementsOf(
                            IntStream.rangeClosed(1, VALUES)
                                    .boxed()
                                    .toList()
                                    .subList(Math.max(0, VALUES - 1000), VALUES));
            assertThat(log.getLast().get("seq").asInt()).isEqualTo(VALUES);
            long runs = runs(server);
            await().until(() -> runs(server) >= runs + 2);
        }
    }

    private static long runs(TestServer server) {
        Object runs = server.command("HGET", "sync:schedule:j", "runs");
        return runs == null ? 0 : Long.parseLong(String.valueOf(runs));
    }
}
