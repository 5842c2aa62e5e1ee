package dev.millrace.hub.telemetry;

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

import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Values over HTTP: what is stored, what is refused and how, and what is read. */
class ValuesTest {
    private static final TestServer SERVER = SharedServers.standalone();
    private static TestHub hub;

    @BeforeAll
    static void start() {
        SERVER.flushAll();
        hub = TestHub.start(SERVER.url());
    }

    @AfterAll
    static void stop() {
        hub.close();
    }

    private static TestHub.Reply post(String path, String body) {
        return hub.send("POST", path, body);
    }

    private static String redis(String... words) {
        Object reply = SERVER.command(words);
        return reply instanceof byte[] bytes ? new String(bytes) : String.valueOf(reply);
    }

    @Test
    void a_point_that_cannot_be_stored_does_not_stop_the_others() {
        post("/api/channels/1/T", "{\"101\":85.50}");
        TestHub.Reply reply = post("/api/channels/1/T", "{\"101\":\"abc\",\"102\":3.2}");
        assertThat(reply.status()).isEqualTo(200);
        assertThat(reply.json().at("/data/written").asInt()).isEqualTo(1);
        assertThat(reply.json().at("/data/rejected/0/point_id").asString()).isEqualTo("101");
        assertThat(reply.json().at("/data/alarms").toString())
                .isEqualTo("{\"triggered\":[],\"cleared\":[]}");
        TestHub.Reply read = hub.get("/api/comsrv/channels/1/T?points=101,102,103");
        assertThat(read.json().at("/data/values").size()).isEqualTo(2);
        assertThat(read.json().at("/data/values/0/value").toString()).isEqualTo("85.5");
        assertThat(read.json().at("/data/values/1/quality").asString()).isEqualTo("good");
        assertThat(hub.get("/api/channels/1/T/102").json().at("/data/value").asDouble())
                .isEqualTo(3.2);
    }

    @Test
    void a_write_is_all_that_the_key_structure_says_it_is() {
        post("/api/channels/2/T", "{\"points\":{\"101\":85.5},\"timestamp\":1754530782}");
        post("/api/channels/2/S", "{\"10\":true}");
        assertThat(redis("HGET", "comsrv:2:T", "101")).isEqualTo("85.5");
        assertThat(redis("HGET", "comsrv:2:T:ts", "101")).isEqualTo("1754530782000");
        assertThat(Long.parseLong(redis("HGET", "comsrv:2:T", "_updated_at")))
                .isGreaterThan(1_754_530_782);
        assertThat(redis("HGET", "comsrv:2:S", "10")).isEqualTo("1");
        assertThat(redis("SISMEMBER", "idx:point:channel:2", "101")).isEqualTo("1");
        assertThat(redis("SISMEMBER", "idx:point:channel:2", "S.10")).isEqualTo("1");
        assertThat(redis("SISMEMBER", "comsrv:index", "2")).isEqualTo("1");
        assertThat(redis("HGET", "comsrv:2:status", "online")).isEqualTo("true");
        assertThat(redis("HGET", "status:channel:2", "status")).isEqualTo("online");
        assertThat(redis("HGET", "status:channel:2", "last_update"))
                .isEqualTo(redis("HGET", "comsrv:2:status", "last_update"));
        assertThat(redis("HGET", "status:system", "active_channels"))
                .isEqualTo(redis("SCARD", "comsrv:online"));
        assertThat(redis("EXISTS", "comsrv:2:T:q")).isEqualTo("0");
        assertThat(redis("GET", "event:last:channel")).contains("\"type\":\"online\"");
        assertThat(redis("LINDEX", "event:queue:channel", "0")).startsWith("{\"seq\":");
    }

    /** What stays of a value that is sent, as JSON, in Redis. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\'',
            value = {
                "100.0|100",
                "85.50|85.5",
                "'\"85.50\"'|85.50",
                "'\"+5\"'|+5",
                "0.1|0.1",
                "-0.0|0",
                "1e3|1000",
                "86.200000000000003|86.2",
                "0.0000015|0.0000015",
                "1e15|1000000000000000",
                "1.5e16|1.5e16",
                "1e-7|1e-7",
                "123456789012345|123456789012345",
                "-12.5|-12.5",
                "0|0"
            })
    void a_number_is_stored_in_its_shortest_form_and_a_text_as_it_is(String sent, String stored) {
        assertThat(post("/api/channels/3/T", "{\"1\":" + sent + "}").status()).isEqualTo(200);
        assertThat(redis("HGET", "comsrv:3:T", "1")).isEqualTo(stored);
        assertThat(hub.get("/api/channels/3/T/1").json().at("/data/value").isNumber()).isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\'',
            value = {
                "/api/channels/9/T|{\"1\":NaN}|400|INVALID_JSON",
                "/api/channels/9/T|{\"1\":1e400}|400|VALIDATION_ERROR",
                "/api/channels/9/T|{\"1\":\"1e400\"}|400|VALIDATION_ERROR",
                "/api/channels/9/T|{\"1\":\"\"}|400|VALIDATION_ERROR",
                "/api/channels/9/T|{\"1\":\"NaN\"}|400|VALIDATION_ERROR",
                "/api/channels/9/T|{\"1\":\"0x1F\"}|400|VALIDATION_ERROR",
                "/api/channels/9/T|{\"1\":\" 1\"}|400|VALIDATION_ERROR",
                "/api/channels/9/T|{\"1\":null}|400|VALIDATION_ERROR",
                "/api/channels/9/T|{\"1\":true}|400|VALIDATION_ERROR",
                "/api/channels/9/T|{\"1\":{\"a\":1}}|400|VALIDATION_ERROR",
                "/api/channels/9/T|{\"_x\":1}|400|VALIDATION_ERROR",
                "/api/channels/9/T|{\"a:b\":1}|400|VALIDATION_ERROR",
                "/api/channels/9/T|{\"01\":1}|400|VALIDATION_ERROR",
                "/api/channels/9/T|{\"0\":1}|400|VALIDATION_ERROR",
                "/api/channels/9/T|{\"4294967296\":1}|400|VALIDATION_ERROR",
                "/api/channels/9/T|{\"1\":1,\"1\":2}|400|VALIDATION_ERROR",
                "/api/channels/9/T|{}|400|VALIDATION_ERROR",
                "/api/channels/9/T|[1]|400|VALIDATION_ERROR",
                "/api/channels/9/T|{\"1\":1|400|INVALID_JSON",
                "/api/channels/9/T|{\"1\":1} x|400|INVALID_JSON",
                "/api/channels/9/T|{\"points\":{\"1\":1},\"timestamp\":\"x\"}|400|VALIDATION_ERROR",
                "/api/channels/9/T|{\"points\":{\"1\":1},\"quality\":\"x\"}|400|VALIDATION_ERROR",
                "/api/channels/0/T|{\"1\":1}|400|INVALID_PARAMETER",
                "/api/channels/01/T|{\"1\":1}|400|INVALID_PARAMETER",
                "/api/channels/65536/T|{\"1\":1}|400|INVALID_PARAMETER",
                "/api/channels/x/T|{\"1\":1}|400|INVALID_PARAMETER",
                "/api/channels/9/X|{\"1\":1}|400|INVALID_PARAMETER",
                "/api/channels/9/C|{\"1\":1}|400|INVALID_PARAMETER",
                "/api/telemetry/batch|{\"9\":{\"X\":{\"1\":1}}}|400|VALIDATION_ERROR",
                "/api/telemetry/batch|{\"0\":{\"T\":{\"1\":1}}}|400|VALIDATION_ERROR",
                "/api/telemetry/batch|{\"9\":{\"T\":{\"1\":\"x\"}}}|400|VALIDATION_ERROR",
                "/api/telemetry/batch|{}|400|VALIDATION_ERROR"
            })
    void what_cannot_be_stored_is_refused_in_words_that_clients_know(
            String path, String body, int status, String code) {
        TestHub.Reply reply = post(path, body);
        assertThat(reply.status()).as(reply.body()).isEqualTo(status);
        assertThat(reply.json().at("/error/code").asString()).isEqualTo(code);
        assertThat(reply.json().at("/success").asBoolean(true)).isFalse();
        assertThat(redis("EXISTS", "comsrv:9:T", "comsrv:9:S", "status:channel:9")).isEqualTo("0");
    }

    @Test
    void too_much_is_refused_whole() {
        String many = points(1001);
        assertThat(post("/api/channels/9/T", many).json().at("/error/code").asString())
                .isEqualTo("PAYLOAD_TOO_LARGE");
        assertThat(post("/api/channels/9/T", many).status()).isEqualTo(413);
        String large = "{\"1\":1}" + " ".repeat((1 << 20) + 1 - 7);
        assertThat(post("/api/channels/9/T", large).status()).isEqualTo(413);
        assertThat(post("/api/channels/8/T", large.substring(0, 1 << 20)).status()).isEqualTo(200);
        assertThat(post("/api/channels/8/T", points(1000)).status()).isEqualTo(200);
        assertThat(redis("HLEN", "comsrv:8:T")).isEqualTo("1001");
        assertThat(redis("EXISTS", "comsrv:9:T")).isEqualTo("0");
    }

    private static String points(int count) {
        return IntStream.rangeClosed(1, count)
                .mapToObj(i -> "\"" + i + "\":" + i)
                .collect(Collectors.joining(",", "{", "}"));
    }

    @Test
    void a_body_that_says_it_is_not_json_is_refused() {
        TestHub.Reply reply =
                hub.send("POST", "/api/channels/9/T", "text/plain", "{\"1\":1}".getBytes());
        assertThat(reply.status()).isEqualTo(415);
        assertThat(reply.json().at("/error/code").asString()).isEqualTo("UNSUPPORTED_MEDIA_TYPE");
        TestHub.Reply method = hub.send("PATCH", "/api/channels/9/T", "{}");
        assertThat(method.status()).isEqualTo(405);
        assertThat(method.header("allow")).isEqualTo("GET, HEAD, POST");
    }

    @Test
    void a_batch_is_stored_channel_by_channel() {
        TestHub.Reply reply =
                post(
                        "/api/telemetry/batch",
                        "{\"11\":{\"T\":{\"1\":1,\"2\":\"x\"},\"S\":{\"1\":0}},\"12\":{\"T\":{\"1\":2}}}");
        assertThat(reply.json().at("/data/written").asInt()).isEqualTo(3);
        assertThat(reply.json().at("/data/rejected/0/channel_id").asInt()).isEqualTo(11);
        assertThat(redis("HGET", "comsrv:12:T", "1")).isEqualTo("2");
    }

    @Test
    void quality_stays_until_a_good_value_comes() {
        post("/api/channels/13/T", "{\"points\":{\"1\":1,\"2\":2},\"quality\":\"uncertain\"}");
        assertThat(hub.get("/api/channels/13/T/1").json().at("/data/quality").asString())
                .isEqualTo("uncertain");
        post("/api/channels/13/T", "{\"1\":3}");
        assertThat(hub.get("/api/channels/13/T/1").json().at("/data/quality").asString())
                .isEqualTo("good");
        assertThat(redis("HGET", "comsrv:13:T:q", "2")).isEqualTo("uncertain");
        assertThat(redis("HEXISTS", "comsrv:13:T:q", "1")).isEqualTo("0");
    }

    @Test
    void an_older_write_never_lowers_the_time_of_the_hash() {
        redis("HSET", "comsrv:14:T", "_updated_at", "9999999999");
        post("/api/channels/14/T", "{\"1\":3}");
        assertThat(redis("HGET", "comsrv:14:T", "_updated_at")).isEqualTo("9999999999");
    }

    @ParameterizedTest
    @CsvSource({
        "/api/channels/999/T,404,CHANNEL_NOT_FOUND",
        "/api/channels/999/T/1,404,CHANNEL_NOT_FOUND",
        "/api/channels/8/T/5000,404,POINT_NOT_FOUND",
        "/api/channels/8/T/x,400,INVALID_PARAMETER",
        "/api/channels/8/T?points=1;2,400,INVALID_PARAMETER",
        "/api/channels/999,404,CHANNEL_NOT_FOUND",
        "/api/channels/x/status,400,INVALID_PARAMETER",
        "/api/channels?size=101,400,INVALID_PARAMETER",
        "/api/channels?page=0,400,INVALID_PARAMETER",
        "/api/channels?sort=colour,400,INVALID_PARAMETER",
        "/api/channels?order=up,400,INVALID_PARAMETER"
    })
    void what_is_not_there_is_told(String path, int status, String code) {
        post("/api/channels/8/T", "{\"1\":1}");
        TestHub.Reply reply = hub.get(path);
        assertThat(reply.status()).as(reply.body()).isEqualTo(status);
        assertThat(reply.json().at("/error/code").asString()).isEqualTo(code);
    }

    @Test
    void clients_of_the_reference_get_bare_bodies() {
        post("/api/channels/15/T", "{\"1\":7}");
        assertThat(hub.get("/api/comsrv/channels/15/T/1?compat=1").json().at("/value").asInt())
                .isEqualTo(7);
        assertThat(hub.get("/api/channels?compat=1").json().isArray()).isTrue();
        TestHub.Reply missing = hub.get("/api/channels/999/T?compat=1");
        assertThat(missing.status()).isEqualTo(404);
        assertThat(missing.json().at("/error").isString()).isTrue();
        assertThat(hub.get("/api/comsrv/health?compat=1").json().at("/status").asString())
                .isEqualTo("healthy");
        assertThat(hub.get("/api/status").json().at("/data/active_channels").asInt()).isPositive();
    }

    @Test
    void a_key_that_somebody_else_has_spoilt_is_told_and_stops_no_other_channel() {
        redis("SET", "comsrv:16:T", "x");
        TestHub.Reply reply = post("/api/channels/16/T", "{\"1\":1}");
        assertThat(reply.status()).isEqualTo(500);
        assertThat(reply.json().at("/error/code").asString()).isEqualTo("STORE_TYPE_CONFLICT");
        redis("DEL", "status:system");
        redis("SET", "status:system", "x");
        assertThat(post("/api/channels/17/T", "{\"1\":1}").status()).isEqualTo(200);
        redis("DEL", "status:system", "comsrv:16:T");
    }

    @Test
    void what_somebody_else_writes_counts_like_what_came_in() {
        redis("HSET", "comsrv:18:T", "101", "85.5");
        await().until(() -> redis("HGET", "status:channel:18", "status").equals("online"));
        assertThat(redis("SISMEMBER", "idx:point:channel:18", "101")).isEqualTo("1");
        assertThat(redis("HEXISTS", "comsrv:18:T:ts", "101")).isEqualTo("1");
        assertThat(redis("HEXISTS", "comsrv:18:T", "_updated_at")).isEqualTo("0");
    }

    @Test
    void a_silent_channel_is_offline_and_so_are_its_values() {
        hub.send(
                "POST",
                "/api/channels",
                "{\"id\":19,\"protocol\":\"virtual\",\"parameters\":{\"offline_after\":0.1}}");
        post("/api/channels/19/T", "{\"1\":1}");
        await().until(() -> redis("HGET", "status:channel:19", "status").equals("offline"));
        assertThat(redis("HGET", "comsrv:19:status", "online")).isEqualTo("false");
        assertThat(redis("HGET", "comsrv:19:T:q", "1")).isEqualTo("offline");
        assertThat(redis("SISMEMBER", "comsrv:online", "19")).isEqualTo("0");
        assertThat(redis("HGET", "status:system", "active_channels"))
                .isEqualTo(redis("SCARD", "comsrv:online"));
        assertThat(post("/api/channels/19/T", "{\"1\":2}").status()).isEqualTo(200);
        assertThat(redis("HEXISTS", "comsrv:19:T:q", "1")).isEqualTo("0");
        assertThat(redis("HGET", "status:channel:19", "status")).isEqualTo("online");
    }
}
