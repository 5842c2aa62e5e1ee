package dev.millrace.hub.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.hub.TestHub;
import dev.millrace.keyspace.testing.SharedServers;
import dev.millrace.keyspace.testing.TestServer;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import tools.jackson.databind.JsonNode;

import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Samples over HTTP: how they are stored, what is told of them, and what is refused. */
class HistoryTest {
    private static final TestServer SERVER = SharedServers.standalone();
    private static TestHub hub;

    @BeforeAll
    static void start() {
        SERVER.flushAll();
        hub =
                TestHub.start(
                        SERVER.url(), "history.keep-age=3650d", "history.record.mode=on_update");
    }

    @AfterAll
    static void stop() {
        hub.close();
    }

    private static String redis(String... words) {
        Object reply = SERVER.command(words);
        return reply instanceof byte[] bytes ? new String(bytes) : String.valueOf(reply);
    }

    private static Set<String> members(String... words) {
        Set<String> members = new TreeSet<>();
        for (Object each : (Iterable<?>) SERVER.command(words)) {
            members.add(each instanceof byte[] bytes ? new String(bytes) : String.valueOf(each));
        }
        return members;
    }

    private static JsonNode samples(String query) {
        TestHub.Reply reply = hub.get("/api/history/" + query);
        assertThat(reply.status()).as(reply.body()).isEqualTo(200);
        return reply.json().at("/data/samples");
    }

    private static TestHub.Reply bring(String samples) {
        return hub.send("POST", "/api/history/samples", "{\"samples\":[" + samples + "]}");
    }

    /** E6 of the specification. */
    @Test
    void a_constant_signal_keeps_all_its_samples() {
        TestHub.Reply reply =
                bring(
                        "{\"source\":\"comsrv\",\"id\":1,\"field\":101,\"ts\":\"2025-08-07T12:00:01Z\",\"value\":85.5},"
                            + "{\"source\":\"comsrv\",\"id\":\"1\",\"field\":\"101\",\"ts\":1754568002000,\"value\":85.5}");
        assertThat(reply.status()).as(reply.body()).isEqualTo(200);
        assertThat(reply.json().at("/data/imported").asInt()).isEqualTo(2);
        assertThat(members("ZRANGE", "history:comsrv:1:101:2025080712", "0", "-1"))
                .containsExactly("85.5:1754568001000", "85.5:1754568002000");
        assertThat(redis("ZSCORE", "history:comsrv:1:101:2025080712", "85.5:1754568001000"))
                .isEqualTo("1754568001");
        assertThat(members("SMEMBERS", "history:index:20250807")).contains("comsrv:1:101");
        assertThat(members("SMEMBERS", "idx:time:20250807:12")).contains("comsrv:1:101");
        assertThat(redis("HGET", "history:statistics:comsrv:1", "count")).isEqualTo("2");
        for (String figure : new String[] {"min", "max", "avg"}) {
            assertThat(redis("HGET", "history:statistics:comsrv:1", figure)).isEqualTo("85.5");
        }
        assertThat(Long.parseLong(redis("TTL", "history:comsrv:1:101:2025080712"))).isPositive();
    }

    @Test
    void what_others_write_as_the_seed_says_is_read_too() {
        redis("ZADD", "history:comsrv:2:101:2025080701", "1754530782", "85.5");
        redis("ZADD", "history:comsrv:2:101:2025080701", "1754530783.25", "open:1754530783250");
        JsonNode found =
                samples("comsrv/2/101?start=2025-08-07T01:00:00Z&end=2025-08-07T02:00:00Z");
        assertThat(found.toString())
                .isEqualTo(
                        "[{\"timestamp\":1754530782000,\"value\":85.5},"
                                + "{\"timestamp\":1754530783250,\"value\":\"open\"}]");
    }

    @Test
    void what_is_written_to_a_channel_becomes_a_sample() {
        long before = System.currentTimeMillis();
        hub.send("POST", "/api/channels/3/T", "{\"101\":21.5,\"102\":-3}");
        hub.send("POST", "/api/channels/3/S", "{\"10\":true}");
        await().until(() -> samples("comsrv/3/S.10").size() == 1);
        JsonNode found = samples("comsrv/3/101");
        assertThat(found.size()).isEqualTo(1);
        assertThat(found.at("/0/value").toString()).isEqualTo("21.5");
        assertThat(found.at("/0/timestamp").asLong()).isGreaterThanOrEqualTo(before);
        assertThat(samples("comsrv/3/102").at("/0/value").asInt()).isEqualTo(-3);
        assertThat(hub.get("/api/history/latest?id=3").json().at("/data/series").size())
                .isEqualTo(3);
        assertThat(hub.get("/api/stats").json().at("/data/total_points_collected").asInt())
                .isPositive();
    }

    @Test
    void values_of_one_to_a_hundred_have_the_figures_they_should_have() {
        String many =
                IntStream.rangeClosed(1, 100)
                        .mapToObj(
                                i ->
                                        "{\"source\":\"comsrv\",\"id\":4,\"field\":\"7\",\"ts\":%d,\"value\":%d}"
                                                .formatted(1_754_568_000_000L + i * 1000, i))
                        .collect(Collectors.joining(","));
        bring(many);
        String range = "comsrv/4/7?start=1754568000&end=1754571600&aggregation=";
        assertThat(samples(range + "min").at("/0/value").asDouble()).isEqualTo(1);
        assertThat(samples(range + "max").at("/0/value").asDouble()).isEqualTo(100);
        assertThat(samples(range + "avg").at("/0/value").asDouble()).isEqualTo(50.5);
        assertThat(samples(range + "count").at("/0/value").asDouble()).isEqualTo(100);
        for (String figure : new String[] {"min=1", "max=100", "avg=50.5", "count=100"}) {
            String[] parts = figure.split("=");
            assertThat(redis("HGET", "history:statistics:comsrv:4", parts[0])).isEqualTo(parts[1]);
            assertThat(redis("HGET", "history:statistics:comsrv:4", "7." + parts[0]))
                    .isEqualTo(parts[1]);
        }
        // The same once more is nothing new.
        bring(many);
        assertThat(redis("HGET", "history:statistics:comsrv:4", "count")).isEqualTo("100");
        assertThat(redis("ZCARD", "history:comsrv:4:7:2025080712")).isEqualTo("100");
    }

    @Test
    void one_of_a_time_takes_the_place_of_another() {
        bring("{\"source\":\"comsrv\",\"id\":5,\"field\":\"7\",\"ts\":1754568000250,\"value\":1}");
        bring("{\"source\":\"comsrv\",\"id\":5,\"field\":\"7\",\"ts\":1754568000250,\"value\":3}");
        assertThat(members("ZRANGE", "history:comsrv:5:7:2025080712", "0", "-1"))
                .containsExactly("3:1754568000250");
        assertThat(redis("HGET", "history:statistics:comsrv:5", "avg")).isEqualTo("3");
        assertThat(redis("HGET", "history:statistics:comsrv:5", "7.last")).isEqualTo("3");
    }

    @Test
    void a_text_is_a_value_too_and_counts_for_no_figure() {
        bring(
                "{\"source\":\"model\",\"id\":\"tr_1\",\"field\":\"state\",\"ts\":1754568000000,\"value\":\"a:b%\"},"
                    + "{\"source\":\"modsrv\",\"id\":\"tr_1\",\"field\":\"state\",\"ts\":1754568001000,\"value\":2}");
        assertThat(members("ZRANGE", "history:model:tr_1:state:2025080712", "0", "-1"))
                .containsExactly("2:1754568001000", "a%3Ab%25:1754568000000");
        String range = "modsrv/tr_1/state?start=1754568000&end=1754571600";
        assertThat(samples(range).at("/0/value").asString()).isEqualTo("a:b%");
        assertThat(samples(range + "&aggregation=count").at("/0/value").asInt()).isEqualTo(1);
        assertThat(redis("HGET", "history:statistics:model:tr_1", "count")).isEqualTo("1");
    }

    @Test
    void a_page_says_where_the_next_one_begins() {
        String many =
                IntStream.range(0, 10)
                        .mapToObj(
                                i ->
                                        "{\"source\":\"comsrv\",\"id\":6,\"field\":\"7\",\"ts\":%d,\"value\":%d}"
                                                .formatted(1_754_568_000_000L + i * 1_800_000, i))
                        .collect(Collectors.joining(","));
        bring(many);
        String series = "/api/history/comsrv/6/7?limit=4&end=1754640000&start=";
        JsonNode first = hub.get(series + "1754568000").json().at("/data");
        assertThat(first.at("/samples").size()).isEqualTo(4);
        JsonNode second = hub.get(series + first.at("/next").asLong()).json().at("/data");
        assertThat(second.at("/samples/0/value").asInt()).isEqualTo(4);
        JsonNode third = hub.get(series + second.at("/next").asLong()).json().at("/data");
        assertThat(third.at("/samples").size()).isEqualTo(2);
        assertThat(third.has("next")).isFalse();
        JsonNode last = hub.get(series + "1754568000&order=desc").json().at("/data");
        assertThat(last.at("/samples/0/value").asInt()).isEqualTo(9);
        JsonNode before =
                hub.get(
                                "/api/history/comsrv/6/7?limit=4&order=desc&start=1754568000&end="
                                        + last.at("/next").asLong())
                        .json()
                        .at("/data");
        assertThat(before.at("/samples/0/value").asInt()).isEqualTo(5);
    }

    @ParameterizedTest
    @CsvSource({
        "comsrv/1/101?start=2&end=1,INVALID_PARAMETER",
        "comsrv/1/101?start=1754568000&end=1754568000,INVALID_PARAMETER",
        "comsrv/1/101?start=2024-01-01&end=2025-02-04,RANGE_TOO_LARGE",
        "comsrv/1/101?start=1754568000&end=1754571600&interval=0,INVALID_PARAMETER",
        "comsrv/1/101?start=1754568000&end=1754571600&interval=0s,INVALID_PARAMETER",
        "comsrv/1/101?start=1754568000&end=1754571600&interval=x,INVALID_PARAMETER",
        "comsrv/1/101?start=1754568000&end=1754771600&interval=1s,RANGE_TOO_LARGE",
        "comsrv/1/101?start=yesterday,INVALID_PARAMETER",
        "comsrv/1/101?aggregation=mode,INVALID_PARAMETER",
        "comsrv/1/101?fill=x,INVALID_PARAMETER",
        "comsrv/1/101?tz=Mars,INVALID_PARAMETER",
        "comsrv/1/101?limit=0,INVALID_PARAMETER",
        "comsrv/1/101?limit=100001,INVALID_PARAMETER",
        "comsrv/1/101?points=0,INVALID_PARAMETER",
        "comsrv/1/101?order=up,INVALID_PARAMETER",
        "comsrv/x/101,INVALID_PARAMETER",
        "elsewhere/1/101,INVALID_PARAMETER",
        "comsrv/1/101.1m,INVALID_PARAMETER",
        "latest,INVALID_PARAMETER",
        "latest?series=x,INVALID_PARAMETER",
        "index?date=20250230,INVALID_PARAMETER",
        "index?date=2025,INVALID_PARAMETER",
        "index?hour=24,INVALID_PARAMETER"
    })
    void a_question_that_cannot_be_meant_is_refused(String path, String code) {
        TestHub.Reply reply = hub.get("/api/history/" + path);
        assertThat(reply.status()).as(reply.body()).isEqualTo(400);
        assertThat(reply.json().at("/error/code").asString()).isEqualTo(code);
    }

    @Test
    void wrong_samples_are_named_and_the_others_stored() {
        long now = System.currentTimeMillis();
        TestHub.Reply reply =
                bring(
                        "{\"source\":\"comsrv\",\"id\":7,\"field\":\"7\",\"ts\":%d,\"value\":1},"
                                        .formatted(now)
                                + "{\"source\":\"comsrv\",\"id\":7,\"field\":\"7\",\"ts\":%d,\"value\":2},"
                                        .formatted(now + 61_000)
                                + "{\"source\":\"comsrv\",\"id\":7,\"field\":\"7\",\"ts\":\"x\",\"value\":2},"
                                + "{\"source\":\"comsrv\",\"id\":7,\"field\":\"7\",\"ts\":%d,\"value\":null},"
                                        .formatted(now)
                                + "{\"source\":\"comsrv\",\"id\":7,\"field\":\"7\",\"ts\":1,\"value\":2}");
        assertThat(reply.json().at("/data/imported").asInt()).isEqualTo(1);
        assertThat(reply.json().at("/data/rejected").findValuesAsString("index"))
                .containsExactly("1", "2", "3", "4");
        assertThat(bring("{").json().at("/error/code").asString()).isEqualTo("INVALID_JSON");
        assertThat(
                        hub.send("POST", "/api/history/samples", "{}")
                                .json()
                                .at("/error/code")
                                .asString())
                .isEqualTo("VALIDATION_ERROR");
    }
}
