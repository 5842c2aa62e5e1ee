package dev.millrace.hub.telemetry;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.hub.TestHub;
import dev.millrace.hub.telemetry.bus.modbus.LibraryDevice;
import dev.millrace.hub.telemetry.bus.modbus.Saboteur;
import dev.millrace.keyspace.testing.SharedServers;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;

/** A channel whose device speaks Modbus, as a client of the hub sees it. */
class ModbusChannelTest {
    private TestHub hub;

    @BeforeEach
    void start() {
        String url = SharedServers.standalone().url();
        SharedServers.flushAll();
        hub = TestHub.start(url);
    }

    @AfterEach
    void stop() {
        hub.close();
    }

    private void channel(int id, int port, String points) {
        TestHub.Reply made =
                hub.send(
                        "POST",
                        "/api/channels",
                        """
                        {"id":%d,"name":"Inverter","protocol":"Modbus-TCP","points":%s,
                         "parameters":{"host":"localhost","port":%d,"timeout_ms":200,
                                       "polling_interval_ms":100,"offline_after":600}}
                        """
                                .formatted(id, points.replace('\'', '"'), port));
        assertThat(made.status()).as(made.body()).isEqualTo(201);
    }

    private JsonNode status(int id) {
        return hub.get("/api/channels/%d/status".formatted(id)).json().path("data");
    }

    private void awaitState(int id, String state) {
        await().until(() -> status(id).path("status").asString("").equals(state));
        assertThat(status(id).path("connected").asBoolean(false)).isEqualTo(state.equals("online"));
    }

    private int active() {
        return hub.get("/api/status").json().at("/data/active_channels").asInt();
    }

    private JsonNode point(String path) {
        return hub.get("/api/channels/" + path).json().path("data");
    }

    @Test
    void it_is_read_ordered_lost_and_found_again() {
        try (LibraryDevice device = LibraryDevice.start()) {
            device.holding(10, "0064");
            device.input(1, 4, "FFF6");
            channel(
                    31,
                    device.port(),
                    """
                    {'T':[{'point_id':1,'scale':0.1,'mapping':{'register_address':10}},
                          {'point_id':2,'data_type':'int16','mapping':{'register_address':4,'function_code':4}},
                          {'point_id':3,'scale':0.1,'mapping':{'register_address':20}}],
                     'A':[{'point_id':3,'scale':0.1,'max_value':100,'mapping':{'register_address':20}}],
                     'C':[{'point_id':1,'mapping':{'register_address':2}}]}
                    """);
            awaitState(31, "online");
            assertThat(point("31/T/1").path("value").asDouble()).isEqualTo(10);
            assertThat(point("31/T/2").path("value").asInt()).isEqualTo(-10);
            assertThat(active()).isEqualTo(1);

            String command =
                    hub.send("POST", "/api/adjustment/31", "{\"point_id\":3,\"value\":12.5}")
                            .json()
                            .at("/data/cmd_id")
                            .asString();
            await().until(
                            () ->
                                    hub.get("/api/commands/" + command)
                                            .json()
                                            .at("/data/status")
                                            .asString("")
                                            .equals("completed"));
            assertThat(
                            hub.get("/api/commands/" + command)
                                    .json()
                                    .at("/data/actual_value")
                                    .asDouble(0))
                    .isEqualTo(12.5);
            assertThat(device.holding(20, 1)).isEqualTo("007D");
            await().until(() -> point("31/T/3").path("value").asDouble() == 12.5);
            hub.send("POST", "/api/control/31", "{\"point_id\":1,\"value\":1}");
            await().until(() -> device.coil(2));

            device.stop();
            awaitState(31, "offline");
            assertThat(active()).isZero();
            assertThat(point("31/T/1").path("quality").asString()).isEqualTo("offline");
            assertThat(point("31/T/1").path("value").asDouble()).isEqualTo(10);
            long errors = status(31).path("error_count").asLong();
            assertThat(errors).isPositive();
            await().until(() -> status(31).path("error_count").asLong() > errors);
            device.holding(10, "00C8");
            device.startAgain();
            awaitState(31, "online");
            await().until(() -> point("31/T/1").path("value").asDouble() == 20);
            assertThat(point("31/T/1").path("quality").asString()).isEqualTo("good");
            assertThat(active()).isEqualTo(1);
            await().until(() -> status(31).at("/statistics/reconnect_count").asInt() == 1);
            assertThat(status(31).path("last_error").asString("")).isNotEmpty();
            assertThat(hub.keyspace().check().run().findings()).isEmpty();
        }
    }

    @Test
    void whatever_is_wrong_with_a_device_is_counted_said_and_passes() {
        try (Saboteur device = Saboteur.start()) {
            channel(32, device.port(), "{'T':[{'point_id':1,'mapping':{'register_address':5}}]}");
            awaitState(32, "online");
            assertThat(point("32/T/1").path("value").asInt()).isEqualTo(7);

            device.from(Saboteur.Manner.FAILURE);
            awaitState(32, "error");
            await().until(
                            () ->
                                    status(32)
                                            .path("last_error")
                                            .asString("")
                                            .startsWith("SLAVE_DEVICE_FAILURE"));
            assertThat(status(32).path("error_count").asInt()).isGreaterThanOrEqualTo(5);
            assertThat(active()).isZero();
            assertThat(point("32/T/1").path("quality").asString()).isEqualTo("offline");
            device.from(Saboteur.Manner.RIGHT);
            awaitState(32, "online");

            device.from(Saboteur.Manner.NOISE);
            awaitState(32, "offline");
            await().until(() -> status(32).path("last_error").asString("").contains("garbage"));
            device.from(Saboteur.Manner.RIGHT);
            awaitState(32, "online");

            device.from(Saboteur.Manner.SILENT);
            awaitState(32, "error");
            device.from(Saboteur.Manner.HALF);
            await().until(
                            () ->
                                    status(32)
                                            .path("last_error")
                                            .asString("")
                                            .contains("in the middle"));
            device.from(Saboteur.Manner.RIGHT);
            awaitState(32, "online");
            await().until(() -> point("32/T/1").path("quality").asString().equals("good"));
        }
    }

    @Test
    void a_point_that_cannot_be_read_is_bad_and_the_others_are_good() {
        try (LibraryDevice device = LibraryDevice.start()) {
            device.holding(40, "42F6E979");
            channel(
                    33,
                    device.port(),
                    """
                    {'T':[{'point_id':1,'data_type':'float32','mapping':{'register_address':40}},
                          {'point_id':2,'mapping':{'register_address':50}}]}
                    """);
            await().until(() -> point("33/T/1").path("value").asDouble(0) == 123.456);
            device.holding(40, "7FC00000");
            await().until(() -> point("33/T/1").path("quality").asString("").equals("bad"));
            assertThat(point("33/T/1").path("value").asDouble())
                    .as("the value that was there")
                    .isEqualTo(123.456);
            assertThat(point("33/T/2").path("quality").asString()).isEqualTo("good");
            assertThat(status(33).path("status").asString()).isEqualTo("online");
            device.holding(40, "3F800000");
            await().until(() -> point("33/T/1").path("quality").asString("").equals("good"));
            assertThat(point("33/T/1").path("value").asInt()).isEqualTo(1);
        }
    }
}
