package dev.millrace.hub.history.kept;

import dev.millrace.hub.history.kept.SampleReads.Moment;
import dev.millrace.hub.history.series.Sample;
import dev.millrace.hub.history.series.SeriesName;
import dev.millrace.hub.history.series.SeriesName.Thing;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.commit.Commit;
import dev.millrace.keyspace.redis.outcome.Outcome;
import dev.millrace.keyspace.redis.outcome.Reason;
import dev.millrace.keyspace.redis.outcome.RedisException;

import org.jspecify.annotations.Nullable;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Writes samples that somebody brings, in steps, each of them whole or not at all. What is there
 * already changes nothing, so whoever does not know how it ended does it again. Thread-safe.
 */
public final class SampleWriter {
    private static final int STEP = 500;
    private static final int ATTEMPTS = 16;

    private final Keyspace keyspace;
    private final SampleReads reads;
    private final Marks marks;
    private final InstantSource clock;

    public SampleWriter(Keyspace keyspace, Marks marks, InstantSource clock) {
        this.keyspace = keyspace;
        this.marks = marks;
        this.reads = new SampleReads(keyspace);
        this.clock = clock;
    }

    /** Before this time, in ms, samples of the series are taken no more. */
    public long floor(SeriesName series) {
        return marks.floor(HistoryLayouts.shard(keyspace, series.thing()));
    }

    /** A sample of a series. */
    public record Brought(SeriesName series, Sample sample) {}

    /**
     * Writes them.
     *
     * @throws RedisException if Redis does not take them; some may be stored by then
     */
    public void write(List<Brought> all, Kept kept) {
        write(all, kept, (series, last, next) -> true);
    }

    /** Says whether a sample is worth keeping after the last one of its series. */
    @FunctionalInterface
    public interface Choice {
        boolean wants(SeriesName series, @Nullable Sample last, Sample next);
    }

    /** The same of those that are worth keeping; says how many these were. */
    public long write(List<Brought> all, Kept kept, Choice choice) {
        long written = 0;
        Map<Thing, List<Brought>> byThing = new LinkedHashMap<>();
        for (Brought each : all) {
            byThing.computeIfAbsent(each.series.thing(), thing -> new ArrayList<>()).add(each);
        }
        SampleReads.States states = reads.states(byThing.keySet());
        for (Map.Entry<Thing, List<Brought>> each : byThing.entrySet()) {
            Thing thing = each.getKey();
            List<Brought> samples = each.getValue();
            // Of one time, the one that was brought last counts; the sort keeps that.
            samples.sort(Comparator.comparingLong(one -> one.sample.at()));
            ThingState state = states.of(thing);
            for (int i = 0; i < samples.size(); i += STEP) {
                List<Brought> some = samples.subList(i, Math.min(i + STEP, samples.size()));
                Written step = written(thing, state, some, kept, choice);
                state = step.state;
                written += step.samples;
            }
        }
        return written;
    }

    /** How a step ended. */
    private record Written(ThingState state, int samples) {}

    private Written written(
            Thing thing, ThingState known, List<Brought> some, Kept kept, Choice choice) {
        ThingState state = known;
        for (int attempt = 1; ; attempt++) {
            int[] samples = {0};
            Outcome<Long> outcome = step(state, some, kept, choice, samples);
            if (!outcome.failedBy(Reason.CONFLICT) || attempt == ATTEMPTS) {
                outcome.orThrow();
                return new Written(state, samples[0]);
            }
            // The recorder or another import was faster.
            state = reads.state(thing);
        }
    }

    private Outcome<Long> step(
            ThingState state, List<Brought> some, Kept kept, Choice choice, int[] samples) {
        List<Moment> late = new ArrayList<>();
        for (Brought each : some) {
            if (each.sample.at() <= state.field(each.series.field()).lastAt()) {
                late.add(new Moment(each.series, each.sample.at()));
            }
        }
        Map<Moment, SampleReads.Stored> stored = reads.at(late);
        Commit commit = keyspace.commit(HistoryLayouts.owner(state.thing()));
        int shard = HistoryLayouts.shard(keyspace, state.thing());
        Step step = new Step(commit, shard, kept, marks, clock.millis());
        for (Brought each : some) {
            Sample last = state.newest(each.series.field());
            if (choice.wants(each.series, last, each.sample)) {
                step.put(
                        state,
                        each.series.field(),
                        each.sample,
                        stored.get(new Moment(each.series, each.sample.at())));
            }
        }
        samples[0] = step.samples();
        if (step.samples() == 0) {
            return Outcome.done(0L);
        }
        step.finish();
        Outcome<Long> outcome = commit.run();
        step.ended(outcome);
        return outcome;
    }
}
