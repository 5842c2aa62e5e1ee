package dev.millrace.hub.telemetry.kept;

import static dev.millrace.hub.telemetry.kept.TelemetryLayouts.CHANNELS;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.hub.RoundTrip;
import dev.millrace.hub.http.Json;
import dev.millrace.keyspace.layout.Entry;

import org.junit.jupiter.api.Test;

import tools.jackson.databind.node.ObjectNode;

class TelemetryLayoutsTest {

    @Test
    void a_channel_is_found_by_its_protocol() {
        assertThat(CHANNELS.entries(channel("modbus_tcp")))
                .containsExactly(
                        new Entry.Member("comsrv:configured", "1001"),
                        new Entry.Member("idx:channel:protocol:modbus_tcp", "1001"));
    }

    @Test
    void it_lives_and_dies_whole() {
        RoundTrip.of(CHANNELS, "1001", channel("modbus_tcp"), channel("virtual"));
    }

    private static ChannelConfiguration channel(String protocol) {
        return new ChannelConfiguration(
                1001, (ObjectNode) Json.MAPPER.readTree("{\"protocol\":\"" + protocol + "\"}"));
    }
}
