package dev.millrace.hub.history.recording;

import dev.millrace.hub.history.batches.BatchWriter;
import dev.millrace.hub.history.kept.Gaps;
import dev.millrace.hub.history.kept.Marks;
import dev.millrace.hub.history.kept.SampleReads;
import dev.millrace.hub.history.kept.SampleReads.Moment;
import dev.millrace.hub.history.kept.Step;
import dev.millrace.hub.history.kept.ThingState;
import dev.millrace.hub.history.series.Sample;
import dev.millrace.hub.history.series.SeriesName;
import dev.millrace.hub.history.series.SeriesName.Thing;
import dev.millrace.hub.work.Duty;
import dev.millrace.hub.work.Seldom;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.commit.Commit;
import dev.millrace.keyspace.feed.Fact;
import dev.millrace.keyspace.feed.Feed;
import dev.millrace.keyspace.feed.FeedReader;
import dev.millrace.keyspace.feed.Topic;
import dev.millrace.keyspace.redis.outcome.Outcome;
import dev.millrace.keyspace.redis.outcome.Reason;
import dev.millrace.keyspace.redis.outcome.RedisException;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Makes samples of what a room announces. One hub of a site does it, in steps: some facts are read,
 * what is worth keeping is chosen, and one commit writes the samples with their indexes and
 * statistics and the place up to which was read. So whatever dies when, each value that had to be
 * recorded is a sample once. What it has to know of a series to choose, its last sample, stands in
 * the statistics; memory only spares reading them.
 *
 * <p>Writers never wait for it. If it is so far behind that facts were dropped before it came to
 * them, that is written down as a gap, and everything after it is recorded, changed or not.
 */
final class Recorder implements AutoCloseable {
    static final String READER = "history";
    private static final Logger log = LoggerFactory.getLogger(Recorder.class);

    /** What is new wakes it; this is for what nobody heard of, should that ever be. */
    private static final Duration WAIT = Duration.ofSeconds(10);

    /** About a millisecond and a half of the server's time. */
    private static final int SAMPLES_AT_ONCE = 500;

    private static final int FACTS_AT_ONCE = 200;

    /** Beyond it what is remembered is forgotten, and read again when it is needed. */
    private static final int MOST_REMEMBERED = 500_000;

    static final long FUTURE_MILLIS = 60_000;

    private final Keyspace keyspace;
    private final Recordable recordable;
    private final Supplier<Rules> rules;
    private final Marks marks;
    private final BatchWriter batches;
    private final SampleReads reads;
    private final InstantSource clock;
    private final FeedReader reader;
    private final Counter recorded;
    private final Counter tooOld;
    private final Counter tooNew;
    private final Counter tooLong;
    private final Counter leftOut;
    private final Seldom seldom = new Seldom();
    private final Duty duty;

    // Of the duty's thread alone.

    private final Map<Thing, Track> tracks = new HashMap<>();
    private @Nullable Rules chosenBy;
    private int remembered;
    private double valuesOfAFact = 1;

    /** So many facts are recorded one by one, because there is one among them that cannot be. */
    private int careful;

    /** How many gaps there were in a shard. */
    private final Map<Integer, Integer> gaps = new HashMap<>();

    /** A thing that is being recorded. */
    private static final class Track {
        final ThingState state;
        final Map<String, Choice> choices = new HashMap<>();

        Track(ThingState state) {
            this.state = state;
        }
    }

    /** What is known of one series. */
    private static final class Choice {
        /** What the rules say; null if it is not recorded. */
        final @Nullable Rule rule;

        /** So many gaps there were when it was recorded last: before another, nothing is sure. */
        int sure;

        Choice(@Nullable Rule rule) {
            this.rule = rule;
        }
    }

    Recorder(
            Keyspace keyspace,
            Recordable recordable,
            Supplier<Rules> rules,
            Marks marks,
            BatchWriter batches,
            MeterRegistry figures,
            InstantSource clock) {
        this.keyspace = keyspace;
        this.recordable = recordable;
        this.rules = rules;
        this.marks = marks;
        this.batches = batches;
        this.reads = new SampleReads(keyspace);
        this.clock = clock;
        Topic topic = recordable.topic();
        Feed feed = keyspace.feed(topic);
        this.reader = feed.reader(READER, Topic.Behind.GAP, false);
        this.recorded = counter(figures, "recorded", "Samples that were recorded.");
        this.tooOld = counter(figures, "too.old", "Values older than samples are kept.");
        this.tooNew = counter(figures, "too.new", "Values of more than a minute from now.");
        this.tooLong = counter(figures, "too.long", "Values too long to be samples.");
        this.leftOut = counter(figures, "left.out", "Facts that could not be recorded.");
        this.duty = Duty.start(keyspace, "history-recorder-" + topic.name(), figures, this::step);
    }

    private Counter counter(MeterRegistry figures, String name, String about) {
        return Counter.builder("millrace.history." + name)
                .tag("topic", recordable.topic().name())
                .description(about)
                .register(figures);
    }

    // ---------------------------------------------------------------- steps

    private Duration step(Duty.Turn turn) {
        int most = (int) Math.clamp(SAMPLES_AT_ONCE / valuesOfAFact, 1, FACTS_AT_ONCE);
        List<FeedReader.Unread> unread = reader.next(most, WAIT);
        Rules now = rules.get();
        if (!now.equals(chosenBy)) {
            tracks.values().forEach(track -> track.choices.clear());
            chosenBy = now;
        }
        try {
            for (FeedReader.Unread each : unread) {
                if (!turn.mine()) {
                    break;
                }
                closeGap(each, turn);
                record(each, now, turn);
            }
        } catch (RuntimeException e) {
            forget();
            throw e;
        }
        if (remembered > MOST_REMEMBERED) {
            forget();
        }
        return Duration.ZERO;
    }

    /** What was added to may not be what is stored any more. */
    private void forget() {
        tracks.clear();
        remembered = 0;
    }

    private void record(FeedReader.Unread unread, Rules now, Duty.Turn turn) {
        if (unread.facts().isEmpty()) {
            return;
        }
        Part part = part(careful > 0 ? unread.facts().subList(0, 1) : unread.facts());
        careful = Math.max(0, careful - 1);
        load(part);
        Commit commit = reader.commit(unread);
        int shard = unread.place().shard();
        Step step = new Step(commit, shard, now, marks, clock.millis());
        Tally tally = new Tally();
        BatchWriter.Draft batch = batches.draft();
        Fact last = choose(part, shard, now, step, batch, tally);
        step.finish();
        batch.into(commit, shard);
        if (last != null) {
            step.note(last.time(), tally.old, tally.future);
            commit.with(unread.readTo(last));
        }
        Outcome<Long> outcome = commit.with(turn.lease().guard()).run();
        step.ended(outcome);
        if (outcome.failedBy(Reason.CONFLICT)) {
            // Another hub has taken over, or somebody has brought in samples of these things.
            forget();
            return;
        }
        if (outcome instanceof Outcome.NotDone<Long>(Reason reason, String why)
                && (reason == Reason.WRONG_TYPE || reason == Reason.TOO_LARGE)) {
            forget();
            leaveOut(unread, part, why, turn);
            return;
        }
        if (!outcome.isStored()) {
            outcome.orThrow();
        }
        recorded.increment(step.samples());
        tooOld.increment(tally.old);
        tooNew.increment(tally.future);
        tooLong.increment(tally.tooLong);
    }

    /**
     * Where somebody has put something else in the place of a key, nothing can be written; all
     * others are recorded nevertheless: each fact is tried alone, and one that cannot be recorded
     * is left out.
     */
    private void leaveOut(FeedReader.Unread unread, Part part, String why, Duty.Turn turn) {
        if (part.pieces().size() > 1) {
            careful = part.pieces().size();
            return;
        }
        Outcome<Long> outcome =
                reader.commit(unread)
                        .with(unread.readTo(part.pieces().getFirst().fact()))
                        .with(turn.lease().guard())
                        .run();
        if (outcome.failedBy(Reason.CONFLICT)) {
            return;
        }
        outcome.orThrow();
        leftOut.increment();
        seldom.say(
                others ->
                        log.warn(
                                "Values cannot be recorded and were left out. topic={} reason={}"
                                        + " others={}",
                                recordable.topic().name(),
                                why,
                                others));
    }

    private Part part(List<Fact> facts) {
        Part part = Part.of(facts, recordable, 2 * SAMPLES_AT_ONCE);
        valuesOfAFact =
                Math.max(1, 0.8 * valuesOfAFact + 0.2 * part.values() / part.pieces().size());
        return part;
    }

    private void load(Part part) {
        Set<Thing> unknown = part.things();
        unknown.removeAll(tracks.keySet());
        reads.states(unknown)
                .all()
                .forEach(
                        (thing, state) -> {
                            tracks.put(thing, new Track(state));
                            remembered += state.size();
                        });
    }

    /** What was left out of a step. */
    private static final class Tally {
        int old;
        int future;
        int tooLong;

        void add(Tally other) {
            old += other.old;
            future += other.future;
            tooLong += other.tooLong;
        }
    }

    /**
     * Fills the step as far as it goes. A fact that does not fit is told again in the next step; of
     * one that is larger than a step, what is recorded by then is known by its time, for a fact has
     * one value of each series.
     *
     * @return the last fact that is in it as a whole; null if even the first is not
     */
    private @Nullable Fact choose(
            Part part, int shard, Rules now, Step step, BatchWriter.Draft batch, Tally tally) {
        Fact done = null;
        Map<Moment, SampleReads.Stored> stored = now.enabled() ? latecomers(part) : Map.of();
        for (Part.Piece piece : part.pieces()) {
            Tally one = new Tally();
            if (piece.observed() != null
                    && now.enabled()
                    && !choose(piece.observed(), shard, now, step, batch, stored, one)) {
                return done;
            }
            tally.add(one);
            done = piece.fact();
        }
        return done;
    }

    /** False if the step is full before all values are in it. */
    private boolean choose(
            Observed observed,
            int shard,
            Rules now,
            Step step,
            BatchWriter.Draft batch,
            Map<Moment, SampleReads.Stored> stored,
            Tally tally) {
        Track track = tracks.get(observed.thing());
        if (track == null) {
            return true;
        }
        long latest = clock.millis() + FUTURE_MILLIS;
        int lost = gaps.getOrDefault(shard, 0);
        for (Observed.Field field : observed.fields()) {
            Choice choice = choice(track, observed, field.name(), now);
            Rule rule = choice.rule;
            Sample sample = field.sample();
            if (rule == null) {
                continue;
            }
            if (sample.at() > latest) {
                tally.future++;
                continue;
            }
            long oldest = clock.millis() - rule.keep().orElse(now.keep()).toMillis();
            if (sample.at() < Math.max(marks.floor(shard), oldest)) {
                tally.old++;
                continue;
            }
            if (sample.text().length() > Sample.LONGEST) {
                tally.tooLong++;
                continue;
            }
            Sample last = track.state.newest(field.name());
            boolean late = last != null && sample.at() <= last.at();
            if (!late && choice.sure >= lost && !rule.wants(last, sample)) {
                continue;
            }
            SeriesName series = observed.thing().field(field.name());
            int beside = batch.bytes(series, sample);
            if (!step.hasRoomFor(track.state, field.name(), sample, beside)) {
                return false;
            }
            int before = step.samples();
            if (late) {
                Moment moment = new Moment(series, sample.at());
                step.put(track.state, field.name(), sample, stored.get(moment));
            } else {
                choice.sure = lost;
                step.add(track.state, field.name(), sample);
            }
            if (step.samples() > before) {
                batch.add(series, sample);
                step.owe(beside);
            }
        }
        return true;
    }

    private static Choice choice(Track track, Observed observed, String field, Rules now) {
        Choice known = track.choices.get(field);
        if (known == null) {
            known = new Choice(now.of(observed.thing(), observed.kind(), field));
            track.choices.put(field, known);
        }
        return known;
    }

    /** What is stored at the times of values that come late: a series has one sample at a time. */
    private Map<Moment, SampleReads.Stored> latecomers(Part part) {
        Set<Moment> late =
                part.late(
                        thing -> {
                            Track track = tracks.get(thing);
                            return track == null ? null : track.state;
                        });
        return late.isEmpty() ? Map.of() : reads.at(late);
    }

    // ---------------------------------------------------------------- gaps

    private void closeGap(FeedReader.Unread unread, Duty.Turn turn) {
        if (unread.gap().isEmpty()) {
            return;
        }
        FeedReader.Gap gap = unread.gap().get();
        long until = unread.facts().isEmpty() ? clock.millis() : unread.facts().getFirst().time();
        Commit commit = reader.commit(unread);
        Gaps.Gap written =
                new Gaps(keyspace)
                        .put(commit, recordable.topic().name(), unread.place().shard(), gap, until);
        Outcome<Long> outcome = commit.with(unread.closed(gap)).with(turn.lease().guard()).run();
        if (!outcome.failedBy(Reason.CONFLICT)) {
            outcome.orThrow();
            log.warn(
                    "Values came faster than they could be recorded: some are missing in the"
                            + " history. topic={} from={} to={} facts={}",
                    recordable.topic().name(),
                    written.from(),
                    written.to(),
                    written.facts());
        }
        gaps.merge(unread.place().shard(), 1, Integer::sum);
    }

    /** Nobody records here any more, so the feed need not wait. */
    static void forget(Keyspace keyspace, Topic topic) {
        try {
            keyspace.feed(topic).forget(READER);
        } catch (RedisException e) {
            log.warn(
                    "A feed may still wait for the recorder, which is off. feed={} reason={}",
                    topic.name(),
                    e.getMessage());
        }
    }

    @Override
    public void close() {
        reader.waitNoMore();
        duty.close();
    }
}
