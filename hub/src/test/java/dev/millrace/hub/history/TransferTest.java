package dev.millrace.hub.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.hub.TestHub;
import dev.millrace.keyspace.testing.SharedServers;
import dev.millrace.keyspace.testing.TestServer;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import tools.jackson.databind.JsonNode;

import java.util.List;

/** Samples on their way out and in, and those that are taken away. */
class TransferTest {
    private static final TestServer SERVER = SharedServers.standalone();
    private static final long START = 1_754_568_000_000L;
    private static TestHub hub;

    @BeforeAll
    static void start() {
        SERVER.flushAll();
        hub = TestHub.start(SERVER.url(), "history.keep-age=3650d");
    }

    @AfterAll
    static void stop() {
        hub.close();
    }

    private static TestHub.Reply bring(String type, String body) {
        return hub.send("POST", "/api/history/samples", type, body.getBytes(UTF_8));
    }

    private static String samples(int id, int count, int everySeconds) {
        StringBuilder body = new StringBuilder("source,id,field,ts,value\n");
        for (int i = 0; i < count; i++) {
            body.append("comsrv,%d,1,%d,%d\n".formatted(id, START + i * everySeconds * 1000L, i));
        }
        return body.toString();
    }

    /** The one of the must-haves: a large import with three wrong ones. */
    @Test
    void three_wrong_ones_of_a_hundred_thousand_are_named() {
        StringBuilder body = new StringBuilder("{\"samples\":[");
        for (int i = 0; i < 100_000; i++) {
            String value = i == 17 ? "null" : i == 50_000 ? "\"NaN\"" : Integer.toString(i);
            String field = i == 99_999 ? "a:b" : "1";
            body.append(i == 0 ? "" : ",")
                    .append(
                            "{\"source\":\"comsrv\",\"id\":1,\"field\":\"%s\",\"ts\":%d,\"value\":%s}"
                                    .formatted(field, START + i * 1000L, value));
        }
        TestHub.Reply reply =
                hub.send("POST", "/api/history/samples", body.append("]}").toString());
        assertThat(reply.status()).as(reply.body()).isEqualTo(200);
        assertThat(reply.json().at("/data/imported").asInt()).isEqualTo(99_997);
        assertThat(reply.json().at("/data/rejected").findValuesAsString("index"))
                .isEqualTo(List.of("17", "50000", "99999"));
        JsonNode count =
                hub.get(
                                "/api/history/comsrv/1/1?aggregation=count&start=%d&end=%d"
                                        .formatted(START, START + 200_000_000L))
                        .json();
        assertThat(count.at("/data/samples/0/value").asInt()).isEqualTo(99_997);
    }

    @Test
    void samples_that_lie_hours_apart_are_many_keys_and_are_brought_in_steps() {
        int hours = 2000;
        StringBuilder lines = new StringBuilder("source,id,field,ts,value\n");
        for (int i = 0; i < hours; i++) {
            lines.append("comsrv,8,1,").append(START + i * 3_600_000L).append(",1\n");
        }
        assertThat(bring("text/csv", lines.toString()).json().at("/data/imported").asInt())
                .isEqualTo(hours);
        JsonNode statistics = hub.get("/api/history/comsrv/8/statistics").json();
        assertThat(statistics.at("/data/count").asInt()).isEqualTo(hours);
        assertThat(SERVER.command("ZCARD", "history:comsrv:8:1:2025080712")).isEqualTo(1L);
    }

    @ParameterizedTest
    @CsvSource({"csv,text/csv", "ndjson,application/x-ndjson", "json,application/json"})
    void what_was_exported_can_be_imported(String format, String type) {
        bring("text/csv", samples(2, 1000, 7));
        bring(
                "text/csv",
                "value,field,id,source,timestamp\n"
                        + "\"a,\"\"b\"\":c\",2,2,comsrv,2025-08-07T12:00:00.250Z\n");
        String query =
                "/api/history/export?format=%s&series=comsrv:2:1,comsrv:2:2&start=%d&end=%d"
                        .formatted(format, START, START + 86_400_000L);
        TestHub.Reply exported = hub.get(query);
        assertThat(exported.header("content-type")).startsWith(type);
        hub.send("DELETE", "/api/history/comsrv/2/1?start=2025-08-07&end=2025-08-09", "");
        hub.send("DELETE", "/api/history/comsrv/2/2?start=2025-08-07&end=2025-08-09", "");
        assertThat(hub.get(query).body()).doesNotContain("" + START);
        assertThat(SERVER.command("EXISTS", "history:comsrv:2:1:2025080712")).isEqualTo(0L);
        TestHub.Reply imported = bring(type, exported.body());
        assertThat(imported.json().at("/data/imported").asInt())
                .as(imported.body())
                .isEqualTo(1001);
        assertThat(hub.get(query).body()).isEqualTo(exported.body());
    }

    @Test
    void windows_are_exported_too() {
        bring("text/csv", samples(3, 120, 1));
        TestHub.Reply reply =
                hub.send(
                        "POST",
                        "/api/history/export",
                        "{\"series\":[\"comsrv:3:1\"],\"start\":%d,\"end\":%d,\"aggregation\":\"max\",\"interval\":\"1m\",\"precision\":\"iso\"}"
                                .formatted(START, START + 120_000));
        assertThat(reply.body())
                .isEqualTo(
                        "source,id,field,ts,value\ncomsrv,3,1,2025-08-07T12:00:00.000Z,59\n"
                                + "comsrv,3,1,2025-08-07T12:01:00.000Z,119\n");
    }

    @Test
    void deleted_samples_are_in_no_window_any_more() {
        bring("text/csv", samples(4, 7200, 1));
        await().until(() -> hub.get("/api/history/rollups").json().at("/data/due").asInt() == 0);
        String query =
                "/api/history/comsrv/4/1?aggregation=count&interval=1h&start=%d&end=%d"
                        .formatted(START, START + 7_200_000L);
        assertThat(hub.get(query).json().at("/data/samples/0/value").asInt()).isEqualTo(3600);
        TestHub.Reply deleted =
                hub.send(
                        "DELETE",
                        "/api/history/comsrv/4/1?start=%d&end=%d"
                                .formatted(START + 1_800_000L, START + 7_200_000L),
                        "");
        assertThat(deleted.json().at("/data/deleted").asInt()).isEqualTo(5400);
        JsonNode left = hub.get(query).json().at("/data/samples");
        assertThat(left.size()).isEqualTo(1);
        assertThat(left.at("/0/value").asInt()).isEqualTo(1800);
        assertThat(
                        hub.get("/api/history/latest?series=comsrv:4:1")
                                .json()
                                .at("/data/series/0/value")
                                .asInt())
                .isEqualTo(1799);
        assertThat(hub.send("DELETE", "/api/history/comsrv/4/statistics", "").status())
                .isEqualTo(200);
        assertThat(hub.get("/api/history/comsrv/4/statistics").status()).isEqualTo(404);
        assertThat(hub.send("DELETE", "/api/history/comsrv/4/1?start=1", "").status())
                .isEqualTo(400);
    }

    @Test
    void automatic_resolution_takes_roll_ups_and_knows_what_has_none() {
        bring("text/csv", samples(5, 7200, 1));
        await().until(() -> hub.get("/api/history/rollups").json().at("/data/due").asInt() == 0);
        // Somebody else, of whom no roll-up knows.
        SERVER.command("ZADD", "history:comsrv:5:1:2025080715", "1754578800", "5");
        JsonNode found =
                hub.get(
                                "/api/history/comsrv/5/1?points=500&aggregation=count&start=%d&end=%d"
                                        .formatted(START, START + 14_400_000L))
                        .json()
                        .at("/data");
        assertThat(found.at("/interval").asDouble()).isEqualTo(30);
        found =
                hub.get(
                                "/api/history/comsrv/5/1?points=100&aggregation=count&start=%d&end=%d"
                                        .formatted(START, START + 14_400_000L))
                        .json()
                        .at("/data");
        assertThat(found.at("/interval").asDouble()).isEqualTo(300);
        assertThat(found.at("/samples").size()).isEqualTo(25);
        assertThat(found.at("/samples/24/value").asInt()).isEqualTo(1);
        // What is read is a roll-up, not the samples: one that is not true shows.
        String member =
                "{\"min\":1,\"max\":1,\"avg\":1,\"sum\":1,\"count\":1,\"first\":1,\"last\":1}:"
                        + START;
        SERVER.command(
                "ZREMRANGEBYSCORE", "history:comsrv:5:1.1h:2025080100", "1754568000", "1754568000");
        SERVER.command("ZADD", "history:comsrv:5:1.1h:2025080100", "1754568000", member);
        found =
                hub.get(
                                "/api/history/comsrv/5/1?interval=1h&aggregation=count&start=%d&end=%d"
                                        .formatted(START, START + 14_400_000L))
                        .json()
                        .at("/data");
        assertThat(found.at("/samples/0/value").asInt()).isEqualTo(1);
        hub.send(
                "POST",
                "/api/history/rollups/recompute",
                "{\"series\":[\"comsrv:5:1\"],\"start\":%d,\"end\":%d}"
                        .formatted(START, START + 14_400_000L));
        await().until(
                        () ->
                                hub.get(
                                                        "/api/history/comsrv/5/1?interval=1h&aggregation=count&start=%d&end=%d"
                                                                .formatted(
                                                                        START, START + 14_400_000L))
                                                .json()
                                                .at("/data/samples/0/value")
                                                .asInt()
                                        == 3600);
    }

    @Test
    void of_a_series_whose_roll_ups_are_something_else_the_others_have_theirs() {
        SERVER.command("SET", "history:comsrv:9:1.1h:2025080100", "somebody's");
        bring("text/csv", samples(9, 3600, 1));
        bring("text/csv", samples(10, 3600, 1));
        await().until(() -> hub.get("/api/history/rollups").json().at("/data/due").asInt() == 0);
        assertThat(SERVER.command("ZCARD", "history:comsrv:10:1.1h:2025080100")).isEqualTo(1L);
        assertThat(SERVER.command("GET", "history:comsrv:9:1.1h:2025080100"))
                .isEqualTo("somebody's");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "text/csv|a,b,c|400|VALIDATION_ERROR",
                "text/csv||400|VALIDATION_ERROR",
                "image/png|x|415|UNSUPPORTED_MEDIA_TYPE",
                "application/json|[]|400|VALIDATION_ERROR",
                "application/json|{\"samples\":[]} x|400|INVALID_JSON"
            })
    void an_import_that_is_none_is_refused(String type, String body, int status, String code) {
        TestHub.Reply reply = bring(type, body == null ? "" : body);
        assertThat(reply.status()).as(reply.body()).isEqualTo(status);
        assertThat(reply.json().at("/error/code").asString()).isEqualTo(code);
    }

    @Test
    void wrong_lines_are_named() {
        TestHub.Reply reply =
                bring(
                        "application/x-ndjson",
                        "{\n\n{\"source\":\"comsrv\",\"id\":6,\"field\":\"1\",\"ts\":%d,\"value\":1}\n"
                                .formatted(START));
        assertThat(reply.json().at("/data/imported").asInt()).isEqualTo(1);
        assertThat(reply.json().at("/data/rejected_total").asInt()).isEqualTo(1);
    }
}
