package dev.millrace.hub.plant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.concurrent.TimeUnit.SECONDS;

import com.hivemq.client.mqtt.MqttClient;
import com.hivemq.client.mqtt.datatypes.MqttQos;
import com.hivemq.client.mqtt.mqtt5.Mqtt5AsyncClient;

import dev.millrace.hub.TestHub.Reply;
import dev.millrace.keyspace.testing.TestPorts;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;

import java.util.List;
import java.util.Map;
import java.util.Set;

/** Values that come in, and what is kept of them byte for byte. */
class TelemetryApiTest {
    private static final String CHANNEL =
            """
            {"id":5,"name":"boiler","protocol":"Modbus-TCP","enabled":true,\
            "parameters":{"host":"10.0.0.5","port":502},\
            "points":{"T":[{"point_id":1,"signal_name":"t","scale":0.1,"offset":2,"unit":"C"}],\
            "S":[{"point_id":1,"signal_name":"s","reverse":true}],\
            "C":[{"point_id":7,"signal_name":"c"}]}}\
            """;

    private Plant plant;
    private Client client;
    private Somebody somebody;
    private int port;

    @BeforeEach
    void start() {
        port = TestPorts.take();
        plant = Plant.empty("mqtt.embedded.port=" + port);
        client = plant.client();
        somebody = plant.somebody();
    }

    @AfterEach
    void stop() {
        assertThat(plant.hub().keyspace().check().run().drift()).isZero();
        plant.close();
    }

    private static Map<String, String> withoutTime(Map<String, String> hash) {
        hash.remove("_updated_at");
        return hash;
    }

    @Test
    void numbers_are_stored_in_their_shortest_form_and_texts_as_they_came() {
        JsonNode data =
                client.post(
                        "/api/channels/1/T",
                        """
                        {"1":85.5,"2":100.0,"3":"85.50","4":86.200000000000003,"5":1e3,"6":-0.5,\
                        "7":0.000001,"8":1e15,"9":"-7","10":123456789012345}\
                        """);
        assertThat(data.path("written").asInt()).isEqualTo(10);
        assertThat(data.path("rejected").isEmpty()).isTrue();
        assertThat(data.path("alarms").path("triggered").isEmpty()).isTrue();
        assertThat(data.path("alarms").path("cleared").isEmpty()).isTrue();
        Map<String, String> stored = somebody.hash("comsrv:1:T");
        assertThat(stored.get("_updated_at")).matches("\\d{10}");
        assertThat(withoutTime(stored))
                .containsOnly(
                        Map.entry("1", "85.5"),
                        Map.entry("2", "100"),
                        Map.entry("3", "85.50"),
                        Map.entry("4", "86.2"),
                        Map.entry("5", "1000"),
                        Map.entry("6", "-0.5"),
                        Map.entry("7", "0.000001"),
                        Map.entry("8", "1000000000000000"),
                        Map.entry("9", "-7"),
                        Map.entry("10", "123456789012345"));
    }

    @Test
    void a_write_says_that_the_channel_lives() {
        client.value(1, 101, "1");
        client.post("/api/channels/1/S", "{\"10\":1}");
        await().untilAsserted(
                        () -> {
                            assertThat(somebody.hash("comsrv:1:status"))
                                    .containsEntry("online", "true")
                                    .containsKey("last_update");
                            assertThat(somebody.hash("status:channel:1"))
                                    .containsEntry("status", "online")
                                    .containsKey("last_update");
                            assertThat(somebody.members("idx:point:channel:1"))
                                    .isEqualTo(Set.of("101", "S.10"));
                        });
        assertThat(somebody.members("comsrv:index")).containsExactly("1");
        assertThat(somebody.hash("comsrv:1:T:ts").get("101")).matches("\\d{13}");
        assertThat(somebody.field("status:system", "active_channels")).isEqualTo("1");
    }

    @Test
    void values_are_read_one_some_or_all() {
        client.post("/api/channels/1/T", "{\"101\":85.5,\"102\":\"3.20\",\"103\":4}");
        JsonNode all = client.get("/api/channels/1/T").path("values");
        assertThat(all.valueStream().map(each -> each.path("point_id").asString()))
                .containsExactlyInAnyOrder("101", "102", "103");
        JsonNode some = client.get("/api/channels/1/T?points=101,999").path("values");
        assertThat(some.size()).isEqualTo(1);
        JsonNode value = some.get(0);
        assertThat(value.path("value").isNumber()).isTrue();
        assertThat(value.path("value").asDouble()).isEqualTo(85.5);
        assertThat(value.path("quality").asString()).isEqualTo("good");
        assertThat(value.path("timestamp").asString("")).isNotBlank();
        assertThat(client.get("/api/channels/1/T/102").path("value").asDouble()).isEqualTo(3.2);
        Reply missing = client.send("GET", "/api/channels/1/T/999", "");
        assertThat(missing.status()).isEqualTo(404);
    }

    @Test
    void values_may_come_with_the_time_of_their_source() {
        client.post(
                "/api/channels/1/T",
                "{\"points\":{\"101\":85.5},\"timestamp\":\"2025-08-07T12:00:01.500Z\"}");
        assertThat(somebody.field("comsrv:1:T:ts", "101")).isEqualTo("1754568001500");
        assertThat(client.get("/api/channels/1/T/101").path("timestamp").asString())
                .isEqualTo("2025-08-07T12:00:01.500Z");
    }

    @Test
    void the_time_of_a_channel_never_goes_back() {
        somebody.line("HSET comsrv:1:T _updated_at 4000000000");
        client.value(1, 101, "1");
        assertThat(somebody.field("comsrv:1:T", "_updated_at")).isEqualTo("4000000000");
        somebody.line("HSET comsrv:2:T _updated_at abc");
        client.value(2, 101, "1");
        assertThat(somebody.field("comsrv:2:T", "_updated_at")).matches("\\d{10}");
    }

    @Test
    void a_batch_writes_many_channels() {
        client.post(
                "/api/telemetry/batch",
                "{\"1\":{\"T\":{\"1\":1,\"2\":2},\"S\":{\"1\":1}},\"2\":{\"T\":{\"1\":\"7\"}}}");
        assertThat(withoutTime(somebody.hash("comsrv:1:T"))).isEqualTo(Map.of("1", "1", "2", "2"));
        assertThat(withoutTime(somebody.hash("comsrv:1:S"))).isEqualTo(Map.of("1", "1"));
        assertThat(withoutTime(somebody.hash("comsrv:2:T"))).isEqualTo(Map.of("1", "7"));
    }

    @Test
    void a_channel_is_configured_listed_disabled_and_deleted() {
        Reply created = client.send("POST", "/api/channels", CHANNEL);
        assertThat(created.status()).as(created.body()).isEqualTo(201);
        assertThat(created.header("location")).endsWith("/api/channels/5");
        assertThat(somebody.members("idx:channel:protocol:modbus_tcp")).containsExactly("5");
        assertThat(somebody.members("idx:point:channel:5")).isEqualTo(Set.of("1", "S.1", "C.7"));
        assertThat(somebody.field("status:channel:5", "status")).isEqualTo("offline");
        assertThat(somebody.field("status:system", "total_channels")).isEqualTo("1");
        String version = String.valueOf(somebody.line("GET config:version"));
        assertThat(String.valueOf(somebody.line("GET config:channel:5")))
                .contains("\"_version\":" + version);
        for (String question :
                List.of("", "?protocol=modbus_tcp", "?search=boil", "?status=offline")) {
            assertThat(Client.items(client.get("/api/channels" + question)))
                    .as(question)
                    .extracting(channel -> channel.path("id").asInt())
                    .containsExactly(5);
        }
        assertThat(Client.items(client.get("/api/channels?protocol=can"))).isEmpty();
        assertThat(client.get("/api/channels/5/points?type=T").toString()).contains("\"unit\"");
        client.data("PUT", "/api/channels/5", CHANNEL.replace("Modbus-TCP", "virt"));
        assertThat(somebody.exists("idx:channel:protocol:modbus_tcp")).isFalse();
        assertThat(somebody.members("idx:channel:protocol:virtual")).containsExactly("5");
        client.data("PUT", "/api/channels/5/enabled", "{\"enabled\":false}");
        assertThat(client.get("/api/channels/5").path("enabled").asBoolean(true)).isFalse();
        client.value(5, 1, "10");
        client.data("DELETE", "/api/channels/5", "");
        assertThat(somebody.everything().keySet())
                .noneMatch(key -> key.startsWith("comsrv:5") || key.contains("channel:5"))
                .doesNotContain("idx:channel:protocol:virtual");
        assertThat(client.send("GET", "/api/channels/5", "").status()).isEqualTo(404);
        assertThat(somebody.field("status:system", "total_channels")).isEqualTo("0");
    }

    @Test
    void values_are_judged_by_the_range_of_their_definitions_and_kept_nevertheless() {
        client.data(
                "POST", "/api/channels", CHANNEL.replace("\"unit\"", "\"max_value\":50,\"unit\""));
        client.value(5, 1, "50");
        assertThat(client.get("/api/channels/5/T/1").path("quality").asString()).isEqualTo("good");
        client.value(5, 1, "50.5");
        assertThat(somebody.field("comsrv:5:T:q", "1")).isEqualTo("bad");
        assertThat(somebody.field("comsrv:5:T", "1")).isEqualTo("50.5");
        client.value(5, 1, "50");
        assertThat(somebody.hash("comsrv:5:T:q")).doesNotContainEntry("1", "bad");
    }

    @Test
    void a_channel_that_a_rule_watches_is_deleted_by_force_only() {
        client.data("POST", "/api/channels", CHANNEL);
        client.rule("hot", 5, 1, ">", "");
        Reply refused = client.send("DELETE", "/api/channels/5", "");
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.json().path("error").path("code").asString())
                .isEqualTo("CHANNEL_IN_USE");
        client.data("DELETE", "/api/channels/5?force=true", "");
    }

    @Test
    void a_channel_without_values_for_long_is_offline_and_keeps_them() {
        client.data(
                "POST",
                "/api/channels",
                CHANNEL.replace("\"port\":502", "\"port\":502,\"offline_after\":1"));
        client.value(5, 1, "100");
        await().until(() -> somebody.field("status:channel:5", "status").equals("offline"));
        assertThat(somebody.field("comsrv:5:status", "online")).isEqualTo("false");
        assertThat(somebody.field("comsrv:5:T", "1")).isNotBlank();
        assertThat(client.get("/api/channels/5/T/1").path("quality").asString())
                .isEqualTo("offline");
        assertThat(somebody.exists("event:last:channel")).isTrue();
        client.value(5, 1, "100");
        assertThat(client.get("/api/channels/5/T/1").path("quality").asString()).isEqualTo("good");
    }

    @Test
    void what_comes_by_mqtt_counts_like_the_rest() {
        client.rule("hot", 1, 101, ">", "");
        Mqtt5AsyncClient sender =
                MqttClient.builder()
                        .serverHost("127.0.0.1")
                        .serverPort(port)
                        .useMqttVersion5()
                        .buildAsync();
        sender.connect().orTimeout(60, SECONDS).join();
        await().until(
                        () -> {
                            send(sender, "millrace/telemetry/1/T", "{\"101\":86.2,\"102\":3}");
                            return client.status("hot").equals("active");
                        });
        assertThat(somebody.field("comsrv:1:T", "102")).isEqualTo("3");
        send(sender, "millrace/telemetry/1/T", "{\"101\":");
        send(sender, "millrace/telemetry/0/T", "{\"101\":1}");
        send(sender, "millrace/telemetry/1/X", "{\"101\":1}");
        send(sender, "millrace/telemetry/1/T", "{\"101\":20}");
        await().until(() -> client.status("hot").equals("cleared"));
        assertThat(somebody.events("hot", "triggered")).hasSize(1);
        sender.disconnect().orTimeout(60, SECONDS).join();
    }

    private static void send(Mqtt5AsyncClient client, String topic, String body) {
        client.publishWith()
                .topic(topic)
                .qos(MqttQos.AT_LEAST_ONCE)
                .payload(body.getBytes(UTF_8))
                .send()
                .orTimeout(60, SECONDS)
                .join();
    }
}
