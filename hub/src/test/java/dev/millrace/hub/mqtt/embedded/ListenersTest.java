package dev.millrace.hub.mqtt.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which filters have a topic in common. */
class ListenersTest {
    @ParameterizedTest
    @CsvSource({
        "a/b, a/b, true",
        "a/b, a/c, false",
        "a/b, a/b/c, false",
        "a/+, a/b, true",
        "a/+, +/b, true",
        "+, a/b, false",
        "#, a/b, true",
        "a/#, a/b/c, true",
        "a/#, a, true",
        "a/b/#, a/+, true",
        "a/#, b/#, false",
        "a/+/c, a/b/#, true",
        "a/+/c, a/b/d, false",
        "a/, a/+, true",
        "a, a/+, false",
        "$sys.retain.a/b, a/#, false"
    })
    void two_filters_overlap_if_some_topic_matches_both(String one, String other, boolean both) {
        assertThat(Listeners.overlap(one, other)).isEqualTo(both);
        assertThat(Listeners.overlap(other, one)).isEqualTo(both);
    }
}
