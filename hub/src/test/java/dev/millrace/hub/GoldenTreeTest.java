package dev.millrace.hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.hub.cli.SeedTree;
import dev.millrace.hub.http.Route;
import dev.millrace.keyspace.redis.Subscription;
import dev.millrace.keyspace.testing.TestServer;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

import tools.jackson.databind.JsonNode;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;

/**
 * Walks the tree of the third key description, line by line: every key is made by the call that the
 * reference names, with the type and the fields of the description.
 */
class GoldenTreeTest {
    private static TestServer server;
    private static TestHub hub;
    private static Subscription pushes;
    private static final Map<String, String> WORDS = new LinkedHashMap<>();
    private static final Set<String> PUSHED = ConcurrentHashMap.newKeySet();

    private static final CountDownLatch LISTENING = new CountDownLatch(1);

    /** What was called, as the reference names it. */
    private static final List<String> CALLED = new ArrayList<>();

    @BeforeAll
    static void make() throws InterruptedException {
        server = TestServer.start();
        server.command("CONFIG", "SET", "notify-keyspace-events", "EA");
        hub = TestHub.start(server.url(), "history.batches.on=true");
        pushes =
                hub.keyspace()
                        .redis()
                        .subscribe(
                                List.of("__keyevent@0__:rpush"),
                                new Subscription.Listener() {
                                    @Override
                                    public void message(String channel, byte[] body) {
                                        PUSHED.add(new String(body, StandardCharsets.UTF_8));
                                    }

                                    @Override
                                    public void listening(String channel) {
                                        LISTENING.countDown();
                                    }
                                });
        LISTENING.await();
        CALLED.add("(a hub starts)");
        call(
                "POST /api/channels",
                "/api/channels",
                """
                {"id":1,"protocol":"other","points":{"T":[{"point_id":101}],"C":[{"point_id":201},{"point_id":202}]}}
                """);
        call(
                "POST /api/channels",
                "/api/channels",
                """
                {"id":2,"protocol":"virtual","parameters":{"polling_interval_ms":200},
                 "points":{"T":[{"point_id":1,"mapping":{"signal":"sine"}}],"C":[{"point_id":1,"mapping":{"initial":0}}]}}
                """);
        call(
                "PUT /api/alarm-rules/{id}",
                "/api/alarm-rules/hot",
                "{\"source_key\":\"comsrv:1:T\",\"field\":\"101\",\"operator\":\">\",\"threshold\":85}");
        call(
                "POST /api/templates",
                "/api/templates",
                """
                {"id":"transformer","type":"tr","measurements":{"temperature":{"type":"T"}},
                 "actions":{"start":{"type":"C"},"run":{"type":"C"}}}
                """);
        call(
                "POST /api/models/from-template",
                "/api/models/from-template",
                """
                {"template_id":"transformer","model_id":"tr_1","name":"One","mappings":{
                  "measurement":{"temperature":{"channel":1,"point_id":101}},
                  "action":{"start":{"channel":1,"point_id":202},"run":{"channel":2,"point_id":1}}}}
                """);
        Instant now = Instant.now();
        call("POST /api/channels/{channel_id}/{type}", "/api/channels/1/T", "{\"101\":86.2}");
        WORDS.put("{hour}", utc("yyyyMMddHH", now));
        WORDS.put("{hh}", utc("HH", now));
        WORDS.put("{date}", utc("yyyyMMdd", now));
        await().until(() -> !batches().isEmpty());
        WORDS.put("{batch}", batches().get(0).get("batch_id").asString());
        TestHub.Reply ordered =
                call(
                        "POST /api/control/{channel_id}",
                        "/api/control/1",
                        "{\"point_id\":201,\"value\":1}");
        WORDS.put("{cmd_id}", ordered.json().at("/data/cmd_id").asString());
        String act = "POST /api/models/{id}/action";
        call(act, "/api/models/tr_1/action", "{\"action\":\"start\",\"value\":1}");
        await().until(
                        () ->
                                hub.send(
                                                        "POST",
                                                        "/api/models/tr_1/action",
                                                        "{\"action\":\"run\",\"value\":1}")
                                                .status()
                                        == 202);
        call(
                "POST /api/models/{id}/measurement",
                "/api/models/tr_1/measurement",
                "{\"temperature\":80}");
        call("PUT /api/config/{kind}/{id}", "/api/config/services/billing", "{\"rate\":5}");
        call("PUT /api/config/system", "/api/config/system", "{\"timezone\":\"UTC\"}");
        call("POST /api/queues/{type}", "/api/queues/notice", "{\"a\":1}");
        call(
                "PUT /api/sync/patterns/{id}",
                "/api/sync/patterns/board",
                "{\"source\":{\"pattern\":\"comsrv:*:T\"},\"target\":{\"pattern\":\"board:$1\"}}");
        call(
                "PUT /api/sync/jobs/{id}",
                "/api/sync/jobs/board",
                "{\"pattern\":\"board\",\"interval\":60}");
        call("POST /api/locks/{resource}", "/api/locks/report", "{\"ttl\":600}");
        call(
                "PUT /api/temp/calculations/{id}",
                "/api/temp/calculations/c1",
                "{\"status\":\"running\"}");
        call("PUT /api/temp/cache/{key}", "/api/temp/cache/a:b", "{\"value\":1}");
        call(
                "POST /api/rules",
                "/api/rules",
                """
                {"id":"night","trigger":{"type":"manual"},
                 "condition":{"source":"comsrv:1:T","field":"101","operator":">","threshold":80},
                 "actions":[{"type":"log","message":"warm"}]}
                """);
        call("POST /api/rules/{id}/execute", "/api/rules/night/execute", "{}");
        TestHub.Reply in =
                call(
                        "POST /api/auth/login",
                        "/api/auth/login",
                        "{\"username\":\"ada\",\"password\":\"x\"}");
        WORDS.put("{session}", in.json().at("/data/access_token").asString());
    }

    private static JsonNode batches() {
        return hub.get("/api/history/batches").json().at("/data/batches");
    }

    private static String utc(String pattern, Instant at) {
        return DateTimeFormatter.ofPattern(pattern).withZone(ZoneOffset.UTC).format(at);
    }

    private static TestHub.Reply call(String name, String path, String body) {
        TestHub.Reply reply = hub.send(name.substring(0, name.indexOf(' ')), path, body);
        assertThat(reply.status()).as("%s: %s", name, reply.body()).isBetween(200, 299);
        CALLED.add(name);
        return reply;
    }

    @AfterAll
    static void stop() {
        pushes.close();
        hub.close();
        server.close();
    }

    private static String example(SeedTree.Line line) {
        String key = line.example();
        for (Map.Entry<String, String> word : WORDS.entrySet()) {
            key = key.replace(word.getKey(), word.getValue());
        }
        return key;
    }

    @TestFactory
    List<DynamicTest> each_key_is_made_by_its_call() {
        return SeedTree.lines().stream()
                .map(line -> DynamicTest.dynamicTest(line.key(), () -> mustBe(line)))
                .toList();
    }

    private static void mustBe(SeedTree.Line line) {
        assertThat(CALLED).contains(line.call());
        String key = example(line);
        if (line.key().startsWith("action:execute:")) {
            // It is there only while the device is being told.
            await().until(() -> PUSHED.contains(key));
            return;
        }
        await().untilAsserted(
                        () -> {
                            assertThat(server.command("TYPE", key)).as(key).isEqualTo(line.type());
                            assertThat(contents(line.type(), key))
                                    .as(key)
                                    .containsAll(line.holds());
                        });
    }

    private static List<String> contents(String type, String key) {
        Object all =
                switch (type) {
                    case "hash" -> server.command("HKEYS", key);
                    case "set" -> server.command("SMEMBERS", key);
                    default -> List.of();
                };
        return ((List<?>) all).stream().map(String::valueOf).toList();
    }

    @Test
    void each_key_is_made_by_something() {
        assertThat(SeedTree.lines()).noneMatch(line -> line.call().isEmpty());
    }

    @Test
    void every_line_of_the_description_is_there() throws Exception {
        assertThat(SeedTree.lines().stream().map(SeedTree.Line::key).distinct())
                .containsExactlyInAnyOrderElementsOf(
                        SeedKeysTest.rows().stream()
                                .filter(row -> row.description() == 3 && row.pattern())
                                .map(SeedKeysTest.Row::key)
                                .distinct()
                                .toList());
    }

    @Test
    void every_call_is_a_route() {
        List<String> routes = hub.routes().stream().map(Route::name).toList();
        assertThat(
                        SeedTree.lines().stream()
                                .map(SeedTree.Line::call)
                                .filter(call -> !call.isEmpty() && !call.startsWith("(")))
                .allSatisfy(call -> assertThat(routes).contains(call));
    }
}
