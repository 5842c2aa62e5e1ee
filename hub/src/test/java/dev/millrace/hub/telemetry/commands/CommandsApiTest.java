package dev.millrace.hub.telemetry.commands;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.hub.TestHub;
import dev.millrace.hub.access.Audit;
import dev.millrace.hub.telemetry.bus.Ordered;
import dev.millrace.keyspace.testing.SharedServers;
import dev.millrace.keyspace.testing.TestServer;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import tools.jackson.databind.JsonNode;

import java.util.List;

/** Commands as clients see them: one hub takes them, and another one holds the channel. */
class CommandsApiTest {
    private static final TestServer SERVER = SharedServers.standalone();

    private TestHub hub;
    private CommandHub holder;

    @BeforeEach
    void open() {
        SharedServers.flushAll();
        hub = TestHub.start(SERVER.url());
        holder = new CommandHub(SERVER.url());
        // Nobody in the hub under test speaks it, so that the test is the device.
        hub.send(
                "POST",
                "/api/channels",
                """
                {"id":1,"protocol":"other","points":{
                 "T":[{"point_id":101}],"C":[{"point_id":201},{"point_id":7}],
                 "A":[{"point_id":301,"min_value":-10,"max_value":50.5},{"point_id":7}]}}
                """);
        hub.send("POST", "/api/channels/1/T", "{\"101\":1}");
    }

    @AfterEach
    void close() {
        holder.close();
        hub.close();
    }

    private JsonNode ended(String id) {
        await().until(
                        () ->
                                !List.of("pending", "executing")
                                        .contains(find(id).at("/status").asString()));
        return find(id);
    }

    private JsonNode find(String id) {
        return hub.get("/api/commands/" + id).json().at("/data");
    }

    @Test
    void a_command_is_accepted_followed_and_in_the_audit() {
        TestHub.Reply given =
                hub.send(
                        "POST",
                        "/api/control/1",
                        "{\"point_id\":201,\"value\":1,\"reason\":\"test\"}");
        assertThat(given.status()).as(given.body()).isEqualTo(202);
        assertThat(given.json().at("/data/status").asString()).isEqualTo("pending");
        String id = given.json().at("/data/cmd_id").asString();
        assertThat(SERVER.command("LLEN", "control:queue:1")).isEqualTo(1L);
        assertThat(SERVER.command("HGET", "comsrv:1:C", "201")).isEqualTo("1");
        assertThat(SERVER.command("HGET", "comsrv:1:C", "_status")).isEqualTo("pending");
        assertThat(SERVER.command("HGET", "comsrv:cmd:1:" + id, "status")).isEqualTo("pending");
        assertThat(String.valueOf(SERVER.command("LINDEX", "control:events", "0")))
                .contains("\"type\":\"control\"", id);

        TestDevice device = holder.held(1);
        JsonNode ended = ended(id);
        assertThat(ended.at("/status").asString()).isEqualTo("completed");
        assertThat(ended.at("/value").isNumber()).isTrue();
        assertThat(ended.at("/point_id").asInt()).isEqualTo(201);
        assertThat(ended.at("/finished_at").asString()).endsWith("Z");
        assertThat(device.ordered()).containsExactly("C 201=1");
        assertThat((Long) SERVER.command("TTL", "comsrv:cmd:1:" + id)).isBetween(86_300L, 86_400L);
        List<Audit.Entry> audit =
                new Audit(hub.keyspace())
                        .latest(100).stream()
                                .filter(each -> each.what().startsWith("command"))
                                .toList();
        assertThat(audit).hasSize(2);
        assertThat(audit.getFirst().result()).isEqualTo("completed");
        assertThat(audit.getFirst().about()).isEqualTo("comsrv:1:C 201: nothing to 1 (" + id + ")");
        assertThat(audit.getLast().who()).isEqualTo("anyone here");
        assertThat(audit.getLast().from()).isEqualTo("127.0.0.1");
        assertThat(String.valueOf(SERVER.command("LINDEX", "event:queue:audit", "0")))
                .contains("\"type\":\"command\"", "\"id\":\"" + id, "\"user\":\"anyone here\"")
                .contains("\"action\":\"completed\"", "\"path\":\"comsrv:1:C:201\"")
                .contains("\"before\":null", "\"after\":\"1\"", "\"result\":\"completed\"");
        assertThat(hub.get("/api/channels/1/commands").json().at("/data/items/0/cmd_id").asString())
                .isEqualTo(id);
        assertThat(hub.keyspace().check().run().findings()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    /api/control/1|{"point_id":201,"value":2}|400|VALIDATION_ERROR
                    /api/control/1|{"point_id":201,"value":null}|400|VALIDATION_ERROR
                    /api/control/1|{"point_id":201}|400|VALIDATION_ERROR
                    /api/control/1|{"value":1}|400|VALIDATION_ERROR
                    /api/control/1|{"point_id":"x","value":1}|400|VALIDATION_ERROR
                    /api/control/1|{"point_id":201,"value":[1]}|400|VALIDATION_ERROR
                    /api/control/1|{"point_id":201,"value":1,"priority":10}|400|VALIDATION_ERROR
                    /api/control/1|{"point_id":201,"value":1,"priority":"x"}|400|VALIDATION_ERROR
                    /api/control/1|{"point_id":201,"value":1,"expires_at":"soon"}|400|VALIDATION_ERROR
                    /api/control/1|{"point_id":201,"value":1,"cmd_id":"a:b"}|400|VALIDATION_ERROR
                    /api/control/1|{"point_id":201,"value":1,"cmd_id":"history"}|400|RESERVED_ID
                    /api/control/1|{"point_id":201,"value":1,"queue":1}|400|VALIDATION_ERROR
                    /api/control/1|{"point_id":301,"value":1}|404|POINT_NOT_FOUND
                    /api/control/1|[1]|400|VALIDATION_ERROR
                    /api/control/1|{"point_id"|400|INVALID_JSON
                    /api/control/2|{"point_id":201,"value":1}|404|CHANNEL_NOT_FOUND
                    /api/control/x|{"point_id":201,"value":1}|400|INVALID_PARAMETER
                    /api/control/0|{"point_id":201,"value":1}|400|INVALID_PARAMETER
                    /api/adjustment/1|{"point_id":201,"value":1}|404|POINT_NOT_FOUND
                    /api/adjustment/1|{"point_id":301,"value":51}|400|VALIDATION_ERROR
                    /api/adjustment/1|{"point_id":301,"value":1e999}|400|VALIDATION_ERROR
                    /api/channels/1/write|{"type":"X","id":201,"value":1}|400|VALIDATION_ERROR
                    /api/channels/1/write|{"type":"C","id":201,"value":2}|400|VALIDATION_ERROR
                    /api/channels/1/write|{"points":[]}|400|VALIDATION_ERROR
                    /api/channels/1/write|{"points":[1]}|400|VALIDATION_ERROR
                    /api/channels/1/write|{"points":[{"type":"C","id":999,"value":1}]}|404|POINT_NOT_FOUND
                    /api/channels/2/write|{"type":"C","id":201,"value":1}|404|CHANNEL_NOT_FOUND
                    /api/commands/none/cancel|{}|404|COMMAND_NOT_FOUND
                    /api/v1/control/channels/1/execute|{"command_type":"open","point_id":201,"value":1}|400|VALIDATION_ERROR
                    /api/v1/control/channels/9/execute|{"point_id":201,"value":1}|404|CHANNEL_NOT_FOUND
                    /api/v1/control/batch-execute|{"commands":[]}|400|VALIDATION_ERROR
                    /api/v1/control/batch-execute|{"commands":[{"channel_id":0,"point_id":1,"value":1}]}|400|VALIDATION_ERROR
                    /api/v1/control/batch-execute|{"execution_mode":"x","commands":[{"channel_id":1,"point_id":7,"value":1}]}|400|VALIDATION_ERROR
                    """)
    void what_cannot_be_gets_its_code(String path, String body, int status, String code) {
        TestHub.Reply reply = hub.send("POST", path, body);
        assertThat(reply.status()).as(reply.body()).isEqualTo(status);
        assertThat(reply.json().at("/error/code").asString()).isEqualTo(code);
        assertThat(SERVER.command("EXISTS", "control:queue:1")).isEqualTo(0L);
        assertThat(SERVER.command("EXISTS", "control:events")).isEqualTo(0L);
    }

    @Test
    void an_offline_channel_is_a_503_unless_the_command_may_wait() {
        hub.send("PUT", "/api/channels/1/enabled", "{\"enabled\":false}");
        String order = "{\"point_id\":201,\"value\":1%s}";
        TestHub.Reply refused = hub.send("POST", "/api/control/1", order.formatted(""));
        assertThat(refused.status()).isEqualTo(503);
        assertThat(refused.json().at("/error/code").asString()).isEqualTo("DEVICE_OFFLINE");
        TestHub.Reply waits =
                hub.send("POST", "/api/control/1", order.formatted(",\"queue\":true"));
        assertThat(waits.status()).as(waits.body()).isEqualTo(202);
        TestHub.Reply unsafe =
                hub.send(
                        "POST",
                        "/api/v1/control/channels/1/execute",
                        order.formatted(",\"safety_check\":false"));
        assertThat(unsafe.status()).isEqualTo(202);
        assertThat(unsafe.json().at("/data/command_id").asString()).isNotEmpty();
    }

    @Test
    void the_same_id_again_is_the_same_command_and_another_value_a_409() {
        String order = "{\"point_id\":301,\"value\":%s,\"cmd_id\":\"mine\"}";
        hub.send("POST", "/api/adjustment/1", order.formatted("5"));
        TestHub.Reply again = hub.send("POST", "/api/adjustment/1", order.formatted("5.0"));
        assertThat(again.status()).isEqualTo(202);
        assertThat(again.json().at("/data/cmd_id").asString()).isEqualTo("mine");
        TestHub.Reply other = hub.send("POST", "/api/adjustment/1", order.formatted("6"));
        assertThat(other.status()).isEqualTo(409);
        assertThat(other.json().at("/error/code").asString()).isEqualTo("COMMAND_CONFLICT");
        TestHub.Reply cancelled = hub.send("POST", "/api/commands/mine/cancel", "");
        assertThat(cancelled.status()).as(cancelled.body()).isEqualTo(200);
        assertThat(find("mine").at("/error").asString()).isEqualTo("CANCELLED");
        TestHub.Reply late = hub.send("POST", "/api/commands/mine/cancel", "");
        assertThat(late.status()).isEqualTo(409);
        assertThat(late.json().at("/error/code").asString()).isEqualTo("INVALID_STATE");
        assertThat(hub.get("/api/commands/none").status()).isEqualTo(404);
        assertThat(SERVER.command("LLEN", "control:queue:1")).isEqualTo(0L);
    }

    @Test
    void a_full_queue_is_a_429() {
        for (int i = 0; i < CommandWrites.MOST_WAITING; i++) {
            SERVER.command("RPUSH", "control:queue:1", "{\"point_id\":201,\"value\":1}");
        }
        TestHub.Reply full = hub.send("POST", "/api/control/1", "{\"point_id\":201,\"value\":1}");
        assertThat(full.status()).isEqualTo(429);
        assertThat(full.json().at("/error/code").asString()).isEqualTo("QUEUE_FULL");
        assertThat(full.header("retry-after")).isEqualTo("1");
    }

    @Test
    void a_write_stores_what_is_told_and_orders_the_rest() {
        TestDevice device = holder.held(1);
        TestHub.Reply told =
                hub.send(
                        "POST",
                        "/api/channels/1/write",
                        "{\"type\":\"T\",\"id\":101,\"value\":8.5}");
        assertThat(told.status()).isEqualTo(200);
        assertThat(told.json().at("/data/written").asInt()).isEqualTo(1);
        TestHub.Reply both =
                hub.send(
                        "POST",
                        "/api/channels/1/write",
                        """
                        {"points":[{"type":"T","id":101,"value":9},
                                   {"type":"C","id":201,"value":1},
                                   {"type":"A","id":7,"value":0.5},
                                   {"type":"A","id":999,"value":0.5}]}
                        """);
        assertThat(both.status()).as(both.body()).isEqualTo(202);
        assertThat(both.json().at("/data/written").asInt()).isEqualTo(1);
        assertThat(both.json().at("/data/commands/2/code").asString()).isEqualTo("POINT_NOT_FOUND");
        ended(both.json().at("/data/commands/1/cmd_id").asString());
        assertThat(device.ordered()).containsExactly("C 201=1", "A 7=0.5");
        assertThat(SERVER.command("HGET", "comsrv:1:T", "101")).isEqualTo("9");
    }

    @Test
    void a_batch_goes_one_after_another_and_stops_at_a_mistake() {
        TestDevice device = holder.held(1);
        device.answering(
                order ->
                        order.equals("A 301=2")
                                ? new Ordered.Refused("BUSY", "no")
                                : TestDevice.done());
        String batch =
                """
                {"execution_mode":"%s","stop_on_error":true,"commands":[
                 {"channel_id":1,"point_id":301,"value":1},
                 {"channel_id":1,"point_id":301,"value":2},
                 {"channel_id":1,"point_id":301,"value":3}]}
                """;
        JsonNode data =
                hub.send("POST", "/api/v1/control/batch-execute", batch.formatted("sequential"))
                        .json()
                        .at("/data");
        assertThat(data.at("/commands/0/status").asString()).isEqualTo("completed");
        assertThat(data.at("/commands/1/error").asString()).isEqualTo("REJECTED_BY_DEVICE");
        assertThat(data.at("/commands/2/status").asString()).isEqualTo("not_submitted");
        assertThat(device.ordered()).containsExactly("A 301=1", "A 301=2");
        JsonNode all =
                hub.send("POST", "/api/v1/control/batch-execute", batch.formatted("parallel"))
                        .json()
                        .at("/data");
        String last = all.at("/commands/2/command_id").asString();
        ended(last);
        JsonNode status =
                hub.get("/api/v1/control/commands/" + last + "/status").json().at("/data");
        assertThat(status.at("/batch_id").asString()).isEqualTo(all.at("/batch_id").asString());
        assertThat(status.at("/seq").asInt()).isEqualTo(2);
        assertThat(hub.get("/api/v1/control/channels/1/history").json().at("/data/total").asInt())
                .isEqualTo(5);
    }

    @Test
    void a_simulated_device_does_what_it_is_told_and_is_read_back() {
        hub.send(
                "POST",
                "/api/channels",
                """
                {"id":9,"protocol":"virtual","points":{
                 "T":[{"point_id":1,"mapping":{"signal":"sine"}}],
                 "A":[{"point_id":1,"scale":0.5,"mapping":{"answer":"done"}}]}}
                """);
        await().until(
                        () ->
                                hub.get("/api/channels/9/status")
                                        .json()
                                        .at("/data/status")
                                        .asString()
                                        .equals("online"));
        TestHub.Reply given =
                hub.send("POST", "/api/adjustment/9", "{\"point_id\":1,\"value\":12.5}");
        JsonNode ended = ended(given.json().at("/data/cmd_id").asString());
        assertThat(ended.at("/status").asString()).isEqualTo("completed");
        assertThat(ended.at("/actual_value").asDouble()).isEqualTo(12.5);
    }

    @Test
    void clients_of_the_reference_read_what_it_said() {
        TestHub.Reply reply =
                hub.send(
                        "POST", "/api/comsrv/control/1?compat=1", "{\"point_id\":201,\"value\":1}");
        assertThat(reply.status()).isEqualTo(202);
        assertThat(reply.body()).isEqualTo("true");
    }

    @Test
    void a_plain_push_into_the_queue_is_executed() {
        TestDevice device = holder.held(1);
        SERVER.command("RPUSH", "control:queue:1", "{\"point_id\":201,\"value\":1}");
        await().until(() -> device.ordered().contains("C 201=1"));
        SERVER.command("RPUSH", "control:queue:1", "rubbish");
        await().until(() -> SERVER.command("EXISTS", "event:queue:dead_letter").equals(1L));
        assertThat(String.valueOf(SERVER.command("LINDEX", "event:queue:dead_letter", "0")))
                .contains("rubbish", "not JSON", "control:queue:1");
    }

    @Test
    void what_others_put_in_place_of_a_key_is_in_no_commands_way() {
        TestDevice device = holder.held(1);
        hub.send("POST", "/api/control/1", "{\"point_id\":201,\"value\":1,\"cmd_id\":\"one\"}");
        ended("one");
        device.answering(
                order -> {
                    for (String key :
                            List.of("comsrv:1:C", "control:events", "event:last:control")) {
                        SERVER.command("DEL", key);
                        SERVER.command("SADD", key, "x");
                    }
                    return TestDevice.done();
                });
        hub.send("POST", "/api/control/1", "{\"point_id\":201,\"value\":0,\"cmd_id\":\"two\"}");
        assertThat(ended("two").at("/status").asString()).isEqualTo("completed");
        TestHub.Reply conflict =
                hub.send("POST", "/api/control/1", "{\"point_id\":201,\"value\":1}");
        assertThat(conflict.json().at("/error/code").asString()).isEqualTo("STORE_TYPE_CONFLICT");
    }
}
