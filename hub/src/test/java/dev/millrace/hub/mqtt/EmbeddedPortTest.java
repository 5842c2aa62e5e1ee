package dev.millrace.hub.mqtt;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.charset.StandardCharsets.US_ASCII;

import ch.qos.logback.classic.Level;

import dev.millrace.hub.access.Role;
import dev.millrace.hub.mqtt.Packets.Connect;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/** The port of the embedded broker, and those who do not come for MQTT. */
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class EmbeddedPortTest {
    private static final int V3 = Packets.V3;
    private static final int V5 = Packets.V5;

    /** More than one line for every fifty of a thousand is a flood. */
    private static final int FEW = 20;

    @TempDir static Path directory;
    private static TestHouse house;
    private static String eye;
    private static String hand;

    /** They say little or nothing; it takes a while until they are sent away. */
    private static final List<RawMqtt> SILENT = new ArrayList<>();

    private LogLines lines;

    @BeforeAll
    static void start() {
        house = TestHouse.open(directory);
        eye = house.token("eye", Role.VIEWER);
        hand = house.token("hand", Role.OPERATOR);
        byte[] connect = Connect.of(V5, "slow").as(hand).packet();
        for (int said : List.of(0, 1, 2, 7, 8, 12, connect.length - 1)) {
            SILENT.add(RawMqtt.open(house.port()).send(Arrays.copyOf(connect, said)));
        }
    }

    @AfterAll
    static void stop() {
        house.close();
    }

    @BeforeEach
    void listen() {
        lines = new LogLines();
    }

    /** Whatever happens in a test, it is not an error, and others are served. */
    @AfterEach
    void others_are_served_and_nothing_is_an_error() {
        RawMqtt other = house.guest(V5, "other", hand);
        other.publish(V5, "plant/a", "x");
        other.leave();
        assertThat(lines.of(Level.ERROR)).isEmpty();
        assertThat(lines.of(Level.WARN)).hasSizeLessThanOrEqualTo(FEW);
        lines.close();
    }

    /** At the end, since that takes a while. */
    @Test
    @Order(Integer.MAX_VALUE)
    void who_says_too_little_is_sent_away() {
        for (RawMqtt each : SILENT) {
            assertThat(each.untilClosed()).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2000000000\r\n\r\n",
                "GET / HTTP/1.1\r\nHost: x\r\n\r\n",
                """
                GET /mqtt HTTP/1.1\r
                Host: x\r
                Upgrade: websocket\r
                Connection: Upgrade\r
                Origin: http://evil.example\r
                Sec-WebSocket-Version: 13\r
                Sec-WebSocket-Protocol: mqtt\r
                Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r
                \r
                """,
                "OPTIONS * HTTP/1.1\r\nUpgrade: activemq-remoting\r\n\r\n",
                "PROXY TCP4 1.2.3.4 5.6.7.8 1 2\r\n",
                "AMQP\0\1\0\0",
                "CONNECT\nlogin:x\npasscode:y\n\n\0"
            })
    void other_protocols_get_no_answer(String request) {
        double before = house.malformed();
        try (RawMqtt client = RawMqtt.open(house.port())) {
            assertThat(client.send(request.getBytes(US_ASCII)).untilClosed()).isEmpty();
        }
        assertThat(house.malformed()).isGreaterThan(before);
    }

    /** Nobody collects what has no end: the connection is closed while it is still being sent. */
    @Test
    void a_body_without_end_is_not_read() {
        try (RawMqtt client = RawMqtt.open(house.port())) {
            client.send("POST / HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n".getBytes(US_ASCII));
            assertThat(client.untilClosed()).isEmpty();
            byte[] chunk = new byte[1 << 20];
            for (int i = 0; i < 64; i++) {
                client.send(chunk);
            }
        }
    }

    @Test
    void a_connect_that_says_that_it_will_be_large_is_not_waited_for() {
        for (int length : List.of(100_000, 1_000_000, 7_000_000, 200_000_000)) {
            byte[] head = Arrays.copyOf(Packets.packet(0x10, new byte[length]), 8);
            try (RawMqtt client = RawMqtt.open(house.port()).send(head)) {
                assertThat(client.untilClosed()).isEmpty();
            }
        }
    }

    @Test
    void a_thousand_that_send_garbage_write_a_few_lines() {
        Random random = new Random(14);
        double before = house.malformed();
        for (int i = 0; i < 1000; i++) {
            byte[] garbage = new byte[1 + random.nextInt(64)];
            random.nextBytes(garbage);
            if (i % 2 == 0) {
                // Half of them look like MQTT at first sight.
                byte[] connect = Connect.of(i % 4 == 0 ? V3 : V5, "x").as("y").packet();
                System.arraycopy(connect, 0, garbage, 0, Math.min(12, garbage.length));
            }
            try (RawMqtt client = RawMqtt.open(house.port()).send(garbage)) {
                if (i % 10 == 0) {
                    client.reset();
                }
            }
        }
        for (int i = 0; i < 20; i++) {
            // Those before it have been dealt with: the port takes one after the other.
            assertThat(RawMqtt.open(house.port()).send(new byte[] {0x33}).untilClosed()).isEmpty();
        }
        assertThat(house.malformed()).isGreaterThan(before + 300);
    }

    @Test
    void what_comes_behind_a_refused_login_is_not_looked_at() {
        for (int i = 0; i < 50; i++) {
            for (int version : List.of(V3, V5)) {
                try (RawMqtt client = RawMqtt.open(house.port())) {
                    client.send(
                            Connect.of(version, "nobody").as("wrong").packet(),
                            Packets.publish(version, "edgex/events/x", 1, "x"),
                            Packets.subscribe(version, 2, "#"),
                            Packets.reply(0x40, 7),
                            Packets.packet(0xC0),
                            Packets.packet(0xE0));
                    assertThat(client.untilClosed())
                            .noneMatch(
                                    each ->
                                            each.type() == RawMqtt.PUBACK
                                                    || each.type() == RawMqtt.SUBACK);
                }
            }
        }
    }

    @Test
    void what_comes_behind_a_forbidden_message_is_not_looked_at() {
        byte[] forbidden = Packets.publish(V3, "plant/a", 1, "x");
        byte[] many = new byte[0];
        for (int i = 0; i < 50; i++) {
            many = Packets.join(many, forbidden);
        }
        for (int i = 0; i < 10; i++) {
            RawMqtt viewer = house.guest(V3, "viewer", eye);
            assertThat(viewer.send(many, Packets.subscribe(V3, 2, "#")).untilClosed()).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {V3, V5})
    void what_comes_behind_a_goodbye_is_not_looked_at(int version) {
        for (int i = 0; i < 20; i++) {
            RawMqtt client = house.guest(version, "leaving", hand);
            client.send(
                    Packets.packet(0xE0),
                    Packets.publish(version, "plant/a", 1, "x"),
                    Packets.subscribe(version, 2, "#"),
                    Packets.unsubscribe(version, 2, "#"));
            assertThat(client.untilClosed()).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {V3, V5})
    void replies_to_what_was_never_asked_do_no_harm(int version) {
        RawMqtt client = house.durable(version, "answers", eye);
        client.subscribe(version, "nothing/#");
        for (int first : List.of(0x40, 0x50, 0x62, 0x70)) {
            for (int id : List.of(1, 7, 65_535)) {
                client.send(Packets.reply(first, id), Packets.reply(first, id));
            }
        }
        client.ping();
        client.leave();
    }

    /** The will of one that is cut off is still sent. */
    @Test
    void connections_that_are_cut_are_no_errors_and_wills_are_sent() {
        RawMqtt listener = house.guest(V5, "listener", eye);
        listener.subscribe(V5, "wills/#");
        for (int version : List.of(V3, V5)) {
            for (boolean reset : List.of(true, false)) {
                RawMqtt cut =
                        house.enter(
                                Connect.of(version, "cut")
                                        .as(hand)
                                        .leaving(
                                                new Packets.Will(
                                                        "wills/a", 1, false, new byte[0])));
                cut.send(new byte[] {0x32, 100, 0});
                if (reset) {
                    cut.reset();
                } else {
                    cut.close();
                }
                assertThat(listener.messages(V5, 1)).containsExactly("gone");
            }
        }
        listener.leave();
    }

    /** Found out when it is to be sent, it would be an error in the log, again and again. */
    @ParameterizedTest
    @ValueSource(ints = {V3, V5})
    void who_may_not_send_something_does_not_leave_it_behind_either(int version) {
        double before = house.malformed();
        List<Connect> tries =
                List.of(
                        leaving(version, eye, "plant/a"),
                        leaving(version, hand, "millrace/events/x"),
                        leaving(version, hand, "brewcast/datastore"),
                        leaving(version, hand, "$sys.mqtt.sessions"),
                        leaving(version, hand, "activemq.management"));
        for (Connect each : tries) {
            try (RawMqtt client = house.say(each)) {
                assertThat(client.await(RawMqtt.CONNACK).code())
                        .isEqualTo(version == V5 ? 0x87 : 5);
                assertThat(client.untilClosed()).isEmpty();
            }
        }
        assertThat(house.malformed()).isEqualTo(before + tries.size());
        house.enter(leaving(version, hand, "plant/a")).leave();
    }

    private static Connect leaving(int version, String token, String topic) {
        return Connect.of(version, "leaving-" + version + (token.equals(eye) ? "-eye" : "-hand"))
                .as(token)
                .leaving(new Packets.Will(topic, 1, true, new byte[0]));
    }
}
