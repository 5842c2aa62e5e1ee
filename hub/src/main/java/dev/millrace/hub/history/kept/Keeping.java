package dev.millrace.hub.history.kept;

import dev.millrace.hub.history.series.Hours;
import dev.millrace.hub.history.series.Resolution;
import dev.millrace.hub.history.series.SeriesName;
import dev.millrace.hub.work.Keep;
import dev.millrace.hub.work.Shelf;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.commit.Commit;
import dev.millrace.keyspace.layout.Cell;
import dev.millrace.keyspace.redis.Script;
import dev.millrace.keyspace.redis.outcome.RedisException;
import dev.millrace.keyspace.store.Cells;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletionException;

/**
 * Samples and roll-ups as something that takes memory. Age needs nobody, each set has a time to
 * live; where they are too large, the oldest go: samples with their minutes hour by hour, coarser
 * roll-ups set by set, whichever kind takes most beyond its share. For one thread.
 */
public final class Keeping implements Shelf {
    private static final Script USAGE = Script.reading(Keeping.class, "usage");
    private static final Duration MEASURED_FOR = Duration.ofMinutes(5);
    private static final int MEASURED_SERIES = 12;

    /** What a sample or a roll-up takes where nothing is there to be measured. */
    private static final double GUESS_SAMPLE = 100;

    private static final double GUESS_ROLLUP = 220;

    private final Keyspace keyspace;
    private final InstantSource clock;
    private final Map<Kind, Double> bytesEach = new EnumMap<>(Kind.class);
    private long measuredAt = Long.MIN_VALUE;

    /** Where the removal of a set that is too large for a step has got to. */
    private @Nullable Removing removing;

    /** What takes memory, with its share of it. */
    private enum Kind {
        SAMPLES("raw", 0.6),
        MINUTES(Resolution.MINUTE.word(), 0.15),
        QUARTERS(Resolution.QUARTER.word(), 0.12),
        HOURS(Resolution.HOUR.word(), 0.1),
        DAYS(Resolution.DAY.word(), 0.03);

        private final String word;
        private final double share;

        Kind(String word, double share) {
            this.word = word;
            this.share = share;
        }

        static Optional<Kind> of(String name) {
            for (Kind each : values()) {
                if (name.startsWith(each.word + ":")) {
                    return Optional.of(each);
                }
            }
            return Optional.empty();
        }

        Optional<Resolution> resolution() {
            return switch (this) {
                case SAMPLES -> Optional.empty();
                case MINUTES -> Optional.of(Resolution.MINUTE);
                case QUARTERS -> Optional.of(Resolution.QUARTER);
                case HOURS -> Optional.of(Resolution.HOUR);
                case DAYS -> Optional.of(Resolution.DAY);
            };
        }
    }

    /** Samples or roll-ups of one shard that lie in sets of one hour, day, month or year. */
    private record Bucket(int shard, Kind kind, long hour, long entries, String name) {}

    private record Removing(Bucket bucket, int from, long all) {}

    public Keeping(Keyspace keyspace, InstantSource clock) {
        this.keyspace = keyspace;
        this.clock = clock;
    }

    @Override
    public Keep.Holdings holdings() {
        measure();
        long count = 0;
        double bytes = 0;
        for (Bucket each : buckets()) {
            count += each.entries;
            bytes += each.entries * bytesEach.getOrDefault(each.kind, GUESS_ROLLUP);
        }
        return new Keep.Holdings(count, (long) bytes);
    }

    private List<Bucket> buckets() {
        Cells cells = keyspace.cells();
        List<Cells.Question<Map<String, String>>> questions = new ArrayList<>();
        List<Integer> shards = HistoryLayouts.shards(keyspace);
        shards.forEach(shard -> questions.add(cells.hash(HistoryLayouts.sizes(shard))));
        List<Bucket> all = new ArrayList<>();
        for (int i = 0; i < shards.size(); i++) {
            int shard = shards.get(i);
            questions
                    .get(i)
                    .answer()
                    .or(Map.of())
                    .forEach((name, text) -> bucket(shard, name, text).ifPresent(all::add));
        }
        return all;
    }

    private static Optional<Bucket> bucket(int shard, String name, String text) {
        Optional<Long> hour = Marks.hour(name.substring(name.indexOf(':') + 1));
        return text.matches("[0-9]{1,18}")
                ? Kind.of(name)
                        .filter(kind -> hour.isPresent())
                        .map(
                                kind ->
                                        new Bucket(
                                                shard,
                                                kind,
                                                hour.orElseThrow(),
                                                Long.parseLong(text),
                                                name))
                : Optional.empty();
    }

    // ---------------------------------------------------------------- how large

    private void measure() {
        long now = clock.millis();
        if (now - measuredAt < MEASURED_FOR.toMillis()) {
            return;
        }
        measuredAt = now;
        Map<Kind, double[]> sums = new EnumMap<>(Kind.class);
        for (int shard : HistoryLayouts.shards(keyspace)) {
            List<SeriesName> some = newest(shard);
            for (Kind kind : Kind.values()) {
                List<Cell.Key> keys = new ArrayList<>();
                some.forEach(series -> keys.addAll(keys(kind, series, Hours.of(now))));
                if (!keys.isEmpty()) {
                    measure(keys, sums.computeIfAbsent(kind, each -> new double[2]));
                }
            }
        }
        for (Kind kind : Kind.values()) {
            double[] sum = sums.getOrDefault(kind, new double[2]);
            double guess = kind == Kind.SAMPLES ? GUESS_SAMPLE : GUESS_ROLLUP;
            bytesEach.put(kind, sum[1] > 0 ? sum[0] / sum[1] : guess);
        }
    }

    private List<SeriesName> newest(int shard) {
        List<SeriesName> all = new ArrayList<>();
        for (Cells.Scored each :
                keyspace.cells()
                        .sorted(HistoryLayouts.series(shard), -MEASURED_SERIES, -1)
                        .answer()
                        .or(List.of())) {
            SeriesName.parse(each.member()).ifPresent(all::add);
        }
        return all;
    }

    /** The last two sets of a series: the newest alone may have just begun. */
    private static List<Cell.Key> keys(Kind kind, SeriesName series, long hour) {
        return kind.resolution()
                .map(
                        resolution -> {
                            long set = resolution.set(hour);
                            return List.of(
                                    HistoryLayouts.rollups(series, resolution, set),
                                    HistoryLayouts.rollups(series, resolution, set - 1));
                        })
                .orElseGet(
                        () ->
                                List.of(
                                        HistoryLayouts.hour(series, hour),
                                        HistoryLayouts.hour(series, hour - 1)));
    }

    private void measure(List<Cell.Key> keys, double[] sum) {
        try {
            // They live together, but under several owners.
            for (Cell.Key key : keys) {
                if (keyspace.ask(USAGE, List.of(key)).join() instanceof List<?> reply
                        && reply.get(0) instanceof Long bytes
                        && reply.get(1) instanceof Long members) {
                    sum[0] += bytes;
                    sum[1] += members;
                }
            }
        } catch (CompletionException e) {
            if (!(e.getCause() instanceof RedisException)) {
                throw e;
            }
            // It may not be allowed; then the guess counts.
        }
    }

    // ---------------------------------------------------------------- the oldest

    @Override
    public long removeOldest(int most, long before) {
        Removing now = removing;
        if (now == null) {
            Optional<Bucket> oldest = oldest();
            if (oldest.isEmpty()) {
                return 0;
            }
            now = new Removing(oldest.get(), 0, count(oldest.get()));
        }
        return now.bucket.kind == Kind.SAMPLES
                ? removeSamples(now, most)
                : removeRollups(now, most);
    }

    /** Of the kind that takes most beyond its share, but never of the hours that are not over. */
    private Optional<Bucket> oldest() {
        List<Bucket> all = buckets();
        Map<Kind, Double> bytes = new EnumMap<>(Kind.class);
        for (Bucket each : all) {
            bytes.merge(
                    each.kind,
                    each.entries
                            * bytesEach.getOrDefault(each.kind, GUESS_ROLLUP)
                            / each.kind.share,
                    Double::sum);
        }
        // Minutes go with the samples of their hour.
        bytes.merge(Kind.SAMPLES, bytes.getOrDefault(Kind.MINUTES, 0.0), Math::max);
        bytes.remove(Kind.MINUTES);
        Optional<Kind> largest =
                bytes.entrySet().stream().max(Map.Entry.comparingByValue()).map(Map.Entry::getKey);
        long now = Hours.of(clock.millis());
        return all.stream()
                .filter(each -> largest.filter(each.kind::equals).isPresent())
                .filter(each -> each.hour < now)
                .min(Comparator.comparingLong(Bucket::hour));
    }

    private long count(Bucket bucket) {
        Cell.Key key =
                bucket.kind == Kind.SAMPLES
                        ? seriesOfHour(bucket)
                        : HistoryLayouts.series(bucket.shard);
        return Math.max(1, keyspace.cells().size(key).answer().or(0L));
    }

    private static Cell.Key seriesOfHour(Bucket bucket) {
        return HistoryLayouts.seriesOfHour(HistoryLayouts.ownerIn(bucket.shard), bucket.hour);
    }

    private Commit commit(Bucket bucket) {
        return keyspace.commit(HistoryLayouts.ownerIn(bucket.shard)).acrossOwners();
    }

    private long removeSamples(Removing now, int most) {
        Bucket bucket = now.bucket;
        Cell.Key index = seriesOfHour(bucket);
        Set<String> names =
                new LinkedHashSet<>(keyspace.cells().members(index, most).answer().or(Set.of()));
        Commit commit = commit(bucket);
        for (String name : names) {
            commit.removeMember(index, name);
            SeriesName.parse(name)
                    .ifPresent(
                            series ->
                                    commit.delete(HistoryLayouts.hour(series, bucket.hour))
                                            .delete(
                                                    HistoryLayouts.rollups(
                                                            series,
                                                            Resolution.MINUTE,
                                                            bucket.hour)));
        }
        boolean last = names.size() < most;
        if (last) {
            commit.removeField(HistoryLayouts.sizes(bucket.shard), bucket.name)
                    .removeField(
                            HistoryLayouts.sizes(bucket.shard),
                            Sizes.ofRollups(Resolution.MINUTE, bucket.hour))
                    .setFields(
                            HistoryLayouts.rollups(bucket.shard),
                            Map.of(Marks.FLOOR, Hours.stamp(bucket.hour + 1)));
        }
        commit.run().orThrow();
        removing = last ? null : new Removing(bucket, now.from + names.size(), now.all);
        return share(bucket, names.size(), now.all, last);
    }

    private long removeRollups(Removing now, int most) {
        Bucket bucket = now.bucket;
        Resolution resolution = bucket.kind.resolution().orElseThrow();
        List<Cells.Scored> some =
                keyspace.cells()
                        .sorted(HistoryLayouts.series(bucket.shard), now.from, now.from + most - 1L)
                        .answer()
                        .or(List.of());
        Commit commit = commit(bucket);
        for (Cells.Scored each : some) {
            SeriesName.parse(each.member())
                    .ifPresent(
                            series ->
                                    commit.delete(
                                            HistoryLayouts.rollups(
                                                    series, resolution, bucket.hour)));
        }
        boolean last = some.size() < most;
        if (last) {
            commit.removeField(HistoryLayouts.sizes(bucket.shard), bucket.name);
        }
        commit.run().orThrow();
        removing = last ? null : new Removing(bucket, now.from + some.size(), now.all);
        return share(bucket, some.size(), now.all, last);
    }

    /** About so many entries have gone with the sets of so many series. */
    private static long share(Bucket bucket, int series, long all, boolean last) {
        long part = Math.round((double) bucket.entries * Math.min(1, (double) series / all));
        return last ? Math.max(1, part) : part;
    }
}
