package dev.millrace.hub.history.rollups;

import dev.millrace.hub.history.kept.RollupWrites;
import dev.millrace.hub.history.series.Hours;
import dev.millrace.hub.history.series.SeriesName;
import dev.millrace.hub.work.Duty;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.commit.Addition;
import dev.millrace.keyspace.redis.outcome.Outcome;
import dev.millrace.keyspace.redis.outcome.Reason;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Makes roll-ups of every hour that is over, shard by shard, and again of hours into which samples
 * came late. One hub of a site does it, in small steps, a while after the hour's end, and not
 * before the recorder has come so far: what comes after that is late.
 */
public final class Roller implements AutoCloseable {
    private static final Duration REST = Duration.ofSeconds(5);
    private static final long GRACE_MILLIS = 20_000;

    /** Where nothing was ever rolled up, what is there already may be: of so many hours. */
    private static final long FIRST_HOURS = 48;

    private static final int DUE_AT_ONCE = 50;
    private static final int A_DAY = 24;

    private final RollupWrites writes;
    private final Supplier<Optional<Instant>> oldestUnread;
    private final Supplier<Duration> samples;
    private final InstantSource clock;
    private final Counter hours;
    private final Counter again;
    private final Duty duty;

    private Roller(
            Keyspace keyspace,
            RollupWrites writes,
            Supplier<Optional<Instant>> oldestUnread,
            Supplier<Duration> samples,
            MeterRegistry figures,
            InstantSource clock) {
        this.writes = writes;
        this.oldestUnread = oldestUnread;
        this.samples = samples;
        this.clock = clock;
        this.hours =
                Counter.builder("millrace.history.rollups")
                        .description("Hours of series that were rolled up.")
                        .register(figures);
        this.again =
                Counter.builder("millrace.history.rollups.again")
                        .description("Hours of series that were rolled up again.")
                        .register(figures);
        this.duty = Duty.start(keyspace, "history-rollups", figures, this::step);
    }

    /**
     * Begins.
     *
     * @param oldestUnread when the oldest value was announced that is not recorded yet
     * @param samples how long samples are kept at the longest
     */
    public static Roller start(
            Keyspace keyspace,
            RollupWrites writes,
            Supplier<Optional<Instant>> oldestUnread,
            Supplier<Duration> samples,
            MeterRegistry figures,
            InstantSource clock) {
        return new Roller(keyspace, writes, oldestUnread, samples, figures, clock);
    }

    private Duration step(Duty.Turn turn) {
        long now = clock.millis();
        long recorded = oldestUnread.get().map(Instant::toEpochMilli).orElse(now);
        long ended = Hours.of(Math.min(now - GRACE_MILLIS, recorded));
        boolean more = false;
        for (int shard : writes.shards()) {
            if (!turn.mine()) {
                break;
            }
            more |= again(shard, turn);
            more |= next(shard, ended, turn);
        }
        return more ? Duration.ZERO : REST;
    }

    /** One hour; whether there are more. */
    private boolean next(int shard, long ended, Duty.Turn turn) {
        Addition guard = turn.lease().guard();
        Optional<Long> done = writes.done(shard);
        if (done.isEmpty()) {
            writes.begin(shard, ended - FIRST_HOURS, guard);
            return true;
        }
        long hour = done.get();
        if (hour >= ended) {
            return false;
        }
        writes.close(shard, hour + 1, guard);
        List<SeriesName> series = writes.ofHour(shard, hour);
        writes.hour(shard, series, hour, guard);
        hours.increment(series.size());
        if (Math.floorMod(hour, A_DAY) == A_DAY - 1) {
            writes.day(shard, writes.ofDay(shard, hour), hour, guard);
            writes.forget(shard, samples.get(), guard);
        }
        writes.finish(shard, hour + 1, guard);
        return hour + 1 < ended;
    }

    /** Some of what is due; whether there are more. */
    private boolean again(int shard, Duty.Turn turn) {
        List<RollupWrites.Due> due = writes.due(shard, DUE_AT_ONCE);
        if (due.isEmpty()) {
            return false;
        }
        long done = writes.done(shard).orElse(Long.MIN_VALUE);
        int overtaken = 0;
        for (RollupWrites.Due each : due) {
            if (!turn.mine()) {
                return false;
            }
            boolean dayOver = Math.floorDiv(each.hour(), A_DAY) < Math.floorDiv(done, A_DAY);
            Outcome<Long> outcome = writes.again(shard, each, dayOver, turn.lease().guard());
            if (outcome.failedBy(Reason.CONFLICT)) {
                overtaken++;
                continue;
            }
            outcome.orThrow();
            again.increment();
        }
        return due.size() == DUE_AT_ONCE && overtaken < due.size();
    }

    @Override
    public void close() {
        duty.close();
    }
}
