package dev.millrace.hub.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.net.InetAddress;

/** Ranges of addresses. */
class NetworkTest {
    @ParameterizedTest(name = "{0} covers {1}: {2}")
    @CsvSource({
        "10.0.0.0/8,          10.0.0.0,           true",
        "10.0.0.0/8,          10.255.255.255,     true",
        "10.0.0.0/8,          11.0.0.0,           false",
        "10.0.0.0/8,          9.255.255.255,      false",
        "10.0.0.0/8,          ::ffff:10.1.2.3,    true",
        "10.0.0.0/8,          ::10.1.2.3,         false",
        "::ffff:10.0.0.0/104, 10.9.9.9,           true",
        "::ffff:10.0.0.0/104, 11.9.9.9,           false",
        "192.168.1.128/25,    192.168.1.128,      true",
        "192.168.1.128/25,    192.168.1.127,      false",
        "192.168.1.64/26,     192.168.1.127,      true",
        "192.168.1.64/26,     192.168.1.128,      false",
        "192.168.1.7,         192.168.1.7,        true",
        "192.168.1.7,         192.168.1.6,        false",
        "192.168.1.7/32,      192.168.1.7,        true",
        "0.0.0.0/0,           203.0.113.9,        true",
        "0.0.0.0/0,           2001:db8::1,        false",
        "::/0,                2001:db8::1,        true",
        "::/0,                10.0.0.1,           false",
        "fd00::/8,            fdff::1,            true",
        "fd00::/8,            fe00::1,            false",
        "2001:db8:0:8000::/49, 2001:db8:0:ffff::1, true",
        "2001:db8:0:8000::/49, 2001:db8:0:7fff::1, false",
        "2001:db8::1,         2001:db8::1,        true",
        "2001:db8::1,         2001:db8::2,        false",
        "::1,                  0:0:0:0:0:0:0:1,    true"
    })
    void a_network_covers_its_addresses(String network, String peer, boolean covers) {
        assertThat(Network.of(network).contains(InetAddress.ofLiteral(peer))).isEqualTo(covers);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "10.0.0.0/33",
                "fd00::/129",
                "10.0.0/8",
                "10/8",
                "010.0.0.0.0/8",
                "256.0.0.0/8",
                "localhost",
                "example.org/8",
                "10.0.0.0/-1",
                "fe80::1%eth0/64",
                "10.0.0.0/8/8",
                "::ffff:10.0.0.0/8",
                ":"
            })
    void what_is_no_network_is_refused_with_a_sentence(String text) {
        assertThatThrownBy(() -> Network.of(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageEndingWith(".");
    }

    @Test
    void an_address_inside_a_network_is_probably_a_mistake() {
        assertThatThrownBy(() -> Network.of("10.1.2.3/8"))
                .hasMessageContaining("is the address of a machine, not of a range");
    }
}
