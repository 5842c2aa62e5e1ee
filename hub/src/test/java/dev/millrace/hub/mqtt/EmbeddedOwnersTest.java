package dev.millrace.hub.mqtt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

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
import java.util.List;

/** A client id, with its session and what waits there, belongs to the token that first used it. */
class EmbeddedOwnersTest {
    private static final int V3 = Packets.V3;
    private static final int V5 = Packets.V5;

    @TempDir static Path directory;
    private static TestHouse house;
    private static String ann;
    private static String bob;
    private static String hand;

    @BeforeAll
    static void start() {
        house = TestHouse.open(directory);
        ann = house.token("ann", Role.VIEWER);
        bob = house.token("bob", Role.ADMIN);
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

    /** Everything that somebody else could try with a client id. */
    private static void tryAll(String id) {
        for (int version : List.of(V3, V5)) {
            Connect with = Connect.of(version, id);
            assertThat(house.mayEnter(with.as(bob))).isFalse();
            assertThat(house.mayEnter(with.as(bob).staying(60))).isFalse();
            assertThat(house.mayEnter(with.as(bob).staying(60).afresh())).isFalse();
            assertThat(house.mayEnter(with.as("no token"))).isFalse();
            assertThat(house.mayEnter(with.as("no token").staying(60))).isFalse();
            assertThat(house.mayEnter(with)).isFalse();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {V3, V5})
    void nobody_else_takes_or_ends_the_session_of_a_client_that_is_away(int version) {
        String id = "away-" + version;
        RawMqtt client = house.durable(version, id, ann);
        client.subscribe(version, id + "/#");
        client.leave();
        send(id + "/a", "waits");
        tryAll(id);
        RawMqtt again = house.say(Connect.of(version, id).as(ann).staying(TestHouse.STAYING));
        assertThat(again.await(RawMqtt.CONNACK).sessionPresent()).isTrue();
        assertThat(again.messages(version, 1)).containsExactly("waits");
        // Nor is the subscription of that session gone.
        send(id + "/b", "later");
        assertThat(again.messages(version, 1)).containsExactly("later");
        again.leave();
    }

    @ParameterizedTest
    @ValueSource(ints = {V3, V5})
    void nobody_else_throws_out_a_client_that_is_here(int version) {
        String id = "here-" + version;
        RawMqtt client = house.guest(version, id, ann);
        client.subscribe(version, id + "/#");
        tryAll(id);
        client.ping();
        send(id + "/a", "still here");
        assertThat(client.messages(version, 1)).containsExactly("still here");
        client.leave();
    }

    @Test
    void the_session_of_a_client_that_is_here_stays_when_others_were_refused_meanwhile() {
        RawMqtt client = house.durable(V5, "stays", ann);
        client.subscribe(V5, "stays/#");
        tryAll("stays");
        client.leave();
        send("stays/a", "waits");
        RawMqtt again = house.say(Connect.of(V5, "stays").as(ann).staying(TestHouse.STAYING));
        assertThat(again.await(RawMqtt.CONNACK).sessionPresent()).isTrue();
        assertThat(again.messages(V5, 1)).containsExactly("waits");
        again.leave();
    }

    @ParameterizedTest
    @CsvSource({"4,4", "4,5", "5,4", "5,5"})
    void the_same_token_takes_over(int first, int second) {
        String id = "taken-" + first + second;
        RawMqtt before = house.durable(first, id, ann);
        before.subscribe(first, id + "/#");
        RawMqtt after = house.durable(second, id, ann);
        before.untilClosed();
        send(id + "/a", "to the second");
        assertThat(after.messages(second, 1)).containsExactly("to the second");
        after.leave();
    }

    @Test
    void it_stays_so_over_a_restart() {
        RawMqtt client = house.durable(V5, "restarted", ann);
        client.subscribe(V5, "restarted/#");
        client.leave();
        send("restarted/a", "waits");
        house.restart();
        tryAll("restarted");
        RawMqtt again = house.durable(V5, "restarted", ann);
        assertThat(again.messages(V5, 1)).containsExactly("waits");
        again.leave();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void with_a_new_token_a_device_goes_on_where_the_revoked_one_stopped(boolean restarted) {
        String id = "renewed-" + restarted;
        String old = house.token("old-" + restarted, Role.VIEWER);
        RawMqtt client = house.durable(V5, id, old);
        client.subscribe(V5, id + "/#");
        client.leave();
        send(id + "/a", "waits");
        assertThat(house.mayEnter(Connect.of(V5, id).as(ann))).isFalse();
        house.access.revoke(old);
        if (restarted) {
            house.restart();
        }
        RawMqtt again = house.durable(V5, id, ann);
        assertThat(again.messages(V5, 1)).containsExactly("waits");
        again.leave();
        assertThat(house.mayEnter(Connect.of(V5, id).as(bob))).isFalse();
    }

    @ParameterizedTest
    @ValueSource(ints = {V3, V5})
    void a_client_id_is_free_again_when_its_session_is_gone(int version) {
        String id = "passing-" + version;
        house.guest(version, id, ann).leave();
        RawMqtt kept = house.durable(version, id + "-kept", ann);
        kept.subscribe(version, "x/#");
        kept.leave();
        assertThat(house.mayEnter(Connect.of(version, id + "-kept").as(bob))).isFalse();
        // Whoever comes without wanting to stay ends what was there.
        house.guest(version, id + "-kept", ann).leave();
        for (String each : List.of(id, id + "-kept")) {
            await().until(() -> house.mayEnter(Connect.of(version, each).as(bob)));
        }
    }

    @Test
    void the_hub_keeps_its_sessions_whoever_tries_its_names() {
        RawMqtt hub = house.enter(asHub("millrace-readings"));
        hub.subscribe(V5, "edgex/events/#");
        tryAll("millrace-readings");
        tryAll("MILLRACE-readings");
        hub.leave();
        send("edgex/events/a", "waits");
        tryAll("millrace-readings");
        RawMqtt again = house.say(asHub("millrace-readings"));
        assertThat(again.await(RawMqtt.CONNACK).sessionPresent()).isTrue();
        assertThat(again.messages(V5, 1)).containsExactly("waits");
        again.leave();
    }

    private static Connect asHub(String id) {
        BrokerUrl url = house.broker.url();
        return Connect.of(V5, id)
                .as(url.user().orElseThrow(), url.password().orElseThrow())
                .staying(TestHouse.STAYING);
    }

    @Test
    void without_tokens_a_client_id_is_everybodys(@TempDir Path other) {
        try (TestHouse open = TestHouse.withoutTokens(other)) {
            RawMqtt first = open.enter(Connect.of(V5, "a").staying(60));
            RawMqtt second = open.enter(Connect.of(V5, "a").as("whatever").staying(60));
            first.untilClosed();
            second.leave();
        }
    }
}
