package dev.millrace.hub.telemetry;

import static dev.millrace.hub.telemetry.TelemetryLayouts.CHANNELS;
import static dev.millrace.hub.telemetry.TelemetryLayouts.CHANNEL_STATUS;
import static dev.millrace.hub.telemetry.TelemetryLayouts.CONFIGURED;
import static dev.millrace.hub.telemetry.TelemetryLayouts.ONLINE;

import dev.millrace.hub.ems.EmsCode;
import dev.millrace.hub.ems.Refused;
import dev.millrace.hub.site.Site;
import dev.millrace.hub.telemetry.kept.ChannelConfiguration;
import dev.millrace.hub.telemetry.kept.PointType;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.commit.Commit;
import dev.millrace.keyspace.commit.Stored;
import dev.millrace.keyspace.layout.Declaration;
import dev.millrace.keyspace.redis.outcome.Outcome;
import dev.millrace.keyspace.redis.outcome.Reason;
import dev.millrace.keyspace.redis.outcome.RedisException;
import dev.millrace.keyspace.store.Store;

import tools.jackson.databind.node.ObjectNode;

import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;

/**
 * Configurations of channels, as they are changed. What a configuration says and the number that
 * counts all changes are the site's; its points and its status live with the channel. On a single
 * server that is one commit; in a cluster it is two, and what is missing after a crash in between
 * comes with the next change or the next value of the channel. Thread-safe.
 */
final class Channels {
    static final String VERSION = "_version";
    private static final String UPDATED = "_updated_at";
    private static final int ATTEMPTS = 16;

    private final Keyspace keyspace;
    private final Site site;
    private final ChannelBook book;
    private final ChannelHealth health;
    private final Values values;
    private final InstantSource clock;
    private final Store<ChannelConfiguration> store;
    private final Store<ChannelStatus> statuses;
    private final List<Contributor> users = new CopyOnWriteArrayList<>();

    Channels(
            Keyspace keyspace,
            Site site,
            ChannelBook book,
            ChannelHealth health,
            Values values,
            InstantSource clock) {
        this.keyspace = keyspace;
        this.site = site;
        this.book = book;
        this.health = health;
        this.values = values;
        this.clock = clock;
        this.store = keyspace.store(CHANNELS);
        this.statuses = keyspace.store(CHANNEL_STATUS);
    }

    void users(List<Contributor> all) {
        users.addAll(all);
    }

    /** What became of a change. */
    sealed interface Changed {
        record Done(ChannelConfiguration channel) implements Changed {}

        record Not(Refused why) implements Changed {}
    }

    /** The configuration as it is stored now. */
    Optional<ChannelConfiguration> get(int id) {
        return store.get(Integer.toString(id)).map(Stored::value);
    }

    // ---------------------------------------------------------------- changing

    Changed create(int id, ObjectNode document) {
        return again(
                () -> {
                    if (store.get(Integer.toString(id)).isPresent()) {
                        return refused(
                                EmsCode.ALREADY_EXISTS,
                                "Channel %d is configured already.".formatted(id));
                    }
                    return write(id, Optional.empty(), document);
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
    Changed change(int id, OptionalLong expected, Function<ObjectNode, Change> change) {
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
                        case Change.To(ObjectNode document) -> write(id, before, document);
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
            int id, Optional<Stored<ChannelConfiguration>> before, ObjectNode document) {
        ObjectNode stamped = document.deepCopy();
        stamped.put("id", id);
        Optional<ObjectNode> old = before.map(each -> each.value().document());
        if (old.isPresent() && bare(old.get()).equals(bare(stamped))) {
            return Attempt.ended(new Changed.Done(before.get().value()));
        }
        Site.Version version = site.version(keyspace);
        Instant now = clock.instant();
        stamped.put(VERSION, version.next());
        stamped.put(UPDATED, now.getEpochSecond());
        ChannelConfiguration after = new ChannelConfiguration(id, stamped);
        Optional<Refused> mistake = ChannelRules.mistake(after, book.all());
        if (mistake.isPresent()) {
            return Attempt.ended(new Changed.Not(mistake.get()));
        }
        Commit commit = keyspace.commitAtSite();
        if (before.isPresent()) {
            commit.replace(CHANNELS, before.get(), after);
        } else {
            commit.create(CHANNELS, after);
        }
        counted(commit, version);
        Channel channel = values.channel(id);
        Outcome<Long> outcome =
                together(
                        channel,
                        commit,
                        part -> beside(part, channel, before.map(Stored::value), after, now));
        if (outcome.isStored()) {
            book.changed(id, Optional.of(after));
            channel.forget();
        }
        return new Attempt(outcome, new Changed.Done(after));
    }

    private static ObjectNode bare(ObjectNode document) {
        ObjectNode bare = document.deepCopy();
        bare.remove(List.of(VERSION, UPDATED));
        return bare;
    }

    private void counted(Commit commit, Site.Version version) {
        site.raise(commit, version);
        site.size(commit, Declaration.SITE, Site.Counted.TOTAL_CHANNELS, CHANNELS, CONFIGURED);
    }

    /** The part of the site, and that of the channel: one commit where they live together. */
    private Outcome<Long> together(Channel channel, Commit ofSite, Part ofChannel) {
        if (keyspace.liveTogether(Declaration.SITE, channel.owner)) {
            ofChannel.addTo(ofSite.acrossOwners());
            return ofSite.run();
        }
        Outcome<Long> first = ofSite.run();
        if (!first.isStored()) {
            return first;
        }
        Commit second = keyspace.commit(channel.owner);
        ofChannel.addTo(second);
        Outcome<Long> outcome = second.run();
        // Whoever was faster there has written a value or a status: what it was is read again.
        for (int i = 1; i < ATTEMPTS && overtaken(outcome); i++) {
            Commit next = keyspace.commit(channel.owner);
            ofChannel.addTo(next);
            outcome = next.run();
        }
        return outcome;
    }

    private interface Part {
        void addTo(Commit commit);
    }

    /** The index of the points, and the status. */
    private void beside(
            Commit commit,
            Channel channel,
            Optional<ChannelConfiguration> before,
            ChannelConfiguration after,
            Instant now) {
        Set<String> points = references(after);
        before.ifPresent(
                old -> {
                    Set<String> gone = references(old);
                    gone.removeAll(points);
                    gone.removeAll(withValues(channel.id));
                    gone.forEach(
                            point ->
                                    commit.removeMember(
                                            TelemetryLayouts.POINTS.at(channel.owner), point));
                });
        Set<String> known = before.map(Channels::references).orElse(Set.of());
        points.stream()
                .filter(point -> !known.contains(point))
                .forEach(
                        point ->
                                commit.addMember(TelemetryLayouts.POINTS.at(channel.owner), point));
        Optional<Stored<ChannelStatus>> status = statuses.get(channel.owner);
        if (status.isEmpty()) {
            commit.create(
                    CHANNEL_STATUS,
                    new ChannelStatus(channel.owner, ChannelStatus.OFFLINE_WORD, "0", "0", "0"));
            commit.setFields(
                    TelemetryLayouts.STATUS.at(channel.owner),
                    Map.of("online", "false", "last_update", "0", "error_count", "0"));
        } else if (!after.enabled() && status.get().value().online()) {
            health.silent(channel, commit, status.get(), now);
        }
    }

    private static Set<String> references(ChannelConfiguration channel) {
        Set<String> references = new HashSet<>();
        for (PointType type : PointType.values()) {
            channel.points(type).forEach(each -> references.add(type.reference(each.point())));
        }
        return references;
    }

    private Set<String> withValues(int id) {
        Set<String> references = new HashSet<>();
        for (PointType type : PointType.values()) {
            values.all(id, type)
                    .values()
                    .keySet()
                    .forEach(point -> references.add(type.reference(point)));
        }
        return references;
    }

    // ---------------------------------------------------------------- deleting

    /**
     * Removes a channel with its values.
     *
     * @param force also while others refer to it
     */
    Changed delete(int id, boolean force) {
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
                    counted(commit, version);
                    Channel channel = values.channel(id);
                    Outcome<Long> outcome =
                            together(channel, commit, part -> without(part, channel));
                    if (outcome.isStored()) {
                        book.changed(id, Optional.empty());
                        channel.forget();
                    }
                    return new Attempt(outcome, new Changed.Done(before.get().value()));
                });
    }

    /** Sources of this channel that somebody watches. */
    private List<String> usedBy(int id) {
        return users.stream()
                .flatMap(each -> each.sources().stream())
                .filter(source -> source.startsWith("comsrv:" + id + ":"))
                .distinct()
                .sorted()
                .toList();
    }

    private void without(Commit commit, Channel channel) {
        String id = channel.owner;
        for (PointType type : PointType.values()) {
            commit.delete(TelemetryLayouts.values(type).at(id));
            if (type.isRead()) {
                commit.delete(TelemetryLayouts.times(type).at(id))
                        .delete(TelemetryLayouts.qualities(type).at(id));
            }
        }
        commit.delete(TelemetryLayouts.STATUS.at(id))
                .delete(TelemetryLayouts.POINTS.at(id))
                .removeMember(TelemetryLayouts.index(id), id);
        statuses.get(id).ifPresent(status -> commit.delete(CHANNEL_STATUS, status));
        site.size(commit, id, Site.Counted.ACTIVE_CHANNELS, CHANNEL_STATUS, ONLINE);
    }

    // ---------------------------------------------------------------- trying

    /** One try, and what it comes to if it was stored. */
    private record Attempt(Outcome<Long> outcome, Changed result) {
        static Attempt ended(Changed result) {
            return new Attempt(Outcome.done(0L), result);
        }
    }

    private interface Try {
        Attempt once();
    }

    private static Changed again(Try change) {
        Attempt last = change.once();
        for (int i = 1; i < ATTEMPTS && overtaken(last.outcome); i++) {
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
