package dev.millrace.hub.mqtt;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;

import dev.millrace.hub.access.Role;
import dev.millrace.hub.mqtt.Packets.Connect;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Whatever clients call themselves and their topics, each gets its own and nothing else. */
class EmbeddedNamesTest {
    private static final int V3 = Packets.V3;
    private static final int V5 = Packets.V5;

    private static final List<String> IDS =
            List.of(
                    "plain",
                    "with.dots",
                    "with%20percent",
                    "with percent",
                    "x' OR 'a'='a",
                    "\"quoted\"",
                    "a/b#c+d",
                    "%group-g",
                    "$share",
                    "Größe 温度 🌡",
                    "..",
                    "l".repeat(1000));

    @TempDir static Path directory;
    private static TestHouse house;
    private static String hand;

    @BeforeAll
    static void start() {
        house = TestHouse.open(directory);
        hand = house.token("hand", Role.OPERATOR);
    }

    @AfterAll
    static void stop() {
        house.close();
    }

    private static void send(String topic, String payload) {
        RawMqtt sender = house.guest(V5, "sender", hand);
        sender.publish(V5, topic, payload);
        sender.leave();
    }

    @Test
    void two_clients_whose_names_run_into_their_filters_keep_apart() {
        RawMqtt one = house.durable(V5, "a", hand);
        RawMqtt two = house.durable(V5, "a.b", hand);
        one.subscribe(V5, "b.c");
        two.subscribe(V5, "c");
        send("b.c", "to one");
        send("c", "to two");
        assertThat(one.messages(V5, 1)).containsExactly("to one");
        assertThat(two.messages(V5, 1)).containsExactly("to two");
        // The queue of the one is not taken away with that of the other.
        one.send(Packets.unsubscribe(V5, 2, "b.c"));
        one.await(RawMqtt.UNSUBACK);
        send("c", "again");
        assertThat(two.messages(V5, 1)).containsExactly("again");
        one.leave();
        two.leave();
    }

    @Test
    void strange_client_ids_have_sessions_of_their_own_also_after_a_restart() {
        for (String id : IDS) {
            RawMqtt client = house.durable(V5, id, hand);
            assertThat(client.subscribe(V5, "to/" + IDS.indexOf(id))).containsExactly(1);
            client.leave();
        }
        for (String id : IDS) {
            send("to/" + IDS.indexOf(id), "for " + id);
        }
        house.restart();
        for (String id : IDS) {
            send("to/" + IDS.indexOf(id), "then for " + id);
        }
        for (String id : IDS) {
            RawMqtt client = house.say(Connect.of(V5, id).as(hand).staying(60));
            assertThat(client.await(RawMqtt.CONNACK).sessionPresent()).as(id).isTrue();
            assertThat(client.messages(V5, 2)).containsExactly("for " + id, "then for " + id);
            client.ping();
            client.leave();
        }
    }

    @Test
    void a_broker_that_stops_sends_everybody_away_and_keeps_their_sessions() {
        List<RawMqtt> clients = new ArrayList<>();
        try (LogLines lines = new LogLines()) {
            for (int i = 0; i < 20; i++) {
                int version = i % 2 == 0 ? V3 : V5;
                RawMqtt client = house.durable(version, "stopped-" + i, hand);
                client.subscribe(version, "stopped/" + i);
                clients.add(client);
            }
            house.restart();
            clients.forEach(RawMqtt::untilClosed);
            assertThat(lines.of(Level.ERROR)).isEmpty();
        }
        for (int i = 0; i < 20; i++) {
            send("stopped/" + i, "kept");
            int version = i % 2 == 0 ? V3 : V5;
            RawMqtt again = house.durable(version, "stopped-" + i, hand);
            assertThat(again.messages(version, 1)).containsExactly("kept");
            again.leave();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {V3, V5})
    void a_client_id_that_looks_like_a_condition_takes_away_nobodys_subscriptions(int version) {
        RawMqtt victim = house.durable(version, "victim-" + version, hand);
        victim.subscribe(version, "precious");
        victim.leave();
        for (String id : List.of("x' OR 'a'='a", "' OR 1=1 OR '1'='", "x' OR _AMQ_LVQ_NAME <> '")) {
            RawMqtt attacker = house.durable(version, id, hand);
            attacker.subscribe(version, "other");
            attacker.send(Packets.unsubscribe(version, 2, "other"));
            attacker.await(RawMqtt.UNSUBACK);
            attacker.leave();
            house.guest(version, id, hand).leave();
        }
        house.restart();
        send("precious", "kept");
        RawMqtt again = house.say(Connect.of(version, "victim-" + version).as(hand).staying(60));
        assertThat(again.await(RawMqtt.CONNACK).sessionPresent()).isTrue();
        assertThat(again.messages(version, 1)).containsExactly("kept");
        house.guest(version, "victim-" + version, hand).leave();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a.b",
                "a*b",
                "a>b",
                "a\\b",
                "a\\/b",
                "/",
                "//",
                "a,b",
                "a b",
                "ü/温",
                "*",
                ">",
                "queue://x",
                "anycast://x",
                "' OR 'a'='a"
            })
    void a_topic_is_a_topic_whatever_the_broker_uses_such_characters_for(String topic) {
        RawMqtt exact = house.guest(V5, "exact", hand);
        RawMqtt all = house.guest(V5, "all", hand);
        exact.subscribe(V5, topic);
        all.subscribe(V5, "#");
        send("another/topic", "other");
        send(topic, "this");
        assertThat(exact.messages(V5, 1)).containsExactly("this");
        assertThat(all.messages(V5, 2)).containsExactly("other", "this");
        exact.leave();
        all.leave();
    }

    @Test
    void a_client_id_has_an_end() {
        Connect longest = Connect.of(V5, "l".repeat(1024)).as(hand);
        Connect longer = Connect.of(V5, "l".repeat(1025)).as(hand);
        assertThat(house.mayEnter(longest)).isTrue();
        assertThat(house.say(longer).await(RawMqtt.CONNACK).code()).isEqualTo(0x85);
        Connect older = Connect.of(V3, "l".repeat(1025)).as(hand);
        assertThat(house.say(older).await(RawMqtt.CONNACK).code()).isEqualTo(2);
    }

    @Test
    void who_has_no_name_gets_one() {
        RawMqtt newer = house.guest(V5, "", hand);
        RawMqtt older = house.guest(V3, "", hand);
        newer.subscribe(V5, "a");
        older.subscribe(V3, "a");
        send("a", "to both");
        assertThat(newer.messages(V5, 1)).containsExactly("to both");
        assertThat(older.messages(V3, 1)).containsExactly("to both");
        newer.leave();
        older.leave();
        assertThat(house.mayEnter(Connect.of(V3, "").as(hand).staying(60))).isFalse();
        assertThat(house.mayEnter(Connect.of(V5, "").as("no token"))).isFalse();
    }
}
