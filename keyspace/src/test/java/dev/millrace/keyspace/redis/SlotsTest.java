package dev.millrace.keyspace.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.keyspace.testing.SharedServers;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class SlotsTest {

    @Test
    void the_checksum_is_the_one_of_the_cluster_specification() {
        assertThat(Slots.crc16("123456789")).isEqualTo(0x31C3);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "", "a", "event:created", "{iv9}event:created", "c.{chX}.clock", "{}x", "{}{a}",
                "x{", "x{a", "x}a{b}", "{{a}}", "{a}{b}", "ü{ö}ä", "foo{bar}{zap}"
            })
    void a_key_has_the_slot_that_a_server_says(String key) {
        assertThat((long) Slots.of(key))
                .isEqualTo(SharedServers.cluster().command(0, "CLUSTER", "KEYSLOT", key));
    }
}
