package dev.millrace.hub.telemetry;

import static dev.millrace.hub.telemetry.kept.TelemetryLayouts.CHANNELS;
import static dev.millrace.hub.telemetry.kept.TelemetryLayouts.CHANNEL_STATUS;
import static dev.millrace.hub.telemetry.kept.TelemetryLayouts.CONFIGURED;
import static dev.millrace.hub.telemetry.kept.TelemetryLayouts.ONLINE;

import dev.millrace.hub.site.Site;
import dev.millrace.hub.telemetry.channels.ChannelBook;
import dev.millrace.hub.telemetry.kept.ChannelConfiguration;
import dev.millrace.hub.telemetry.kept.ChannelStatus;
import dev.millrace.hub.telemetry.kept.Numbers;
import dev.millrace.hub.telemetry.kept.PointIds;
import dev.millrace.hub.work.Duty;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.commit.Commit;
import dev.millrace.keyspace.commit.Stored;
import dev.millrace.keyspace.layout.Declaration;
import dev.millrace.keyspace.store.Cursor;
import dev.millrace.keyspace.store.Page;
import dev.millrace.keyspace.store.Query;
import dev.millrace.keyspace.store.Store;

import io.micrometer.core.instrument.MeterRegistry;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
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
    /** A channel that is online since is found within this time; what is due is known. */
    private static final Duration STEP = Duration.ofSeconds(5);

    private static final Duration BETWEEN_SUMS = Duration.ofSeconds(30);
    private static final int PAGE = 1000;

    /** One that was heard of just now, or that others write at once with us. */
    private static final Duration AGAIN = Duration.ofSeconds(1);

    private static final Duration LEAST = Duration.ofMillis(500);

    /** The stored time has no fractions. */
    private static final Duration GRAIN = Duration.ofSeconds(1);

    private final Keyspace keyspace;
    private final Site site;
    private final ChannelBook book;
    private final Values values;
    private final ValueWrites writes;
    private final Duration standard;
    private final InstantSource clock;
    private final Store<ChannelStatus> statuses;
    private final Duty duty;

    /** When to look at a channel again; of the duty's thread alone. */
    private final Map<Integer, Instant> due = new HashMap<>();

    private Instant nextDiscovery = Instant.MIN;
    private Instant nextSum = Instant.MIN;

    OfflineWatch(
            Keyspace keyspace,
            Site site,
            ChannelBook book,
            Values values,
            ValueWrites writes,
            Duration standard,
            MeterRegistry figures,
            InstantSource clock) {
        this.keyspace = keyspace;
        this.site = site;
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
        if (!now.isBefore(nextDiscovery)) {
            discover(now);
            nextDiscovery = now.plus(STEP).minus(LEAST);
        }
        sum(now);
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
        return due.values().stream()
                .min(Comparator.naturalOrder())
                .map(first -> Duration.between(clock.instant(), first))
                .filter(left -> left.compareTo(STEP) < 0)
                .map(left -> left.compareTo(LEAST) < 0 ? LEAST : left)
                .orElse(STEP);
    }

    /** What stands in the status of the system is what there is, whoever has written there. */
    private void sum(Instant now) {
        if (now.isBefore(nextSum) || keyspace.redis().cluster()) {
            return;
        }
        Commit commit = keyspace.commitAtSite();
        site.size(commit, Declaration.SITE, Site.Counted.TOTAL_CHANNELS, CHANNELS, CONFIGURED);
        site.size(commit, Declaration.SITE, Site.Counted.ACTIVE_CHANNELS, CHANNEL_STATUS, ONLINE);
        commit.run().orThrow();
        nextSum = now.plus(BETWEEN_SUMS);
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
        due.put(channel, now.plus(AGAIN));
    }

    private Duration mayBeSilent(int channel) {
        return book.get(channel).flatMap(ChannelConfiguration::offlineAfter).orElse(standard);
    }

    @Override
    public void close() {
        duty.close();
    }
}
