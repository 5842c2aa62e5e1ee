package dev.millrace.hub.history.kept;

import dev.millrace.hub.history.series.Hours;
import dev.millrace.hub.history.series.Members;
import dev.millrace.hub.history.series.Sample;
import dev.millrace.hub.history.series.SeriesName;
import dev.millrace.hub.history.series.SeriesName.Thing;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.layout.Cell;
import dev.millrace.keyspace.store.Cells;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.IntFunction;
import java.util.function.Predicate;

/** Reads samples, hour by hour, many hours in one trip. Thread-safe. */
public final class SampleReads {
    /** So many hours are asked for at once: three weeks. */
    private static final int HOURS_AT_ONCE = 504;

    private static final int FIRST_STEP = 4;

    /** About so many samples are in memory at a time, before they go on to whoever asked. */
    private static final int SAMPLES_AT_ONCE = 40_000;

    /** Ten a second; what an hour has more of is read in parts. */
    private static final int MOST_OF_AN_HOUR = 36_000;

    private final Keyspace keyspace;

    public SampleReads(Keyspace keyspace) {
        this.keyspace = keyspace;
    }

    /** What is stored of some things. */
    public record States(Map<Thing, ThingState> all) {
        /** One of those that were asked for. */
        public ThingState of(Thing thing) {
            return Objects.requireNonNull(all.get(thing));
        }
    }

    /** What is stored of this thing, for a writer. */
    public ThingState state(Thing thing) {
        return states(List.of(thing)).of(thing);
    }

    /** The same of several. */
    public States states(Collection<Thing> things) {
        Cells cells = keyspace.cells();
        Map<Thing, Cells.Question<Map<String, String>>> questions = new LinkedHashMap<>();
        things.forEach(thing -> questions.put(thing, cells.hash(HistoryLayouts.statistics(thing))));
        Map<Thing, ThingState> states = new LinkedHashMap<>();
        questions.forEach(
                (thing, question) ->
                        states.put(thing, new ThingState(thing, question.answer().or(Map.of()))));
        return new States(states);
    }

    /** The statistics of one thing as they are stored. */
    public Map<String, String> statistics(Thing thing) {
        return keyspace.cells().hash(HistoryLayouts.statistics(thing)).answer().or(Map.of());
    }

    /** A sample and the member that it is in its sorted set. */
    public record Stored(Sample sample, String member) {}

    /** A series and a time. */
    public record Moment(SeriesName series, long at) {}

    /** The samples that these series have at just these times. */
    public Map<Moment, Stored> at(Collection<Moment> moments) {
        Cells cells = keyspace.cells();
        Map<Moment, Cells.Question<List<Cells.Scored>>> questions = new LinkedHashMap<>();
        for (Moment moment : moments) {
            double score = Members.score(moment.at);
            questions.put(
                    moment,
                    cells.sortedBetween(
                            HistoryLayouts.hour(moment.series, Hours.of(moment.at)),
                            score,
                            score,
                            1));
        }
        Map<Moment, Stored> found = new LinkedHashMap<>();
        questions.forEach(
                (moment, question) -> {
                    for (Cells.Scored each : question.answer().or(List.of())) {
                        found.put(
                                moment,
                                new Stored(
                                        Members.read(each.member(), each.score()), each.member()));
                    }
                });
        return found;
    }

    // ---------------------------------------------------------------- which there are

    /** More of one shard and hour are not told. */
    private static final int MOST_SERIES = 200_000;

    /** The series that have samples in an hour, in the order of their names. */
    public Set<String> ofHour(long hour) {
        return members(shard -> HistoryLayouts.seriesOfHour(HistoryLayouts.ownerIn(shard), hour));
    }

    /** The series that have samples on the day of this hour. */
    public Set<String> ofDay(long hour) {
        return members(shard -> HistoryLayouts.seriesOfDay(HistoryLayouts.ownerIn(shard), hour));
    }

    private Set<String> members(IntFunction<Cell.Key> key) {
        Cells cells = keyspace.cells();
        List<Cells.Question<Set<String>>> questions = new ArrayList<>();
        for (int shard : HistoryLayouts.shards(keyspace)) {
            questions.add(cells.members(key.apply(shard), MOST_SERIES));
        }
        Set<String> all = new TreeSet<>();
        questions.forEach(question -> all.addAll(question.answer().or(Set.of())));
        return all;
    }

    /** What the recorders have counted, over all shards: sums, and of {@code until} the newest. */
    public Map<String, Long> recorded() {
        Cells cells = keyspace.cells();
        List<Cells.Question<Map<String, String>>> questions = new ArrayList<>();
        for (int shard : HistoryLayouts.shards(keyspace)) {
            questions.add(cells.hash(HistoryLayouts.recorder(shard)));
        }
        Map<String, Long> all = new TreeMap<>();
        for (Cells.Question<Map<String, String>> question : questions) {
            question.answer()
                    .or(Map.of())
                    .forEach(
                            (name, text) -> {
                                if (text.matches("[0-9]{1,18}")) {
                                    all.merge(
                                            name,
                                            Long.valueOf(text),
                                            name.equals("until") ? Math::max : Long::sum);
                                }
                            });
        }
        return all;
    }

    // ---------------------------------------------------------------- ranges

    /**
     * Hands over the samples of a series in the order of their times, until there are no more or
     * the taker has enough.
     *
     * @param from in ms, included
     * @param to excluded
     * @param taker says whether it wants more
     */
    public void ascending(SeriesName series, long from, long to, Predicate<Sample> taker) {
        long at = from;
        int step = FIRST_STEP;
        while (at < to) {
            long first = Hours.of(at);
            long end = Math.min(to, Hours.start(first + step));
            Part part = read(series, at, end, MOST_OF_AN_HOUR);
            for (Sample sample : part.samples) {
                if (!taker.test(sample)) {
                    return;
                }
            }
            at = part.until;
            step = next(step, part.samples.size());
        }
    }

    /** The same, the newest first. */
    public void descending(SeriesName series, long from, long to, Predicate<Sample> taker) {
        long end = to;
        int step = FIRST_STEP;
        while (end > from) {
            long first = Math.max(from, Hours.start(Hours.of(end - 1) - step + 1));
            // An hour is read whole here, however full it is: its end comes first.
            Part part = read(series, first, end, Integer.MAX_VALUE);
            for (Sample sample : part.samples.reversed()) {
                if (!taker.test(sample)) {
                    return;
                }
            }
            end = first;
            step = next(step, part.samples.size());
        }
    }

    /** Takes samples of several series; says whether it wants more. */
    @FunctionalInterface
    public interface Taker {
        boolean take(SeriesName series, Sample sample);
    }

    /**
     * Hands over the samples of several series in the order of their times, those of one time in
     * the order of the series.
     */
    public void together(List<SeriesName> all, long from, long to, Taker taker) {
        long at = from;
        int step = 1;
        while (at < to) {
            long end = Math.min(to, Hours.start(Hours.of(at) + step));
            List<Owned> samples = new ArrayList<>();
            for (SeriesName series : all) {
                for (Sample sample : read(series, at, end, Integer.MAX_VALUE).samples) {
                    samples.add(new Owned(series, sample));
                }
            }
            samples.sort(Comparator.comparingLong(each -> each.sample.at()));
            for (Owned each : samples) {
                if (!taker.take(each.series, each.sample)) {
                    return;
                }
            }
            at = end;
            step = next(step, samples.size());
        }
    }

    private record Owned(SeriesName series, Sample sample) {}

    /** The newest sample before a time, looked for no further back than to another one. */
    public Optional<Sample> newest(SeriesName series, long from, long to) {
        List<Sample> found = new ArrayList<>(1);
        descending(
                series,
                from,
                to,
                sample -> {
                    found.add(sample);
                    return false;
                });
        return found.stream().findFirst();
    }

    /** Nobody knows before whether hours are empty or full. */
    private static int next(int step, int samples) {
        long fitting = (long) step * SAMPLES_AT_ONCE / Math.max(1, samples);
        return (int) Math.clamp(fitting, 1, Math.min(HOURS_AT_ONCE, step * 8L));
    }

    /** Samples of some hours in their order, and up to which time these are all. */
    private record Part(List<Sample> samples, long until) {}

    private Part read(SeriesName series, long from, long to, int mostOfAnHour) {
        Cells cells = keyspace.cells();
        List<Hour> hours = new ArrayList<>();
        for (long hour = Hours.of(from); hour <= Hours.of(to - 1); hour++) {
            hours.add(new Hour(cells, series, hour, from, to, mostOfAnHour));
        }
        List<Sample> samples = new ArrayList<>();
        for (Hour hour : hours) {
            int start = samples.size();
            int members = hour.addTo(samples);
            if (members == mostOfAnHour && samples.size() > start) {
                // The last millisecond may have more of them, so it is left for the next time.
                long last = samples.getLast().at();
                int end = samples.size();
                while (end > start && samples.get(end - 1).at() == last) {
                    end--;
                }
                samples.subList(end, samples.size()).clear();
                return new Part(samples, last);
            }
        }
        return new Part(samples, to);
    }

    /** The samples of one hour of several series. */
    Map<SeriesName, List<Sample>> ofHour(Collection<SeriesName> all, long hour) {
        Cells cells = keyspace.cells();
        long from = Hours.start(hour);
        long to = Hours.start(hour + 1);
        Map<SeriesName, Hour> hours = new LinkedHashMap<>();
        for (SeriesName series : all) {
            hours.put(series, new Hour(cells, series, hour, from, to, Integer.MAX_VALUE));
        }
        Map<SeriesName, List<Sample>> found = new LinkedHashMap<>();
        hours.forEach(
                (series, each) -> {
                    List<Sample> samples = new ArrayList<>();
                    each.addTo(samples);
                    found.put(series, samples);
                });
        return found;
    }

    /** The part of an hour that is asked for. */
    private final class Hour {
        private final Cell.Key key;
        private final long from;
        private final long to;
        private final int most;
        private final Cells.Question<List<String>> question;

        Hour(Cells cells, SeriesName series, long hour, long from, long to, int most) {
            this.key = HistoryLayouts.hour(series, hour);
            this.from = from;
            this.to = to;
            this.most = most;
            // A foreign score may lie between two milliseconds.
            this.question =
                    cells.membersBetween(key, Members.score(from - 1), Members.score(to), most);
        }

        /** Adds them in their order; says how many members there were. */
        int addTo(List<Sample> samples) {
            List<String> members = question.answer().or(List.of());
            int start = samples.size();
            boolean sorted = true;
            long before = Long.MIN_VALUE;
            for (String member : members) {
                if (!Members.saysTime(member)) {
                    samples.subList(start, samples.size()).clear();
                    return addScored(samples);
                }
                Sample sample = Members.read(member);
                if (sample.at() >= from && sample.at() < to) {
                    sorted &= sample.at() >= before;
                    before = sample.at();
                    samples.add(sample);
                }
            }
            if (!sorted) {
                samples.subList(start, samples.size()).sort(Comparator.comparingLong(Sample::at));
            }
            return members.size();
        }

        /** Somebody else's members say only in their scores when they were. */
        private int addScored(List<Sample> samples) {
            List<Cells.Scored> members =
                    keyspace.cells()
                            .sortedBetween(key, Members.score(from - 1), Members.score(to), most)
                            .answer()
                            .or(List.of());
            List<Sample> found = new ArrayList<>();
            for (Cells.Scored each : members) {
                Sample sample = Members.read(each.member(), each.score());
                if (sample.at() >= from && sample.at() < to) {
                    found.add(sample);
                }
            }
            found.sort(Comparator.comparingLong(Sample::at));
            samples.addAll(found);
            return members.size();
        }
    }
}
