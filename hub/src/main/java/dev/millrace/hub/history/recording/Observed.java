package dev.millrace.hub.history.recording;

import dev.millrace.hub.history.series.Sample;
import dev.millrace.hub.history.series.SeriesName.Thing;

import java.util.List;

/**
 * Values of one thing that were measured together.
 *
 * @param kind which values of it: {@code T}, {@code S} or {@code measurement}
 * @param at in ms
 */
public record Observed(Thing thing, String kind, long at, List<Field> fields) {
    public Observed {
        fields = List.copyOf(fields);
    }

    /**
     * One of them.
     *
     * @param name of its series
     */
    public record Field(String name, Sample sample) {}
}
