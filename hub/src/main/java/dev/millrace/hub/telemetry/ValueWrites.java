package dev.millrace.hub.telemetry;

import dev.millrace.hub.telemetry.kept.ChannelStatus;
import dev.millrace.hub.telemetry.kept.Columns;
import dev.millrace.hub.telemetry.kept.PointType;
import dev.millrace.hub.telemetry.kept.TelemetryLayouts;
import dev.millrace.hub.work.BackOff;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.commit.Commit;
import dev.millrace.keyspace.commit.Stored;
import dev.millrace.keyspace.feed.Feed;
import dev.millrace.keyspace.redis.outcome.Outcome;
import dev.millrace.keyspace.redis.outcome.Reason;
import dev.millrace.keyspace.redis.outcome.RedisException;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * One write of values is one commit: the values with their times and qualities, what other rooms
 * add (alarms that go off), that the channel is heard of, new points in their index, and the fact
 * for live clients.
 *
 * <p>Most of that is known already and left out. What a commit goes by without having read it is
 * checked inside it: that the channel is online, that no quality is stored that this write would
 * have to take away. If that does not hold, what is there is read, and the write put together anew.
 * A status is written once in a second, whatever comes in.
 *
 * <p>Thread-safe. Commits of one channel are put together and sent under its lock, so other rooms
 * see the values in the order in which they are stored.
 */
final class ValueWrites {
    private static final String UPDATED = "_updated_at";
    private static final int ATTEMPTS = 16;
    private static final int LOOKED_AT = 4;
    private static final long MILLIS_PER_SECOND = 1000;
    private static final BackOff BACK_OFF =
            BackOff.doubling(Duration.ofMillis(1), Duration.ofMillis(50)).spread(0.5, 0);

    private final Keyspace keyspace;
    private final ChannelHealth health;
    private final InstantSource clock;
    private final Feed feed;
    private final List<Contributor> contributors = new CopyOnWriteArrayList<>();

    ValueWrites(Keyspace keyspace, ChannelHealth health, InstantSource clock) {
        this.keyspace = keyspace;
        this.health = health;
        this.clock = clock;
        this.feed = keyspace.feed(TelemetryLayouts.TOPIC);
    }

    void contributors(List<Contributor> all) {
        contributors.addAll(all);
    }

    /** Writes, and does not wait; the future never fails. */
    CompletableFuture<WriteResult> write(Channel channel, Batch batch) {
        return sent(channel, batch).thenCompose(first -> settled(channel, batch, first));
    }

    /** Whether a write would not wait for anything just now. */
    boolean isPrompt(Channel channel, PointType type) {
        if (channel.status == null || channel.lock.isLocked()) {
            return false;
        }
        String source = channel.source(type).key();
        for (Contributor each : contributors) {
            if (!each.isPrompt(source)) {
                return false;
            }
        }
        return true;
    }

    private CompletableFuture<WriteResult> settled(Channel channel, Batch batch, Attempt first) {
        return first.overtaken()
                ? CompletableFuture.supplyAsync(
                        () -> again(channel, batch, first), Thread::startVirtualThread)
                : CompletableFuture.completedFuture(first.result());
    }

    /** On a thread that may wait. */
    private WriteResult again(Channel channel, Batch batch, Attempt first) {
        Attempt last = first;
        // What others have written and is not there any more will be looked at again.
        int most = batch.stored ? ATTEMPTS : LOOKED_AT;
        for (int attempt = 1; attempt < most && last.overtaken() && held(batch); attempt++) {
            if (attempt > 1) {
                LockSupport.parkNanos(BACK_OFF.after(attempt - 1).toNanos());
            }
            try {
                health.read(channel);
            } catch (RedisException e) {
                return new WriteResult.Failed(Outcome.failed(e));
            }
            batch.source.unsound = true;
            last = sent(channel, batch).join();
        }
        return last.result();
    }

    /** What came from a device is worth another try only while that is this hub's. */
    private static boolean held(Batch batch) {
        return batch.guard.isEmpty() || batch.guard.get().held().held();
    }

    private static void guard(Channel channel, Optional<Channel.Guard> guard, Commit commit) {
        guard.ifPresent(
                it ->
                        commit.with(it.held().fence())
                                .memberPresent(
                                        TelemetryLayouts.POINTS.at(channel.owner), it.point()));
    }

    /** One commit, and how it ended. */
    private record Attempt(Outcome<Long> outcome, List<Contributor.Contribution> contributions) {

        boolean overtaken() {
            return outcome.failedBy(Reason.CONFLICT)
                    || outcome.failedBy(Reason.DUPLICATE)
                    || outcome.failedBy(Reason.ABSENT);
        }

        WriteResult result() {
            return switch (outcome) {
                case Outcome.Done<Long> done -> done();
                case Outcome.Unconfirmed<Long> stored -> new WriteResult.Failed(stored);
                case Outcome.NotDone<Long> not -> new WriteResult.Failed(not);
                case Outcome.Unknown<Long> unknown -> new WriteResult.Failed(unknown);
            };
        }

        private WriteResult done() {
            return new WriteResult.Done(
                    contributions.stream().flatMap(each -> each.triggered().stream()).toList(),
                    contributions.stream().flatMap(each -> each.cleared().stream()).toList());
        }
    }

    private CompletableFuture<Attempt> sent(Channel channel, Batch batch) {
        long second = clock.millis() / MILLIS_PER_SECOND;
        Channel.Known known;
        try {
            known = health.known(channel);
        } catch (RedisException e) {
            return failed(e);
        }
        channel.lock.lock();
        try {
            Commit commit = keyspace.commit(channel.owner);
            guard(channel, batch.guard, commit);
            List<Contributor.Contribution> contributions = contribute(batch, commit);
            boolean fresh = !batch.initial && health.heard(channel, known, commit, second);
            if (fresh) {
                channel.statusSecond = second;
            }
            put(channel, batch, commit, second);
            commit.afterwards(
                    outcome -> {
                        contributions.forEach(each -> each.ended(outcome));
                        ended(channel, batch, outcome, fresh);
                    });
            // Counted here too: the hint of Redis may come before the answer.
            batch.source.written();
            return commit.send().thenApply(outcome -> new Attempt(outcome, contributions));
        } catch (RedisException e) {
            return CompletableFuture.completedFuture(new Attempt(Outcome.failed(e), List.of()));
        } finally {
            channel.lock.unlock();
        }
    }

    /**
     * Nothing was heard of a channel for too long: it is offline, and so is every value of it. Not
     * done if it was heard of meanwhile.
     *
     * @param status as it was read
     * @param stored what the values of a type are
     */
    void silent(
            Channel channel,
            Stored<ChannelStatus> status,
            Instant now,
            Function<PointType, Values.Stored> stored) {
        fall(
                channel,
                status,
                ChannelStatus.OFFLINE_WORD,
                now,
                stored,
                commit -> {
                    String last = status.value().lastUpdate();
                    if (last != null) {
                        commit.fieldEquals(
                                TelemetryLayouts.STATUS.at(channel.owner), "last_update", last);
                    }
                });
    }

    /** Whoever polls the channel says that nothing is heard of it. */
    Outcome<Long> down(
            Channel channel,
            Stored<ChannelStatus> status,
            String word,
            Function<PointType, Values.Stored> stored,
            Channel.Guard guard) {
        return fall(
                channel,
                status,
                word,
                clock.instant(),
                stored,
                commit -> guard(channel, Optional.of(guard), commit));
    }

    private Outcome<Long> fall(
            Channel channel,
            Stored<ChannelStatus> status,
            String word,
            Instant now,
            Function<PointType, Values.Stored> stored,
            Consumer<Commit> check) {
        Map<PointType, List<Value>> all = new EnumMap<>(PointType.class);
        for (PointType type : List.of(PointType.T, PointType.S)) {
            Values.Stored values = stored.apply(type);
            all.put(type, as(Quality.OFFLINE, values, values.values().keySet()));
        }
        CompletableFuture<Outcome<Long>> sent;
        channel.lock.lock();
        try {
            Commit commit = keyspace.commit(channel.owner);
            check.accept(commit);
            List<Contributor.Contribution> contributions = new ArrayList<>();
            all.forEach(
                    (type, values) -> {
                        if (!values.isEmpty()) {
                            Batch batch = Batch.present(channel.source(type), values, now, false);
                            contributions.addAll(doubt(batch, commit));
                        }
                    });
            health.silent(channel, commit, status, word, now);
            commit.afterwards(outcome -> contributions.forEach(each -> each.ended(outcome)));
            sent = commit.send();
        } finally {
            channel.lock.unlock();
        }
        return sent.join();
    }

    /** Values that stay, and are not believed any more. */
    private List<Contributor.Contribution> doubt(Batch batch, Commit commit) {
        batch.source.unsound = true;
        commit.setFields(
                batch.source.qualities, new Columns(batch.size(), batch::field, batch::quality));
        return contribute(batch, commit);
    }

    /** Points of a device that could not be read: their values stay, and are bad. */
    Outcome<Long> missed(
            Channel channel,
            PointType type,
            Values.Stored stored,
            Collection<String> points,
            Channel.Guard guard) {
        List<Value> values = as(Quality.BAD, stored, points);
        if (values.isEmpty()) {
            return Outcome.done(0L);
        }
        CompletableFuture<Outcome<Long>> sent;
        channel.lock.lock();
        try {
            Commit commit = keyspace.commit(channel.owner);
            guard(channel, Optional.of(guard), commit);
            Batch batch = Batch.present(channel.source(type), values, clock.instant(), false);
            List<Contributor.Contribution> contributions = doubt(batch, commit);
            commit.with(feed.fact(batch.fact()));
            commit.afterwards(outcome -> contributions.forEach(each -> each.ended(outcome)));
            sent = commit.send();
        } finally {
            channel.lock.unlock();
        }
        return sent.join();
    }

    private static List<Value> as(
            Quality quality, Values.Stored stored, Collection<String> points) {
        return points.stream()
                .filter(point -> stored.values().containsKey(point))
                .map(point -> stored.present(point).value())
                .map(value -> new Value(value.field(), value.text(), value.number(), quality))
                .toList();
    }

    /** How polling of a channel goes, of which nothing was heard just now, or nothing but that. */
    Outcome<Long> counted(Channel channel, boolean heard, Channel.Guard guard) {
        long second = clock.millis() / MILLIS_PER_SECOND;
        Channel.Known known = health.known(channel);
        CompletableFuture<Outcome<Long>> sent;
        channel.lock.lock();
        try {
            Commit commit = keyspace.commit(channel.owner);
            guard(channel, Optional.of(guard), commit);
            if (heard) {
                if (!health.heard(channel, known, commit, second)) {
                    return Outcome.done(0L);
                }
                channel.statusSecond = second;
            } else {
                health.counted(channel, known, commit, second);
            }
            sent = commit.send();
        } finally {
            channel.lock.unlock();
        }
        return sent.join();
    }

    private List<Contributor.Contribution> contribute(Batch batch, Commit commit) {
        List<Contributor.Contribution> contributions = new ArrayList<>(contributors.size());
        Written written = batch.written(clock);
        for (Contributor each : contributors) {
            contributions.add(each.contribute(written, commit));
        }
        return contributions;
    }

    private static CompletableFuture<Attempt> failed(RedisException e) {
        return CompletableFuture.completedFuture(new Attempt(Outcome.failed(e), List.of()));
    }

    private void put(Channel channel, Batch batch, Commit commit, long second) {
        Source source = batch.source;
        if (batch.stored) {
            qualities(batch, commit);
            commit.setFields(source.values, batch.values())
                    .raiseField(source.values, UPDATED, second)
                    .setFields(source.times, batch.times());
        } else {
            for (int i = 0; i < batch.size(); i++) {
                commit.fieldEquals(source.values, batch.field(i), batch.text(i));
            }
            if (batch.initial) {
                commit.setFields(source.times, batch.missingTimes());
            } else {
                qualities(batch, commit);
                commit.setFields(source.times, batch.times());
            }
        }
        points(channel, batch, commit);
        if (batch.size() > 0 && !batch.initial) {
            commit.with(feed.fact(batch.fact()));
        }
    }

    /** What is good is not stored, and taken away where something else is. */
    private void qualities(Batch batch, Commit commit) {
        Source source = batch.source;
        long now = clock.millis();
        if (batch.allGood() && (!source.unsound || now - source.triedAt > MILLIS_PER_SECOND)) {
            if (source.unsound) {
                source.triedAt = now;
                source.unsound = false;
            }
            commit.absent(source.qualities);
            return;
        }
        List<Integer> less = batch.of(false);
        List<Integer> good = batch.of(true);
        if (!less.isEmpty()) {
            source.unsound = true;
            commit.setFields(
                    source.qualities,
                    new Columns(
                            less.size(),
                            i -> batch.field(less.get(i)),
                            i -> batch.quality(less.get(i))));
        }
        if (!good.isEmpty()) {
            commit.removeFields(source.qualities, good.stream().map(batch::field).toList());
        }
    }

    private static void points(Channel channel, Batch batch, Commit commit) {
        Source source = batch.source;
        if (batch.size() > 0 && source.known.isEmpty()) {
            commit.addMember(TelemetryLayouts.index(channel.owner), channel.owner);
        }
        for (int i = 0; i < batch.size(); i++) {
            String field = batch.field(i);
            if (!source.known.contains(field)) {
                commit.addMember(
                        TelemetryLayouts.POINTS.at(channel.owner), source.type.reference(field));
            }
        }
    }

    /** On the connection's thread, in the order of the commits. */
    private void ended(Channel channel, Batch batch, Outcome<Long> outcome, boolean fresh) {
        if (!outcome.isStored()) {
            if (fresh) {
                channel.statusSecond = 0;
            }
            return;
        }
        Source source = batch.source;
        source.written();
        for (Contributor each : contributors) {
            Set<String> watched = each.watched(source.key());
            for (int i = 0; i < batch.size() && !watched.isEmpty(); i++) {
                if (watched.contains(batch.field(i))) {
                    source.evaluated.put(batch.field(i), batch.text(i));
                }
            }
        }
        if (!batch.initial) {
            channel.successes.incrementAndGet();
        }
        for (int i = 0; i < batch.size(); i++) {
            source.known.add(batch.field(i));
        }
    }
}
