package dev.millrace.hub.telemetry.bus.modbus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.millrace.hub.telemetry.bus.Connected;
import dev.millrace.hub.telemetry.bus.Ordered;
import dev.millrace.hub.telemetry.bus.Poll;
import dev.millrace.hub.telemetry.kept.ChannelConfiguration;
import dev.millrace.hub.telemetry.kept.PointType;
import dev.millrace.keyspace.testing.TestPorts;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.OptionalDouble;

/**
 * A server that others have written, with an understanding of the protocol of its own: {@code
 * python3-pymodbus} of the system, which {@code ./millrace test} installs where it can.
 */
class PymodbusTest {
    private static final Duration LONG = Duration.ofMinutes(1);
    private static int port;
    private static Process server;

    @TempDir private static Path directory;

    @BeforeAll
    static void start() throws IOException, InterruptedException {
        port = TestPorts.take();
        Path script = directory.resolve("device.py");
        try (InputStream in = PymodbusTest.class.getResourceAsStream("PymodbusDevice.py")) {
            Files.copy(Objects.requireNonNull(in), script);
        }
        server =
                new ProcessBuilder(
                                "/usr/bin/python3",
                                script.toString(),
                                Integer.toString(port),
                                "h:0:12345678",
                                "h:2:E97942F6",
                                "h:4:405EDD2F1A9FBE77",
                                "h:8:FFFE",
                                "i:5:0BB8",
                                "c:3:0001",
                                "d:7:0001")
                        .redirectErrorStream(true)
                        .redirectOutput(directory.resolve("device.log").toFile())
                        .start();
        ModbusDevice probe = device("{'T':[{'point_id':1,'mapping':{'register_address':0}}]}");
        await().until(
                        () -> {
                            assertThat(server.isAlive())
                                    .as(
                                            "needs the packages python3-pymodbus and"
                                                    + " python3-serial-asyncio; %s",
                                            Files.readString(directory.resolve("device.log")))
                                    .isTrue();
                            return probe.connect() instanceof Connected.Now;
                        });
        probe.close();
    }

    @AfterAll
    static void stop() throws InterruptedException {
        server.destroy();
        server.waitFor();
    }

    private static ModbusDevice device(String points) {
        ChannelConfiguration channel = ModbusDeviceTest.channel(port, points);
        return new ModbusDevice(channel, Parameters.of(channel.parameters()));
    }

    @Test
    void all_tables_are_read() throws Exception {
        try (ModbusDevice device =
                device(
                        """
                        {'T':[{'point_id':1,'data_type':'uint32','mapping':{'register_address':0}},
                              {'point_id':2,'data_type':'float32','mapping':{'register_address':2,'byte_order':'CDAB'}},
                              {'point_id':3,'data_type':'float64','mapping':{'register_address':4}},
                              {'point_id':4,'data_type':'int16','mapping':{'register_address':8}},
                              {'point_id':5,'mapping':{'register_address':5,'function_code':4}}],
                         'S':[{'point_id':1,'mapping':{'register_address':3}},
                              {'point_id':2,'mapping':{'register_address':7,'function_code':2}}]}
                        """)) {
            device.connect();
            assertThat(ModbusDeviceTest.values(device.poll()))
                    .isEqualTo(
                            Map.of(
                                    "1", 305_419_896.0,
                                    "2", 123.456,
                                    "3", 123.456,
                                    "4", -2.0,
                                    "5", 3000.0,
                                    "S.1", 1.0,
                                    "S.2", 1.0));
        }
    }

    @ParameterizedTest
    @CsvSource({"ABCD", "DCBA", "BADC", "CDAB"})
    void what_is_written_in_any_order_is_read_back(String order) throws Exception {
        try (ModbusDevice device =
                device(
                        """
                        {'A':[{'point_id':1,'data_type':'float32',
                               'mapping':{'register_address':50,'byte_order':'%s'}},
                              {'point_id':2,'data_type':'int16',
                               'mapping':{'register_address':54,'byte_order':'BA'}}],
                         'C':[{'point_id':1,'mapping':{'register_address':20}},
                              {'point_id':2,'mapping':{'register_address':55,'function_code':6,'bit_position':3}}]}
                        """
                                .formatted(order))) {
            device.connect();
            assertThat(device.write(PointType.A, "1", 12.5, LONG))
                    .isEqualTo(new Ordered.Done(OptionalDouble.of(12.5)));
            assertThat(device.write(PointType.A, "2", -7, LONG))
                    .isEqualTo(new Ordered.Done(OptionalDouble.of(-7)));
            assertThat(device.write(PointType.C, "1", 1, LONG))
                    .isEqualTo(new Ordered.Done(OptionalDouble.of(1)));
            assertThat(device.write(PointType.C, "2", 1, LONG))
                    .isEqualTo(new Ordered.Done(OptionalDouble.of(1)));
        }
    }

    @Test
    void what_it_does_not_have_is_missed_and_the_rest_is_read() throws Exception {
        try (ModbusDevice device =
                device(
                        """
                        {'T':[{'point_id':1,'mapping':{'register_address':8}},
                              {'point_id':2,'mapping':{'register_address':198}},
                              {'point_id':3,'mapping':{'register_address':203}},
                              {'point_id':4,'mapping':{'register_address':199}}],
                         'A':[{'point_id':1,'mapping':{'register_address':5000}}]}
                        """)) {
            device.connect();
            for (int i = 0; i < 2; i++) {
                assertThat(device.poll())
                        .isInstanceOfSatisfying(
                                Poll.Answered.class,
                                poll -> {
                                    assertThat(poll.missed())
                                            .containsExactly(new Poll.Missed(PointType.T, "3"));
                                    assertThat(poll.samples())
                                            .extracting(Poll.Sample::point)
                                            .containsExactly("1", "2", "4");
                                    assertThat(poll.trouble().orElse(""))
                                            .contains("ILLEGAL_DATA_ADDRESS");
                                });
            }
            assertThat(device.write(PointType.A, "1", 1, LONG))
                    .isInstanceOfSatisfying(
                            Ordered.Refused.class,
                            no -> assertThat(no.code()).isEqualTo("ILLEGAL_DATA_ADDRESS"));
        }
    }
}
