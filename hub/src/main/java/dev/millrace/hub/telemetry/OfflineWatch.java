package dev.millrace.hub.telemetry;

import static dev.millrace.hub.telemetry.TelemetryLayouts.CHANNEL_STATUS;
import static dev.millrace.hub.telemetry.TelemetryLayouts.ONLINE;

import dev.millrace.hub.telemetry.kept.ChannelConfiguration;
import dev.millrace.hub.telemetry.kept.Numbers;
import dev.millrace.hub.telemetry.kept.PointIds;
import dev.millrace.hub.work.Duty;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.commit.Stored;
import dev.millrace.keyspace.store.Cursor;
import dev.millrace.keyspace.store.Page;
import dev.millrace.keyspace.store.Query;
import dev.millrace.keyspace.store.Store;

import io.micrometer.core.instrument.MeterRegistry;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Notices channels that have fallen silent. One hub of a site does it. When a channel must be heard
 * of again is worked out from what is stored, so a restart changes nothing; a channel is read once
 * in the time that it may be silent, and those that are online once in a while.
 */
final class OfflineWatch implements AutoCloseable {
    private static final Duration STEP = Duration.ofSeconds(1);
    private static final int STEPS_UNTIL_ALL = 5;
    private static final int PAGE = 1000;

    /** The stored time has no fractions. */
    private static final Duration GRAIN = Duration.ofSeconds(1);

    private final ChannelBook book;
    private final Values values;
    private final ValueWrites writes;
    private final Duration standard;
    private final InstantSource clock;
    private final Store<ChannelStatus> statuses;
    private final Duty duty;

    /** When to look at a channel again; of the duty's thread alone. */
    private final Map<Integer, Instant> due = new HashMap<>();

    private int steps;

    OfflineWatch(
            Keyspace keyspace,
            ChannelBook book,
            Values values,
            ValueWrites writes,
            Duration standard,
            MeterRegistry figures,
            InstantSource clock) {
        this.book = book;
        this.values = values;
        this.writes = writes;
        this.standard = standard;
        this.clock = clock;
        this.statuses = keyspace.store(CHANNEL_STATUS);
        this.duty = Duty.start(keyspace, "telemetry-offline", figures, this::step);
    }

    private Duration step(Duty.Turn turn) {
        Instant now = clock.instant();
        if (steps++ % STEPS_UNTIL_ALL == 0) {
            discover(now);
        }
        List<String> ids = new ArrayList<>();
        due.forEach(
                (channel, at) -> {
                    if (!at.isAfter(now)) {
                        ids.add(Integer.toString(channel));
                    }
                });
        ids.forEach(id -> due.remove(PointIds.channel(id)));
        for (Stored<ChannelStatus> each : statuses.getMany(ids)) {
            if (turn.mine()) {
                look(each, now);
            }
        }
        return STEP;
    }

    private void discover(Instant now) {
        Optional<Cursor> from = Optional.empty();
        do {
            Query<ChannelStatus> query = statuses.query(ONLINE).limit(PAGE);
            from.ifPresent(query::after);
            Page<ChannelStatus> page = query.page();
            for (Stored<ChannelStatus> each : page.items()) {
                int channel = PointIds.channel(each.id());
                if (channel > 0) {
                    due.putIfAbsent(channel, now);
                }
            }
            from = page.next();
        } while (from.isPresent());
    }

    private void look(Stored<ChannelStatus> status, Instant now) {
        int channel = PointIds.channel(status.id());
        if (!status.value().online()) {
            return;
        }
        String text = status.value().lastUpdate();
        double last = text == null ? Double.NaN : Numbers.parse(text);
        if (!(last > 0 && last < 1e11)) {
            // Whoever wrote this says that it is online, and will say when it is not.
            return;
        }
        Instant deadline =
                Instant.ofEpochSecond((long) last).plus(mayBeSilent(channel)).plus(GRAIN);
        if (deadline.isAfter(now)) {
            due.put(channel, deadline);
            return;
        }
        writes.silent(values.channel(channel), status, now, type -> values.all(channel, type));
        due.put(channel, now.plus(STEP));
    }

    private Duration mayBeSilent(int channel) {
        return book.get(channel).flatMap(ChannelConfiguration::offlineAfter).orElse(standard);
    }

    @Override
    public void close() {
        duty.close();
    }
}
