package dev.millrace.hub.shop.pages.rfc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.millrace.hub.http.Header;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import java.time.Duration;
import java.util.Arrays;
import java.util.Set;
import java.util.stream.Stream;

/** Times, which a test of behaviour would have to wait for: what is fresh, stale, gone. */
class StoringTest {
    private static final long NOW = 1_700_000_000_000L;
    private static final Policy POLICY =
            new Policy(
                    Duration.ofSeconds(300),
                    Duration.ofSeconds(30),
                    Duration.ofHours(1),
                    Set.of(200),
                    false);

    private static Fields fields(String... lines) {
        return new Fields(
                Arrays.stream(lines)
                        .map(each -> each.split(": ", 2))
                        .map(each -> new Header(each[0], each[1]))
                        .toList());
    }

    private static Storing of(String... lines) {
        return Storing.of(POLICY, fields(), 200, fields(lines), NOW - 2000, NOW);
    }

    static Stream<Arguments> lifetimes() {
        return Stream.of(
                // fresh, while refreshed, on error, age; in seconds
                arguments("", 300, 30, 3600, 0),
                arguments("Cache-Control: max-age=10", 10, 30, 3600, 0),
                arguments("Cache-Control: s-maxage=10", 10, 0, 0, 0),
                arguments("Cache-Control: s-maxage=10, stale-if-error=5", 10, 0, 5, 0),
                arguments("Cache-Control: max-age=10, stale-while-revalidate=7", 10, 7, 3600, 0),
                arguments("Cache-Control: max-age=10, must-revalidate", 10, 0, 0, 0),
                arguments("Cache-Control: max-age=10, proxy-revalidate", 10, 0, 0, 0),
                arguments(
                        "Cache-Control: max-age=10, must-revalidate, stale-if-error=9",
                        10,
                        0,
                        0,
                        0),
                arguments("Cache-Control: max-age=10|Age: 3", 10, 30, 3600, 5),
                arguments("Cache-Control: max-age=10|Age: -3", 10, 30, 3600, 0),
                arguments("Cache-Control: max-age=10|Age: 3, 8", 10, 30, 3600, 5),
                arguments(
                        "Cache-Control: max-age=100|Date: Tue, 14 Nov 2023 22:12:30 GMT",
                        100,
                        30,
                        3600,
                        50),
                arguments(
                        "Date: Tue, 14 Nov 2023 22:13:20 GMT|Expires: Tue, 14 Nov 2023 22:14:20"
                                + " GMT",
                        60,
                        30,
                        3600,
                        0),
                arguments("Expires: Tue, 14 Nov 2023 22:14:20 GMT", 60, 30, 3600, 0));
    }

    @ParameterizedTest
    @MethodSource("lifetimes")
    void it_is_fresh_and_of_use_for_so_long(
            String headers, long fresh, long refreshed, long error, long age) {
        Storing storing = headers.isEmpty() ? of() : of(headers.split("\\|"));
        assertThat(storing).isInstanceOf(Storing.May.class);
        Storing.May may = (Storing.May) storing;
        assertThat(may.lifetime())
                .isEqualTo(
                        new Lifetime(
                                fresh * 1000,
                                refreshed * 1000,
                                error * 1000,
                                headers.contains("s-maxage") || headers.contains("must-rev")));
        assertThat(may.age()).isEqualTo(age * 1000);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    0    |                             | GIVE
                    9    |                             | GIVE
                    10   |                             | GIVE_AND_REFRESH
                    39   |                             | GIVE_AND_REFRESH
                    40   |                             | REFRESH
                    109  |                             | REFRESH
                    110  |                             | GONE
                    5    | no-cache                    | ASKED_FOR_ANEW
                    15   | no-cache                    | REFRESH
                    5    | max-age=4                   | ASKED_FOR_ANEW
                    5    | max-age=5                   | GIVE
                    5    | min-fresh=5                 | GIVE
                    5    | min-fresh=6                 | ASKED_FOR_ANEW
                    15   | max-stale=60                | GIVE_AND_REFRESH
                    """)
    void what_is_done_with_it_depends_on_its_age_and_on_who_asks(
            long age, String wish, Using using) {
        Fields asked = wish == null ? fields() : fields("Cache-Control: " + wish);
        Lifetime lifetime = new Lifetime(10_000, 30_000, 100_000, false);
        assertThat(Using.of(lifetime, age * 1000, asked, true)).isEqualTo(using);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    Tue, 14 Nov 2023 22:13:20 GMT     | true
                    Mon, 14 Nov 2023 22:13:20 GMT     | true
                    Tuesday, 14-Nov-23 22:13:20 GMT   | true
                    Tue Nov 14 22:13:20 2023          | true
                    14 Nov 2023 22:13:20 GMT          | false
                    Tue, 14 Nov 2023 22:13:20         | false
                    Tue, 14 Nov 2023 25:13:20 GMT     | false
                    0                                 | false
                    """)
    void times_are_read_in_three_forms(String text, boolean right) {
        assertThat(HttpDate.read(text).filter(at -> at == NOW).isPresent()).isEqualTo(right);
    }
}
