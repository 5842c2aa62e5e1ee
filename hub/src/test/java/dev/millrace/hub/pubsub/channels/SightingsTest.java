package dev.millrace.hub.pubsub.channels;

import static org.assertj.core.api.Assertions.assertThat;

import dev.millrace.keyspace.layout.Cell;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;

class SightingsTest {
    private final AtomicLong nanos = new AtomicLong();
    private final Sightings sightings = new Sightings(nanos::get);

    private static Cell.Key cursor(String channel, String subscriber) {
        return PubsubLayouts.CURSOR.at(channel, subscriber);
    }

    @Test
    void a_subscriber_is_noted_once_in_ten_seconds() {
        assertThat(sightings.isDue(cursor("ch", "one"))).isTrue();
        nanos.addAndGet(Duration.ofSeconds(9).toNanos());
        assertThat(sightings.isDue(cursor("ch", "one"))).isFalse();
        nanos.addAndGet(Duration.ofSeconds(1).toNanos());
        assertThat(sightings.isDue(cursor("ch", "one"))).isTrue();
        assertThat(sightings.isDue(cursor("ch", "one"))).isFalse();
    }

    @Test
    void others_are_noted_by_themselves() {
        assertThat(sightings.isDue(cursor("ch", "one"))).isTrue();
        assertThat(sightings.isDue(cursor("ch", "two"))).isTrue();
        assertThat(sightings.isDue(cursor("other", "one"))).isTrue();
    }
}
