package dev.millrace.hub.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.hub.http.Json;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/**
 * {@code demo} as somebody types it first: something is to be seen, and nobody's data is touched.
 */
class DemoCommandTest {
    @TempDir private Path directory;
    private final HttpClient client = HttpClient.newHttpClient();

    private String body(Millrace hub, String path) throws IOException, InterruptedException {
        URI url = Objects.requireNonNull(hub.url()).resolve(path);
        return client.send(HttpRequest.newBuilder(url).build(), BodyHandlers.ofString()).body();
    }

    private JsonNode get(Millrace hub, String path) throws IOException, InterruptedException {
        return Json.MAPPER.readTree(body(hub, path));
    }

    private int active(Millrace hub) throws IOException, InterruptedException {
        return get(hub, "/api/alarms?status=active").at("/data/total").asInt();
    }

    @Test
    void values_move_alarms_come_and_people_are_told() throws Exception {
        Files.writeString(directory.resolve("millrace.yaml"), "data:\n  dir: precious\n");
        try (Millrace demo = Millrace.start(directory, "demo").awaitReady()) {
            await().until(() -> get(demo, "/api/channels").at("/data/total").asInt() == 4);
            for (String point : new String[] {"1/T/1", "2/T/1", "3/T/1", "4/T/1"}) {
                String path = "/api/channels/" + point;
                await().until(() -> get(demo, path).at("/data/value").isNumber());
                double first = get(demo, path).at("/data/value").asDouble();
                await().until(() -> get(demo, path).at("/data/value").asDouble() != first);
            }
            for (String page : new String[] {"", "ui/channels", "ui/alarms", "ui/values"}) {
                assertThat(body(demo, "/" + page)).as(page).contains("<mr-");
            }
            await().until(() -> active(demo) > 0);
            await().until(
                            () ->
                                    get(demo, "/api/alarm-events?limit=100")
                                            .toString()
                                            .contains("\"cleared\""));
            await().until(
                            () ->
                                    get(demo, "/api/models/battery/data")
                                            .toString()
                                            .contains("kwh_left"));
            // An alarm has made a rule order something, and the whole chain can be asked for.
            await().until(
                            () ->
                                    get(demo, "/api/executions?rule_id=cool_beer")
                                            .at("/data/0")
                                            .isObject());
            String execution =
                    get(demo, "/api/executions?rule_id=cool_beer")
                            .at("/data/0/execution_id")
                            .asString();
            await().until(
                            () ->
                                    get(demo, "/api/why/" + execution)
                                            .at("/data/parts")
                                            .toString()
                                            .contains("\"kind\":\"command\""));
            await().until(
                            () ->
                                    body(demo, "/api/v1/notification/sender/alarms/10")
                                            .contains("\"slug\""));
            await().until(
                            () ->
                                    get(demo, "/admin/channel/logbook").path("clock").asInt() > 1
                                            && get(demo, "/admin/channel/alarms")
                                                            .path("clock")
                                                            .asInt()
                                                    > 0);
            await().until(
                            () ->
                                    get(
                                                    demo,
                                                    "/history/datastore/versions?namespace=brewery&id=kettle")
                                            .toString()
                                            .contains("batch"));
            ordered(demo);
            await().until(
                            () ->
                                    get(demo, "/shop/cache/stats").at("/requests/hit").asInt() > 0
                                            && !body(demo, "/shop/items/popular").equals("[]"));
            Millrace.Ended ended = demo.terminate().end();
            assertThat(ended.exit()).isZero();
            assertThat(ended.err()).doesNotContain("lacks something").doesNotContain("Exception");
        }
        assertThat(directory.resolve("demo-data/millrace-demo")).exists();
        assertThat(directory.resolve("precious")).doesNotExist();
    }

    /** Something can be ordered of it, and the device says that it has done it. */
    private void ordered(Millrace demo) throws IOException, InterruptedException {
        JsonNode point = get(demo, "/api/channels/1/points?type=A").at("/data/items/0");
        String order =
                """
                {"point_id":%d,"value":%s}\
                """
                        .formatted(
                                point.path("point_id").asInt(), point.path("min_value").asString());
        URI url = Objects.requireNonNull(demo.url()).resolve("/api/adjustment/1");
        String answer =
                client.send(
                                HttpRequest.newBuilder(url)
                                        .header("Content-Type", "application/json")
                                        .POST(BodyPublishers.ofString(order))
                                        .build(),
                                BodyHandlers.ofString())
                        .body();
        String id = Json.MAPPER.readTree(answer).at("/data/cmd_id").asString("");
        assertThat(id).as(answer).isNotEmpty();
        await().until(
                        () ->
                                get(demo, "/api/commands/" + id)
                                        .at("/data/status")
                                        .asString("")
                                        .equals("completed"));
    }

    @Test
    void a_directory_that_is_somebody_elses_is_left_alone() throws Exception {
        Path precious = Files.createDirectory(directory.resolve("demo-data"));
        Files.writeString(precious.resolve("thesis.txt"), "all of it");
        for (String[] arguments : new String[][] {{"demo"}, {"demo", "--reset"}}) {
            Millrace.Ended ended = Millrace.run(directory, arguments);
            assertThat(ended.exit()).isEqualTo(2);
            assertThat(ended.err()).contains("is not a demo's");
        }
        assertThat(precious.resolve("thesis.txt")).hasContent("all of it");
    }

    @Test
    void reset_throws_away_what_a_demo_has_left() throws Exception {
        Path old = Files.createDirectories(directory.resolve("demo-data/redis"));
        Files.writeString(directory.resolve("demo-data/millrace-demo"), "");
        Files.writeString(old.resolve("left-over"), "");
        try (Millrace _ = Millrace.start(directory, "demo", "--reset").awaitReady()) {
            assertThat(old.resolve("left-over")).doesNotExist();
        }
    }
}
