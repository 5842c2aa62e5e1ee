package dev.millrace.hub.mqtt;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.hub.access.AccessSettings;
import dev.millrace.hub.access.Role;
import dev.millrace.hub.mqtt.Packets.Connect;
import dev.millrace.keyspace.testing.SharedServers;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** An embedded broker and those who come to it. */
final class TestHouse implements AutoCloseable {
    /** Sessions in tests stay for this long if they stay at all. */
    static final int STAYING = 3600;

    final TestAccess access;
    final TestEmbedded broker;

    private TestHouse(Path directory, AccessSettings.Mode mode, String... settings) {
        access = new TestAccess(mode);
        List<String> all = new ArrayList<>(List.of("mqtt.embedded.port=0"));
        all.addAll(List.of(settings));
        broker =
                new TestEmbedded(
                        directory, access.gate(), MqttSamples.settings(all.toArray(String[]::new)));
    }

    /** Where tokens are looked at. */
    static TestHouse open(Path directory, String... settings) {
        SharedServers.flushAll();
        return new TestHouse(directory, AccessSettings.Mode.TOKEN, settings);
    }

    /** Where everybody may come. */
    static TestHouse withoutTokens(Path directory, String... settings) {
        return new TestHouse(directory, AccessSettings.Mode.OPEN, settings);
    }

    String token(String name, Role role) {
        return access.token(name, role);
    }

    int port() {
        return broker.url().port();
    }

    /** What the broker says to this. */
    RawMqtt say(Connect connect) {
        return RawMqtt.open(port()).send(connect.packet());
    }

    /** As one who is let in. */
    RawMqtt enter(Connect connect) {
        RawMqtt client = say(connect);
        assertThat(client.await(RawMqtt.CONNACK).code()).as("%s", connect).isZero();
        return client;
    }

    /** One whose session ends with the connection. */
    RawMqtt guest(int version, String id, String token) {
        return enter(Connect.of(version, id).as(token));
    }

    /** One whose session stays. */
    RawMqtt durable(int version, String id, String token) {
        return enter(Connect.of(version, id).as(token).staying(STAYING));
    }

    /** Says whether it is let in, and takes leave again. */
    boolean mayEnter(Connect connect) {
        try (RawMqtt client = say(connect)) {
            boolean may = client.await(RawMqtt.CONNACK).code() == 0;
            if (may) {
                client.leave();
            }
            return may;
        }
    }

    double malformed() {
        return broker.figures.counter("millrace.mqtt.embedded.malformed").count();
    }

    void restart() {
        broker.stop();
        broker.start();
    }

    @Override
    public void close() {
        broker.close();
        access.close();
    }
}
