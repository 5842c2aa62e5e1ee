package dev.millrace.hub.history.kept;

import dev.millrace.hub.history.series.Figures;
import dev.millrace.hub.history.series.Hours;
import dev.millrace.hub.history.series.Members;
import dev.millrace.hub.history.series.Resolution;
import dev.millrace.hub.history.series.SeriesName;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.layout.Cell;
import dev.millrace.keyspace.store.Cells;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Reads roll-ups, all sets of a range in one trip. Thread-safe. */
public final class RollupReads {
    /** Are so many due, nobody looks for single ones among them. */
    private static final int MOST_DUE = 10_000;

    private final Keyspace keyspace;

    public RollupReads(Keyspace keyspace) {
        this.keyspace = keyspace;
    }

    /** The windows of a range that there are, in their order. */
    public List<Figures> read(SeriesName series, Resolution resolution, long from, long to) {
        Cells cells = keyspace.cells();
        List<Cells.Question<List<String>>> sets = new ArrayList<>();
        ask(cells, series, resolution, from, to, sets);
        List<Figures> all = new ArrayList<>();
        sets.forEach(set -> add(set, from, to, all));
        return all;
    }

    /** Hours whose roll-ups are made again: what there is of them is not true any more. */
    public record Due(Set<Long> hours, boolean everything) {
        /** Whether one of these hours is among them. */
        public boolean within(long from, long to) {
            if (everything) {
                return true;
            }
            for (long hour : hours) {
                if (hour >= from && hour < to) {
                    return true;
                }
            }
            return false;
        }
    }

    /** Those of a series. */
    public Due due(SeriesName series) {
        Cell.Key key = HistoryLayouts.rollupsDue(HistoryLayouts.shard(keyspace, series.thing()));
        if (keyspace.cells().size(key).answer().or(0L) == 0) {
            return new Due(Set.of(), false);
        }
        List<Cells.Scored> all =
                keyspace.cells().sorted(key, 0, MOST_DUE - 1L).answer().or(List.of());
        Set<Long> hours = new HashSet<>();
        String begin = series.text() + ":";
        for (Cells.Scored each : all) {
            if (each.member().startsWith(begin)) {
                Marks.hour(each.member().substring(begin.length())).ifPresent(hours::add);
            }
        }
        return new Due(hours, all.size() == MOST_DUE);
    }

    /** The same of many series. */
    Map<SeriesName, List<Figures>> read(
            Collection<SeriesName> many, Resolution resolution, long from, long to) {
        Cells cells = keyspace.cells();
        Map<SeriesName, List<Cells.Question<List<String>>>> questions = new LinkedHashMap<>();
        for (SeriesName series : many) {
            List<Cells.Question<List<String>>> sets = new ArrayList<>();
            ask(cells, series, resolution, from, to, sets);
            questions.put(series, sets);
        }
        Map<SeriesName, List<Figures>> found = new LinkedHashMap<>();
        questions.forEach(
                (series, sets) -> {
                    List<Figures> all = new ArrayList<>();
                    sets.forEach(set -> add(set, from, to, all));
                    found.put(series, all);
                });
        return found;
    }

    private static void ask(
            Cells cells,
            SeriesName series,
            Resolution resolution,
            long from,
            long to,
            List<Cells.Question<List<String>>> sets) {
        long last = Hours.of(to - 1);
        for (long set = resolution.set(Hours.of(from));
                set <= last;
                set = resolution.nextSet(set)) {
            sets.add(
                    cells.membersBetween(
                            HistoryLayouts.rollups(series, resolution, set),
                            Members.score(from),
                            Members.score(to - 1),
                            Integer.MAX_VALUE));
        }
    }

    private static void add(
            Cells.Question<List<String>> set, long from, long to, List<Figures> all) {
        for (String member : set.answer().or(List.of())) {
            try {
                Figures each = Figures.read(member);
                if (each.at() >= from && each.at() < to) {
                    all.add(each);
                }
            } catch (IllegalArgumentException e) {
                // Somebody else has put it there.
            }
        }
    }
}
