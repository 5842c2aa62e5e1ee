package dev.millrace.hub.readings;

import dev.millrace.hub.edgex.EdgexJson;
import dev.millrace.hub.mqtt.Mqtt;
import dev.millrace.hub.mqtt.MqttException;
import dev.millrace.hub.mqtt.Outgoing;
import dev.millrace.hub.mqtt.Sender;
import dev.millrace.hub.mqtt.Topics;
import dev.millrace.hub.work.Duty;
import dev.millrace.keyspace.Fact;
import dev.millrace.keyspace.Feed;
import dev.millrace.keyspace.FeedReader;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.Topic;
import dev.millrace.keyspace.redis.RedisException;

import io.micrometer.core.instrument.MeterRegistry;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Tells on {@code millrace/events/{device}} of every event that was stored, whichever way it came
 * in, at least once and in the order of its device. It reads the feed of events with a cursor of
 * its own, in one hub of the site, and moves the cursor when the broker has acknowledged; storing
 * an event never waits for it. When the broker is away for so long that the feed overflows, the
 * oldest announcements are lost, which is logged; the events themselves are there to be asked for.
 */
final class Announcer implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Announcer.class);
    private static final String READER = "mqtt";
    private static final String PREFIX = "millrace/events/";
    private static final int AT_ONCE = 500;
    private static final Duration WAIT = Duration.ofSeconds(1);
    private static final Duration BROKER_AWAY = Duration.ofSeconds(2);

    private final Feed feed;
    private final Sender sender;
    private final Duty duty;

    /** Only the duty's own thread looks at it. */
    private @Nullable FeedReader reader;

    Announcer(Keyspace keyspace, Mqtt mqtt, MeterRegistry figures) {
        feed = keyspace.feed(EventsService.TOPIC);
        sender = mqtt.sender("events");
        duty = Duty.start(keyspace, "events-mqtt", figures, this::step);
    }

    /** Nothing waits any more for one who does not come. */
    static void forget(Keyspace keyspace) {
        try {
            keyspace.feed(EventsService.TOPIC).forget(READER);
        } catch (RedisException e) {
            log.warn(
                    "The feed of events may still wait for an announcer. reason={}",
                    e.getMessage());
        }
    }

    private Duration step(Duty.Turn turn) {
        FeedReader known = reader;
        if (known == null) {
            known = feed.reader(READER, Topic.Behind.GAP, false);
            reader = known;
        }
        try {
            for (FeedReader.Unread unread : known.next(AT_ONCE, WAIT)) {
                if (!turn.mine()) {
                    break;
                }
                announce(known, unread, turn);
            }
            return Duration.ZERO;
        } catch (MqttException e) {
            // The hallway has said it already.
            return BROKER_AWAY;
        }
    }

    private void announce(FeedReader known, FeedReader.Unread unread, Duty.Turn turn) {
        if (unread.gap().isPresent()) {
            FeedReader.Gap gap = unread.gap().get();
            log.warn(
                    "The broker was away for too long: announcements of events are lost, the events"
                            + " are not. from={} to={}",
                    gap.from(),
                    gap.to());
            known.commit(unread).gapClosed(unread, gap).fenced(turn.lease()).run().orThrow();
        }
        if (unread.facts().isEmpty()) {
            return;
        }
        List<Outgoing> messages = new ArrayList<>(unread.facts().size());
        for (Fact fact : unread.facts()) {
            messages.add(Outgoing.of(topic(fact), fact.body()));
        }
        try {
            sender.send(messages);
        } catch (MqttException e) {
            if (e.refused().isEmpty()) {
                throw e;
            }
            log.warn("Some events cannot be announced. reason={}", e.getMessage());
        }
        known.commit(unread)
                .read(unread, unread.facts().getLast())
                .fenced(turn.lease())
                .run()
                .orThrow();
    }

    private static String topic(Fact fact) {
        return topic(EdgexJson.MAPPER.readTree(fact.body()).path("device").asString(""));
    }

    static String topic(String device) {
        return PREFIX + Topics.level(device);
    }

    @Override
    public void close() {
        duty.close();
        sender.close();
    }
}
