package dev.millrace.hub.mqtt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.hub.TestHub;
import dev.millrace.hub.access.AccessSettings;
import dev.millrace.keyspace.testing.SharedServers;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/** A broker of somebody's own that hands on what no client can read. */
class UnreadableMessageTest {
    @TempDir Path directory;

    private static Optional<byte[]> badResponseTopic(int version) {
        return Optional.of(
                Packets.publish(
                        version,
                        "plant/a",
                        1,
                        1,
                        Packets.property(Packets.RESPONSE_TOPIC, "a/#"),
                        "in spite of all"));
    }

    private static Optional<byte[]> badTopic(int version) {
        return Optional.of(Packets.publish(version, "plant/#", 1, "x"));
    }

    private static Mqtt to(FakeBroker broker, Path directory, TestAccess access) {
        BrokerUrl url =
                new BrokerUrl(
                        "127.0.0.1", broker.port(), false, Optional.empty(), Optional.empty());
        return MqttSamples.settings()
                .withUrl(url)
                .open(directory, access.gate(), new SimpleMeterRegistry());
    }

    @Test
    void is_taken_in_the_older_version_that_has_less_to_be_read() {
        List<String> taken = new CopyOnWriteArrayList<>();
        try (TestAccess access = new TestAccess(AccessSettings.Mode.OPEN);
                FakeBroker broker = new FakeBroker(UnreadableMessageTest::badResponseTopic);
                Mqtt mqtt = to(broker, directory, access)) {
            mqtt.receive(
                    "ear", "plant/#", message -> taken.add(new String(message.payload(), UTF_8)));
            await().until(() -> !broker.acknowledged.isEmpty());
            assertThat(taken).containsExactly("in spite of all");
            assertThat(broker.acknowledged).containsExactly(Packets.V3);
            assertThat(mqtt.standstills()).isEmpty();
        }
    }

    @Test
    void makes_the_hub_not_ready_if_nothing_helps_until_it_does() {
        String redis = SharedServers.standalone().url();
        SharedServers.flushAll();
        try (FakeBroker broker = new FakeBroker(UnreadableMessageTest::badTopic);
                TestHub hub =
                        TestHub.start(
                                redis,
                                "data.dir=" + directory,
                                // The broker gives what it has to whoever comes first.
                                "telemetry.mqtt.ingest=false",
                                "history.timeseries.ingest=false",
                                "mqtt.url=mqtt://127.0.0.1:" + broker.port())) {
            await().untilAsserted(
                            () -> {
                                TestHub.Reply reply = hub.get("/health/ready");
                                assertThat(reply.status()).isEqualTo(503);
                                assertThat(reply.body())
                                        .contains("MQTT: no message of edgex/events/# has been");
                            });
            broker.give(
                    version ->
                            Optional.of(
                                    Packets.publish(
                                            version,
                                            "edgex/events/a",
                                            1,
                                            """
                                            {"device":"d","readings":[{"name":"n","value":"1"}]}
                                            """)));
            await().until(() -> hub.get("/api/v1/event/count").body().strip().equals("1"));
            await().until(() -> hub.get("/health/ready").status() == 200);
        }
    }
}
