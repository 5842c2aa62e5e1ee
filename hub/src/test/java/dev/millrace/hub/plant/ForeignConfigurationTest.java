package dev.millrace.hub.plant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;

/** Somebody configures channels with a plain client: it counts as if it had come by the API. */
class ForeignConfigurationTest {
    private static final String PUMP =
            "{\"name\":\"Pump\",\"protocol\":\"Modbus-TCP\",\"points\":{\"T\":[{\"point_id\":101}]}}";

    private Plant plant;
    private Client client;
    private Somebody somebody;

    @BeforeEach
    void start() {
        plant = Plant.empty();
        client = plant.client();
        somebody = plant.somebody();
    }

    @AfterEach
    void stop() {
        plant.close();
    }

    private JsonNode channel(int id) {
        return client.send("GET", "/api/channels/" + id, "").json().path("data");
    }

    private void mustBeWhole(String id, String protocol, String version) {
        await().untilAsserted(
                        () -> {
                            assertThat(somebody.text("config:version")).isEqualTo(version);
                            assertThat(somebody.members("idx:channel:protocol:" + protocol))
                                    .contains(id);
                        });
        JsonNode stored = somebody.json("config:channel:" + id);
        assertThat(stored.path("_version").asString()).isEqualTo(version);
        assertThat(stored.path("_updated_at").asLong()).isPositive();
        assertThat(plant.hub().keyspace().check().run().findings()).isEmpty();
    }

    @Test
    void what_is_set_is_stamped_and_enters_the_indexes_at_once() {
        somebody.set("config:channel:5", PUMP);
        mustBeWhole("5", "modbus_tcp", "1");
        assertThat(somebody.members("idx:point:channel:5")).containsExactly("101");
        assertThat(somebody.field("status:channel:5", "status")).isEqualTo("offline");
        assertThat(somebody.field("status:system", "total_channels")).isEqualTo("1");
        assertThat(channel(5).path("name").asString()).isEqualTo("Pump");
        assertThat(channel(5).path("configured").asBoolean()).isTrue();
    }

    @Test
    void a_change_moves_it_from_one_index_to_the_other_although_its_stamp_was_copied() {
        client.send("POST", "/api/channels", "{\"id\":5,\"name\":\"Pump\",\"protocol\":\"can\"}");
        assertThat(somebody.text("config:version")).isEqualTo("1");
        somebody.set(
                "config:channel:5",
                "{\"id\":5,\"name\":\"Pump\",\"protocol\":\"virtual\",\"_version\":1}");
        mustBeWhole("5", "virtual", "2");
        assertThat(somebody.members("idx:channel:protocol:can")).isEmpty();
        await().until(() -> channel(5).path("protocol").asString().equals("virtual"));
    }

    @Test
    void our_own_changes_are_counted_once() {
        for (int i = 1; i <= 5; i++) {
            client.send(
                    "POST",
                    "/api/channels",
                    "{\"id\":%d,\"name\":\"c%d\",\"protocol\":\"can\"}".formatted(i, i));
        }
        client.send("PUT", "/api/channels/2/enabled", "{\"enabled\":false}");
        // What is noticed after them was noticed of them too.
        somebody.set("config:channel:77", PUMP);
        mustBeWhole("77", "modbus_tcp", "7");
        assertThat(somebody.json("config:channel:2").path("_version").asInt()).isEqualTo(6);
    }

    @Test
    void what_is_no_configuration_counts_for_nothing_and_the_one_before_goes_on() {
        client.send("POST", "/api/channels", "{\"id\":5,\"name\":\"Pump\",\"protocol\":\"can\"}");
        somebody.set("config:channel:5", "{\"name\":\"Pump\",\"protocol\":7}");
        somebody.set("config:channel:6", "not JSON");
        somebody.set("config:channel:77", PUMP);
        mustBeVersion("2");
        assertThat(somebody.text("config:channel:5")).doesNotContain("_version");
        assertThat(somebody.text("config:channel:6")).isEqualTo("not JSON");
        assertThat(somebody.members("idx:channel:protocol:can")).containsExactly("5");
        assertThat(client.get("/api/channels?protocol=can").path("total").asInt()).isEqualTo(1);
        assertThat(client.value(5, 1, "7").path("written").asInt()).isEqualTo(1);
    }

    private void mustBeVersion(String version) {
        await().until(() -> somebody.text("config:version").equals(version));
    }

    @Test
    void what_is_deleted_leaves_the_indexes_and_its_values_stay() {
        client.send("POST", "/api/channels", PUMP.replace("{\"name\"", "{\"id\":5,\"name\""));
        client.value(5, 101, "7");
        somebody.line("DEL config:channel:5");
        mustBeVersion("2");
        await().untilAsserted(
                        () -> {
                            assertThat(somebody.members("idx:channel:protocol:modbus_tcp"))
                                    .isEmpty();
                            assertThat(somebody.field("status:system", "total_channels"))
                                    .isEqualTo("0");
                        });
        assertThat(somebody.field("comsrv:5:T", "101")).isEqualTo("7");
        assertThat(channel(5).path("configured").asBoolean()).isFalse();
    }

    @Test
    void what_was_set_while_no_hub_lived_is_taken_over_when_one_starts() {
        plant.stop();
        somebody.set("config:channel:5", PUMP);
        somebody.set("config:channel:65535", PUMP);
        somebody.line("HSET status:system total_channels 99 active_channels x active_alarms -3");
        plant.start();
        client = plant.client();
        mustBeWhole("65535", "modbus_tcp", "2");
        await().untilAsserted(
                        () ->
                                assertThat(somebody.hash("status:system"))
                                        .containsEntry("total_channels", "2")
                                        .containsEntry("active_channels", "0")
                                        .containsEntry("active_alarms", "0"));
    }
}
