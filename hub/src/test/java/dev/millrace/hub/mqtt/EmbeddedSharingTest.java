package dev.millrace.hub.mqtt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import static java.util.concurrent.TimeUnit.SECONDS;

import ch.qos.logback.classic.Level;

import dev.millrace.hub.access.Role;
import dev.millrace.hub.mqtt.Packets.Connect;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Shared subscriptions: who may have one, and with whom. */
class EmbeddedSharingTest {
    private static final int V3 = Packets.V3;
    private static final int V5 = Packets.V5;

    @TempDir static Path directory;
    private static TestHouse house;
    private static String eye;
    private static String hand;
    private static String root;
    private static RawMqtt sender;

    @BeforeAll
    static void start() {
        house = TestHouse.open(directory, "mqtt.embedded.max-queue=64KB");
        eye = house.token("eye", Role.VIEWER);
        hand = house.token("hand", Role.OPERATOR);
        root = house.token("root", Role.ADMIN);
        sender = house.guest(V5, "sender", hand);
    }

    @AfterAll
    static void stop() {
        house.close();
    }

    /** Sends so many, each acknowledged. */
    private static List<String> send(String topic, int count) {
        List<String> sent = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            sender.publish(V5, topic, "m" + i);
            sent.add("m" + i);
        }
        return sent;
    }

    @ParameterizedTest
    @CsvSource({"4,128", "5,135"})
    void a_viewer_is_refused_the_shared_one_and_gets_the_others(int version, int refusal) {
        RawMqtt viewer = house.guest(version, "viewer-" + version, eye);
        String topic = "mixed/" + version;
        assertThat(viewer.subscribe(version, topic, "$share/g/other", "third"))
                .containsExactly(1, refusal, 1);
        send(topic, 1);
        assertThat(viewer.messages(version, 1)).containsExactly("m0");
        viewer.leave();
    }

    @ParameterizedTest
    @ValueSource(strings = {"millrace-readings", "MILLRACE-Readings", "millrace-", "Millrace-x"})
    void not_even_an_admin_shares_with_the_hub(String group) {
        RawMqtt admin = house.guest(V5, "admin", root);
        assertThat(admin.subscribe(V5, "$share/" + group + "/edgex/events/#"))
                .containsExactly(0x87);
        admin.leave();
    }

    @Test
    void each_message_goes_to_one_of_those_who_share() {
        RawMqtt one = house.guest(V5, "one", hand);
        RawMqtt two = house.guest(V3, "two", root);
        assertThat(one.subscribe(V5, "$share/pair/work/#")).containsExactly(1);
        assertThat(two.subscribe(V3, "$share/pair/work/#")).containsExactly(1);
        List<String> sent = send("work/a", 20);
        List<String> got = new ArrayList<>(one.messages(V5, 10));
        got.addAll(two.messages(V3, 10));
        assertThat(got).containsExactlyInAnyOrderElementsOf(sent);
        // Who leaves the group leaves the rest to the others.
        one.send(Packets.unsubscribe(V5, 3, "$share/pair/work/#"));
        assertThat(one.await(RawMqtt.UNSUBACK).codes(V5)).containsExactly(0);
        send("work/b", 5);
        assertThat(two.messages(V3, 5)).hasSize(5);
        one.leave();
        two.leave();
    }

    @Test
    void a_group_that_is_called_like_a_client_takes_nothing_from_it() {
        RawMqtt victim = house.durable(V5, "victim", eye);
        victim.subscribe(V5, "own/#");
        List<RawMqtt> thieves = new ArrayList<>();
        for (String group : List.of("victim", "victim.own", "%group-victim", "sender")) {
            RawMqtt thief = house.guest(V5, "thief-" + thieves.size(), root);
            assertThat(thief.subscribe(V5, "$share/" + group + "/own/#")).containsExactly(1);
            thieves.add(thief);
        }
        List<String> sent = send("own/a", 30);
        assertThat(victim.messages(V5, 30)).isEqualTo(sent);
        for (RawMqtt thief : thieves) {
            // They are groups of their own, and each has one member.
            assertThat(thief.messages(V5, 30)).isEqualTo(sent);
            thief.leave();
        }
        victim.leave();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "$share/",
                "$share/g",
                "$share/g/",
                "$share//f",
                "$share/g+/f",
                "$share/#/f",
                "$share/g/f#",
                "$share/g/#/f",
                "$share/g\0/f"
            })
    void a_malformed_one_ends_the_connection_without_an_error_in_the_log(String filter) {
        double before = house.malformed();
        try (LogLines lines = new LogLines()) {
            for (int version : List.of(V3, V5)) {
                for (byte[] packet :
                        List.of(
                                Packets.subscribe(version, 1, "right", filter),
                                Packets.unsubscribe(version, 1, filter))) {
                    RawMqtt client = house.guest(version, "malformed-" + version, hand);
                    List<RawMqtt.Packet> last = client.send(packet).untilClosed();
                    assertThat(last)
                            .as("%s in %d", filter, version)
                            .noneMatch(each -> each.type() == RawMqtt.SUBACK);
                    if (version == V5) {
                        assertThat(last.getLast().type()).isEqualTo(RawMqtt.DISCONNECT);
                        assertThat(last.getLast().reason()).isGreaterThanOrEqualTo(0x80);
                    }
                }
            }
            assertThat(lines.of(Level.ERROR)).isEmpty();
        }
        assertThat(house.malformed()).isGreaterThanOrEqualTo(before + 4);
    }

    /** It belongs to the broker, as all that begins with a dollar sign. */
    @Test
    void a_bare_share_is_refused() {
        RawMqtt client = house.guest(V5, "bare", root);
        assertThat(client.subscribe(V5, "$share")).containsExactly(0x87);
        client.leave();
    }

    @Test
    void what_waits_for_a_group_survives_a_restart() {
        RawMqtt member = house.durable(V5, "member", hand);
        assertThat(member.subscribe(V5, "$share/night shift/late/#")).containsExactly(1);
        member.leave();
        List<String> sent = send("late/a", 5);
        house.restart();
        sender = house.guest(V5, "sender", hand);
        RawMqtt again = house.say(Connect.of(V5, "member").as(hand).staying(60));
        assertThat(again.await(RawMqtt.CONNACK).sessionPresent()).isTrue();
        assertThat(again.messages(V5, 5)).isEqualTo(sent);
        send("late/b", 1);
        assertThat(again.messages(V5, 1)).containsExactly("m0");
        again.send(Packets.unsubscribe(V5, 3, "$share/night shift/late/#"));
        assertThat(again.await(RawMqtt.UNSUBACK).codes(V5)).containsExactly(0);
        again.leave();
    }

    /** The broker would mix them up, and fall over them. */
    @Test
    void one_client_listens_to_a_filter_either_alone_or_with_one_group() {
        try (LogLines lines = new LogLines()) {
            RawMqtt client = house.guest(V5, "both", hand);
            assertThat(client.subscribe(V5, "both/#", "$share/g/both/#")).containsExactly(1, 0x87);
            assertThat(client.subscribe(V5, "$share/g/twice")).containsExactly(1);
            assertThat(client.subscribe(V5, "twice", "$share/h/twice", "$share/g/twice"))
                    .containsExactly(0x87, 0x87, 1);
            client.send(Packets.unsubscribe(V5, 3, "$share/g/twice"));
            client.await(RawMqtt.UNSUBACK);
            assertThat(client.subscribe(V5, "twice")).containsExactly(1);
            assertThat(client.subscribe(V5, "twice")).containsExactly(1);
            send("twice", 1);
            assertThat(client.messages(V5, 1)).containsExactly("m0");
            client.leave();
            assertThat(lines.of(Level.ERROR)).isEmpty();
        }
    }

    /** Nobody could send any more once such a queue has filled its share of the disk. */
    @Test
    void what_waits_for_a_group_of_sleepers_is_given_up_when_it_is_too_much() {
        for (String id : List.of("sleeper-1", "sleeper-2")) {
            RawMqtt sleeper = house.durable(V5, id, hand);
            assertThat(sleeper.subscribe(V5, "$share/sleepers/dull/#")).containsExactly(1);
            sleeper.leave();
        }
        String large = "x".repeat(10_000);
        for (int i = 0; i < 12; i++) {
            sender.publish(V5, "dull/a", large);
        }
        for (String id : List.of("sleeper-1", "sleeper-2")) {
            await().pollDelay(2, SECONDS).until(() -> !hasSession(id));
        }
        RawMqtt newcomer = house.guest(V5, "newcomer", hand);
        assertThat(newcomer.subscribe(V5, "$share/sleepers/dull/#")).containsExactly(1);
        send("dull/b", 1);
        assertThat(newcomer.messages(V5, 1)).containsExactly("m0");
        newcomer.leave();
    }

    private static boolean hasSession(String id) {
        RawMqtt again = house.say(Connect.of(V5, id).as(hand).staying(60));
        boolean present = again.await(RawMqtt.CONNACK).sessionPresent();
        again.leave();
        return present;
    }
}
