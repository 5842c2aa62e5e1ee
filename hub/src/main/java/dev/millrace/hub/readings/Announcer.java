package dev.millrace.hub.readings;

import dev.millrace.hub.edgex.EdgexJson;
import dev.millrace.hub.mqtt.FeedSender;
import dev.millrace.hub.mqtt.Mqtt;
import dev.millrace.hub.mqtt.Outgoing;
import dev.millrace.hub.mqtt.Topics;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.feed.Fact;
import dev.millrace.keyspace.feed.FeedReader;

import io.micrometer.core.instrument.MeterRegistry;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells on {@code millrace/events/{device}} of every event that was stored, whichever way it came
 * in, at least once and in the order of its device. When the broker is away for so long that the
 * feed overflows, the oldest announcements are lost, which is logged; the events themselves are
 * there to be asked for.
 */
final class Announcer implements FeedSender.Words {
    private static final Logger log = LoggerFactory.getLogger(Announcer.class);
    private static final FeedSender.Names NAMES =
            new FeedSender.Names("mqtt", "events", "events-mqtt");
    private static final String PREFIX = "millrace/events/";
    private static final int AT_ONCE = 500;

    private Announcer() {}

    /** Begins to tell. */
    static FeedSender start(Keyspace keyspace, Mqtt mqtt, MeterRegistry figures) {
        return FeedSender.start(
                keyspace, EventsService.TOPIC, NAMES, AT_ONCE, mqtt, figures, new Announcer());
    }

    /** Nothing waits any more for one who does not come. */
    static void forget(Keyspace keyspace) {
        FeedSender.forget(keyspace, EventsService.TOPIC, NAMES);
    }

    @Override
    public String topics() {
        return PREFIX + "+";
    }

    @Override
    public Outgoing message(Fact fact) {
        String device = EdgexJson.MAPPER.readTree(fact.body()).path("device").asString("");
        return Outgoing.of(topic(device), fact.body());
    }

    static String topic(String device) {
        return PREFIX + Topics.level(device);
    }

    @Override
    public void afterGap(FeedReader.Unread unread, FeedReader.Gap gap, FeedSender.Told told) {
        log.warn(
                "The broker was away for too long: announcements of events are lost, the events"
                        + " are not. from={} to={}",
                gap.from(),
                gap.to());
    }
}
