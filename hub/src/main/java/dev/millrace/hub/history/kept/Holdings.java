package dev.millrace.hub.history.kept;

import dev.millrace.hub.history.series.Hours;
import dev.millrace.hub.history.series.SeriesName;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.commit.Commit;
import dev.millrace.keyspace.store.Cells;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** How much there is, and how far the roll-ups are. Thread-safe. */
public final class Holdings {
    private static final int AT_ONCE = 1000;

    private final Keyspace keyspace;
    private final InstantSource clock;

    public Holdings(Keyspace keyspace, InstantSource clock) {
        this.keyspace = keyspace;
        this.clock = clock;
    }

    /**
     * Of the whole site.
     *
     * @param due hours of series whose roll-ups are made again
     * @param done the first hour that is not rolled up everywhere, in ms; empty if none is yet
     * @param entries how many samples ({@code raw}) and roll-ups ({@code 1m} and so on) there are
     */
    public record Now(long due, Optional<Long> done, Map<String, Long> entries) {}

    /** As it is. */
    public Now now() {
        Cells cells = keyspace.cells();
        List<Cells.Question<Long>> due = new ArrayList<>();
        List<Cells.Question<Map<String, String>>> marks = new ArrayList<>();
        List<Cells.Question<Map<String, String>>> sizes = new ArrayList<>();
        for (int shard : HistoryLayouts.shards(keyspace)) {
            due.add(cells.size(HistoryLayouts.rollupsDue(shard)));
            marks.add(cells.hash(HistoryLayouts.rollups(shard)));
            sizes.add(cells.hash(HistoryLayouts.sizes(shard)));
        }
        long waiting = 0;
        for (var each : due) {
            waiting += each.answer().or(0L);
        }
        long done = Long.MAX_VALUE;
        for (var each : marks) {
            String stamp = each.answer().or(Map.of()).getOrDefault(Marks.DONE, "");
            done = Math.min(done, Marks.hour(stamp).orElse(Long.MIN_VALUE));
        }
        Map<String, Long> entries = new TreeMap<>();
        for (var each : sizes) {
            each.answer()
                    .or(Map.of())
                    .forEach(
                            (name, count) -> {
                                int colon = name.indexOf(':');
                                if (colon > 0 && count.matches("[0-9]{1,18}")) {
                                    entries.merge(
                                            name.substring(0, colon),
                                            Long.valueOf(count),
                                            Long::sum);
                                }
                            });
        }
        return new Now(
                waiting,
                done == Long.MIN_VALUE ? Optional.empty() : Optional.of(Hours.start(done)),
                entries);
    }

    /** Has roll-ups made again of the hours of a range. */
    public void again(List<SeriesName> all, long from, long to) {
        for (SeriesName series : all) {
            int shard = HistoryLayouts.shard(keyspace, series.thing());
            long hour = Hours.of(from);
            long last = Hours.of(to - 1);
            while (hour <= last) {
                Commit commit = keyspace.commit(HistoryLayouts.ownerIn(shard));
                long end = Math.min(last, hour + AT_ONCE - 1);
                for (; hour <= end; hour++) {
                    commit.addSorted(
                            HistoryLayouts.rollupsDue(shard),
                            (double) clock.millis(),
                            Marks.due(series, hour));
                }
                commit.run().orThrow();
            }
        }
    }
}
