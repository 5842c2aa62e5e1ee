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
            int done = 0;
            while (done < samples.size()) {
                List<Brought> some = samples.subList(done, Math.min(done + STEP, samples.size()));
                Written step = written(thing, state, some, kept, choice);
                state = step.state;
                written += step.taken.samples;
                done += step.taken.brought;
            }
        }
        return written;
    }

    /** How a step ended. */
    private record Written(ThingState state, Taken taken) {}

    /**
     * What went into a step.
     *
     * @param outcome of the commit
     * @param brought so many of those that were brought were looked at
     * @param samples so many of these were worth keeping
     */
    private record Taken(Outcome<Long> outcome, int brought, int samples) {}

    private Written written(
            Thing thing, ThingState known, List<Brought> some, Kept kept, Choice choice) {
        ThingState state = known;
        for (int attempt = 1; ; attempt++) {
            Taken taken = step(state, some, kept, choice);
            if (!taken.outcome.failedBy(Reason.CONFLICT) || attempt == ATTEMPTS) {
                taken.outcome.orThrow();
                return new Written(state, taken);
            }
            // The recorder or another import was faster.
            state = reads.state(thing);
        }
    }

    private Taken step(ThingState state, List<Brought> some, Kept kept, Choice choice) {
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
        int brought = 0;
        for (Brought each : some) {
            if (!step.hasRoomFor(state, each.series.field(), each.sample)) {
                break;
            }
            brought++;
            Sample last = state.newest(each.series.field());
            if (choice.wants(each.series, last, each.sample)) {
                step.put(
                        state,
                        each.series.field(),
                        each.sample,
                        stored.get(new Moment(each.series, each.sample.at())));
            }
        }
        if (step.samples() == 0) {
            return new Taken(Outcome.done(0L), brought, 0);
        }
        step.finish();
        Outcome<Long> outcome = commit.run();
        step.ended(outcome);
        return new Taken(outcome, brought, step.samples());
    }
}
