package dev.millrace.hub.telemetry.bus.modbus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.hub.http.Json;
import dev.millrace.hub.telemetry.bus.Connected;
import dev.millrace.hub.telemetry.bus.Ordered;
import dev.millrace.hub.telemetry.bus.Poll;
import dev.millrace.hub.telemetry.bus.modbus.Saboteur.Manner;
import dev.millrace.hub.telemetry.kept.ChannelConfiguration;
import dev.millrace.hub.telemetry.kept.PointType;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.util.List;
import java.util.OptionalDouble;

/** Devices that do not keep to the protocol: what is made of what they say, and nothing hangs. */
class SabotageTest {
    private static final Duration LONG = Duration.ofMinutes(1);

    private Saboteur server;
    private ModbusDevice device;

    @BeforeEach
    void start() {
        server = Saboteur.start();
    }

    @AfterEach
    void stop() {
        device.close();
        server.close();
    }

    /** Time-outs are short where silence is what comes, and far away where something does. */
    private ModbusDevice connected(long timeoutMillis) throws InterruptedException {
        ChannelConfiguration channel =
                new ChannelConfiguration(
                        3,
                        (ObjectNode)
                                Json.MAPPER.readTree(
                                        """
                                        {"protocol":"modbus_tcp",
                                         "parameters":{"host":"127.0.0.1","port":%d,"timeout_ms":%d},
                                         "points":{"T":[{"point_id":1,"mapping":{"register_address":5}}],
                                                   "A":[{"point_id":1,"mapping":{"register_address":5}}],
                                                   "C":[{"point_id":1,"mapping":
                                                     {"register_address":6,"function_code":6,"bit_position":1}}]}}
                                        """
                                                .formatted(server.port(), timeoutMillis)));
        device = new ModbusDevice(channel, Parameters.of(channel.parameters()));
        assertThat(device.connect()).isInstanceOf(Connected.Now.class);
        return device;
    }

    private static void assertThatItIsRead(Poll poll) {
        assertThat(poll)
                .isInstanceOfSatisfying(
                        Poll.Answered.class,
                        answered ->
                                assertThat(answered.samples())
                                        .containsExactly(new Poll.Sample(PointType.T, "1", 7)));
    }

    private void assertThatItIsLost(Poll poll, String why) {
        assertThat(poll)
                .isInstanceOfSatisfying(
                        Poll.Failed.class,
                        failed -> {
                            assertThat(failed.why()).contains(why);
                            assertThat(failed.lost()).isTrue();
                        });
    }

    @ParameterizedTest
    @CsvSource({
        "NOISE, garbage",
        "LONG, garbage",
        "OTHER_UNIT, unit 2 answers for unit 1",
        "OTHER_FUNCTION, function 3 is answered with 22",
        "FEWER, garbage",
        "LIES, less than its count says",
        "HALF_HEADER, in the middle",
        "HANGS_UP, closed the connection",
    })
    void garbage_ends_the_connection_and_the_next_one_is_as_good_as_new(Manner manner, String why)
            throws Exception {
        connected(60_000);
        server.from(manner);
        assertThatItIsLost(device.poll(), why);
        server.from(Manner.RIGHT);
        assertThat(device.connect()).isInstanceOf(Connected.Now.class);
        assertThatItIsRead(device.poll());
    }

    @Test
    void half_a_frame_does_not_keep_it_waiting() throws Exception {
        connected(100);
        server.from(Manner.HALF);
        assertThatItIsLost(device.poll(), "in the middle");
    }

    @ParameterizedTest
    @EnumSource(names = {"SILENT", "OTHER_QUESTION"})
    void silence_leaves_the_connection_for_a_while(Manner manner) throws Exception {
        connected(50);
        server.from(manner);
        for (int i = 0; i < 3; i++) {
            assertThat(device.connect()).isInstanceOf(Connected.Already.class);
            assertThat(device.poll())
                    .isInstanceOfSatisfying(
                            Poll.Failed.class,
                            failed -> {
                                assertThat(failed.why()).contains("does not answer");
                                assertThat(failed.lost()).isFalse();
                            });
        }
        assertThat(device.connect())
                .as("such a connection may be dead")
                .isInstanceOf(Connected.Now.class);
    }

    @Test
    void answers_that_come_too_late_are_left_out() throws Exception {
        connected(60_000);
        server.from(Manner.LATE_ONES_FIRST);
        for (int i = 0; i < 3; i++) {
            assertThatItIsRead(device.poll());
        }
    }

    @ParameterizedTest
    @CsvSource({
        "BUSY, SLAVE_DEVICE_BUSY",
        "FAILURE, SLAVE_DEVICE_FAILURE",
        "UNKNOWN_EXCEPTION, EXCEPTION_99",
    })
    void exceptions_are_said_by_name_and_the_connection_stays(Manner manner, String name)
            throws Exception {
        connected(60_000);
        server.from(manner);
        for (int i = 0; i < 6; i++) {
            assertThat(device.poll())
                    .isInstanceOfSatisfying(
                            Poll.Failed.class,
                            failed -> {
                                assertThat(failed.why()).startsWith(name);
                                assertThat(failed.lost()).isFalse();
                            });
        }
        assertThat(device.write(PointType.A, "1", 1, LONG))
                .isInstanceOfSatisfying(
                        Ordered.Refused.class, no -> assertThat(no.code()).isEqualTo(name));
        assertThat(device.connect()).isInstanceOf(Connected.Already.class);
    }

    @ParameterizedTest
    @EnumSource(
            names = {
                "HALF_HEADER",
                "NOISE",
                "LONG",
                "OTHER_UNIT",
                "OTHER_FUNCTION",
                "GATEWAY",
                "ACKNOWLEDGE",
                "HANGS_UP"
            })
    void an_order_that_was_sent_may_have_been_done(Manner manner) throws Exception {
        connected(60_000);
        server.from(manner);
        assertThat(device.write(PointType.A, "1", 1, LONG)).isInstanceOf(Ordered.Unknown.class);
        assertThat(server.functions()).as("it is sent once").isEqualTo(List.of(6));
    }

    @ParameterizedTest
    @EnumSource(names = {"SILENT", "HALF"})
    void an_order_does_not_wait_longer_than_it_may(Manner manner) throws Exception {
        connected(60_000);
        server.from(manner);
        assertThat(device.write(PointType.A, "1", 1, Duration.ofMillis(50)))
                .isInstanceOf(Ordered.Unknown.class);
        assertThat(server.functions()).isEqualTo(List.of(6));
    }

    @Test
    void an_order_without_an_answer_when_it_is_read_back_is_done_all_the_same() throws Exception {
        connected(60_000);
        assertThat(device.write(PointType.A, "1", 7, LONG))
                .isEqualTo(new Ordered.Done(OptionalDouble.of(7)));
        assertThat(server.functions()).isEqualTo(List.of(6, 3));
    }

    @Test
    void a_bit_is_not_written_while_nobody_knows_what_lies_around_it() throws Exception {
        connected(60_000);
        server.from(Manner.FAILURE);
        assertThat(device.write(PointType.C, "1", 1, LONG)).isInstanceOf(Ordered.NotSent.class);
        assertThat(server.functions()).isEqualTo(List.of(3));
    }

    @Test
    void an_order_waits_for_its_turn_and_not_for_ever() throws Exception {
        connected(60_000);
        server.from(Manner.SILENT);
        Thread polling =
                Thread.startVirtualThread(
                        () -> {
                            try {
                                device.poll();
                            } catch (InterruptedException e) {
                                Thread.currentThread().interrupt();
                            }
                        });
        while (server.functions().isEmpty()) {
            Thread.onSpinWait();
        }
        assertThat(device.write(PointType.A, "1", 1, Duration.ofMillis(20)))
                .isInstanceOfSatisfying(
                        Ordered.NotSent.class,
                        not -> assertThat(not.cause()).isEqualTo(Ordered.Cause.LATE));
        device.close();
        polling.join();
        assertThat(server.functions()).isEqualTo(List.of(3));
    }
}
