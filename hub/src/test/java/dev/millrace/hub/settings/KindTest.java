package dev.millrace.hub.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.net.InetAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** How values are written. */
class KindTest {
    private static final Kind<Duration> TIME = Kind.time(Duration.ofMillis(1));

    private static <T> T read(Kind<T> kind, String text) {
        return kind.read(kind.split(text));
    }

    private static void refused(Kind<?> kind, String text, String sentence) {
        assertThatThrownBy(() -> read(kind, text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(sentence);
    }

    @ParameterizedTest
    @CsvSource({
        "1ms, PT0.001S",
        "250ms, PT0.25S",
        "30s, PT30S",
        "5m, PT5M",
        "1h, PT1H",
        "2d, PT48H",
        "3650d, PT87600H"
    })
    void a_time_has_a_unit(String text, Duration time) {
        assertThat(read(TIME, text)).isEqualTo(time);
    }

    @ParameterizedTest
    @CsvSource({"30", "s", "-1s", "1.5s", "30S", "30 s", "1h30m", "1w", "9999999999999s"})
    void what_is_no_time_is_refused(String text) {
        refused(TIME, text, "'" + text + "' is not a valid time; write 250ms, 30s, 5m, 1h or 2d.");
    }

    @ParameterizedTest
    @CsvSource({"0s", "3651d", "999999999999d"})
    void a_time_has_bounds(String text) {
        refused(TIME, text, "'" + text + "' is out of bounds; use 1ms to 3650d.");
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "512, 512",
        "512b, 512",
        "1kb, 1024",
        "1KiB, 1024",
        "1kib, 1024",
        "512mb, 536870912",
        "512MB, 536870912",
        "64MiB, 67108864",
        "4gb, 4294967296",
        "4GiB, 4294967296",
        "1048576GiB, 1125899906842624"
    })
    void a_size_is_a_power_of_1024_however_it_is_spelled(String text, long bytes) {
        assertThat(Bytes.of(text)).isEqualTo(new Bytes(bytes));
    }

    @ParameterizedTest
    @CsvSource({
        "lots",
        "1k",
        "1m",
        "1tb",
        "-1",
        "1.5mb",
        "1 mb",
        "1048577GiB",
        "99999999999999999"
    })
    void what_is_no_size_is_refused(String text) {
        assertThatThrownBy(() -> Bytes.of(text))
                .hasMessage("'" + text + "' is not a valid size; write 16KiB, 512MiB or 4GiB.");
    }

    @ParameterizedTest
    @CsvSource({
        "0, 0",
        "1023, 1023",
        "1024, 1KiB",
        "1536, 1536",
        "1048576, 1MiB",
        "1073741824, 1GiB"
    })
    void a_size_is_shown_as_it_may_be_written(long bytes, String text) {
        assertThat(new Bytes(bytes)).hasToString(text);
        assertThat(Bytes.of(text).count()).isEqualTo(bytes);
    }

    @Test
    void a_size_has_bounds() {
        Kind<Bytes> kind = Kind.size(Bytes.of("1kb"), Bytes.of("1mb"));
        assertThat(read(kind, "1KiB")).isEqualTo(new Bytes(1024));
        refused(kind, "1023", "'1023' is out of bounds; use 1KiB to 1MiB.");
        refused(kind, "2mb", "'2mb' is out of bounds; use 1KiB to 1MiB.");
    }

    @Test
    void a_port_may_be_0() {
        assertThat(read(Kind.PORT, "0")).isZero();
        assertThat(read(Kind.PORT, "65535")).isEqualTo(65535);
        for (String wrong : List.of("65536", "-1", "http", "0x50", "999999")) {
            refused(
                    Kind.PORT,
                    wrong,
                    "'" + wrong + "' is not a valid port; use 1 to 65535, or 0 for a free one.");
        }
    }

    @Test
    void a_number_has_bounds() {
        assertThat(read(Kind.number(1, 9), "9")).isEqualTo(9);
        for (String wrong : List.of("0", "10", "9999999999", "99999999999", "x", "-1")) {
            refused(
                    Kind.number(1, 9),
                    wrong,
                    "'" + wrong + "' is out of bounds; use a number from 1 to 9.");
        }
    }

    @ParameterizedTest
    @CsvSource({"true, true", "YES, true", "on, true", "false, false", "no, false", "off, false"})
    void yes_and_no_have_several_words(String text, boolean meant) {
        assertThat(read(Kind.YES_OR_NO, text)).isEqualTo(meant);
    }

    @Test
    void neither_yes_nor_no_is_refused() {
        refused(Kind.YES_OR_NO, "maybe", "'maybe' is neither true nor false.");
    }

    @ParameterizedTest
    @CsvSource({
        "127.0.0.1, 127.0.0.1",
        "0.0.0.0, 0.0.0.0",
        "::, ::",
        "[::1], ::1",
        "localhost, localhost",
        "gateway.local, gateway.local"
    })
    void a_host_is_a_name_or_an_address(String text, String host) {
        assertThat(read(Kind.HOST, text)).isEqualTo(host);
    }

    @ParameterizedTest
    @CsvSource({"localhost:8080", "::1::", "[fe80"})
    void a_host_has_no_port(String text) {
        assertThatThrownBy(() -> read(Kind.HOST, text))
                .hasMessageStartingWith("'" + text + "' is not ");
    }

    @Test
    void a_host_has_no_path_or_blank() {
        for (String wrong : List.of("a b", "a/b", "-a", "a-")) {
            refused(
                    Kind.HOST,
                    wrong,
                    "'"
                            + wrong
                            + "' is not a valid host name or address; write 127.0.0.1 or"
                            + " gateway.local.");
        }
    }

    @Test
    void a_range_contains_its_addresses() {
        Network ten = Network.of("10.0.0.0/8");
        assertThat(ten.contains(InetAddress.ofLiteral("10.255.1.2"))).isTrue();
        assertThat(ten.contains(InetAddress.ofLiteral("11.0.0.0"))).isFalse();
        assertThat(ten.contains(InetAddress.ofLiteral("a00::"))).isFalse();
        assertThat(ten).hasToString("10.0.0.0/8");
        Network some = Network.of("192.168.4.0/22");
        assertThat(some.contains(InetAddress.ofLiteral("192.168.7.255"))).isTrue();
        assertThat(some.contains(InetAddress.ofLiteral("192.168.8.0"))).isFalse();
        assertThat(Network.of("fd00::/8").contains(InetAddress.ofLiteral("fdab::1"))).isTrue();
        assertThat(Network.of("10.1.2.3").contains(InetAddress.ofLiteral("10.1.2.3"))).isTrue();
        assertThat(Network.of("10.1.2.3").contains(InetAddress.ofLiteral("10.1.2.4"))).isFalse();
        assertThat(Network.of("0.0.0.0/0").contains(InetAddress.ofLiteral("8.8.8.8"))).isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "10.0.0.0/33 | A range of 10.0.0.0 ends in /0 to /32.",
                "10.0.0.1/8 | '10.0.0.1/8' is the address of a machine, not of a range; its last 24"
                        + " bits must be 0.",
                "10.0.0/8/8 | '10.0.0/8/8' is not a valid range of addresses; write 10.0.0.0/8 or"
                        + " 192.168.1.7.",
                "10.0.0.0/x | '10.0.0.0/x' is not a valid range of addresses; write 10.0.0.0/8 or"
                        + " 192.168.1.7.",
                "localhost | 'localhost' is not a valid range of addresses; write 10.0.0.0/8 or"
                        + " 192.168.1.7.",
            })
    void what_is_no_range_is_refused(String text, String sentence) {
        refused(Kind.NETWORK, text, sentence);
    }

    @Test
    void a_list_is_separated_by_commas() {
        assertThat(read(Kind.list(Kind.PORT), " 1, 2 ,,3")).containsExactly(1, 2, 3);
        assertThat(read(Kind.list(Kind.PORT), "")).isEmpty();
    }

    @Test
    void a_map_keeps_its_order_and_has_each_name_once() {
        Kind<Map<String, Integer>> kind = Kind.map(Kind.TEXT, Kind.PORT);
        assertThat(read(kind, "z=1, a = 2")).containsExactly(Map.entry("z", 1), Map.entry("a", 2));
        refused(kind, "z", "'z' is not a valid pair; write name=value.");
        refused(kind, "z=", "'z=' is not a valid pair; write name=value.");
        refused(kind, "=1", "'=1' is not a valid pair; write name=value.");
        refused(kind, "z=1,z=2", "'z' stands there twice.");
    }

    @Test
    void a_choice_has_its_words() {
        Kind<Kind.Form> kind = Kind.choice(Kind.Form.class);
        assertThat(read(kind, "list")).isEqualTo(Kind.Form.LIST);
        assertThat(read(kind, "LIST")).isEqualTo(Kind.Form.LIST);
        refused(kind, "lists", "'lists' is not one of one, list, map, tree.");
    }
}
