package dev.millrace.hub.telemetry;

import static dev.millrace.hub.telemetry.TelemetryLayouts.CHANNELS;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.hub.RoundTrip;
import dev.millrace.keyspace.layout.Entry;

import org.junit.jupiter.api.Test;

class TelemetryLayoutsTest {

    @Test
    void a_channel_is_found_by_its_protocol() {
        assertThat(CHANNELS.entries(new ChannelConfiguration(1001, "modbus_tcp")))
                .containsExactly(new Entry.Member("idx:channel:protocol:modbus_tcp", "1001"));
    }

    @Test
    void it_lives_and_dies_whole() {
        RoundTrip.of(
                CHANNELS,
                "1001",
                new ChannelConfiguration(1001, "modbus_tcp"),
                new ChannelConfiguration(1001, "virtual"));
    }
}
