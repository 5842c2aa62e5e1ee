package dev.millrace.hub.history.recording;

import dev.millrace.hub.history.kept.SampleReads.Moment;
import dev.millrace.hub.history.kept.ThingState;
import dev.millrace.hub.history.series.Sample;
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
import java.util.function.Function;

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
     * Values that may not be newer than all before them in their series; there may be others among
     * them.
     *
     * @param states what is known of things; null if nothing is
     */
    Set<Moment> late(Function<Thing, @Nullable ThingState> states) {
        Set<Moment> late = new LinkedHashSet<>();
        Map<Thing, Long> before = new HashMap<>();
        for (Piece piece : pieces) {
            Observed observed = piece.observed;
            ThingState state = observed == null ? null : states.apply(observed.thing());
            if (observed == null || state == null) {
                continue;
            }
            long told = before.getOrDefault(observed.thing(), Long.MIN_VALUE);
            long newest = told;
            for (Observed.Field field : observed.fields()) {
                long at = field.sample().at();
                Sample last = state.newest(field.name());
                if (at <= told || (last != null && at <= last.at())) {
                    late.add(new Moment(observed.thing().field(field.name()), at));
                }
                newest = Math.max(newest, at);
            }
            before.put(observed.thing(), newest);
        }
        return late;
    }
}
