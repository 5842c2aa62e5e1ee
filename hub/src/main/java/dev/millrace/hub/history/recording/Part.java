package dev.millrace.hub.history.recording;

import dev.millrace.hub.history.kept.SampleReads.Moment;
import dev.millrace.hub.history.series.SeriesName;
import dev.millrace.hub.history.series.SeriesName.Thing;
import dev.millrace.keyspace.feed.Fact;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.ToLongFunction;

/**
 * Facts that are looked at together, because all they tell may go into one step.
 *
 * @param values so many values are told by them
 */
record Part(List<Piece> pieces, int values) {
    private static final Logger log = LoggerFactory.getLogger(Part.class);

    Part {
        pieces = List.copyOf(pieces);
    }

    /** A fact, and what it tells; null if that is nothing to record. */
    record Piece(Fact fact, @Nullable Observed observed) {}

    /** The first of these facts, and as many more as have so many values at most. */
    static Part of(List<Fact> facts, Recordable recordable, int most) {
        List<Piece> pieces = new ArrayList<>();
        int values = 0;
        for (Fact fact : facts) {
            Observed each = read(fact, recordable);
            int size = each == null ? 0 : each.fields().size();
            if (values > 0 && values + size > most) {
                break;
            }
            pieces.add(new Piece(fact, each));
            values += size;
        }
        return new Part(pieces, values);
    }

    private static @Nullable Observed read(Fact fact, Recordable recordable) {
        try {
            return recordable.read(fact).orElse(null);
        } catch (IllegalArgumentException e) {
            log.warn(
                    "Skipped a fact that cannot be recorded. topic={} reason={}",
                    recordable.topic().name(),
                    e.getMessage());
            return null;
        }
    }

    /** Whose values they are. */
    Set<Thing> things() {
        Set<Thing> things = new HashSet<>();
        for (Piece each : pieces) {
            if (each.observed != null) {
                things.add(each.observed.thing());
            }
        }
        return things;
    }

    /**
     * Values that may not be newer than all before them in their series.
     *
     * @param newest the time of the newest sample of a series, before all others if there is none
     */
    Set<Moment> late(ToLongFunction<SeriesName> newest) {
        Set<Moment> late = new LinkedHashSet<>();
        Map<SeriesName, Long> before = new HashMap<>();
        for (Piece piece : pieces) {
            if (piece.observed == null) {
                continue;
            }
            for (Observed.Field field : piece.observed.fields()) {
                SeriesName series = piece.observed.thing().field(field.name());
                long at = field.sample().at();
                long last = before.computeIfAbsent(series, newest::applyAsLong);
                if (at <= last) {
                    late.add(new Moment(series, at));
                } else {
                    before.put(series, at);
                }
            }
        }
        return late;
    }
}
