package dev.millrace.hub.plant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.hub.cli.Millrace;
import dev.millrace.hub.telemetry.bus.modbus.LibraryDevice;
import dev.millrace.keyspace.testing.TestServer;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import tools.jackson.databind.JsonNode;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Whole hubs that are killed at any moment while orders flow to a Modbus device: it has heard of
 * each once, or never and the record says so, or the record says that nobody knows; never twice,
 * and in their order.
 */
class OrdersKillTest {
    private static final int ROUNDS = Boolean.getBoolean("millrace.full") ? 20 : 2;
    private static final int ORDERS = 30;
    private static final String CHANNEL =
            """
            {"id":1,"protocol":"modbus_tcp",
             "points":{"T":[{"point_id":1,"mapping":{"register_address":0}}],
                       "A":[{"point_id":7,"mapping":{"register_address":9}}]},
             "parameters":{"host":"127.0.0.1","port":%d,"timeout_ms":60000,
                           "polling_interval_ms":100,"offline_after":3600}}
            """;

    @TempDir private Path directory;
    private TestServer server;
    private LibraryDevice device;

    /** The number of the newest order is its value, so each is told from the others. */
    private int number;

    @BeforeEach
    void start() {
        server = TestServer.start("appendonly yes", "appendfsync always");
        device = LibraryDevice.start();
    }

    @AfterEach
    void stop() {
        device.close();
        server.close();
    }

    private Millrace hub() throws InterruptedException {
        return Millrace.start(directory, "run", "--set", "redis.url=" + server.url()).awaitReady();
    }

    private void polled(Client client) {
        client.post("/api/channels", CHANNEL.formatted(device.port()));
        await().until(
                        () ->
                                client.get("/api/channels/1/status")
                                        .path("status")
                                        .asString("")
                                        .equals("online"));
    }

    /** The ids of new commands, in the order of their giving. */
    private List<String> given(Client client) {
        List<String> ids = new ArrayList<>();
        for (int i = 0; i < ORDERS; i++) {
            number++;
            ids.add(
                    client.post(
                                    "/api/adjustment/1",
                                    "{\"point_id\":7,\"value\":%d,\"queue\":true}"
                                            .formatted(number))
                            .path("cmd_id")
                            .asString());
        }
        return ids;
    }

    private void awaitSome() {
        int before = number - ORDERS;
        int until = ThreadLocalRandom.current().nextInt(1, ORDERS);
        await().until(
                        () ->
                                device.writes().stream()
                                        .anyMatch(each -> value(each) >= before + until));
    }

    private static int value(String write) {
        return Integer.parseInt(write.substring(write.indexOf('=') + 1));
    }

    /** Every record has ended, and says what the device has heard. */
    private void mustBeTrue(Client client, List<String> ids, String what) {
        int lost = 0;
        for (String id : ids) {
            await().until(() -> !command(client, id).path("finished_at").isMissingNode());
            JsonNode ended = command(client, id);
            int heard = Collections.frequency(device.writes(), "9=" + ended.path("value").asInt());
            String line = "%s: %s, heard %d times".formatted(what, ended, heard);
            assertThat(heard).as(line).isLessThanOrEqualTo(1);
            switch (ended.path("error").asString("")) {
                case "" -> assertThat(heard).as(line).isEqualTo(1);
                case "WORKER_LOST", "TIMEOUT" -> lost++;
                default -> assertThat(heard).as(line).isZero();
            }
        }
        assertThat(lost).as(what + ": one at a time is on its way").isLessThanOrEqualTo(1);
        assertThat(device.writes()).extracting(OrdersKillTest::value).as(what).isSorted();
    }

    private static JsonNode command(Client client, String id) {
        return client.get("/api/commands/" + id);
    }

    @Test
    void the_hub_that_holds_the_channel_is_killed_and_another_goes_on() throws Exception {
        Millrace holds = hub();
        try (Client client = new Client(String.valueOf(holds.url()))) {
            polled(client);
        }
        for (int round = 1; round <= ROUNDS; round++) {
            Millrace waits = hub();
            try (Client client = new Client(String.valueOf(waits.url()))) {
                List<String> ids = given(client);
                awaitSome();
                holds.signal("KILL").end();
                mustBeTrue(client, ids, "hub killed, round " + round);
            }
            holds = waits;
        }
        holds.close();
    }

    @Test
    void redis_is_killed_and_the_hub_goes_on() throws Exception {
        try (Millrace hub = hub();
                Client client = new Client(String.valueOf(hub.url()))) {
            polled(client);
            for (int round = 1; round <= ROUNDS; round++) {
                List<String> ids = given(client);
                awaitSome();
                server.kill();
                server.restart();
                await().until(() -> client.send("GET", "/health", "").status() == 200);
                mustBeTrue(client, ids, "Redis killed, round " + round);
            }
        }
    }
}
