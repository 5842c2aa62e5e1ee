package dev.millrace.hub.telemetry.channels;

import static dev.millrace.hub.telemetry.kept.TelemetryLayouts.CHANNELS;
import static dev.millrace.hub.telemetry.kept.TelemetryLayouts.CONFIGURED;
import static dev.millrace.hub.telemetry.kept.TelemetryLayouts.PROTOCOLS;

import dev.millrace.hub.ems.Refused;
import dev.millrace.hub.site.Site;
import dev.millrace.hub.telemetry.kept.ChannelConfiguration;
import dev.millrace.hub.telemetry.kept.PointIds;
import dev.millrace.hub.work.Seldom;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.commit.Commit;
import dev.millrace.keyspace.commit.Stored;
import dev.millrace.keyspace.layout.Declaration;
import dev.millrace.keyspace.layout.UndecodableException;
import dev.millrace.keyspace.redis.outcome.Outcome;
import dev.millrace.keyspace.store.Cursor;
import dev.millrace.keyspace.store.Query;
import dev.millrace.keyspace.store.Store;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/**
 * Takes over configurations that others write by hand: what they wrote is counted and stamped as
 * any change is, enters the indexes, and counts from then on. What cannot be a configuration stays
 * where it is and counts for nothing; the one before it goes on. Thread-safe.
 */
public final class ForeignChannels {
    private static final Logger log = LoggerFactory.getLogger(ForeignChannels.class);
    private static final int AT_ONCE = 1000;
    private static final String FOREIGN = "foreign";
    private static final Duration A_WHILE = Duration.ofMillis(150);

    private final Keyspace keyspace;
    private final Site site;
    private final ChannelBook book;
    private final Channels channels;
    private final Heard heard;
    private final InstantSource clock;
    private final Store<ChannelConfiguration> store;
    private final Seldom seldom = new Seldom();

    public ForeignChannels(
            Keyspace keyspace,
            Site site,
            ChannelBook book,
            Channels channels,
            Heard heard,
            InstantSource clock) {
        this.keyspace = keyspace;
        this.site = site;
        this.book = book;
        this.channels = channels;
        this.heard = heard;
        this.clock = clock;
        this.store = keyspace.store(CHANNELS);
    }

    /** Somebody may have written or deleted this key, which may have been us. */
    public void touched(String key) {
        int id = PointIds.channel(key.substring(CHANNELS.pattern().head().length()));
        if (id > 0) {
            look(id);
        }
    }

    /**
     * Any of them may have changed. No index knows what others have written, but there are only so
     * many numbers, so all of them are asked for.
     */
    public void sweep() {
        for (int from = 1; from <= PointIds.LARGEST_CHANNEL; from += AT_ONCE) {
            int to = Math.min(from + AT_ONCE - 1, PointIds.LARGEST_CHANNEL);
            for (int id : differing(from, to)) {
                look(id);
            }
        }
    }

    private List<Integer> differing(int from, int to) {
        List<Integer> differing = new ArrayList<>();
        List<Stored<ChannelConfiguration>> found;
        try {
            found =
                    store.getMany(
                            IntStream.rangeClosed(from, to).mapToObj(Integer::toString).toList());
        } catch (UndecodableException e) {
            // One of them is none: each for itself.
            return IntStream.rangeClosed(from, to).boxed().toList();
        }
        for (Stored<ChannelConfiguration> each : found) {
            if (!book.get(each.value().id()).equals(Optional.of(each.value()))) {
                differing.add(each.value().id());
            }
        }
        List<Integer> there = found.stream().map(each -> each.value().id()).toList();
        book.all().stream()
                .map(ChannelConfiguration::id)
                .filter(id -> id >= from && id <= to && !there.contains(id))
                .forEach(differing::add);
        return differing;
    }

    private void look(int id) {
        try {
            if (!store.get(Integer.toString(id)).map(Stored::value).equals(book.get(id))) {
                channels.again(() -> taken(id));
            }
        } catch (UndecodableException e) {
            unfit(id, String.valueOf(e.getMessage()));
        }
    }

    private void unfit(int id, String why) {
        seldom.say(
                unsaid ->
                        log.warn(
                                "What somebody has written is not a configuration and counts for"
                                        + " nothing. channel={} reason={} others={}",
                                id,
                                why,
                                unsaid));
    }

    private Channels.Attempt taken(int id) {
        Optional<Stored<ChannelConfiguration>> stored = store.get(Integer.toString(id));
        Optional<ChannelConfiguration> known = book.get(id);
        Site.Version version = site.version(keyspace);
        if (stored.isEmpty()) {
            return known.map(each -> gone(each, version)).orElseGet(Channels.Attempt::nothing);
        }
        ChannelConfiguration now = stored.get().value();
        if (isOurs(now, known, version)) {
            book.changed(id, Optional.of(now));
            heard.forget(id);
            return Channels.Attempt.nothing();
        }
        Instant at = clock.instant();
        ChannelConfiguration after = Channels.stamped(id, now.document(), version, at);
        Optional<Refused> mistake = ChannelRules.mistake(after, book.all(), channels.spoken());
        if (mistake.isPresent()) {
            unfit(id, mistake.get().message());
            return Channels.Attempt.nothing();
        }
        // As it was known it has left entries that the text does not tell of any more.
        Stored<ChannelConfiguration> before =
                new Stored<>(
                        stored.get().id(),
                        known.orElse(now),
                        stored.get().raw(),
                        stored.get().place());
        Commit commit = keyspace.commitAtSite().replace(CHANNELS, before, after);
        return channels.written(commit, version, known, after, FOREIGN, at);
    }

    /**
     * Whether a hub has written it, this one or another: then it has been counted, is in the index,
     * and is newer than what is known. Somebody who copies a stamp copies an old one.
     */
    private boolean isOurs(
            ChannelConfiguration now, Optional<ChannelConfiguration> known, Site.Version version) {
        if (known.equals(Optional.of(now))) {
            return true;
        }
        if (known.isEmpty()) {
            book.reload();
            return book.get(now.id()).equals(Optional.of(now));
        }
        return now.version() > known.get().version() && now.version() < version.next();
    }

    /** Somebody has deleted the text: what the indexes say of it goes too, its values stay. */
    private Channels.Attempt gone(ChannelConfiguration known, Site.Version version) {
        // Asking an index mends what it says of things that were gone a while ago, too.
        ask(known);
        LockSupport.parkNanos(A_WHILE.toNanos());
        ask(known);
        Commit commit = keyspace.commitAtSite();
        site.change(
                commit,
                version,
                new Site.Change(
                        Channels.key(known.id()),
                        Optional.of(known.document()),
                        Optional.empty(),
                        FOREIGN),
                clock.instant());
        site.size(commit, Declaration.SITE, Site.Counted.TOTAL_CHANNELS, CHANNELS, CONFIGURED);
        Outcome<Long> outcome = commit.run();
        if (outcome.isStored()) {
            book.changed(known.id(), Optional.empty());
            heard.forget(known.id());
        }
        return new Channels.Attempt(outcome, new Channels.Changed.Done(known));
    }

    private void ask(ChannelConfiguration known) {
        book.reload();
        Query<ChannelConfiguration> alike = store.query(PROTOCOLS, known.protocol()).limit(AT_ONCE);
        Optional<Cursor> next = alike.page().next();
        while (next.isPresent()) {
            next = alike.after(next.get()).page().next();
        }
    }
}
