package dev.millrace.hub;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import ch.qos.logback.classic.Level;

import dev.millrace.hub.mqtt.LogLines;
import dev.millrace.hub.mqtt.Packets;
import dev.millrace.hub.mqtt.Packets.Connect;
import dev.millrace.hub.mqtt.RawMqtt;
import dev.millrace.keyspace.testing.SharedServers;
import dev.millrace.keyspace.testing.TestPorts;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Nothing that a client sends keeps the hub from storing what others send after it. */
class MqttPoisonTest {
    private static final int V3 = Packets.V3;
    private static final int V5 = Packets.V5;
    private static final String TOPIC = "edgex/events/poison";
    private static final byte[] NONE = new byte[0];
    private static final Pattern MALFORMED =
            Pattern.compile("(?m)^millrace_mqtt_embedded_malformed_total ([0-9.E+]+)$");

    @TempDir static Path directory;
    private static int port;
    private static TestHub hub;

    @BeforeAll
    static void start() throws IOException {
        port = TestPorts.take();
        String redis = SharedServers.standalone().url();
        SharedServers.flushAll();
        hub = TestHub.start(redis, "data.dir=" + directory, "mqtt.embedded.port=" + port);
        // The hub subscribes a moment after it is ready.
        await().until(() -> isStored(sendEvent()));
    }

    @AfterAll
    static void stop() {
        hub.close();
    }

    private static RawMqtt client(int version) {
        RawMqtt client =
                RawMqtt.open(port).send(Connect.of(version, "c-" + UUID.randomUUID()).packet());
        assertThat(client.await(RawMqtt.CONNACK).code()).isZero();
        return client;
    }

    private static String event(String id) {
        return """
        {"id":"%s","device":"d","readings":[{"name":"n","value":"1"}]}
        """
                .formatted(id);
    }

    private static String sendEvent() {
        String id = UUID.randomUUID().toString();
        RawMqtt good = client(V5);
        good.publish(V5, "edgex/events/good", event(id));
        good.leave();
        return id;
    }

    private static boolean isStored(String id) {
        return hub.get("/api/v1/event/" + id).status() == 200;
    }

    private static void storesWhatComesNext() {
        String id = sendEvent();
        await().until(() -> isStored(id));
    }

    private static double malformed() {
        Matcher line = MALFORMED.matcher(hub.get("/metrics").body());
        return line.find() ? Double.parseDouble(line.group(1)) : 0;
    }

    /** A topic and properties that nobody may send. */
    @SuppressWarnings("ArrayRecordComponent") // Nobody compares these, and nobody changes them.
    record Poison(String what, int version, String topic, byte[] properties) {
        @Override
        public String toString() {
            return what + " in version " + version;
        }
    }

    private static Poison with(String what, byte[] properties) {
        return new Poison(what, V5, TOPIC, properties);
    }

    private static Stream<Poison> ofMessages() {
        List<Poison> all =
                new ArrayList<>(
                        List.of(
                                responseTo("a/#"),
                                responseTo("a/+"),
                                responseTo("#"),
                                responseTo(""),
                                responseTo("a\0b"),
                                with(
                                        "payload format 2",
                                        Packets.number(Packets.PAYLOAD_FORMAT, 2, 1)),
                                with(
                                        "payload format 255",
                                        Packets.number(Packets.PAYLOAD_FORMAT, 255, 1)),
                                with("user property with NUL", Packets.pair("a\0", "b")),
                                with(
                                        "user property with NUL in its value",
                                        Packets.pair("a", "\0")),
                                with(
                                        "content type with NUL",
                                        Packets.property(Packets.CONTENT_TYPE, "text/\0")),
                                with(
                                        "session expiry",
                                        Packets.number(Packets.SESSION_EXPIRY, 1, 4)),
                                with("a property that does not exist", new byte[] {0x7F, 1})));
        for (int version : List.of(V3, V5)) {
            for (String topic : List.of("edgex/events/#", "edgex/events/+", "", TOPIC + "\0")) {
                all.add(
                        new Poison(
                                "topic '" + topic.replace("\0", "NUL") + "'",
                                version,
                                topic,
                                NONE));
            }
        }
        return all.stream();
    }

    private static Stream<Poison> poisons() {
        return Stream.concat(
                ofMessages(),
                Stream.of(
                        with("subscription id", new byte[] {Packets.SUBSCRIPTION_ID, 1}),
                        with("will delay", Packets.number(Packets.WILL_DELAY, 1, 4)),
                        with("topic alias 0", Packets.number(Packets.TOPIC_ALIAS, 0, 2)),
                        new Poison(
                                "unknown topic alias",
                                V5,
                                "",
                                Packets.number(Packets.TOPIC_ALIAS, 9, 2)),
                        new Poison("queue of another", V5, TOPIC + "::millrace-readings", NONE)));
    }

    private static Poison responseTo(String topic) {
        return with(
                "response topic '" + topic.replace("\0", "NUL") + "'",
                Packets.property(Packets.RESPONSE_TOPIC, topic));
    }

    @ParameterizedTest
    @MethodSource("poisons")
    void is_refused_unacknowledged_and_what_others_send_is_stored(Poison poison) {
        double before = malformed();
        try (LogLines lines = new LogLines()) {
            for (int qos = 0; qos <= 2; qos++) {
                RawMqtt client = client(poison.version);
                client.send(
                        Packets.publish(
                                poison.version, poison.topic, qos, 1, poison.properties, "x"));
                List<RawMqtt.Packet> last = client.untilClosed();
                if (poison.version == V5) {
                    assertThat(last).hasSize(1);
                    assertThat(last.getFirst().type()).isEqualTo(RawMqtt.DISCONNECT);
                    assertThat(last.getFirst().reason()).isGreaterThanOrEqualTo(0x80);
                } else {
                    assertThat(last).isEmpty();
                }
            }
            assertThat(lines.of(Level.ERROR)).isEmpty();
        }
        storesWhatComesNext();
        if (!poison.what.equals("unknown topic alias")) {
            // That one is not malformed by itself; the broker knows what was named before.
            assertThat(malformed()).isGreaterThanOrEqualTo(before + 3);
        }
    }

    @ParameterizedTest
    @MethodSource("ofMessages")
    void is_not_left_behind_as_a_will_either(Poison poison) {
        double before = malformed();
        Connect connect =
                Connect.of(poison.version, "w-" + UUID.randomUUID())
                        .leaving(new Packets.Will(poison.topic, 1, true, poison.properties));
        try (RawMqtt client = RawMqtt.open(port).send(connect.packet())) {
            assertThat(client.untilClosed())
                    .allMatch(each -> each.type() == RawMqtt.CONNACK && each.code() >= 0x80);
        }
        assertThat(malformed()).isGreaterThanOrEqualTo(before + 1);
        storesWhatComesNext();
    }

    /** What is allowed, though not every client likes it. */
    private static Stream<Poison> oddities() {
        return Stream.of(
                with("text that is not UTF-8", Packets.number(Packets.PAYLOAD_FORMAT, 1, 1)),
                with("control characters", Packets.property(Packets.CONTENT_TYPE, "a\u0001\u0085")),
                with("not a character", Packets.pair("\uFFFF", "\uFFFE")),
                with("nothing as a name", Packets.pair("", "")),
                with("much", Packets.pair("k".repeat(60_000), "v".repeat(60_000))),
                with(
                        "many",
                        Packets.join(
                                Stream.generate(() -> Packets.pair("k", "v"))
                                        .limit(2000)
                                        .toArray(byte[][]::new))),
                with("names of the broker's own", Packets.pair("_AMQ_SCHED_DELIVERY", "9")),
                with("response topic", Packets.property(Packets.RESPONSE_TOPIC, "a/b")),
                with("over at once", Packets.number(Packets.MESSAGE_EXPIRY, 0, 4)),
                new Poison("a topic with a character that is none", V5, TOPIC + "\uFFFF", NONE),
                new Poison("a topic with control characters", V3, TOPIC + "\u0001\u009F", NONE),
                new Poison("a long topic", V5, TOPIC + "/" + "t".repeat(60_000), NONE),
                new Poison("a deep topic", V3, TOPIC + "/".repeat(5_000), NONE));
    }

    @ParameterizedTest
    @MethodSource("oddities")
    void what_is_merely_odd_does_not_stop_the_hub(Poison odd) {
        for (int qos = 0; qos <= 2; qos++) {
            RawMqtt client = client(odd.version);
            byte[] payload = {'{', (byte) 0xFF, (byte) 0xC0, 0, (byte) 0xED, (byte) 0xA0, 0x40};
            client.send(
                    Packets.publish(odd.version, odd.topic, qos, 1, odd.properties, payload),
                    Packets.packet(0xE0));
            client.untilClosed();
        }
        storesWhatComesNext();
        assertThat(hub.get("/health/ready").status()).isEqualTo(200);
    }
}
