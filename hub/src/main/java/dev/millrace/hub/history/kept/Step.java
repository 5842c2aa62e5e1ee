package dev.millrace.hub.history.kept;

import dev.millrace.hub.history.kept.SampleReads.Moment;
import dev.millrace.hub.history.series.Hours;
import dev.millrace.hub.history.series.Members;
import dev.millrace.hub.history.series.Sample;
import dev.millrace.hub.history.series.SeriesName;
import dev.millrace.keyspace.commit.Commit;
import dev.millrace.keyspace.layout.Cell;
import dev.millrace.keyspace.redis.outcome.Outcome;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;

/**
 * Samples of one shard that are written together, or not at all: each in its hour, the hour with
 * its time to live, the indexes of the hour and the day, and the statistics. Put into a commit to
 * which others may add, such as the place up to which a recorder has read. For one thread.
 */
public final class Step {
    private final Commit commit;
    private final int shard;
    private final Kept kept;
    private final Marks marks;
    private final Marks.Closed closed;
    private final long now;
    private final Set<ThingState> things = new LinkedHashSet<>();
    private final Set<Long> hours = new HashSet<>();
    private final Map<Long, Integer> added = new HashMap<>();

    /** What is in it already, for a series may have one sample at a time. */
    private final Map<Moment, Sample> fresh = new HashMap<>();

    private final Weight owed = new Weight();
    private int samples;

    /** What is not in the commit yet and will be: the statistics, the sizes, the place read to. */
    private static final class Weight {
        /** Of the recorder's place and figures, the lease that guards it, and the like. */
        private static final int REST = 32;

        /** A sample in a new hour of a new day, in place of another one. */
        private static final int WRITES_OF_A_SAMPLE = 10;

        private static final int WORDS_OF_A_SAMPLE = 36;
        private static final int WORDS_OF_A_SERIES = 14;
        private static final int WORDS_OF_A_THING = 24;
        private static final int WORDS_OF_AN_HOUR = 4;

        /** Of a key around the name of a series, of a number, of a time. */
        private static final int BYTES_OF_A_WORD = 64;

        /** A character is up to so many bytes; in a member up to three of them. */
        private static final int BYTES_OF_A_CHARACTER = 3;

        int writes = REST;
        int words = 8 * REST;
        int bytes = 8 * REST * BYTES_OF_A_WORD;

        void thing(ThingState thing) {
            writes++;
            words += WORDS_OF_A_THING;
            bytes += WORDS_OF_A_THING * (BYTES_OF_A_WORD + thing.thing().id().length());
        }

        void series(SeriesName series) {
            words += WORDS_OF_A_SERIES;
            bytes += WORDS_OF_A_SERIES * bytesOf(series);
        }

        void hour() {
            writes++;
            words += WORDS_OF_AN_HOUR;
            bytes += WORDS_OF_AN_HOUR * BYTES_OF_A_WORD;
        }

        /** The last value of the series and of the thing. */
        void value(Sample sample) {
            bytes += 2 * BYTES_OF_A_CHARACTER * sample.text().length();
        }

        boolean leavesRoom(Commit commit, SeriesName series, Sample sample, int beside) {
            return commit.hasRoom(
                    writes + WRITES_OF_A_SAMPLE,
                    words
                            + WORDS_OF_A_SAMPLE
                            + WORDS_OF_A_SERIES
                            + WORDS_OF_A_THING
                            + WORDS_OF_AN_HOUR,
                    bytes
                            + beside
                            + (WORDS_OF_A_SAMPLE + WORDS_OF_A_SERIES + WORDS_OF_A_THING)
                                    * bytesOf(series)
                            + 8 * BYTES_OF_A_CHARACTER * sample.text().length());
        }

        private static int bytesOf(SeriesName series) {
            return BYTES_OF_A_WORD + BYTES_OF_A_CHARACTER * series.field().length();
        }
    }

    /**
     * Begins one.
     *
     * @param commit in the shard of all the samples
     * @param kept how long samples are kept
     * @param marks where the roll-ups are; what comes behind them is due again
     * @param now in ms
     */
    public Step(Commit commit, int shard, Kept kept, Marks marks, long now) {
        this.commit = commit.acrossOwners();
        this.shard = shard;
        this.kept = kept;
        this.marks = marks;
        this.closed = marks.closed(shard);
        this.now = now;
    }

    /** How many samples are in it. */
    public int samples() {
        return samples;
    }

    /**
     * Whether this sample still fits into the commit, whatever it brings with it. One always fits
     * into a step that is empty.
     */
    public boolean hasRoomFor(ThingState thing, String field, Sample sample) {
        return hasRoomFor(thing, field, sample, 0);
    }

    /** The same with so many more bytes that somebody will put into the commit for it. */
    public boolean hasRoomFor(ThingState thing, String field, Sample sample, int beside) {
        return owed.leavesRoom(commit, thing.thing().field(field), sample, beside);
    }

    /** Somebody will put so many bytes into the commit. */
    public void owe(int more) {
        owed.bytes += more;
    }

    /** Adds a sample of a time at which the series has none. */
    public void add(ThingState thing, String field, Sample sample) {
        Cell.Key key = place(thing, field, sample);
        commit.addSorted(key, Members.score(sample.at()), Members.of(sample.text(), sample.at()));
        expire(thing, field, key, sample.at());
        if (added.merge(Hours.of(sample.at()), 1, Integer::sum) == 1) {
            owed.hour();
        }
        thing.add(field, sample);
    }

    /**
     * Adds a sample, in place of the one that the series has at that time.
     *
     * @param stored that one; null if there is none in Redis
     */
    public void put(
            ThingState thing, String field, Sample sample, SampleReads.@Nullable Stored stored) {
        Sample written = fresh.get(new Moment(thing.thing().field(field), sample.at()));
        if (written != null) {
            replace(thing, field, written, Members.of(written.text(), written.at()), sample);
        } else if (stored != null) {
            replace(thing, field, stored.sample(), stored.member(), sample);
        } else {
            add(thing, field, sample);
        }
    }

    private void replace(
            ThingState thing, String field, Sample before, String member, Sample sample) {
        if (before.text().equals(sample.text())) {
            return;
        }
        Cell.Key key = place(thing, field, sample);
        commit.removeSorted(key, member)
                .addSorted(key, Members.score(sample.at()), Members.of(sample.text(), sample.at()));
        expire(thing, field, key, sample.at());
        thing.replace(field, before, sample);
    }

    private Cell.Key place(ThingState thing, String field, Sample sample) {
        if (things.add(thing)) {
            owed.thing(thing);
        }
        samples++;
        SeriesName series = thing.thing().field(field);
        if (!thing.field(field).isChanged()) {
            owed.series(series);
        }
        owed.value(sample);
        fresh.put(new Moment(series, sample.at()), sample);
        long hour = Hours.of(sample.at());
        if (closed.has(hour)) {
            commit.addSorted(
                    HistoryLayouts.rollupsDue(shard), (double) now, Marks.due(series, hour));
        }
        return HistoryLayouts.hour(series, hour);
    }

    /**
     * Writes down how far a recorder has come, and what it has counted.
     *
     * @param until when the last value was announced that it has read
     * @param old how many values were older than samples are kept
     * @param future how many were of a time to come
     */
    public void note(long until, int old, int future) {
        Cell.Key key = HistoryLayouts.recorder(shard);
        commit.setFields(key, Map.of("until", Long.toString(until)));
        count(key, "steps", 1);
        count(key, "samples", samples);
        count(key, "too_old", old);
        count(key, "too_new", future);
    }

    /** Told what became of it: what was taken for true may not be. */
    public void ended(Outcome<Long> outcome) {
        if (!outcome.isStored()) {
            marks.forget(shard);
        }
    }

    private void count(Cell.Key key, String field, int by) {
        if (by > 0) {
            commit.incrementField(key, field, by);
        }
    }

    /** The first sample of an hour that this hub knows of brings what the hour needs. */
    private void expire(ThingState thing, String field, Cell.Key key, long at) {
        long hour = Hours.of(at);
        FieldState state = thing.field(field);
        if (state.indexed() == hour) {
            return;
        }
        state.indexed(hour);
        SeriesName series = thing.thing().field(field);
        commit.expire(key, timeToLive(hour, kept.of(series)));
        String owner = HistoryLayouts.owner(thing.thing());
        Cell.Key ofHour = HistoryLayouts.seriesOfHour(owner, hour);
        Cell.Key ofDay = HistoryLayouts.seriesOfDay(owner, hour);
        commit.addMember(ofHour, series.text()).addMember(ofDay, series.text());
        commit.addSorted(HistoryLayouts.series(shard), (double) hour, series.text());
        if (hours.add(hour)) {
            commit.expire(ofHour, timeToLive(hour, kept.longest()));
            commit.expire(ofDay, timeToLive(hour + 24, kept.longest()));
        }
    }

    private Duration timeToLive(long hour, Duration keep) {
        return Duration.ofMillis(Math.max(1, Hours.start(hour + 1) - now + keep.toMillis()));
    }

    /** Puts the statistics in, after the last sample. */
    public void finish() {
        if (samples > 0) {
            closed.check(commit, shard);
        }
        added.forEach(
                (hour, count) ->
                        commit.incrementField(
                                HistoryLayouts.sizes(shard), Sizes.ofSamples(hour), count));
        for (ThingState thing : things) {
            Cell.Key key = HistoryLayouts.statistics(thing.thing());
            String revision = thing.revision();
            if (revision.isEmpty()) {
                commit.fieldAbsent(key, ThingState.REVISION);
            } else {
                commit.fieldEquals(key, ThingState.REVISION, revision);
            }
            Map<String, String> fields = thing.write();
            commit.setFields(key, fields);
        }
    }
}
