package dev.millrace.hub.telemetry.channels;

import static dev.millrace.hub.telemetry.kept.TelemetryLayouts.CHANNEL_STATUS;
import static dev.millrace.hub.telemetry.kept.TelemetryLayouts.ONLINE;

import dev.millrace.hub.site.Site;
import dev.millrace.hub.telemetry.kept.ChannelConfiguration;
import dev.millrace.hub.telemetry.kept.ChannelStatus;
import dev.millrace.hub.telemetry.kept.PointType;
import dev.millrace.hub.telemetry.kept.TelemetryLayouts;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.commit.Commit;
import dev.millrace.keyspace.commit.Stored;
import dev.millrace.keyspace.store.Store;

import java.time.Instant;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * What lives with a channel beside its configuration, which is the site's: the index of its points,
 * its status, its values and its queues. Thread-safe.
 */
final class Beside {
    private final Keyspace keyspace;
    private final Site site;
    private final Heard heard;
    private final Store<ChannelStatus> statuses;

    Beside(Keyspace keyspace, Site site, Heard heard) {
        this.keyspace = keyspace;
        this.site = site;
        this.heard = heard;
        this.statuses = keyspace.store(CHANNEL_STATUS);
    }

    /** Adds what a new configuration, or another one, makes of it. */
    void follow(
            Commit commit,
            String channel,
            Optional<ChannelConfiguration> before,
            ChannelConfiguration after,
            Instant now) {
        Set<String> points = references(after);
        before.ifPresent(
                old -> {
                    Set<String> gone = references(old);
                    gone.removeAll(points);
                    gone.removeAll(withValues(channel));
                    gone.forEach(
                            point ->
                                    commit.removeMember(
                                            TelemetryLayouts.POINTS.at(channel), point));
                });
        Set<String> known = before.map(Beside::references).orElse(Set.of());
        points.stream()
                .filter(point -> !known.contains(point))
                .forEach(point -> commit.addMember(TelemetryLayouts.POINTS.at(channel), point));
        Optional<Stored<ChannelStatus>> status = statuses.get(channel);
        if (status.isEmpty()) {
            commit.create(
                    CHANNEL_STATUS,
                    new ChannelStatus(channel, ChannelStatus.OFFLINE_WORD, "0", "0", "0"));
            commit.setFields(
                    TelemetryLayouts.STATUS.at(channel),
                    Map.of("online", "false", "last_update", "0", "error_count", "0"));
        } else if (!after.enabled() && status.get().value().online()) {
            heard.silent(after.id(), commit, status.get(), now);
        }
    }

    private static Set<String> references(ChannelConfiguration channel) {
        Set<String> references = new HashSet<>();
        for (PointType type : PointType.values()) {
            channel.points(type).forEach(each -> references.add(type.reference(each.point())));
        }
        return references;
    }

    private Set<String> withValues(String channel) {
        Set<String> references = new HashSet<>();
        for (PointType type : PointType.values()) {
            keyspace.cells()
                    .hash(TelemetryLayouts.values(type).at(channel))
                    .answer()
                    .or(Map.of())
                    .keySet()
                    .forEach(point -> references.add(type.reference(point)));
        }
        return references;
    }

    /** Adds that all of it goes, the values too. */
    void remove(Commit commit, String channel) {
        for (PointType type : PointType.values()) {
            commit.delete(TelemetryLayouts.values(type).at(channel));
            if (type.isRead()) {
                commit.delete(TelemetryLayouts.times(type).at(channel))
                        .delete(TelemetryLayouts.qualities(type).at(channel));
            }
        }
        commit.delete(TelemetryLayouts.STATUS.at(channel))
                .delete(TelemetryLayouts.polls(channel))
                .delete(TelemetryLayouts.POINTS.at(channel))
                .removeMember(TelemetryLayouts.index(channel), channel);
        TelemetryLayouts.queues(channel).forEach(commit::delete);
        statuses.get(channel).ifPresent(status -> commit.delete(CHANNEL_STATUS, status));
        site.size(commit, channel, Site.Counted.ACTIVE_CHANNELS, CHANNEL_STATUS, ONLINE);
    }
}
