package dev.millrace.hub.pubsub.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.hub.settings.Network;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.net.InetAddress;
import java.util.List;
import java.util.Optional;

/** Row by row of what the reference does. */
class RealIpTest {

    private static String of(String header, String neighbour, String... values) {
        Optional<String> name = Optional.ofNullable(header);
        return new RealIp(name, AllowedValues.PRIVATE)
                .of(InetAddress.ofLiteral(neighbour), List.of(values));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            nullValues = "none",
            value = {
                // no header is configured
                "none; 10.0.0.1; 192.0.2.1; 10.0.0.1",
                // the neighbour is not trusted
                "X-Forwarded-For; 192.0.2.9; 192.0.2.1; 192.0.2.9",
                "X-Real-IP; 192.0.2.9; 192.0.2.1; 192.0.2.9",
                // the last one that is not trusted
                "X-Forwarded-For; 10.0.0.1; 192.0.2.1; 192.0.2.1",
                "X-Forwarded-For; 10.0.0.1; 192.0.2.1, 192.168.0.1; 192.0.2.1",
                "X-Forwarded-For; 10.0.0.1; 192.0.2.1, 192.168.0.1, 192.0.2.2, 192.168.0.1;"
                        + " 192.0.2.2",
                "x-forwarded-for; 10.0.0.1; 192.0.2.1, 192.168.0.1; 192.0.2.1",
                "X-Forwarded-For; 10.0.0.1; 2001:db8::7, fd00::1; 2001:db8::7",
                // all are trusted: the one furthest away
                "X-Forwarded-For; 10.0.0.1; 10.9.9.9, 192.168.0.1; 10.9.9.9",
                // what is not an address cannot be trusted
                "X-Forwarded-For; 10.0.0.1; 10.9.9.9, unknown, 192.168.0.1; unknown",
                "X-Forwarded-For; 10.0.0.1; ''; 10.0.0.1",
                // any other header is the address
                "X-Real-IP; 10.0.0.1; 192.0.2.1; 192.0.2.1",
                "CF-Connecting-IP; ::1; 2001:db8::7; 2001:db8::7",
                "X-Real-IP; 10.0.0.1; 192.168.7.7; 192.168.7.7"
            })
    void the_client_is_the_one_that_a_trusted_proxy_names(
            String header, String neighbour, String value, String client) {
        assertThat(of(header, neighbour, value)).isEqualTo(client);
    }

    @ParameterizedTest
    @CsvSource(
            nullValues = "none",
            value = {"X-Forwarded-For", "X-Real-IP", "none"})
    void without_the_header_it_is_the_neighbour(String header) {
        assertThat(of(header, "10.0.0.1")).isEqualTo("10.0.0.1");
    }

    @ParameterizedTest
    @CsvSource({"X-Forwarded-For, 192.0.2.2"})
    void a_header_that_comes_twice_is_one_list(String header, String client) {
        assertThat(of(header, "10.0.0.1", "192.0.2.1", "192.0.2.2, 10.0.0.7")).isEqualTo(client);
    }

    @ParameterizedTest
    @CsvSource({
        "10.1.2.3, true",
        "172.16.0.1, true",
        "172.32.0.1, false",
        "192.168.1.1, true",
        "127.0.0.1, true",
        "169.254.1.1, true",
        "192.0.2.1, false",
        "fd00::1, true",
        "::1, true",
        "fe80::1, true",
        "2001:db8::1, false",
        "11.0.0.1, false"
    })
    void private_addresses(String address, boolean isPrivate) {
        List<Network> ranges = AllowedValues.PRIVATE;
        assertThat(RealIp.contains(ranges, InetAddress.ofLiteral(address))).isEqualTo(isPrivate);
    }
}
