package dev.millrace.hub.history.asking;

import dev.millrace.hub.history.kept.RollupReads;
import dev.millrace.hub.history.kept.SampleReads;
import dev.millrace.hub.history.series.Figures;
import dev.millrace.hub.history.series.Hours;
import dev.millrace.hub.history.series.Resolution;
import dev.millrace.hub.history.series.SeriesName;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Feeds a reduction with the coarsest roll-ups that fit its windows, and with finer ones or samples
 * where the range begins or ends within them, and for hours that have no roll-ups: because they are
 * not over, because they have few samples, or because somebody else has written them. For one
 * thread and one question.
 */
final class Segments {
    /** More samples are not looked at for one answer. */
    static final long MOST_SAMPLES = 1_000_000;

    private final SampleReads samples;
    private final RollupReads rollups;
    private final SeriesName series;
    private final List<Resolution> fitting;
    private final long oldestSample;
    private final Reduction reduction;
    private final RollupReads.Due due;
    private long seen;
    private boolean enough;

    /**
     * For one question about one series.
     *
     * @param fitting resolutions whose windows lie within those of the question
     * @param oldestSample samples before this are looked for no more, in ms
     */
    Segments(
            SampleReads samples,
            RollupReads rollups,
            SeriesName series,
            List<Resolution> fitting,
            long oldestSample,
            Reduction reduction) {
        this.samples = samples;
        this.rollups = rollups;
        this.series = series;
        this.fitting = fitting.reversed();
        this.oldestSample = oldestSample;
        this.reduction = reduction;
        this.due = fitting.isEmpty() ? new RollupReads.Due(Set.of(), false) : rollups.due(series);
    }

    /** The resolutions that fit the windows of a question. */
    static List<Resolution> fitting(Question question) {
        if (!question.aggregation().fromParts()) {
            return List.of();
        }
        Windows windows = question.windows();
        List<Resolution> fitting = new ArrayList<>();
        for (Resolution each : Resolution.values()) {
            if (fits(windows, question, each.millis())) {
                fitting.add(each);
            }
        }
        return fitting;
    }

    private static boolean fits(Windows windows, Question question, long millis) {
        return switch (windows) {
            case Windows.One one -> true;
            case Windows.Even(long length) -> length % millis == 0;
            case Windows.Days days -> {
                // Zones have offsets of half and quarter hours, and change them.
                boolean fits = true;
                for (long start = days.start(question.from());
                        fits && start < question.to();
                        start = days.end(start)) {
                    fits = start % millis == 0;
                }
                yield fits;
            }
        };
    }

    /** Feeds it. */
    void feed(long from, long to) {
        feed(from, to, 0);
    }

    private void feed(long from, long to, int finer) {
        if (from >= to || enough) {
            return;
        }
        if (finer >= fitting.size()) {
            raw(from, to);
            return;
        }
        Resolution resolution = fitting.get(finer);
        long first = resolution.start(from + resolution.millis() - 1);
        long end = resolution.start(to);
        if (first >= end) {
            feed(from, to, finer + 1);
            return;
        }
        feed(from, first, finer + 1);
        blocks(resolution, first, end, finer);
        feed(end, to, finer + 1);
    }

    /** Windows by hours or days; those without any are looked at more closely. */
    private void blocks(Resolution resolution, long from, long to, int finer) {
        long length = Math.max(Hours.MILLIS, resolution.millis());
        List<Figures> windows = rollups.read(series, resolution, from, to);
        int next = 0;
        long missing = from;
        while (next < windows.size() && !enough) {
            long block = Math.floorDiv(windows.get(next).at(), length) * length;
            boolean old = due.within(Hours.of(block), Hours.of(block + length));
            missing(resolution, missing, Math.max(missing, block), finer);
            missing = old ? Math.max(missing, block) : block + length;
            while (next < windows.size() && windows.get(next).at() < block + length && !enough) {
                enough = !old && !reduction.figures(windows.get(next));
                next++;
            }
            if (old) {
                missing(resolution, missing, Math.min(to, block + length), finer);
                missing = block + length;
            }
        }
        missing(resolution, missing, to, finer);
    }

    private void missing(Resolution resolution, long from, long to, int finer) {
        if (from >= to || enough) {
            return;
        }
        if (resolution == Resolution.DAY) {
            feed(from, to, finer + 1);
        } else {
            raw(from, to);
        }
    }

    private void raw(long from, long to) {
        long start = Math.max(from, oldestSample);
        if (start >= to || enough) {
            return;
        }
        samples.ascending(
                series,
                start,
                to,
                sample -> {
                    if (++seen > MOST_SAMPLES) {
                        throw QuestionReader.tooLarge(
                                "There are more than %d samples; ask for a shorter range, or for avg, min, max, sum, count, first, last or delta in whole minutes."
                                        .formatted(MOST_SAMPLES));
                    }
                    enough = !reduction.sample(sample);
                    return !enough;
                });
    }
}
