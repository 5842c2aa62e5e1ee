package dev.millrace.hub.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.millrace.hub.access.AccessSettings.Mode;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

/** Networks, and the settings they are part of. */
class NetworkTest {
    static InetAddress address(String text) {
        return InetAddress.ofLiteral(text);
    }

    @ParameterizedTest(name = "{0} covers {1}: {2}")
    @CsvSource({
        "10.0.0.0/8=viewer,          10.0.0.0,           true",
        "10.0.0.0/8=viewer,          10.255.255.255,     true",
        "10.0.0.0/8=viewer,          11.0.0.0,           false",
        "10.0.0.0/8=viewer,          9.255.255.255,      false",
        "10.0.0.0/8=viewer,          ::ffff:10.1.2.3,    true",
        "10.0.0.0/8=viewer,          ::10.1.2.3,         false",
        "::ffff:10.0.0.0/104=viewer, 10.9.9.9,           true",
        "::ffff:10.0.0.0/104=viewer, 11.9.9.9,           false",
        "192.168.1.128/25=viewer,    192.168.1.128,      true",
        "192.168.1.128/25=viewer,    192.168.1.127,      false",
        "192.168.1.64/26=viewer,     192.168.1.127,      true",
        "192.168.1.64/26=viewer,     192.168.1.128,      false",
        "192.168.1.7=viewer,         192.168.1.7,        true",
        "192.168.1.7=viewer,         192.168.1.6,        false",
        "192.168.1.7/32=viewer,      192.168.1.7,        true",
        "0.0.0.0/0=viewer,           203.0.113.9,        true",
        "0.0.0.0/0=viewer,           2001:db8::1,        false",
        "::/0=viewer,                2001:db8::1,        true",
        "::/0=viewer,                10.0.0.1,           false",
        "fd00::/8=viewer,            fdff::1,            true",
        "fd00::/8=viewer,            fe00::1,            false",
        "2001:db8:0:8000::/49=viewer, 2001:db8:0:ffff::1, true",
        "2001:db8:0:8000::/49=viewer, 2001:db8:0:7fff::1, false",
        "2001:db8::1=viewer,         2001:db8::1,        true",
        "2001:db8::1=viewer,         2001:db8::2,        false",
        "::1=admin,                  0:0:0:0:0:0:0:1,    true"
    })
    void a_network_covers_its_addresses(String network, String peer, boolean covers) {
        assertThat(Network.parse(network).covers(address(peer))).isEqualTo(covers);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "=viewer",
                "10.0.0.0/8",
                "10.0.0.0/8=",
                "10.0.0.0/33=viewer",
                "fd00::/129=viewer",
                "10.0.0/8=viewer",
                "10/8=viewer",
                "010.0.0.0.0/8=viewer",
                "256.0.0.0/8=viewer",
                "localhost=viewer",
                "example.org/8=viewer",
                "10.0.0.0/-1=viewer",
                "10.0.0.0/8=root",
                "fe80::1%eth0/64=viewer",
                "10.0.0.0/8/8=viewer",
                "::ffff:10.0.0.0/8=viewer",
                ":=viewer"
            })
    void what_is_no_network_is_refused_with_a_sentence(String text) {
        assertThatThrownBy(() -> Network.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageEndingWith(".");
    }

    @Test
    void an_address_inside_a_network_is_probably_a_mistake() {
        assertThatThrownBy(() -> Network.parse("10.1.2.3/8=viewer"))
                .hasMessageContaining("write 10.0.0.0/8 for the network, or /32 for the address");
    }

    @Test
    void the_most_specific_network_counts_also_where_it_gives_less() {
        AccessSettings settings =
                AccessSettings.defaults()
                        .withNetworks(
                                Stream.of(
                                                "10.0.0.0/8=operator",
                                                "10.9.0.0/16=viewer",
                                                "10.9.9.9=admin",
                                                "fd00::/8=viewer")
                                        .map(Network::parse)
                                        .toList());
        assertThat(settings.networkOf(address("10.1.1.1")).map(Network::role))
                .contains(Role.OPERATOR);
        assertThat(settings.networkOf(address("10.9.1.1")).map(Network::role))
                .contains(Role.VIEWER);
        assertThat(settings.networkOf(address("10.9.9.9")).map(Network::role)).contains(Role.ADMIN);
        assertThat(settings.networkOf(address("192.168.0.1"))).isEmpty();
    }

    @Test
    void a_network_is_named_once() {
        List<Network> twice =
                List.of(Network.parse("10.0.0.0/8=viewer"), Network.parse("10.0.0.0/8=admin"));
        assertThatThrownBy(() -> AccessSettings.defaults().withNetworks(twice))
                .hasMessage("10.0.0.0/8 is named twice; give it one role.");
    }

    @Test
    void defaults_are_open_and_without_networks() {
        assertThat(AccessSettings.defaults())
                .isEqualTo(new AccessSettings(Mode.OPEN, List.of(), 5, Duration.ofMinutes(1)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "127.8.8.8", "::1", "localhost"})
    void open_is_allowed_on_a_loopback_address(String host) {
        assertThat(AccessSettings.defaults().problemWith(host)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"0.0.0.0", "::", "", " ", "10.0.0.1", "no such host", "::ffff:0:0"})
    void open_is_refused_elsewhere(String host) {
        assertThat(AccessSettings.defaults().problemWith(host))
                .hasValueSatisfying(why -> assertThat(why).contains("access.mode=token"));
        assertThat(AccessSettings.defaults().withMode(Mode.TOKEN).problemWith(host)).isEmpty();
    }
}
