package dev.millrace.hub.history.kept;

import dev.millrace.hub.history.series.Hours;
import dev.millrace.hub.history.series.Resolution;
import dev.millrace.hub.history.series.SeriesName;
import dev.millrace.hub.history.series.SeriesName.Thing;
import dev.millrace.hub.keys.KeyGrammars;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.commit.Shards;
import dev.millrace.keyspace.layout.Cell;
import dev.millrace.keyspace.layout.Declaration;
import dev.millrace.keyspace.layout.KeyType;

import java.util.List;
import java.util.stream.IntStream;

/**
 * The keys of samples. A series lives with the channel or service that its id names, where the
 * values come from that are recorded; those of models live with the models, at the site. So a
 * recorder's step, with the place up to which it has read, is one commit.
 */
public final class HistoryLayouts {
    static final Cell HOUR =
            cell(
                            KeyType.SORTED_SET,
                            "history:{source:origin}:{id:shortname}:{field:segment}:{hour:hourstamp}")
                    .ownedBy("id")
                    .about("One hour of one series: values by time.");

    static final Cell MODEL_HOUR =
            cell(
                            KeyType.SORTED_SET,
                            "history:model:{id:shortname}:{field:segment}:{hour:hourstamp}")
                    .about("The same of a measurement of a model.");

    static final Cell SERIES_OF_DAY =
            cell(KeyType.SET, "history:index:{date:date}")
                    .livesWith("id", HistoryLayouts::ownerOfMember)
                    .about("The series that have samples on that day.");

    static final Cell SERIES_OF_HOUR =
            cell(KeyType.SET, "idx:time:{date:date}:{hour:hourofday}")
                    .livesWith("id", HistoryLayouts::ownerOfMember)
                    .about("The series that have samples in that hour.");

    static final Cell STATISTICS =
            cell(KeyType.HASH, "history:statistics:{source:origin}:{id:shortname}")
                    .ownedBy("id")
                    .about("min, max, avg, count; the same of each field; the sample last taken.");

    static final Cell MODEL_STATISTICS =
            cell(KeyType.HASH, "history:statistics:model:{id:shortname}")
                    .about("The same of a model.");

    static final Cell RECORDER =
            cell(KeyType.HASH, "hissrv:recorder")
                    .livesWith("shard")
                    .about("How far the recorder has come, and what it has counted.");

    static final Cell ROLLUPS =
            cell(KeyType.HASH, "hissrv:rollups")
                    .livesWith("shard")
                    .about("Up to which hour roll-ups are made.");

    static final Cell ROLLUPS_DUE =
            cell(KeyType.SORTED_SET, "hissrv:rollups:due")
                    .livesWith("id", HistoryLayouts::ownerOfMember)
                    .about(
                            "Hours of series whose roll-ups are made anew: there were late"
                                    + " samples.");

    static final Cell SIZES =
            cell(KeyType.HASH, "hissrv:sizes")
                    .livesWith("shard")
                    .about("How many samples and roll-ups there are, by hour, day, month or year.");

    static final Cell SERIES =
            cell(KeyType.SORTED_SET, "hissrv:series")
                    .livesWith("id", HistoryLayouts::ownerOfMember)
                    .about("All series, by the hour of their newest sample.");

    static final Cell GAPS =
            cell(KeyType.LIST, "hissrv:gaps")
                    .livesWith("shard")
                    .about("Times of which values were not recorded, as JSON, newest first.");

    /** For each shard, a name that lives there: what the shard has once is found by it. */
    private static final List<String> IN_SHARD =
            IntStream.range(0, Shards.COUNT)
                    .mapToObj(
                            shard ->
                                    IntStream.iterate(0, i -> i + 1)
                                            .mapToObj(i -> "hissrv-" + i)
                                            .filter(name -> Shards.shard(name) == shard)
                                            .findFirst()
                                            .orElseThrow())
                    .toList();

    private HistoryLayouts() {}

    private static Cell cell(KeyType type, String pattern) {
        return Cell.of(type, pattern, KeyGrammars.ALL);
    }

    /** With whom the series of this thing live. */
    public static String owner(Thing thing) {
        return thing.source().equals(SeriesName.MODEL) ? Declaration.SITE : thing.id();
    }

    /** Of a member that begins with source and id. */
    private static String ownerOfMember(String member) {
        String[] parts = member.split(":", 3);
        return parts.length < 3 ? Declaration.SITE : owner(new Thing(parts[0], parts[1]));
    }

    /** The samples of one hour. */
    static Cell.Key hour(SeriesName series, long hour) {
        return of(series, series.field(), Hours.stamp(hour));
    }

    /** The roll-ups of the hours that share a set with this one. */
    static Cell.Key rollups(SeriesName series, Resolution resolution, long hour) {
        return of(series, resolution.field(series.field()), Hours.stamp(resolution.set(hour)));
    }

    private static Cell.Key of(SeriesName series, String field, String stamp) {
        return series.source().equals(SeriesName.MODEL)
                ? MODEL_HOUR.at(series.id(), field, stamp)
                : HOUR.at(series.source(), series.id(), field, stamp);
    }

    static Cell.Key statistics(Thing thing) {
        return thing.source().equals(SeriesName.MODEL)
                ? MODEL_STATISTICS.at(thing.id())
                : STATISTICS.at(thing.source(), thing.id());
    }

    static Cell.Key seriesOfHour(String owner, long hour) {
        return SERIES_OF_HOUR.of(owner, Hours.date(hour), Hours.ofDay(hour));
    }

    static Cell.Key seriesOfDay(String owner, long hour) {
        return SERIES_OF_DAY.of(owner, Hours.date(hour));
    }

    static Cell.Key recorder(int shard) {
        return RECORDER.of(IN_SHARD.get(shard));
    }

    static Cell.Key rollups(int shard) {
        return ROLLUPS.of(IN_SHARD.get(shard));
    }

    static Cell.Key rollupsDue(int shard) {
        return ROLLUPS_DUE.of(IN_SHARD.get(shard));
    }

    static Cell.Key sizes(int shard) {
        return SIZES.of(IN_SHARD.get(shard));
    }

    static Cell.Key series(int shard) {
        return SERIES.of(IN_SHARD.get(shard));
    }

    static Cell.Key gaps(int shard) {
        return GAPS.of(IN_SHARD.get(shard));
    }

    /** Where the series of this thing live. */
    static int shard(Keyspace keyspace, Thing thing) {
        return keyspace.redis().cluster() ? Shards.shard(owner(thing)) : 0;
    }

    /** The shards that there are: on a single server, one. */
    static List<Integer> shards(Keyspace keyspace) {
        return keyspace.redis().cluster()
                ? IntStream.range(0, Shards.COUNT).boxed().toList()
                : List.of(0);
    }

    /** Somebody who lives there. */
    static String ownerIn(int shard) {
        return IN_SHARD.get(shard);
    }

    public static List<Declaration> all() {
        return List.of(
                HOUR,
                MODEL_HOUR,
                SERIES_OF_DAY,
                SERIES_OF_HOUR,
                STATISTICS,
                MODEL_STATISTICS,
                RECORDER,
                ROLLUPS,
                ROLLUPS_DUE,
                SIZES,
                SERIES,
                GAPS);
    }
}
