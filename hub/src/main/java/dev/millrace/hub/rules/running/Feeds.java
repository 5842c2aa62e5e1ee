package dev.millrace.hub.rules.running;

import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.feed.FeedReader;
import dev.millrace.keyspace.feed.Topic;

import org.jspecify.annotations.Nullable;

import java.util.List;

/**
 * The feeds that rules are woken by, and how far they are read. Of the duty alone, but for what
 * says that everybody may call it.
 */
final class Feeds {
    static final String READER = "rules";

    private final Keyspace keyspace;
    private final Topic values;
    private final Topic measurements;
    private final Topic alarms;

    private @Nullable FeedReader alarmReader;
    private @Nullable FeedReader measurementReader;

    /** Also of whoever closes this. */
    private volatile @Nullable FeedReader valueReader;

    Feeds(Keyspace keyspace, Topic values, Topic measurements, Topic alarms) {
        this.keyspace = keyspace;
        this.values = values;
        this.measurements = measurements;
        this.alarms = alarms;
    }

    /** What is written from now on waits to be read. Everybody may call it. */
    void expectSome() {
        for (Topic each : List.of(values, measurements, alarms)) {
            reader(each);
        }
    }

    private FeedReader reader(Topic topic) {
        return keyspace.feed(topic).reader(READER, Topic.Behind.GAP, false);
    }

    /** The same, and it will be read here. */
    void expect() {
        values();
        measurements();
        alarms();
    }

    FeedReader values() {
        FeedReader reader = valueReader;
        if (reader == null) {
            reader = reader(values);
            valueReader = reader;
        }
        return reader;
    }

    FeedReader measurements() {
        FeedReader reader = measurementReader;
        if (reader == null) {
            reader = reader(measurements);
            measurementReader = reader;
        }
        return reader;
    }

    FeedReader alarms() {
        FeedReader reader = alarmReader;
        if (reader == null) {
            reader = reader(alarms);
            alarmReader = reader;
        }
        return reader;
    }

    LiveRule.Ends ends() {
        return new LiveRule.Ends(
                keyspace.feed(values).now().numbers(), keyspace.feed(measurements).now().numbers());
    }

    /** Nothing runs: nobody waits for facts, so they need not be kept. */
    void rest() {
        if (valueReader != null) {
            keyspace.feed(values).forget(READER);
            valueReader = null;
        }
        if (measurementReader != null) {
            keyspace.feed(measurements).forget(READER);
            measurementReader = null;
        }
        if (alarmReader != null) {
            keyspace.feed(alarms).forget(READER);
            alarmReader = null;
        }
    }

    /** Everybody may call it. */
    void waitNoMore() {
        FeedReader reader = valueReader;
        if (reader != null) {
            reader.waitNoMore();
        }
    }
}
