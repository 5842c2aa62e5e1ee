package dev.millrace.hub.telemetry.kept;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Chapter 3: raw values of devices and those that people read. */
class ConversionTest {
    @ParameterizedTest
    @CsvSource({
        "T, 0.5, 10, false, 100, 60",
        "A, 0.5, 10, true, 100, 60",
        "S, 0.5, 10, false, 1, 1",
        "S, 1, 0, true, 0, 1",
        "S, 1, 0, true, 1, 0",
        "C, 2, 5, false, 1, 1",
        "C, 1, 0, true, 1, 0"
    })
    void a_raw_value_becomes_an_engineering_value_and_back(
            PointType type,
            double scale,
            double offset,
            boolean reverse,
            double raw,
            double engineering) {
        Conversion conversion = new Conversion(scale, offset, reverse);
        assertThat(conversion.engineering(type, raw)).isEqualTo(engineering);
        assertThat(conversion.raw(type, engineering)).isEqualTo(raw);
    }

    @Test
    void every_raw_state_but_0_is_0_when_it_is_reversed() {
        assertThat(new Conversion(1, 0, true).engineering(PointType.S, 7)).isZero();
    }

    @Test
    void a_scale_of_0_is_a_mistake() {
        assertThatThrownBy(() -> new Conversion(0, 0, false))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
