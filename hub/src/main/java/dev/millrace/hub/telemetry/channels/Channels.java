package dev.millrace.hub.telemetry.channels;

import static dev.millrace.hub.telemetry.kept.TelemetryLayouts.CHANNELS;
import static dev.millrace.hub.telemetry.kept.TelemetryLayouts.CONFIGURED;

import dev.millrace.hub.ems.EmsCode;
import dev.millrace.hub.ems.Refused;
import dev.millrace.hub.http.Json;
import dev.millrace.hub.site.Site;
import dev.millrace.hub.telemetry.bus.Operations;
import dev.millrace.hub.telemetry.bus.Spoken;
import dev.millrace.hub.telemetry.kept.ChannelConfiguration;
import dev.millrace.hub.telemetry.kept.TelemetryLayouts;
import dev.millrace.hub.work.BackOff;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.commit.Commit;
import dev.millrace.keyspace.commit.Stored;
import dev.millrace.keyspace.layout.Declaration;
import dev.millrace.keyspace.redis.outcome.Outcome;
import dev.millrace.keyspace.redis.outcome.Reason;
import dev.millrace.keyspace.redis.outcome.RedisException;
import dev.millrace.keyspace.store.Cells;
import dev.millrace.keyspace.store.Store;

import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Configurations of channels, as they are changed. What a configuration says and the number that
 * counts all changes are the site's; its points and its status live with the channel. On a single
 * server that is one commit; in a cluster it is two, and what is missing after a crash in between
 * comes with the next change or the next value of the channel. Thread-safe.
 */
public final class Channels {
    static final String VERSION = "_version";
    private static final String UPDATED = "_updated_at";

    /** About two seconds. */
    private static final int ATTEMPTS = 48;

    private static final BackOff BACK_OFF =
            BackOff.doubling(Duration.ofMillis(1), Duration.ofMillis(50)).spread(0.5, 0);

    private final Keyspace keyspace;
    private final Site site;
    private final ChannelBook book;
    private final Heard heard;
    private final Supplier<Set<String>> watched;
    private final Spoken spoken;
    private final InstantSource clock;
    private final Store<ChannelConfiguration> store;
    private final Beside beside;
    private final ReentrantLock changing = new ReentrantLock(true);

    /**
     * All channels.
     *
     * @param watched the sources of which some room watches a field
     * @param spoken whose configurations are looked at more closely
     */
    public Channels(
            Keyspace keyspace,
            Site site,
            ChannelBook book,
            Heard heard,
            Supplier<Set<String>> watched,
            Spoken spoken,
            InstantSource clock) {
        this.keyspace = keyspace;
        this.site = site;
        this.book = book;
        this.heard = heard;
        this.watched = watched;
        this.spoken = spoken;
        this.clock = clock;
        this.store = keyspace.store(CHANNELS);
        this.beside = new Beside(keyspace, site, heard);
    }

    Spoken spoken() {
        return spoken;
    }

    /** What became of a change. */
    sealed interface Changed {
        record Done(ChannelConfiguration channel) implements Changed {}

        record Not(Refused why) implements Changed {}
    }

    /** The configuration as it is stored now. */
    public Optional<ChannelConfiguration> get(int id) {
        return store.get(Integer.toString(id)).map(Stored::value);
    }

    /** Whether there is such a channel: somebody has configured it, or it has values. */
    public boolean exists(int channel) {
        if (book.get(channel).isPresent()) {
            return true;
        }
        String id = Integer.toString(channel);
        Cells cells = keyspace.cells();
        var telemetry = cells.size(TelemetryLayouts.TELEMETRY.at(id));
        var signals = cells.size(TelemetryLayouts.SIGNALS.at(id));
        return telemetry.answer().or(0L) > 0 || signals.answer().or(0L) > 0;
    }

    /** How many points of the channel are known. */
    long points(int channel) {
        return keyspace.cells()
                .size(TelemetryLayouts.POINTS.at(Integer.toString(channel)))
                .answer()
                .or(0L);
    }

    // ---------------------------------------------------------------- changing

    Changed create(int id, ObjectNode document, String user) {
        return again(
                () -> {
                    if (store.get(Integer.toString(id)).isPresent()) {
                        return refused(
                                EmsCode.ALREADY_EXISTS,
                                "Channel %d is configured already.".formatted(id));
                    }
                    return write(id, Optional.empty(), document, user);
                });
    }

    /** The first number that no channel has. */
    int free() {
        int id = 1;
        while (book.get(id).isPresent()) {
            id++;
        }
        return id;
    }

    /**
     * Changes the document of a channel.
     *
     * @param expected the version that it must have, if any
     * @param change of a copy of it; gives the new one, or why there is none
     */
    Changed change(
            int id, OptionalLong expected, String user, Function<ObjectNode, Change> change) {
        return again(
                () -> {
                    Optional<Stored<ChannelConfiguration>> before = store.get(Integer.toString(id));
                    if (before.isEmpty()) {
                        return unknown(id);
                    }
                    Optional<Refused> stale = stale(before.get(), expected);
                    if (stale.isPresent()) {
                        return Attempt.ended(new Changed.Not(stale.get()));
                    }
                    return switch (change.apply(before.get().value().document().deepCopy())) {
                        case Change.To(ObjectNode document) -> write(id, before, document, user);
                        case Change.Refuse(Refused why) -> Attempt.ended(new Changed.Not(why));
                    };
                });
    }

    /** What a change makes of a document. */
    sealed interface Change {
        record To(ObjectNode document) implements Change {}

        record Refuse(Refused why) implements Change {}
    }

    private static Optional<Refused> stale(
            Stored<ChannelConfiguration> before, OptionalLong expected) {
        long version = before.value().version();
        return expected.isEmpty() || expected.getAsLong() == version
                ? Optional.empty()
                : Optional.of(
                        Refused.of(
                                        EmsCode.VERSION_MISMATCH,
                                        "The configuration has version %d by now."
                                                .formatted(version))
                                .with("version", version));
    }

    private Attempt write(
            int id,
            Optional<Stored<ChannelConfiguration>> before,
            ObjectNode document,
            String user) {
        ObjectNode wanted = document.deepCopy();
        wanted.put("id", id);
        Optional<ObjectNode> old = before.map(each -> each.value().document());
        if (old.isPresent() && bare(old.get()).equals(bare(wanted))) {
            return Attempt.ended(new Changed.Done(before.get().value()));
        }
        Site.Version version = site.version(keyspace);
        Instant now = clock.instant();
        ChannelConfiguration after = stamped(id, wanted, version, now);
        Optional<Refused> mistake = ChannelRules.mistake(after, book.all(), spoken);
        if (mistake.isPresent()) {
            return Attempt.ended(new Changed.Not(mistake.get()));
        }
        Commit commit = keyspace.commitAtSite();
        if (before.isPresent()) {
            commit.replace(CHANNELS, before.get(), after);
        } else {
            commit.create(CHANNELS, after);
        }
        return written(commit, version, before.map(Stored::value), after, user, now);
    }

    /** As it will be read again: what is known of it is compared with what stands in Redis. */
    static ChannelConfiguration stamped(
            int id, ObjectNode document, Site.Version version, Instant now) {
        ObjectNode stamped = document.deepCopy();
        stamped.put("id", id);
        stamped.put(VERSION, version.next());
        stamped.put(UPDATED, now.getEpochSecond());
        return new ChannelConfiguration(id, (ObjectNode) Json.MAPPER.readTree(Json.write(stamped)));
    }

    /** Runs a commit that writes the document, with all that belongs to it. */
    Attempt written(
            Commit commit,
            Site.Version version,
            Optional<ChannelConfiguration> before,
            ChannelConfiguration after,
            String user,
            Instant now) {
        counted(
                commit,
                version,
                new Site.Change(
                        key(after.id()),
                        before.map(ChannelConfiguration::document),
                        Optional.of(after.document()),
                        user));
        String channel = Integer.toString(after.id());
        Outcome<Long> outcome =
                together(channel, commit, part -> beside.follow(part, channel, before, after, now));
        if (outcome.isStored()) {
            book.changed(after.id(), Optional.of(after));
            heard.forget(after.id());
        }
        return new Attempt(outcome, new Changed.Done(after));
    }

    private static ObjectNode bare(ObjectNode document) {
        ObjectNode bare = document.deepCopy();
        bare.remove(List.of(VERSION, UPDATED));
        return bare;
    }

    static String key(int id) {
        return CHANNELS.pattern().key(Integer.toString(id));
    }

    private void counted(Commit commit, Site.Version version, Site.Change change) {
        site.change(commit, version, change, clock.instant());
        site.size(commit, Declaration.SITE, Site.Counted.TOTAL_CHANNELS, CHANNELS, CONFIGURED);
    }

    /** The part of the site, and that of the channel: one commit where they live together. */
    private Outcome<Long> together(String channel, Commit ofSite, Part ofChannel) {
        if (keyspace.liveTogether(Declaration.SITE, channel)) {
            ofChannel.addTo(ofSite.acrossOwners());
            return ofSite.run();
        }
        Outcome<Long> first = ofSite.run();
        if (!first.isStored()) {
            return first;
        }
        Commit second = keyspace.commit(channel);
        ofChannel.addTo(second);
        Outcome<Long> outcome = second.run();
        // Whoever was faster there has written a value or a status: what it was is read again.
        for (int i = 1; i < ATTEMPTS && overtaken(outcome); i++) {
            Commit next = keyspace.commit(channel);
            ofChannel.addTo(next);
            outcome = next.run();
        }
        return outcome;
    }

    private interface Part {
        void addTo(Commit commit);
    }

    // ---------------------------------------------------------------- deleting

    /**
     * Removes a channel with its values.
     *
     * @param force also while others refer to it
     */
    Changed delete(int id, boolean force, String user) {
        return again(
                () -> {
                    Optional<Stored<ChannelConfiguration>> before = store.get(Integer.toString(id));
                    if (before.isEmpty()) {
                        return unknown(id);
                    }
                    List<String> used = usedBy(id);
                    if (!used.isEmpty() && !force) {
                        return Attempt.ended(
                                new Changed.Not(
                                        Refused.of(
                                                        EmsCode.CHANNEL_IN_USE,
                                                        "Others refer to channel %d; force=true"
                                                                        .formatted(id)
                                                                + " deletes it all the same.")
                                                .with("sources", used)));
                    }
                    Site.Version version = site.version(keyspace);
                    Commit commit = keyspace.commitAtSite().delete(CHANNELS, before.get());
                    counted(
                            commit,
                            version,
                            new Site.Change(
                                    key(id),
                                    Optional.of(before.get().value().document()),
                                    Optional.empty(),
                                    user));
                    Operations.forget(commit, id);
                    String channel = Integer.toString(id);
                    Outcome<Long> outcome =
                            together(channel, commit, part -> beside.remove(part, channel));
                    if (outcome.isStored()) {
                        book.changed(id, Optional.empty());
                        heard.forget(id);
                    }
                    return new Attempt(outcome, new Changed.Done(before.get().value()));
                });
    }

    /** Sources of this channel that somebody watches. */
    private List<String> usedBy(int id) {
        return watched.get().stream()
                .filter(source -> source.startsWith("comsrv:" + id + ":"))
                .distinct()
                .sorted()
                .toList();
    }

    // ---------------------------------------------------------------- trying

    /** One try, and what it comes to if it was stored. */
    record Attempt(Outcome<Long> outcome, Changed result) {
        /** There is nothing to do. */
        static Attempt nothing() {
            return ended(new Changed.Not(Refused.of(EmsCode.NOT_FOUND, "")));
        }

        static Attempt ended(Changed result) {
            return new Attempt(Outcome.done(0L), result);
        }
    }

    interface Try {
        Attempt once();
    }

    /** One number counts all changes, so those of this hub come one after another. */
    Changed again(Try change) {
        changing.lock();
        try {
            return alone(change);
        } finally {
            changing.unlock();
        }
    }

    private static Changed alone(Try change) {
        Attempt last = change.once();
        for (int i = 1; i < ATTEMPTS && overtaken(last.outcome); i++) {
            LockSupport.parkNanos(BACK_OFF.after(i - 1).toNanos());
            last = change.once();
        }
        if (overtaken(last.outcome)) {
            throw new RedisException(
                    Reason.UNAVAILABLE, "Others change the configuration at once; try again.");
        }
        last.outcome.orThrow();
        return last.result;
    }

    private static boolean overtaken(Outcome<Long> outcome) {
        return outcome.failedBy(Reason.CONFLICT)
                || outcome.failedBy(Reason.DUPLICATE)
                || outcome.failedBy(Reason.ABSENT);
    }

    private static Attempt unknown(int id) {
        return refused(EmsCode.CHANNEL_NOT_FOUND, "Channel %d is not configured.".formatted(id));
    }

    private static Attempt refused(EmsCode code, String why) {
        return Attempt.ended(new Changed.Not(Refused.of(code, why)));
    }
}
