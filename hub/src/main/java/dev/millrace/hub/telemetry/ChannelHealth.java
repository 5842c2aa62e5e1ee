package dev.millrace.hub.telemetry;

import static dev.millrace.hub.telemetry.kept.TelemetryLayouts.CHANNEL_STATUS;
import static dev.millrace.hub.telemetry.kept.TelemetryLayouts.ONLINE;
import static dev.millrace.hub.telemetry.kept.TelemetryLayouts.STATUS;

import dev.millrace.hub.ems.JsonText;
import dev.millrace.hub.site.Site;
import dev.millrace.hub.telemetry.bus.Tally;
import dev.millrace.hub.telemetry.channels.ChannelBook;
import dev.millrace.hub.telemetry.channels.Heard;
import dev.millrace.hub.telemetry.kept.ChannelConfiguration;
import dev.millrace.hub.telemetry.kept.ChannelStatus;
import dev.millrace.hub.telemetry.kept.TelemetryLayouts;
import dev.millrace.hub.telemetry.kept.Texts;
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
final class ChannelHealth implements Heard {
    private static final String EVENT = "channel";
    private static final String NONE = "0";
    private static final long SECONDS_BETWEEN = 10;

    private final Site site;
    private final ChannelBook book;
    private final KnownChannels channels;
    private final Feed feed;
    private final Store<ChannelStatus> statuses;

    ChannelHealth(Keyspace keyspace, Site site, ChannelBook book, KnownChannels channels) {
        this.channels = channels;
        this.site = site;
        this.book = book;
        this.feed = keyspace.feed(TelemetryLayouts.TOPIC);
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
        ChannelStatus after = status(channel, before, ChannelStatus.ONLINE_WORD, now);
        Map<String, String> fields = new HashMap<>();
        fields.put("online", "true");
        fields.put("last_update", now);
        boolean changed = before == null || !before.value().online();
        if (changed || channel.tally != null) {
            fields.put("error_count", String.valueOf(after.errorCount()));
        }
        write(commit, before, after);
        polls(channel, commit, second);
        commit.setFields(STATUS.at(channel.owner), fields);
        if (changed) {
            channel.status = null;
            tell(channel, commit, after, before, Instant.ofEpochSecond(second));
        }
        return true;
    }

    /** With the counts of whoever polls the channel, or as they were. */
    private static ChannelStatus status(
            Channel channel,
            @Nullable Stored<ChannelStatus> before,
            String word,
            @Nullable String lastUpdate) {
        Tally tally = channel.tally;
        if (tally != null) {
            return new ChannelStatus(
                    channel.owner,
                    word,
                    lastUpdate,
                    Long.toString(tally.errors()),
                    Long.toString(tally.successes()));
        }
        String errors = before == null ? null : before.value().errorCount();
        return new ChannelStatus(
                channel.owner,
                word,
                lastUpdate,
                errors == null ? NONE : errors,
                Long.toString(channel.successes.get() + 1));
    }

    /** How polling goes: when something has changed that matters, and else now and then. */
    private static void polls(Channel channel, Commit commit, long second) {
        Tally tally = channel.tally;
        Tally written = channel.written;
        if (tally == null || (written != null && isSaid(channel, written, tally, second))) {
            return;
        }
        channel.written = tally;
        channel.writtenSecond = second;
        commit.setFields(
                TelemetryLayouts.polls(channel.owner),
                Map.of(
                        "started_ms", Long.toString(tally.started()),
                        "reconnects", Long.toString(tally.reconnects()),
                        "last_ms", Double.toString(tally.lastMillis()),
                        "average_ms", Double.toString(tally.averageMillis()),
                        "last_error", tally.lastError(),
                        "last_error_at", Long.toString(tally.lastErrorAt())));
    }

    private static boolean isSaid(Channel channel, Tally written, Tally tally, long second) {
        return written.started() == tally.started()
                && written.reconnects() == tally.reconnects()
                && written.lastError().equals(tally.lastError())
                && second - channel.writtenSecond < SECONDS_BETWEEN;
    }

    /**
     * Adds to a commit how polling goes, of a channel of which nothing was heard just now.
     *
     * @param known its status, if there is one
     */
    void counted(Channel channel, Channel.Known known, Commit commit, long second) {
        Stored<ChannelStatus> before = known.stored();
        String word = before == null ? null : before.value().status();
        String last = before == null ? NONE : before.value().lastUpdate();
        ChannelStatus after =
                status(channel, before, word == null ? ChannelStatus.OFFLINE_WORD : word, last);
        write(commit, before, after);
        commit.setFields(
                STATUS.at(channel.owner),
                Map.of("error_count", String.valueOf(after.errorCount())));
        polls(channel, commit, second);
    }

    @Override
    public void silent(int channel, Commit commit, Stored<ChannelStatus> before, Instant at) {
        silent(channels.get(channel), commit, before, ChannelStatus.OFFLINE_WORD, at);
    }

    @Override
    public void forget(int channel) {
        channels.get(channel).forget();
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
     * Nothing is heard of the channel any more.
     *
     * @param before its status, and the commit is refused if it was heard of since
     * @param word what it is now: offline or error
     */
    void silent(
            Channel channel, Commit commit, Stored<ChannelStatus> before, String word, Instant at) {
        ChannelStatus was = before.value();
        Tally tally = channel.tally;
        ChannelStatus after =
                tally == null
                        ? new ChannelStatus(
                                was.channelId(),
                                word,
                                was.lastUpdate(),
                                was.errorCount(),
                                was.successCount())
                        : status(channel, before, word, was.lastUpdate());
        write(commit, before, after);
        Map<String, String> fields = new HashMap<>();
        fields.put("online", "false");
        if (tally != null) {
            fields.put("error_count", String.valueOf(after.errorCount()));
        }
        commit.setFields(STATUS.at(channel.owner), fields);
        polls(channel, commit, at.getEpochSecond());
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
