package dev.millrace.hub.telemetry.bus.modbus;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.hub.telemetry.bus.modbus.Encoding.Kind;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.HexFormat;
import java.util.Optional;

/** Numbers as they lie in registers. The bytes are those that other programs name, too. */
class EncodingTest {
    private static Encoding encoding(Kind kind, String order) {
        return Encoding.of(kind, order).orElseThrow();
    }

    @ParameterizedTest
    @CsvSource({
        "INT16,   AB,   FFFE,             -2",
        "INT16,   BA,   FEFF,             -2",
        "UINT16,  AB,   FFFE,             65534",
        "UINT16,  BA,   3412,             4660",
        "UINT16,  ABCD, 1234,             4660",
        "UINT16,  CDAB, 1234,             4660",
        "UINT16,  DCBA, 3412,             4660",
        "UINT16,  BADC, 3412,             4660",
        "BOOL,    AB,   0000,             0",
        "BOOL,    AB,   0001,             1",
        "UINT32,  ABCD, 12345678,         305419896",
        "UINT32,  DCBA, 78563412,         305419896",
        "UINT32,  BADC, 34127856,         305419896",
        "UINT32,  CDAB, 56781234,         305419896",
        "UINT32,  AB,   12345678,         305419896",
        "UINT32,  BA,   34127856,         305419896",
        "INT32,   ABCD, FFFFFFFF,         -1",
        "INT32,   CDAB, 0000FFFF,         -65536",
        "FLOAT32, ABCD, 42F6E979,         123.456",
        "FLOAT32, DCBA, 79E9F642,         123.456",
        "FLOAT32, BADC, F64279E9,         123.456",
        "FLOAT32, CDAB, E97942F6,         123.456",
        "FLOAT32, ABCD, 3DCCCCCD,         0.1",
        "FLOAT64, ABCD, 405EDD2F1A9FBE77, 123.456",
        "FLOAT64, DCBA, 77BE9F1A2FDD5E40, 123.456",
        "FLOAT64, BADC, 5E402FDD9F1A77BE, 123.456",
        "FLOAT64, CDAB, BE771A9FDD2F405E, 123.456",
        "INT64,   ABCD, FFFFFFFFFFFFFFFE, -2",
        "INT64,   CDAB, FFFEFFFFFFFFFFFF, -2",
        "UINT64,  ABCD, 0001020304050607, 283686952306183",
        "UINT64,  DCBA, 0706050403020100, 283686952306183",
    })
    void every_type_in_every_order(Kind kind, String order, String bytes, double value) {
        Encoding encoding = encoding(kind, order);
        byte[] registers = HexFormat.of().parseHex(bytes);
        Encoding.Figure number = encoding.number(encoding.bits(registers, 0));
        assertThat(number.value()).isEqualTo(value);
        assertThat(number.exact()).isEmpty();
        byte[] written = encoding.registers(encoding.bits(value).orElseThrow());
        assertThat(HexFormat.of().withUpperCase().formatHex(written)).isEqualTo(bytes);
    }

    @ParameterizedTest
    @CsvSource({
        "INT64,  7FFFFFFFFFFFFFFF, 9223372036854775807",
        "INT64,  8000000000000000, -9223372036854775808",
        "UINT64, FFFFFFFFFFFFFFFF, 18446744073709551615",
        "UINT64, 0020000000000001, 9007199254740993",
    })
    void what_a_double_cannot_hold_keeps_its_digits(Kind kind, String bytes, String text) {
        Encoding encoding = encoding(kind, "ABCD");
        assertThat(encoding.number(encoding.bits(HexFormat.of().parseHex(bytes), 0)).exact())
                .isEqualTo(text);
    }

    @ParameterizedTest
    @CsvSource({
        "INT16,   32767.4,  32767",
        "INT16,   -32768,   -32768",
        "UINT16,  0.5,      0",
        "UINT16,  1.5,      2",
        "FLOAT32, 0.1,      1036831949",
    })
    void what_has_no_room_is_rounded(Kind kind, double value, long bits) {
        assertThat(encoding(kind, "ABCD").bits(value).orElseThrow()).isEqualTo(bits);
    }

    @ParameterizedTest
    @CsvSource({
        "INT16,   32768",
        "INT16,   -32769",
        "UINT16,  -1",
        "UINT16,  65536",
        "INT32,   2147483648",
        "UINT32,  4294967296",
        "INT64,   1e16",
        "UINT64,  -1",
        "FLOAT32, 1e39",
        "BOOL,    2",
        "FLOAT64, NaN",
    })
    void what_does_not_fit_is_refused(Kind kind, double value) {
        assertThat(encoding(kind, "ABCD").bits(value)).isEqualTo(Optional.empty());
    }
}
