package dev.millrace.hub.history;

import dev.millrace.hub.keys.KeyGrammars;
import dev.millrace.keyspace.layout.Cell;
import dev.millrace.keyspace.layout.Declaration;
import dev.millrace.keyspace.layout.KeyType;

import java.time.Duration;
import java.util.List;

/** The keys of samples. A series lives with the channel or model that its id names. */
public final class HistoryLayouts {
    static final Cell HOUR =
            cell(
                            KeyType.SORTED_SET,
                            "history:{source:origin}:{id:shortname}:{field:segment}:{hour:hourstamp}")
                    .ownedBy("id")
                    .about("One hour of one series: values by time.");

    static final Cell BATCH =
            cell(KeyType.STRING, "history:batch:{batch_id:shortname}")
                    .ownedBy("batch_id")
                    .expires(Duration.ofHours(1))
                    .about("Samples on their way to another store, as JSON; kept for an hour.");

    static final Cell SERIES_OF_DAY =
            cell(KeyType.SET, "history:index:{date:date}")
                    .livesWith("id")
                    .about("The series that have samples on that day.");

    static final Cell SERIES_OF_HOUR =
            cell(KeyType.SET, "idx:time:{date:date}:{hour:hourofday}")
                    .livesWith("id")
                    .about("The series that have samples in that hour.");

    static final Cell STATISTICS =
            cell(KeyType.HASH, "history:statistics:{source:origin}:{id:shortname}")
                    .ownedBy("id")
                    .about("min, max, avg, count.");

    private HistoryLayouts() {}

    private static Cell cell(KeyType type, String pattern) {
        return Cell.of(type, pattern, KeyGrammars.ALL);
    }

    public static List<Declaration> all() {
        return List.of(HOUR, BATCH, SERIES_OF_DAY, SERIES_OF_HOUR, STATISTICS);
    }
}
