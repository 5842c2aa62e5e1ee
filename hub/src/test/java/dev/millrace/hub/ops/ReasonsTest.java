package dev.millrace.hub.ops;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.keyspace.feed.FeedHealth;
import dev.millrace.keyspace.feed.Topic;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Why a hub is not ready, where a real server is hard to bring into that state. */
class ReasonsTest {
    private static final Topic TOPIC = Topic.named("alarms").keeping(Duration.ofDays(1), 500, 1000);

    @Test
    void a_reader_that_holds_up_a_nearly_full_feed_is_a_reason() {
        assertThat(Behind.of(TOPIC, health(900, Topic.Behind.REFUSE, 7)))
                .singleElement()
                .asString()
                .contains("mqtt", "alarms", "7 facts behind", "writes will be refused");
        assertThat(Behind.of(TOPIC, health(950, Topic.Behind.GAP, 7)))
                .singleElement()
                .asString()
                .contains("it will lose facts");
    }

    @Test
    void a_reader_that_is_only_a_little_behind_is_none() {
        assertThat(Behind.of(TOPIC, health(899, Topic.Behind.REFUSE, 7))).isEmpty();
        assertThat(Behind.of(TOPIC, health(1000, Topic.Behind.REFUSE, 0))).isEmpty();
    }

    private static FeedHealth health(long fullest, Topic.Behind policy, long unread) {
        return new FeedHealth(
                fullest,
                fullest,
                List.of(
                        new FeedHealth.Reader(
                                "mqtt", policy, unread, Optional.of(Instant.EPOCH), 0)));
    }
}
