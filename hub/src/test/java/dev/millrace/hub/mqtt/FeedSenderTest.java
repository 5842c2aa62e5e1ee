package dev.millrace.hub.mqtt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.hub.access.AccessLayouts;
import dev.millrace.hub.access.AccessSettings;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.feed.Fact;
import dev.millrace.keyspace.feed.Feed;
import dev.millrace.keyspace.feed.FeedReader;
import dev.millrace.keyspace.feed.Topic;
import dev.millrace.keyspace.redis.Redis;
import dev.millrace.keyspace.testing.Patience;
import dev.millrace.keyspace.testing.SharedServers;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;

/** What a feed says is told to those who listen, from the moment on from which they do. */
class FeedSenderTest {
    private static final Topic TOPIC =
            Topic.named("told").keeping(Duration.ofDays(1), 1 << 10, 1 << 10);
    private static final FeedSender.Names NAMES = new FeedSender.Names("r", "r", "told-r");

    @TempDir Path directory;
    private final SimpleMeterRegistry figures = new SimpleMeterRegistry();
    private final Queue<String> told = new ConcurrentLinkedQueue<>();
    private TestAccess access;
    private Redis redis;
    private Keyspace keyspace;
    private Mqtt mqtt;

    @BeforeEach
    void open() {
        SharedServers.flushAll();
        access = new TestAccess(AccessSettings.Mode.OPEN);
        redis = Redis.open(Patience.options(SharedServers.standalone().url()));
        keyspace = new Keyspace(redis, Keyspace.catalogue(AccessLayouts.all()));
        mqtt = MqttSamples.settings("mqtt.embedded.port=0").open(directory, access.gate(), figures);
        mqtt.letGuestsIn();
    }

    @AfterEach
    void close() {
        mqtt.close();
        redis.close();
        access.close();
    }

    /** Says what it is asked, and how often a gap was closed. */
    private final class Words implements FeedSender.Words {
        @Override
        public String topics() {
            return "told/#";
        }

        @Override
        public Outgoing message(Fact fact) {
            told.add(new String(fact.body(), UTF_8));
            return Outgoing.of("told/x", fact.body());
        }

        @Override
        public void afterGap(FeedReader.Unread unread, FeedReader.Gap gap, FeedSender.Told teller) {
            told.add("gap");
        }
    }

    /** Lets somebody come, and write something, in the very moment in which it was asked. */
    private static final class Late implements Audience {
        private final AtomicInteger asked = new AtomicInteger();
        private final int when;
        private final Runnable then;

        Late(int when, Runnable then) {
            this.when = when;
            this.then = then;
        }

        @Override
        public boolean isThere() {
            int now = asked.incrementAndGet();
            if (now == when) {
                then.run();
            }
            return now > when;
        }

        @Override
        public void whenItComes(Runnable run) {}
    }

    private void write(String text) {
        Feed feed = keyspace.feed(TOPIC);
        keyspace.commit("x").with(feed.fact(text.getBytes(UTF_8))).run().orThrow();
    }

    private FeedSender start(Audience audience) {
        return FeedSender.start(keyspace, TOPIC, NAMES, 10, mqtt, figures, audience, new Words());
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5})
    void what_is_written_after_somebody_came_is_told_whenever_that_was(int when) {
        write("before");
        FeedSender sender = start(new Late(when, () -> write("after")));
        await().untilAsserted(() -> assertThat(told).contains("after"));
        sender.close();
    }

    @Test
    void what_was_dropped_while_nobody_listened_is_no_gap_for_those_who_come() {
        keyspace.feed(TOPIC).reader("r", Topic.Behind.GAP, false);
        for (int n = 0; n < 200; n++) {
            write("fact number " + n);
        }
        keyspace.feed(TOPIC).trim();
        assertThat(keyspace.feed(TOPIC).health().readers().getFirst().lost()).isPositive();
        FeedSender sender = start(new Late(4, () -> write("after")));
        await().untilAsserted(() -> assertThat(told).contains("after"));
        sender.close();
        assertThat(List.copyOf(told)).containsExactly("after");
    }
}
