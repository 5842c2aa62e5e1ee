package dev.millrace.hub.plant;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.hub.cli.Millrace;
import dev.millrace.hub.telemetry.bus.modbus.LibraryDevice;
import dev.millrace.keyspace.testing.TestServer;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** Two hubs on one Redis, and devices: each is polled by one of them, until that one is killed. */
class BusKillTest {
    private static final int ROUNDS = Boolean.getBoolean("millrace.full") ? 10 : 1;
    private static final int CHANNELS = 4;
    private static final String CHANNEL =
            """
            {"id":%d,"protocol":"modbus_tcp","points":{"T":[
                {"point_id":1,"mapping":{"register_address":0}}]},
             "parameters":{"host":"127.0.0.1","port":%d,"polling_interval_ms":100}}
            """;

    @TempDir private Path directory;

    private Millrace hub(TestServer server) throws InterruptedException {
        return Millrace.start(directory, "run", "--set", "redis.url=" + server.url()).awaitReady();
    }

    @Test
    void another_hub_goes_on_when_the_one_that_polls_is_killed() throws Exception {
        List<LibraryDevice> devices =
                Stream.generate(LibraryDevice::start).limit(CHANNELS).toList();
        try (TestServer server = TestServer.start()) {
            Somebody somebody = new Somebody(server);
            Millrace polls = hub(server);
            try (Client client = new Client(String.valueOf(polls.url()))) {
                for (int id = 1; id <= CHANNELS; id++) {
                    client.post("/api/channels", CHANNEL.formatted(id, devices.get(id - 1).port()));
                }
                awaitAll(somebody, "0");
            }
            for (int round = 1; round <= ROUNDS; round++) {
                Millrace waits = hub(server);
                assertThat(drivers(polls, waits))
                        .as("each device has one")
                        .containsExactly(CHANNELS, 0);
                String fence = somebody.field("millrace:lease:channel-1", "fence");
                String ends = somebody.field("millrace:lease:channel-1", "until");
                polls.signal("KILL").end();
                String register = "%04X".formatted(round);
                devices.forEach(each -> each.holding(0, register));
                awaitAll(somebody, Integer.toString(round));
                assertThat(somebody.field("millrace:lease:channel-1", "fence")).isNotEqualTo(fence);
                // The lease is what the others wait for: it ends by itself within 3.5 s.
                assertThat(Long.parseLong(ends) - serverMillis(server)).isLessThan(3_500);
                polls = waits;
            }
            polls.close();
        } finally {
            devices.forEach(LibraryDevice::close);
        }
    }

    /** All channels have read this value of their device. */
    private static void awaitAll(Somebody somebody, String value) {
        for (int id = 1; id <= CHANNELS; id++) {
            String key = "comsrv:%d:T".formatted(id);
            await().until(() -> somebody.field(key, "1").equals(value));
        }
    }

    private static long serverMillis(TestServer server) {
        List<?> time = (List<?>) Objects.requireNonNull(server.command("TIME"));
        return Long.parseLong(String.valueOf(time.getFirst())) * 1000;
    }

    private static List<Integer> drivers(Millrace one, Millrace other) {
        return List.of(drivers(one), drivers(other));
    }

    private static int drivers(Millrace hub) {
        try (Client client = new Client(String.valueOf(hub.url()))) {
            return client.send("GET", "/metrics", "")
                    .body()
                    .lines()
                    .filter(line -> line.startsWith("millrace_telemetry_channels_driven "))
                    .mapToInt(line -> (int) Double.parseDouble(line.substring(line.indexOf(' '))))
                    .sum();
        }
    }
}
