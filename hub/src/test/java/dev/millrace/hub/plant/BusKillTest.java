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

/** Two hubs on one Redis, and a device: one of them polls it, until it is killed. */
class BusKillTest {
    private static final int ROUNDS = Boolean.getBoolean("millrace.full") ? 10 : 1;
    private static final String CHANNEL =
            """
            {"id":1,"protocol":"modbus_tcp","points":{"T":[
                {"point_id":1,"mapping":{"register_address":0}}]},
             "parameters":{"host":"127.0.0.1","port":%d,"polling_interval_ms":100}}
            """;

    @TempDir private Path directory;

    private Millrace hub(TestServer server) throws InterruptedException {
        return Millrace.start(directory, "run", "--set", "redis.url=" + server.url()).awaitReady();
    }

    @Test
    void another_hub_goes_on_when_the_one_that_polls_is_killed() throws Exception {
        try (TestServer server = TestServer.start();
                LibraryDevice device = LibraryDevice.start()) {
            Somebody somebody = new Somebody(server);
            Millrace polls = hub(server);
            try (Client client = new Client(String.valueOf(polls.url()))) {
                client.post("/api/channels", CHANNEL.formatted(device.port()));
                await().until(() -> somebody.field("comsrv:1:T", "1").equals("0"));
            }
            for (int round = 1; round <= ROUNDS; round++) {
                Millrace waits = hub(server);
                assertThat(drivers(polls, waits)).as("each device has one").containsExactly(1, 0);
                String fence = somebody.field("millrace:lease:channel-1", "fence");
                String ends = somebody.field("millrace:lease:channel-1", "until");
                polls.signal("KILL").end();
                device.holding(0, "%04X".formatted(round));
                String value = Integer.toString(round);
                await().until(() -> somebody.field("comsrv:1:T", "1").equals(value));
                assertThat(somebody.field("millrace:lease:channel-1", "fence")).isNotEqualTo(fence);
                // The lease is what the others wait for: it ends by itself within 3.5 s.
                assertThat(Long.parseLong(ends) - serverMillis(server)).isLessThan(3_500);
                polls = waits;
            }
            polls.close();
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
