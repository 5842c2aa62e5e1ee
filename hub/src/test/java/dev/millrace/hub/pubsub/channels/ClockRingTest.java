package dev.millrace.hub.pubsub.channels;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The arithmetic of clocks, near both ends. */
public class ClockRingTest {
    private static final long MAX = ClockRing.MAX;
    private static final long MIN = ClockRing.MIN;

    @Test
    void after_the_last_comes_the_first() {
        assertThat(MAX).isEqualTo(9007199254740991L);
        assertThat(MIN).isEqualTo(-9007199254740991L);
        assertThat(ClockRing.next(MAX)).isEqualTo(MIN);
        assertThat(ClockRing.next(-1)).isZero();
        assertThat(ClockRing.distance(MAX, MIN)).isEqualTo(1);
        assertThat(ClockRing.distance(MIN, MAX)).isEqualTo((1L << 54) - 2);
        assertThat(ClockRing.distance(5, 5)).isZero();
        assertThat(ClockRing.distance(5, 4)).isEqualTo((1L << 54) - 2);
        assertThat(ClockRing.distance(MAX - 2, MIN + 1)).isEqualTo(4);
    }

    public static long clock(String text) {
        if (text.startsWith("MAX") || text.startsWith("MIN")) {
            long more = text.length() == 3 ? 0 : Long.parseLong(text.substring(3));
            return (text.startsWith("MAX") ? MAX : MIN) + more;
        }
        return Long.parseLong(text);
    }

    @ParameterizedTest
    @CsvSource({
        "0, 4, 0, false",
        "0, 4, 1, true",
        "0, 4, 4, true",
        "0, 4, 5, false",
        "-1024, -1000, -1024, false",
        "-1024, -1000, -1012, true",
        "-1024, -1000, -999, false",
        "MAX, MIN, MAX, false",
        "MAX, MIN, MIN, true",
        "MAX, MIN, MIN+1, false",
        "MAX-16, MIN+16, MAX-16, false",
        "MAX-16, MIN+16, MAX-15, true",
        "MAX-16, MIN+16, MIN+16, true",
        "MAX-16, MIN+16, MIN+17, false"
    })
    void a_clock_lies_behind_the_cursor_and_not_behind_the_channel(
            String cursor, String channel, String clock, boolean within) {
        assertThat(ClockRing.within(clock(clock), clock(cursor), clock(channel))).isEqualTo(within);
    }
}
