package dev.millrace.hub.history.asking;

import dev.millrace.hub.history.kept.Kept;
import dev.millrace.hub.history.kept.RollupReads;
import dev.millrace.hub.history.kept.SampleReads;
import dev.millrace.hub.history.series.Hours;
import dev.millrace.hub.history.series.Sample;
import dev.millrace.hub.history.series.SeriesName;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.function.Supplier;

/** Answers questions about one series after another. Thread-safe. */
public final class Answers {
    private static final long A_MONTH = 31 * 86_400_000L;

    /** How far back the value is looked for that holds at the beginning of a range. */
    private static final long LOOK_BACK = 86_400_000;

    private final SampleReads reads;
    private final RollupReads rollups;
    private final Supplier<? extends Kept> kept;
    private final InstantSource clock;

    /**
     * With what answers are made of.
     *
     * @param kept how long samples are kept
     */
    public Answers(
            SampleReads reads,
            RollupReads rollups,
            Supplier<? extends Kept> kept,
            InstantSource clock) {
        this.reads = reads;
        this.rollups = rollups;
        this.kept = kept;
        this.clock = clock;
    }

    /** What is told of a series. */
    public sealed interface Answer {
        /**
         * Where the next part begins: as start of the next question, or as its end if the newest
         * come first; empty if there is no more.
         */
        OptionalLong next();

        /** Its samples. */
        record Samples(List<Sample> samples, OptionalLong next) implements Answer {
            public Samples {
                samples = List.copyOf(samples);
            }
        }

        /** What became of them. */
        record Points(List<Point> points, OptionalLong next) implements Answer {
            public Points {
                points = List.copyOf(points);
            }
        }
    }

    /** Answers. */
    public Answer answer(Question question, SeriesName series) {
        return question.aggregation() == Aggregation.RAW
                ? samples(question, series)
                : points(question, series);
    }

    private Answer samples(Question question, SeriesName series) {
        List<Sample> samples = new ArrayList<>();
        int limit = question.limit();
        if (question.descending()) {
            reads.descending(
                    series,
                    question.from(),
                    question.to(),
                    sample -> samples.add(sample) && samples.size() <= limit);
        } else {
            reads.ascending(
                    series,
                    question.from(),
                    question.to(),
                    sample -> samples.add(sample) && samples.size() <= limit);
        }
        if (samples.size() <= limit) {
            return new Answer.Samples(samples, OptionalLong.empty());
        }
        List<Sample> told = samples.subList(0, limit);
        long last = told.getLast().at();
        return new Answer.Samples(told, OptionalLong.of(question.descending() ? last : last + 1));
    }

    private Answer points(Question question, SeriesName series) {
        List<Point> points = new ArrayList<>();
        boolean ascending = !question.descending();
        int limit = question.limit();
        Windows windows = question.windows();
        Reduction reduction =
                new Reduction(
                        question.aggregation(),
                        windows,
                        question.fill(),
                        question.from(),
                        question.to(),
                        point -> points.add(point) && (!ascending || points.size() <= limit));
        if (question.aggregation() == Aggregation.TWA) {
            before(series, question.from(), reduction);
        }
        new Segments(
                        reads,
                        rollups,
                        series,
                        Segments.fitting(question),
                        oldest(question),
                        reduction)
                .feed(question.from(), question.to());
        reduction.finish(Math.min(question.to(), clock.millis()));
        List<Point> ordered = ascending ? points : points.reversed();
        if (ordered.size() <= limit) {
            return new Answer.Points(ordered, OptionalLong.empty());
        }
        List<Point> told = ordered.subList(0, limit);
        long last = told.getLast().at();
        return new Answer.Points(told, OptionalLong.of(ascending ? windows.end(last) : last));
    }

    /** In a long range, samples that have gone already are not looked for hour by hour. */
    private long oldest(Question question) {
        return question.to() - question.from() <= A_MONTH
                ? question.from()
                : clock.millis() - kept.get().longest().toMillis() - Hours.MILLIS;
    }

    private void before(SeriesName series, long from, Reduction reduction) {
        reads.descending(
                series,
                from - LOOK_BACK,
                from,
                sample -> {
                    if (sample.isNumber()) {
                        reduction.before(sample.number());
                    }
                    return !sample.isNumber();
                });
    }
}
