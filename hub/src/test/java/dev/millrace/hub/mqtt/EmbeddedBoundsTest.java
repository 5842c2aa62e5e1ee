package dev.millrace.hub.mqtt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import static java.nio.charset.StandardCharsets.UTF_8;

import ch.qos.logback.classic.Level;

import dev.millrace.hub.access.AccessSettings;
import dev.millrace.hub.access.Role;
import dev.millrace.hub.mqtt.Packets.Connect;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;

/** How long, how many and in which order: what clients of the embedded broker may ask for. */
class EmbeddedBoundsTest {
    private static final int V3 = Packets.V3;
    private static final int V5 = Packets.V5;
    private static final int FOR_EVER = -1;
    private static final int MOST = 10;

    @TempDir static Path directory;
    private static TestHouse house;
    private static String hand;
    private static String other;

    @BeforeAll
    static void start() {
        house =
                TestHouse.open(
                        directory,
                        "mqtt.session-expiry=1s",
                        "mqtt.embedded.max-connections=" + MOST);
        hand = house.token("hand", Role.OPERATOR);
        other = house.token("other", Role.OPERATOR);
    }

    @AfterAll
    static void stop() {
        house.close();
    }

    @Test
    void a_message_that_is_to_last_very_long_is_not_over_at_once(@TempDir Path patient) {
        try (TestHouse longer = TestHouse.withoutTokens(patient)) {
            Connect sleeper = Connect.of(V5, "sleeper").staying(TestHouse.STAYING);
            RawMqtt client = longer.enter(sleeper);
            client.subscribe(V5, "plant/#");
            client.leave();
            RawMqtt sender = longer.enter(Connect.of(V5, "sender"));
            List<String> sent = new ArrayList<>();
            for (long seconds : List.of(4_000_000L, 0x7FFF_FFFFL, 0x8000_0000L, 0xFFFF_FFFFL)) {
                byte[] expiry = Packets.number(Packets.MESSAGE_EXPIRY, seconds, 4);
                String payload = Long.toString(seconds);
                sender.send(Packets.publish(V5, "plant/a", 1, 1, expiry, payload));
                sender.await(RawMqtt.PUBACK);
                sent.add(payload);
            }
            RawMqtt again = longer.enter(sleeper);
            assertThat(again.messages(V5, sent.size())).isEqualTo(sent);
        }
    }

    /** It is gone when another token may use its name. */
    private static void awaitGone(String id) {
        await().until(() -> house.mayEnter(Connect.of(V5, id).as(other)));
    }

    @Test
    void a_session_does_not_stay_longer_than_the_settings_allow() {
        for (int version : List.of(V3, V5)) {
            RawMqtt client =
                    house.enter(
                            Connect.of(version, "for-ever-" + version).as(hand).staying(FOR_EVER));
            client.subscribe(version, "plant/#");
            client.leave();
        }
        // A last word does not prolong it either.
        RawMqtt client = house.enter(Connect.of(V5, "prolonged").as(hand).staying(1));
        client.subscribe(V5, "plant/#");
        client.send(Packets.disconnect(V5, Packets.number(Packets.SESSION_EXPIRY, FOR_EVER, 4)));
        assertThat(client.untilClosed()).isEmpty();
        awaitGone("for-ever-" + V3);
        awaitGone("for-ever-" + V5);
        awaitGone("prolonged");
    }

    @Test
    void a_session_that_was_to_end_is_not_kept_by_a_last_word() {
        double before = house.malformed();
        RawMqtt client = house.guest(V5, "revived", hand);
        client.subscribe(V5, "plant/#");
        client.send(Packets.disconnect(V5, Packets.number(Packets.SESSION_EXPIRY, 1, 4)));
        List<RawMqtt.Packet> last = client.untilClosed();
        assertThat(last.getLast().type()).isEqualTo(RawMqtt.DISCONNECT);
        assertThat(last.getLast().reason()).isEqualTo(0x82);
        assertThat(house.malformed()).isEqualTo(before + 1);
        RawMqtt again = house.say(Connect.of(V5, "revived").as(hand).staying(1));
        assertThat(again.await(RawMqtt.CONNACK).sessionPresent()).isFalse();
        again.leave();
    }

    @ParameterizedTest
    @ValueSource(ints = {V3, V5})
    void packets_that_are_not_a_clients_end_the_connection(int version) {
        byte[] ok = version == V5 ? new byte[] {0, 0, 0} : new byte[] {0, 0};
        Map<String, byte[]> wrong =
                Map.of(
                        "a second CONNECT",
                        Connect.of(version, "out-of-turn").as(hand).packet(),
                        "CONNACK",
                        Packets.packet(0x20, ok),
                        "SUBACK",
                        Packets.packet(0x90, (byte) 0, (byte) 1, (byte) 0),
                        "UNSUBACK",
                        Packets.packet(0xB0, (byte) 0, (byte) 1, (byte) 0),
                        "PINGRESP",
                        Packets.packet(0xD0),
                        "AUTH",
                        Packets.packet(0xF0, (byte) 0x18, (byte) 0),
                        "nothing that there is",
                        Packets.packet(0x00));
        try (LogLines lines = new LogLines()) {
            wrong.forEach(
                    (what, packet) -> {
                        RawMqtt client = house.guest(version, "out-of-turn", hand);
                        List<RawMqtt.Packet> last = client.send(packet).untilClosed();
                        if (version == V5) {
                            assertThat(last).as(what).hasSize(1);
                            assertThat(last.getFirst().type()).isEqualTo(RawMqtt.DISCONNECT);
                            assertThat(last.getFirst().reason()).isGreaterThanOrEqualTo(0x80);
                        } else {
                            assertThat(last).as(what).isEmpty();
                        }
                    });
            assertThat(lines.of(Level.ERROR)).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {V3, V5})
    void nothing_is_taken_before_a_connect(int version) {
        for (byte[] packet :
                List.of(
                        Packets.publish(version, "plant/a", 1, "x"),
                        Packets.subscribe(version, 1, "#"),
                        Packets.packet(0xC0),
                        Packets.packet(0xE0))) {
            byte[] then = Connect.of(version, "late").as(hand).packet();
            try (RawMqtt client = RawMqtt.open(house.port()).send(packet, then)) {
                assertThat(client.untilClosed()).isEmpty();
            }
        }
    }

    @Test
    void no_other_way_to_log_in_is_known_and_trying_it_ends_no_session() {
        RawMqtt client = house.durable(V5, "asking", hand);
        client.subscribe(V5, "plant/#");
        byte[] method = Packets.property(Packets.AUTHENTICATION_METHOD, "SCRAM-SHA-1");
        try (RawMqtt asking = house.say(Connect.of(V5, "asking").as(hand).with(method))) {
            assertThat(asking.await(RawMqtt.CONNACK).code()).isEqualTo(0x8C);
            assertThat(asking.untilClosed()).isEmpty();
        }
        client.ping();
        client.leave();
    }

    @Test
    void a_client_has_only_so_many_topic_aliases() {
        RawMqtt client = house.guest(V5, "aliases", hand);
        byte[] hundred = Packets.number(Packets.TOPIC_ALIAS, 100, 2);
        client.send(Packets.publish(V5, "plant/a", 1, 1, hundred, "x"));
        client.await(RawMqtt.PUBACK);
        client.send(Packets.publish(V5, "", 1, 2, hundred, "x"));
        client.await(RawMqtt.PUBACK);
        byte[] more = Packets.number(Packets.TOPIC_ALIAS, 101, 2);
        client.send(Packets.publish(V5, "plant/b", 1, 3, more, "x"));
        // The broker may be quicker to close than to say why.
        assertThat(client.untilClosed()).allMatch(last -> last.reason() == 0x94);
    }

    @Test
    void guests_who_fill_the_house_do_not_keep_the_hub_out(@TempDir Path own) {
        List<RawMqtt> guests = new ArrayList<>();
        try (TestAccess access = new TestAccess(AccessSettings.Mode.OPEN);
                Mqtt mqtt =
                        MqttSamples.settings(
                                        "mqtt.embedded.port=0",
                                        "mqtt.embedded.max-connections=" + MOST)
                                .open(own, access.gate(), new SimpleMeterRegistry());
                LogLines lines = new LogLines()) {
            int port = mqtt.letGuestsIn().getFirst();
            for (int i = 0; i < MOST; i++) {
                RawMqtt guest = RawMqtt.open(port).send(Connect.of(V5, "guest-" + i).packet());
                assertThat(guest.await(RawMqtt.CONNACK).code()).isZero();
                guests.add(guest);
            }
            for (int i = 0; i < 50; i++) {
                RawMqtt late = RawMqtt.open(port).send(Connect.of(V5, "late").packet());
                assertThat(late.untilClosed()).isEmpty();
            }
            List<String> heard = new CopyOnWriteArrayList<>();
            mqtt.receive("ear", "plant/#", message -> heard.add(message.topic()));
            Sender mouth = mqtt.sender("mouth");
            await().until(
                            () -> {
                                mouth.send(List.of(Outgoing.of("plant/a", "x".getBytes(UTF_8))));
                                return heard.contains("plant/a");
                            });
            guests.removeFirst().leave();
            await().until(
                            () -> {
                                RawMqtt next =
                                        RawMqtt.open(port).send(Connect.of(V5, "next").packet());
                                guests.add(next);
                                return next.read().type() == RawMqtt.CONNACK;
                            });
            assertThat(lines.of(Level.ERROR)).isEmpty();
            assertThat(lines.of(Level.WARN)).hasSizeLessThan(30);
        } finally {
            guests.forEach(RawMqtt::close);
        }
    }
}
