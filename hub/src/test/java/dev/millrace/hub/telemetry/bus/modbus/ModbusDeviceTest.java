package dev.millrace.hub.telemetry.bus.modbus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.hub.http.Json;
import dev.millrace.hub.telemetry.bus.Connected;
import dev.millrace.hub.telemetry.bus.Ordered;
import dev.millrace.hub.telemetry.bus.Poll;
import dev.millrace.hub.telemetry.kept.ChannelConfiguration;
import dev.millrace.hub.telemetry.kept.PointType;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.TreeMap;

/** A device read and written, against the library's own server. */
class ModbusDeviceTest {
    private static final Duration LONG = Duration.ofMinutes(1);
    private static LibraryDevice server;

    @BeforeAll
    static void start() {
        server = LibraryDevice.start();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    static ChannelConfiguration channel(int port, String points) {
        return new ChannelConfiguration(
                3,
                (ObjectNode)
                        Json.MAPPER.readTree(
                                """
                                {"protocol":"modbus_tcp","points":%s,
                                 "parameters":{"host":"127.0.0.1","port":%d,"timeout_ms":60000}}
                                """
                                        .formatted(points.replace('\'', '"'), port)));
    }

    private static ModbusDevice device(String points) throws InterruptedException {
        ChannelConfiguration channel = channel(server.port(), points);
        assertThat(new ModbusProtocol().mistake(channel)).isEmpty();
        ModbusDevice device = new ModbusDevice(channel, Parameters.of(channel.parameters()));
        assertThat(device.connect()).isInstanceOf(Connected.Now.class);
        return device;
    }

    static Map<String, Double> values(Poll poll) {
        Map<String, Double> values = new TreeMap<>();
        assertThat(poll)
                .isInstanceOfSatisfying(
                        Poll.Answered.class,
                        answered ->
                                answered.samples()
                                        .forEach(
                                                each ->
                                                        values.put(
                                                                each.type().reference(each.point()),
                                                                each.raw())));
        return values;
    }

    @Test
    void all_four_tables_are_read_and_neighbours_together() throws Exception {
        server.holding(100, "0001" + "0002" + "42F6E979" + "8001");
        server.input(1, 7, "0BB8");
        server.input(2, 7, "0FA0");
        server.coil(3, true);
        server.coil(12, true);
        server.discrete(9, true);
        try (ModbusDevice device =
                device(
                        """
                        {'T':[{'point_id':1,'mapping':{'register_address':100}},
                              {'point_id':2,'mapping':{'register_address':101,'function_code':3}},
                              {'point_id':3,'data_type':'float32','mapping':{'register_address':102}},
                              {'point_id':4,'mapping':{'register_address':7,'function_code':4}},
                              {'point_id':5,'mapping':{'register_address':7,'function_code':4,'slave_id':2}},
                              {'point_id':6,'mapping':{'register_address':104,'bit_position':8,'bit_length':8}}],
                         'S':[{'point_id':1,'mapping':{'register_address':3,'function_code':1}},
                              {'point_id':2,'mapping':{'register_address':4,'function_code':1}},
                              {'point_id':3,'mapping':{'register_address':12,'function_code':1}},
                              {'point_id':4,'mapping':{'register_address':9,'function_code':2}},
                              {'point_id':5,'mapping':{'register_address':104,'function_code':3,'bit_position':0}},
                              {'point_id':6,'mapping':{'register_address':104,'function_code':3,'bit_position':1}},
                              {'point_id':7,'mapping':{'register_address':104,'function_code':3,'bit_position':15}}]}
                        """)) {
            server.reads().clear();
            Map<String, Double> values = values(device.poll());
            assertThat(values)
                    .containsEntry("1", 1.0)
                    .containsEntry("2", 2.0)
                    .containsEntry("3", 123.456)
                    .containsEntry("4", 3000.0)
                    .containsEntry("5", 4000.0)
                    .containsEntry("6", 128.0)
                    .containsEntry("S.1", 1.0)
                    .containsEntry("S.2", 0.0)
                    .containsEntry("S.3", 1.0)
                    .containsEntry("S.4", 1.0)
                    .containsEntry("S.5", 1.0)
                    .containsEntry("S.6", 0.0)
                    .containsEntry("S.7", 1.0)
                    .hasSize(13);
            assertThat(server.reads()).containsExactly("100+5");
        }
    }

    @ParameterizedTest
    @CsvSource({
        "uint16,  ABCD, 4660,      1234",
        "uint16,  BA,   4660,      3412",
        "int16,   ABCD, -2,        FFFE",
        "uint32,  ABCD, 305419896, 12345678",
        "uint32,  DCBA, 305419896, 78563412",
        "uint32,  BADC, 305419896, 34127856",
        "int32,   CDAB, -65536,    0000FFFF",
        "float32, CDAB, 123.456,   E97942F6",
        "float64, ABCD, 123.456,   405EDD2F1A9FBE77",
        "int64,   DCBA, -2,        FEFFFFFFFFFFFFFF",
        "uint64,  ABCD, 4660,      0000000000001234",
    })
    void an_adjustment_changes_the_registers_and_is_read_back(
            String type, String order, double value, String hex) throws Exception {
        try (ModbusDevice device =
                device(
                        """
                        {'A':[{'point_id':7,'data_type':'%s',
                               'mapping':{'register_address':300,'byte_order':'%s'}}]}
                        """
                                .formatted(type, order))) {
            assertThat(device.write(PointType.A, "7", value, LONG))
                    .isEqualTo(new Ordered.Done(OptionalDouble.of(value)));
            assertThat(server.holding(300, hex.length() / 4)).isEqualTo(hex);
        }
    }

    @Test
    void controls_change_coils_and_single_bits() throws Exception {
        server.holding(400, "F0F0" + "F0F0" + "0000");
        try (ModbusDevice device =
                device(
                        """
                        {'C':[{'point_id':1,'mapping':{'register_address':30}},
                              {'point_id':2,'mapping':{'register_address':31,'function_code':15}},
                              {'point_id':3,'mapping':{'register_address':400,'function_code':6,'bit_position':0}},
                              {'point_id':4,'mapping':{'register_address':401,'function_code':22,'bit_position':4}},
                              {'point_id':5,'mapping':{'register_address':402,'function_code':16}}],
                         'A':[{'point_id':1,'mapping':{'register_address':400,'bit_position':8,'bit_length':4}}]}
                        """)) {
            Ordered on = new Ordered.Done(OptionalDouble.of(1));
            Ordered off = new Ordered.Done(OptionalDouble.of(0));
            for (String point : new String[] {"1", "2"}) {
                int address = point.equals("1") ? 30 : 31;
                assertThat(device.write(PointType.C, point, 1, LONG)).isEqualTo(on);
                assertThat(server.coil(address)).isTrue();
                assertThat(device.write(PointType.C, point, 0, LONG)).isEqualTo(off);
                assertThat(server.coil(address)).isFalse();
            }
            assertThat(device.write(PointType.C, "3", 1, LONG)).isEqualTo(on);
            assertThat(server.holding(400, 1)).isEqualTo("F0F1");
            assertThat(device.write(PointType.C, "4", 0, LONG)).isEqualTo(off);
            assertThat(server.holding(401, 1)).isEqualTo("F0E0");
            assertThat(device.write(PointType.C, "5", 1, LONG)).isEqualTo(on);
            assertThat(server.holding(402, 1)).isEqualTo("0001");
            assertThat(device.write(PointType.A, "1", 5, LONG))
                    .isEqualTo(new Ordered.Done(OptionalDouble.of(5)));
            assertThat(server.holding(400, 1)).isEqualTo("F5F1");
        }
    }

    @Test
    void what_does_not_fit_is_never_sent() throws Exception {
        server.holding(500, "00070007");
        try (ModbusDevice device =
                device(
                        """
                        {'A':[{'point_id':1,'mapping':{'register_address':500}},
                              {'point_id':2,'mapping':{'register_address':501,'bit_position':0,'bit_length':2}}]}
                        """)) {
            for (String point : new String[] {"1", "2"}) {
                assertThat(device.write(PointType.A, point, 65_536, LONG))
                        .isInstanceOfSatisfying(
                                Ordered.NotSent.class,
                                not ->
                                        assertThat(not.cause())
                                                .isEqualTo(Ordered.Cause.OUT_OF_RANGE));
            }
            assertThat(device.write(PointType.A, "3", 1, LONG))
                    .isInstanceOfSatisfying(
                            Ordered.NotSent.class,
                            not -> assertThat(not.cause()).isEqualTo(Ordered.Cause.UNKNOWN_POINT));
            assertThat(server.holding(500, 2)).isEqualTo("00070007");
        }
    }

    @Test
    void without_a_connection_nothing_is_sent() throws Exception {
        ModbusDevice device = device("{'A':[{'point_id':1,'mapping':{'register_address':600}}]}");
        device.close();
        assertThat(device.write(PointType.A, "1", 1, LONG))
                .isInstanceOfSatisfying(
                        Ordered.NotSent.class,
                        not -> assertThat(not.cause()).isEqualTo(Ordered.Cause.OFFLINE));
        assertThat(server.holding(600, 1)).isEqualTo("0000");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "T | {'function_code':3}                                            |"
                        + " register_address is missing",
                "T | {'register_address':70000}                                     |"
                        + " register_address must be a whole number",
                "T | {'register_address':65535,'data_type':'int32'}                 | beyond the"
                        + " last register",
                "T | {'register_address':1,'function_code':9}                       | function_code"
                        + " 9 is not spoken",
                "T | {'register_address':1,'data_type':'int8'}                      | data_type"
                        + " 'int8'",
                "T | {'register_address':1,'byte_order':'DABC'}                     | byte_order"
                        + " must be",
                "T | {'register_address':1,'bit_position':16}                       | bit_position"
                        + " must be",
                "T | {'register_address':1,'data_type':'float32','bit_position':1}  | bit_position"
                        + " is for registers",
                "T | {'register_address':1,'slave_id':256}                          | slave_id must"
                        + " be",
                "C | {'register_address':1,'function_code':2}                       | cannot be"
                        + " written",
                "A | {'register_address':1,'function_code':4}                       | cannot be"
                        + " written",
                "A | {'register_address':1,'function_code':5}                       | does not fit"
                        + " into a coil",
                "C | {'register_address':1,'function_code':22}                      | bit_position"
                        + " is missing",
            })
    void a_mapping_that_cannot_be_is_named(String type, String mapping, String sentence) {
        assertThat(
                        new ModbusProtocol()
                                .mistake(
                                        channel(
                                                1502,
                                                "{'%s':[{'point_id':12,'mapping':%s}]}"
                                                        .formatted(type, mapping)))
                                .orElse(""))
                .startsWith("points.%s, point 12: ".formatted(type))
                .contains(sentence);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{'port':502}                        | parameters.host is missing",
                "{'host':'h','port':0}               | parameters.port must be",
                "{'host':'h','timeout_ms':0}         | parameters.timeout_ms must be",
                "{'host':'h','timeout_secs':90}      | parameters.timeout_ms must be",
                "{'host':'h','slave_id':-1}          | parameters.slave_id must be",
                "{'host':'h','max_block':126}        | parameters.max_block must be",
            })
    void parameters_that_cannot_be_are_named(String parameters, String sentence) {
        ObjectNode document =
                (ObjectNode)
                        Json.MAPPER.readTree(
                                ("{'parameters':%s,'points':{'T':[{'point_id':1,"
                                                + "'mapping':{'register_address':1}}]}}")
                                        .formatted(parameters)
                                        .replace('\'', '"'));
        assertThat(new ModbusProtocol().mistake(new ChannelConfiguration(1, document)).orElse(""))
                .contains(sentence);
    }
}
