package dev.millrace.hub.history.kept;

import dev.millrace.hub.history.series.Figures;
import dev.millrace.hub.history.series.Hours;
import dev.millrace.hub.history.series.Members;
import dev.millrace.hub.history.series.Resolution;
import dev.millrace.hub.history.series.Sample;
import dev.millrace.hub.history.series.SeriesName;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.commit.Addition;
import dev.millrace.keyspace.commit.Commit;
import dev.millrace.keyspace.layout.Cell;
import dev.millrace.keyspace.redis.outcome.Outcome;
import dev.millrace.keyspace.redis.outcome.Reason;
import dev.millrace.keyspace.store.Cells;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * Writes roll-ups: the figures of the minutes, quarters and hours of an hour that is over, made of
 * its samples, and of a day, made of its hours. They take the place of those that were there, so to
 * make them again is always right. Thread-safe: it keeps nothing.
 *
 * <p>Minutes and quarters are written only where there are many more samples than windows; where
 * there are few, the samples themselves are read as fast and take less room.
 */
public final class RollupWrites {
    private static final Logger log = LoggerFactory.getLogger(RollupWrites.class);
    private static final int A_DAY = 24;

    /** Of an hour: more samples than these are worth roll-ups of minutes, of quarters. */
    private static final int MANY_FOR_MINUTES = 120;

    private static final int MANY_FOR_QUARTERS = 16;

    /** So many series are in memory at a time, each with the samples of an hour. */
    private static final int SERIES_AT_ONCE = 20;

    private static final int FORGOTTEN_AT_ONCE = 1000;

    /** More series of one shard and hour are not looked at. */
    private static final int MOST_SERIES = 1_000_000;

    private final Keyspace keyspace;
    private final SampleReads reads;
    private final RollupReads rollups;
    private final KeptRollups kept;
    private final InstantSource clock;

    /** How long roll-ups are kept. */
    @FunctionalInterface
    public interface KeptRollups {
        /** After the end of their set. */
        Duration of(Resolution resolution);
    }

    public RollupWrites(Keyspace keyspace, KeptRollups kept, InstantSource clock) {
        this.keyspace = keyspace;
        this.reads = new SampleReads(keyspace);
        this.rollups = new RollupReads(keyspace);
        this.kept = kept;
        this.clock = clock;
    }

    // ---------------------------------------------------------------- how far they are

    /** The shards that there are. */
    public List<Integer> shards() {
        return HistoryLayouts.shards(keyspace);
    }

    /** The first hour that is not rolled up; empty if nothing ever was. */
    public Optional<Long> done(int shard) {
        return Marks.hour(
                keyspace.cells()
                        .fields(HistoryLayouts.rollups(shard), List.of(Marks.DONE))
                        .answer()
                        .or(Map.of())
                        .getOrDefault(Marks.DONE, ""));
    }

    /** Begins with this hour. */
    public void begin(int shard, long hour, Addition guard) {
        Cell.Key key = HistoryLayouts.rollups(shard);
        Map<String, String> fields =
                Map.of(Marks.CLOSING, Hours.stamp(hour), Marks.DONE, Hours.stamp(hour));
        commit(shard).setFields(key, fields).with(guard).run().orThrow();
    }

    /** From now on who writes samples of hours before this one says so. */
    public void close(int shard, long before, Addition guard) {
        Cell.Key key = HistoryLayouts.rollups(shard);
        commit(shard)
                .setFields(key, Map.of(Marks.CLOSING, Hours.stamp(before)))
                .with(guard)
                .run()
                .orThrow();
    }

    /** All hours before this one are rolled up. */
    public void finish(int shard, long before, Addition guard) {
        Cell.Key key = HistoryLayouts.rollups(shard);
        commit(shard)
                .setFields(key, Map.of(Marks.DONE, Hours.stamp(before)))
                .with(guard)
                .run()
                .orThrow();
    }

    private Commit commit(int shard) {
        return keyspace.commit(HistoryLayouts.ownerIn(shard)).acrossOwners();
    }

    // ---------------------------------------------------------------- whole hours

    /** The series of a shard that have samples in an hour. */
    public List<SeriesName> ofHour(int shard, long hour) {
        return names(HistoryLayouts.seriesOfHour(HistoryLayouts.ownerIn(shard), hour));
    }

    /** The same of the day of this hour. */
    public List<SeriesName> ofDay(int shard, long hour) {
        return names(HistoryLayouts.seriesOfDay(HistoryLayouts.ownerIn(shard), hour));
    }

    private List<SeriesName> names(Cell.Key key) {
        List<SeriesName> all = new ArrayList<>();
        for (String name : keyspace.cells().members(key, MOST_SERIES).answer().or(Set.of())) {
            SeriesName.parse(name).ifPresent(all::add);
        }
        return all;
    }

    /** Rolls up an hour of some series of a shard. */
    public void hour(int shard, List<SeriesName> all, long hour, Addition guard) {
        for (int i = 0; i < all.size(); i += SERIES_AT_ONCE) {
            List<SeriesName> some = all.subList(i, Math.min(all.size(), i + SERIES_AT_ONCE));
            done(
                    some,
                    series -> {
                        Commit commit = commit(shard);
                        put(commit, shard, series, hour);
                        return commit.with(guard).run();
                    });
        }
    }

    /**
     * Where somebody has put something else in the place of a key, only its series has no roll-ups.
     */
    private static void done(
            List<SeriesName> some, Function<List<SeriesName>, Outcome<Long>> write) {
        Outcome<Long> outcome = write.apply(some);
        if (!outcome.failedBy(Reason.WRONG_TYPE)) {
            outcome.orThrow();
            return;
        }
        for (SeriesName each : some) {
            Outcome<Long> alone = write.apply(List.of(each));
            if (alone instanceof Outcome.NotDone<Long>(Reason reason, String why)
                    && reason == Reason.WRONG_TYPE) {
                log.warn("A series cannot be rolled up. series={} reason={}", each.text(), why);
            } else {
                alone.orThrow();
            }
        }
    }

    private void put(Commit commit, int shard, List<SeriesName> some, long hour) {
        Before before = new Before(some, hour);
        Counts counts = new Counts(commit, shard, hour);
        reads.ofHour(some, hour)
                .forEach(
                        (series, samples) -> {
                            Map<Resolution, List<Figures>> made = figures(samples);
                            made.forEach(
                                    (resolution, figures) -> {
                                        List<String> old = before.of(series, resolution);
                                        replace(commit, series, resolution, hour, old, figures);
                                        counts.add(resolution, figures.size() - old.size());
                                    });
                        });
        counts.write();
    }

    /** The figures of an hour, none of the windows that are not worth it. */
    static Map<Resolution, List<Figures>> figures(List<Sample> samples) {
        List<Figures> minutes = windows(samples, Resolution.MINUTE);
        long count = 0;
        for (Figures each : minutes) {
            count += each.count();
        }
        Map<Resolution, List<Figures>> made = new EnumMap<>(Resolution.class);
        made.put(Resolution.MINUTE, count > MANY_FOR_MINUTES ? minutes : List.of());
        List<Figures> quarters = combined(minutes, Resolution.QUARTER);
        made.put(Resolution.QUARTER, count > MANY_FOR_QUARTERS ? quarters : List.of());
        made.put(Resolution.HOUR, combined(quarters, Resolution.HOUR));
        return made;
    }

    private static List<Figures> windows(List<Sample> samples, Resolution resolution) {
        List<Figures> each = new ArrayList<>();
        for (Sample sample : samples) {
            if (sample.isNumber()) {
                long start = resolution.start(sample.at());
                Figures one = Figures.of(start, sample.number());
                if (!each.isEmpty() && each.getLast().at() == start) {
                    each.set(each.size() - 1, each.getLast().and(one));
                } else {
                    each.add(one);
                }
            }
        }
        return each;
    }

    /** Finer windows as coarser ones. */
    static List<Figures> combined(List<Figures> finer, Resolution resolution) {
        List<Figures> coarser = new ArrayList<>();
        for (Figures each : finer) {
            long start = resolution.start(each.at());
            if (!coarser.isEmpty() && coarser.getLast().at() == start) {
                coarser.set(coarser.size() - 1, coarser.getLast().and(each));
            } else {
                coarser.add(each.from(start));
            }
        }
        return coarser;
    }

    private void replace(
            Commit commit,
            SeriesName series,
            Resolution resolution,
            long hour,
            List<String> before,
            List<Figures> figures) {
        List<String> members = figures.stream().map(Figures::member).toList();
        if (members.equals(before)) {
            return;
        }
        Cell.Key key = HistoryLayouts.rollups(series, resolution, hour);
        before.forEach(member -> commit.removeSorted(key, member));
        for (int i = 0; i < members.size(); i++) {
            commit.addSorted(key, Members.score(figures.get(i).at()), members.get(i));
        }
        if (!members.isEmpty()) {
            long end = Hours.start(resolution.nextSet(resolution.set(hour)));
            long left = end - clock.millis() + kept.of(resolution).toMillis();
            commit.expire(key, Duration.ofMillis(Math.max(1, left)));
        }
    }

    /** What is there of an hour, or of the day that begins with it. */
    private final class Before {
        private final Map<String, Cells.Question<List<String>>> questions = new HashMap<>();

        Before(List<SeriesName> some, long hour) {
            this(
                    some,
                    hour,
                    List.of(Resolution.MINUTE, Resolution.QUARTER, Resolution.HOUR),
                    Hours.start(hour + 1));
        }

        Before(List<SeriesName> some, long hour, List<Resolution> resolutions, long end) {
            Cells cells = keyspace.cells();
            for (SeriesName series : some) {
                for (Resolution each : resolutions) {
                    questions.put(
                            name(series, each),
                            cells.membersBetween(
                                    HistoryLayouts.rollups(series, each, hour),
                                    Members.score(Hours.start(hour)),
                                    Members.score(end - 1),
                                    Integer.MAX_VALUE));
                }
            }
        }

        private static String name(SeriesName series, Resolution resolution) {
            return series.text() + " " + resolution.word();
        }

        List<String> of(SeriesName series, Resolution resolution) {
            var question = questions.get(name(series, resolution));
            return question == null ? List.of() : question.answer().or(List.of());
        }
    }

    /** How many roll-ups come and go with a commit. */
    private static final class Counts {
        private final Commit commit;
        private final int shard;
        private final long hour;
        private final Map<Resolution, Integer> more = new EnumMap<>(Resolution.class);

        Counts(Commit commit, int shard, long hour) {
            this.commit = commit;
            this.shard = shard;
            this.hour = hour;
        }

        void add(Resolution resolution, int by) {
            more.merge(resolution, by, Integer::sum);
        }

        void write() {
            more.forEach(
                    (resolution, by) -> {
                        if (by != 0) {
                            commit.incrementField(
                                    HistoryLayouts.sizes(shard),
                                    Sizes.ofRollups(resolution, hour),
                                    by);
                        }
                    });
        }
    }

    // ---------------------------------------------------------------- whole days

    /** Rolls up the day of this hour, from its hours. */
    public void day(int shard, List<SeriesName> all, long hourOfDay, Addition guard) {
        long first = Math.floorDiv(hourOfDay, A_DAY) * A_DAY;
        for (int i = 0; i < all.size(); i += SERIES_AT_ONCE) {
            List<SeriesName> some = all.subList(i, Math.min(all.size(), i + SERIES_AT_ONCE));
            done(
                    some,
                    series -> {
                        Commit commit = commit(shard);
                        putDay(commit, shard, series, first);
                        return commit.with(guard).run();
                    });
        }
    }

    private void putDay(Commit commit, int shard, List<SeriesName> some, long first) {
        long end = Hours.start(first + A_DAY);
        Before before = new Before(some, first, List.of(Resolution.DAY), end);
        Counts counts = new Counts(commit, shard, first);
        rollups.read(some, Resolution.HOUR, Hours.start(first), end)
                .forEach(
                        (series, hours) -> {
                            List<Figures> day = combined(hours, Resolution.DAY);
                            List<String> old = before.of(series, Resolution.DAY);
                            replace(commit, series, Resolution.DAY, first, old, day);
                            counts.add(Resolution.DAY, day.size() - old.size());
                        });
        counts.write();
    }

    // ---------------------------------------------------------------- what has gone

    /** Forgets series and sizes of which nothing can be left. */
    public void forget(int shard, Duration samples, Addition guard) {
        long now = clock.millis();
        Commit commit = commit(shard).with(guard);
        Cell.Key sizes = HistoryLayouts.sizes(shard);
        keyspace.cells().hash(sizes).answer().or(Map.of()).keySet().stream()
                .filter(name -> Sizes.end(name, samples, kept) < now)
                .limit(FORGOTTEN_AT_ONCE)
                .forEach(name -> commit.removeField(sizes, name));
        Duration longest = kept.of(Resolution.DAY);
        double oldest = Hours.of(now - longest.toMillis()) - 366.0 * A_DAY;
        for (Cells.Scored each :
                keyspace.cells()
                        .sortedBetween(HistoryLayouts.series(shard), 0, oldest, FORGOTTEN_AT_ONCE)
                        .answer()
                        .or(List.of())) {
            commit.removeSorted(HistoryLayouts.series(shard), each.member());
        }
        commit.run().orThrow();
    }

    // ---------------------------------------------------------------- late samples

    /** An hour of a series whose roll-ups have to be made again. */
    public record Due(String member, SeriesName series, long hour) {}

    /** Some of those that are due. */
    public List<Due> due(int shard, int most) {
        List<Due> all = new ArrayList<>();
        for (Cells.Scored each :
                keyspace.cells()
                        .sorted(HistoryLayouts.rollupsDue(shard), 0, most - 1L)
                        .answer()
                        .or(List.of())) {
            int colon = each.member().lastIndexOf(':');
            Optional<SeriesName> series =
                    SeriesName.parse(each.member().substring(0, Math.max(0, colon)));
            Optional<Long> hour = Marks.hour(each.member().substring(colon + 1));
            if (series.isPresent() && hour.isPresent()) {
                all.add(new Due(each.member(), series.get(), hour.get()));
            } else {
                commit(shard)
                        .removeSorted(HistoryLayouts.rollupsDue(shard), each.member())
                        .run()
                        .orThrow();
            }
        }
        return all;
    }

    /**
     * Makes them again, and those of the day if that is over.
     *
     * @return not done because of a conflict if there was a new sample meanwhile: it is still due
     */
    public Outcome<Long> again(int shard, Due due, boolean dayToo, Addition guard) {
        Cell.Key statistics = HistoryLayouts.statistics(due.series.thing());
        String revision =
                keyspace.cells()
                        .fields(statistics, List.of(ThingState.REVISION))
                        .answer()
                        .or(Map.of())
                        .getOrDefault(ThingState.REVISION, "");
        Commit commit = commit(shard);
        if (revision.isEmpty()) {
            commit.fieldAbsent(statistics, ThingState.REVISION);
        } else {
            commit.fieldEquals(statistics, ThingState.REVISION, revision);
        }
        List<SeriesName> one = List.of(due.series);
        put(commit, shard, one, due.hour);
        Cell.Key dues = HistoryLayouts.rollupsDue(shard);
        Outcome<Long> outcome = commit.removeSorted(dues, due.member).with(guard).run();
        if (outcome.failedBy(Reason.WRONG_TYPE)) {
            log.warn("A series cannot be rolled up again. series={}", due.series.text());
            return commit(shard).removeSorted(dues, due.member).with(guard).run();
        }
        if (outcome.isStored() && dayToo) {
            day(shard, one, due.hour, guard);
        }
        return outcome;
    }
}
