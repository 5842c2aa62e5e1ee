package dev.millrace.hub.telemetry;

import static dev.millrace.hub.telemetry.TelemetryLayouts.CHANNEL_STATUS;
import static dev.millrace.hub.telemetry.TelemetryLayouts.ONLINE;
import static dev.millrace.hub.telemetry.TelemetryLayouts.STATUS;

import dev.millrace.hub.site.Site;
import dev.millrace.hub.telemetry.kept.ChannelConfiguration;
import dev.millrace.hub.telemetry.kept.JsonText;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.commit.Commit;
import dev.millrace.keyspace.commit.Stored;
import dev.millrace.keyspace.feed.Feed;
import dev.millrace.keyspace.store.Store;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Whether channels are heard of. Both hashes that say so change in one commit, with the count of
 * the channels that are online and an event. Thread-safe.
 */
final class ChannelHealth {
    private static final String EVENT = "channel";
    private static final String NONE = "0";

    private final Site site;
    private final ChannelBook book;
    private final Feed feed;
    private final Store<ChannelStatus> statuses;

    ChannelHealth(Keyspace keyspace, Site site, ChannelBook book) {
        this.site = site;
        this.book = book;
        this.feed = keyspace.feed(ValueWrites.TOPIC);
        this.statuses = keyspace.store(CHANNEL_STATUS);
    }

    /** What a commit goes by, read if it must be. */
    Channel.Known known(Channel channel) {
        Channel.Known known = channel.status;
        return known == null ? read(channel) : known;
    }

    /** Reads it anew. */
    Channel.Known read(Channel channel) {
        Optional<Stored<ChannelStatus>> stored = statuses.get(channel.owner);
        stored.map(each -> number(each.value().successCount()))
                .ifPresent(count -> channel.successes.updateAndGet(mine -> Math.max(mine, count)));
        Channel.Known known = new Channel.Known(stored.orElse(null));
        channel.status = known;
        return known;
    }

    private static long number(@Nullable String text) {
        try {
            return text == null ? 0 : Long.parseLong(text);
        } catch (NumberFormatException e) {
            return 0;
        }
    }

    /**
     * Adds to a commit that something was heard of the channel, unless that was said in this
     * second.
     *
     * @return whether anything was added
     */
    boolean heard(Channel channel, Channel.Known known, Commit commit, long second) {
        if (channel.statusSecond == second
                || book.get(channel.id).filter(each -> !each.enabled()).isPresent()) {
            return false;
        }
        Stored<ChannelStatus> before = known.stored();
        String now = Long.toString(second);
        ChannelStatus after =
                new ChannelStatus(
                        channel.owner,
                        ChannelStatus.ONLINE_WORD,
                        now,
                        before == null || before.value().errorCount() == null
                                ? NONE
                                : before.value().errorCount(),
                        Long.toString(channel.successes.get() + 1));
        Map<String, String> fields = new HashMap<>();
        fields.put("online", "true");
        fields.put("last_update", now);
        boolean changed = before == null || !before.value().online();
        if (changed) {
            fields.put("error_count", String.valueOf(after.errorCount()));
        }
        write(commit, before, after);
        commit.setFields(STATUS.at(channel.owner), fields);
        if (changed) {
            channel.status = null;
            tell(channel, commit, after, before, Instant.ofEpochSecond(second));
        }
        return true;
    }

    private static void write(
            Commit commit, @Nullable Stored<ChannelStatus> before, ChannelStatus after) {
        if (before == null) {
            commit.create(CHANNEL_STATUS, after);
        } else {
            commit.update(CHANNEL_STATUS, before, after);
        }
    }

    /**
     * Nothing was heard of the channel for too long.
     *
     * @param before its status, and the commit is refused if it was heard of since
     */
    void silent(Channel channel, Commit commit, Stored<ChannelStatus> before, Instant at) {
        ChannelStatus was = before.value();
        ChannelStatus after =
                new ChannelStatus(
                        was.channelId(),
                        ChannelStatus.OFFLINE_WORD,
                        was.lastUpdate(),
                        was.errorCount(),
                        was.successCount());
        write(commit, before, after);
        commit.setFields(STATUS.at(channel.owner), Map.of("online", "false"));
        channel.status = null;
        channel.statusSecond = 0;
        tell(channel, commit, after, before, at);
    }

    private void tell(
            Channel channel,
            Commit commit,
            ChannelStatus after,
            @Nullable Stored<ChannelStatus> before,
            Instant at) {
        String from = before == null ? null : before.value().status();
        String status = String.valueOf(after.status());
        site.size(commit, channel.owner, Site.Counted.ACTIVE_CHANNELS, CHANNEL_STATUS, ONLINE);
        site.event(
                commit,
                channel.owner,
                EVENT,
                Map.of(
                        "type",
                        status,
                        "channel_id",
                        channel.id,
                        "name",
                        book.get(channel.id).map(ChannelConfiguration::name).orElse(channel.owner),
                        "previous",
                        from == null ? "" : from),
                at);
        commit.with(feed.fact(fact(channel.id, status, at)));
    }

    private static byte[] fact(int channel, String status, Instant at) {
        StringBuilder out = new StringBuilder("{\"channel_id\":");
        out.append(channel).append(",\"status\":");
        JsonText.append(out, status);
        out.append(",\"timestamp\":\"").append(Texts.iso(at)).append("\"}");
        return out.toString().getBytes(StandardCharsets.UTF_8);
    }
}
