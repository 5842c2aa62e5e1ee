package dev.millrace.hub.history.asking;

import dev.millrace.hub.history.kept.SampleReads;
import dev.millrace.hub.history.series.Sample;
import dev.millrace.hub.history.series.SeriesName;
import dev.millrace.hub.history.series.SeriesName.Thing;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The newest samples. The statistics know them, but for what others have written; so the hours
 * since are looked at too. Thread-safe.
 */
public final class Latest {
    private static final long A_DAY = 86_400_000;
    private static final long A_MINUTE = 60_000;

    private final SampleReads reads;
    private final InstantSource clock;

    public Latest(SampleReads reads, InstantSource clock) {
        this.reads = reads;
        this.clock = clock;
    }

    /** The series of a thing that have statistics. */
    public List<SeriesName> of(Thing thing) {
        List<SeriesName> all = new ArrayList<>();
        reads.state(thing).names().forEach(field -> all.add(thing.field(field)));
        return all;
    }

    /** The newest sample of each series that has any. */
    public Map<SeriesName, Sample> of(List<SeriesName> wanted) {
        Set<Thing> things = new LinkedHashSet<>();
        wanted.forEach(series -> things.add(series.thing()));
        SampleReads.States states = reads.states(things);
        Map<SeriesName, Sample> all = new LinkedHashMap<>();
        long now = clock.millis() + A_MINUTE;
        for (SeriesName series : wanted) {
            Sample known = states.of(series.thing()).newest(series.field());
            long since = known == null ? now - A_DAY : Math.max(known.at() + 1, now - A_DAY);
            if (since < now) {
                reads.newest(series, since, now).ifPresent(sample -> all.put(series, sample));
            }
            if (known != null) {
                all.putIfAbsent(series, known);
            }
        }
        return all;
    }
}
