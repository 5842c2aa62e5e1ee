package dev.millrace.hub.alarms.telling;

import dev.millrace.hub.alarms.kept.AlarmReads;
import dev.millrace.hub.alarms.kept.AlarmsKept;
import dev.millrace.hub.alarms.logic.Alarm;
import dev.millrace.hub.alarms.logic.AlarmRule;
import dev.millrace.hub.alarms.logic.Level;
import dev.millrace.hub.mqtt.FeedSender;
import dev.millrace.hub.mqtt.Mqtt;
import dev.millrace.hub.mqtt.Outgoing;
import dev.millrace.hub.mqtt.Topics;
import dev.millrace.hub.notifications.Notifying;
import dev.millrace.hub.pubsub.Publishing;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.feed.Fact;
import dev.millrace.keyspace.feed.FeedReader;
import dev.millrace.keyspace.redis.outcome.RedisException;

import io.micrometer.core.instrument.MeterRegistry;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/** Tells people and programs what happens to alarms. */
public final class Telling implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Telling.class);
    private static final String NOTIFYING = "alarms-notifications";
    private static final String PUBLISHING = "alarms-messages";
    private static final FeedSender.Names MQTT =
            new FeedSender.Names("alarms-mqtt", "alarms", "alarms-mqtt");
    private static final String TOPIC = "millrace/alarms/";
    private static final int AT_ONCE = 200;
    private static final String SENDER = "alarms";

    private final Keyspace keyspace;
    private final MeterRegistry figures;
    private final AlarmReads reads;
    private final Deque<Runnable> opened = new ArrayDeque<>();

    /** Which alarms people are notified of. */
    @FunctionalInterface
    public interface Selection {
        /** Whether it is sent as critical; empty if nobody is told. */
        Optional<Boolean> critical(Optional<Level> level, String category);
    }

    public Telling(Keyspace keyspace, MeterRegistry figures, AlarmReads reads) {
        this.keyspace = keyspace;
        this.figures = figures;
        this.reads = reads;
    }

    /** Alarms become notifications, and these end with them. */
    public void notifications(Notifying notifying, Selection selection) {
        closing(
                FactReader.start(
                        keyspace,
                        AlarmsKept.TOPIC,
                        NOTIFYING,
                        figures,
                        fact -> notify(Told.of(fact.body()), notifying, selection),
                        () -> reads.active().forEach(each -> again(each, notifying, selection))));
    }

    private static void notify(Told told, Notifying notifying, Selection selection) {
        if (told.isEnd()) {
            notifying.close(told.slug(), "cleared");
        } else if (told.isNews()) {
            selection
                    .critical(told.level(), told.category())
                    .ifPresent(
                            critical ->
                                    notifying.tell(
                                            told.slug(),
                                            SENDER,
                                            critical,
                                            told.title(),
                                            labels(told)));
        }
    }

    private static List<String> labels(Told told) {
        String level = told.level().map(Level::word).orElse("");
        return told.category().isEmpty()
                ? List.of("alarm", level)
                : List.of("alarm", level, told.category());
    }

    private static void again(Alarm alarm, Notifying notifying, Selection selection) {
        Told told =
                new Told(
                        "triggered",
                        alarm.ruleId(),
                        alarm.text(Alarm.RENDERED, ""),
                        Level.of(alarm.text(AlarmRule.LEVEL, "")),
                        alarm.text(AlarmRule.CATEGORY, ""),
                        alarm.text(Alarm.STATE, "UNACK"),
                        true,
                        alarm.number(Alarm.COUNT));
        notify(told, notifying, selection);
    }

    /** What happens is published on a message channel. */
    public void messages(Publishing publishing, Optional<String> channel) {
        if (channel.isEmpty()) {
            forget(PUBLISHING);
            return;
        }
        closing(
                FactReader.start(
                        keyspace,
                        AlarmsKept.TOPIC,
                        PUBLISHING,
                        figures,
                        fact -> publishing.publish(channel.get(), messageId(fact), fact.body()),
                        () -> {}));
    }

    /** The same fact is the same message, however often it is sent. */
    private static String messageId(Fact fact) {
        return "alarm-%d-%d-%d".formatted(fact.shard(), fact.number(), fact.time());
    }

    /** What happens is told on a topic for each rule. */
    public void mqtt(Mqtt mqtt, boolean wanted) {
        if (wanted && mqtt.on()) {
            closing(
                    FeedSender.start(
                            keyspace,
                            AlarmsKept.TOPIC,
                            MQTT,
                            AT_ONCE,
                            mqtt,
                            figures,
                            new Announcements()));
        } else {
            FeedSender.forget(keyspace, AlarmsKept.TOPIC, MQTT);
        }
    }

    private void closing(FactReader reader) {
        opened.push(reader::close);
    }

    private void closing(FeedSender sender) {
        opened.push(sender::close);
    }

    private void forget(String reader) {
        try {
            keyspace.feed(AlarmsKept.TOPIC).forget(reader);
        } catch (RedisException e) {
            log.warn("The feed of alarms may still wait. for={} reason={}", reader, e.getMessage());
        }
    }

    /** One message for each fact. */
    private static final class Announcements implements FeedSender.Words {
        @Override
        public String topics() {
            return TOPIC + "+";
        }

        @Override
        public Outgoing message(Fact fact) {
            return Outgoing.of(TOPIC + Topics.level(Told.of(fact.body()).rule()), fact.body());
        }

        @Override
        public void afterGap(FeedReader.Unread unread, FeedReader.Gap gap, FeedSender.Told told) {
            log.warn(
                    "The broker was away for too long: some announcements of alarms are lost."
                            + " from={} to={}",
                    gap.from(),
                    gap.to());
        }
    }

    @Override
    public void close() {
        while (!opened.isEmpty()) {
            opened.pop().run();
        }
    }
}
