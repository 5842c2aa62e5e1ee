package dev.millrace.hub.history.kept;

import dev.millrace.hub.history.series.Hours;
import dev.millrace.hub.history.series.Members;
import dev.millrace.hub.history.series.Sample;
import dev.millrace.hub.history.series.SeriesName;
import dev.millrace.hub.history.series.SeriesName.Thing;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.commit.Commit;
import dev.millrace.keyspace.layout.Cell;
import dev.millrace.keyspace.redis.outcome.Outcome;
import dev.millrace.keyspace.redis.outcome.Reason;
import dev.millrace.keyspace.store.Cells;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Takes samples of a range away, hour by hour, with the roll-ups made of them. Statistics, which
 * are about all samples that were ever taken, stay; only the sample last taken is another one then.
 * Thread-safe.
 */
public final class SampleDeletes {
    private static final int AT_ONCE = 1000;
    private static final int HOURS_AT_ONCE = 400;
    private static final long A_MONTH = 31 * 86_400_000L;

    private final Keyspace keyspace;
    private final SampleReads reads;
    private final RollupWrites rollups;
    private final Marks marks;
    private final InstantSource clock;

    public SampleDeletes(
            Keyspace keyspace, RollupWrites rollups, Marks marks, InstantSource clock) {
        this.keyspace = keyspace;
        this.reads = new SampleReads(keyspace);
        this.rollups = rollups;
        this.marks = marks;
        this.clock = clock;
    }

    /** Takes them away, and says how many they were. */
    public long delete(SeriesName series, long from, long to) {
        int shard = HistoryLayouts.shard(keyspace, series.thing());
        long deleted = 0;
        for (long hour = Hours.of(from); hour <= Hours.of(to - 1); hour++) {
            deleted += hour(shard, series, hour, from, to);
        }
        rollUpAgain(shard, series, from, to);
        if (deleted > 0) {
            newest(series, from, to);
        }
        return deleted;
    }

    private long hour(int shard, SeriesName series, long hour, long from, long to) {
        Cell.Key key = HistoryLayouts.hour(series, hour);
        long deleted = 0;
        while (true) {
            List<Cells.Scored> some =
                    keyspace.cells()
                            .sortedBetween(
                                    key,
                                    Members.score(Math.max(from, Hours.start(hour))),
                                    Members.score(Math.min(to, Hours.start(hour + 1)) - 1),
                                    AT_ONCE)
                            .answer()
                            .or(List.of());
            if (some.isEmpty()) {
                break;
            }
            Commit commit = commit(shard);
            some.forEach(each -> commit.removeSorted(key, each.member()));
            commit.incrementField(HistoryLayouts.sizes(shard), Sizes.ofSamples(hour), -some.size())
                    .run()
                    .orThrow();
            deleted += some.size();
        }
        if (deleted > 0) {
            // Whoever writes a sample meanwhile has put the series there again.
            commit(shard)
                    .absent(key)
                    .removeMember(
                            HistoryLayouts.seriesOfHour(HistoryLayouts.ownerIn(shard), hour),
                            series.text())
                    .run();
        }
        return deleted;
    }

    private Commit commit(int shard) {
        return keyspace.commit(HistoryLayouts.ownerIn(shard)).acrossOwners();
    }

    /** At once, so that nobody is told of what was deleted; in the worst case a moment later. */
    private void rollUpAgain(int shard, SeriesName series, long from, long to) {
        long first = Hours.of(from + Hours.MILLIS - 1);
        long end = Hours.of(to);
        List<Long> hours = new ArrayList<>();
        for (long hour = Hours.of(from); hour <= Hours.of(to - 1); hour++) {
            boolean whole = hour >= first && hour < end;
            boolean has =
                    whole
                            || reads.newest(series, Hours.start(hour), Hours.start(hour + 1))
                                    .isPresent();
            // Of an hour that is deleted in part and has no samples any more, roll-ups stay.
            if (marks.closed(shard).has(hour) && has) {
                hours.add(hour);
            }
        }
        for (int i = 0; i < hours.size(); i += HOURS_AT_ONCE) {
            Commit commit = commit(shard);
            for (long hour : hours.subList(i, Math.min(hours.size(), i + HOURS_AT_ONCE))) {
                commit.addSorted(
                        HistoryLayouts.rollupsDue(shard),
                        (double) clock.millis(),
                        Marks.due(series, hour));
            }
            commit.run().orThrow();
        }
        long done = rollups.done(shard).orElse(Long.MIN_VALUE);
        for (long hour : hours) {
            boolean dayOver = Math.floorDiv(hour, 24) < Math.floorDiv(done, 24);
            rollups.again(
                    shard,
                    new RollupWrites.Due(Marks.due(series, hour), series, hour),
                    dayOver,
                    basket -> {});
        }
    }

    /** The sample last taken is the newest one that is left. */
    private void newest(SeriesName series, long from, long to) {
        Thing thing = series.thing();
        Cell.Key key = HistoryLayouts.statistics(thing);
        for (int attempt = 0; attempt < 16; attempt++) {
            ThingState state = reads.state(thing);
            Sample last = state.newest(series.field());
            if (last == null || last.at() < from || last.at() >= to) {
                return;
            }
            Optional<Sample> left = reads.newest(series, from - A_MONTH, to);
            Commit commit =
                    commit(HistoryLayouts.shard(keyspace, thing))
                            .fieldEquals(key, ThingState.REVISION, state.revision());
            String name = series.field();
            if (left.isPresent()) {
                commit.setFields(
                        key,
                        Map.of(
                                name + ".last",
                                left.get().text(),
                                name + ".last_ts",
                                Long.toString(left.get().at()),
                                ThingState.REVISION,
                                state.following()));
            } else {
                commit.removeFields(key, List.of(name + ".last", name + ".last_ts"))
                        .setFields(key, Map.of(ThingState.REVISION, state.following()));
            }
            Outcome<Long> outcome = commit.run();
            if (!outcome.failedBy(Reason.CONFLICT)) {
                outcome.orThrow();
                return;
            }
        }
    }

    /** Begins the statistics of a thing anew. */
    public void reset(Thing thing) {
        commit(HistoryLayouts.shard(keyspace, thing))
                .delete(HistoryLayouts.statistics(thing))
                .run()
                .orThrow();
    }
}
