package dev.millrace.hub.history.asking;

import dev.millrace.hub.history.series.Figures;
import dev.millrace.hub.history.series.Sample;

import org.jspecify.annotations.Nullable;

import java.util.function.Predicate;

/**
 * Makes one point of the samples of each window. It takes them in the order of their times and
 * tells each window as soon as it is over, so it holds no more than one. For one thread.
 */
final class Reduction {
    private final Aggregation aggregation;
    private final Windows windows;
    private final Fill fill;
    private final long from;
    private final long to;
    private final Predicate<Point> sink;

    private @Nullable Bucket bucket;
    private long start;
    private long end;

    /** The window that is told next, if none is left out. */
    private long next;

    private @Nullable Point told;
    private boolean enough;

    /** The value that holds until the next sample; NaN if none is known. */
    private double held = Double.NaN;

    private long heldFrom;

    /**
     * Begins.
     *
     * @param from of the range, in ms, included
     * @param to excluded
     * @param sink says whether it wants more
     */
    Reduction(
            Aggregation aggregation,
            Windows windows,
            Fill fill,
            long from,
            long to,
            Predicate<Point> sink) {
        this.aggregation = aggregation;
        this.windows = windows;
        this.fill = fill;
        this.from = from;
        this.to = to;
        this.sink = sink;
        this.next = windows.start(from);
        this.heldFrom = from;
    }

    /** The value before the range, which holds at its beginning. */
    void before(double number) {
        held = number;
    }

    /** Takes a sample; false if no more are wanted. */
    boolean sample(Sample sample) {
        if (!sample.isNumber()) {
            return true;
        }
        Bucket of = bucket(sample.at());
        if (enough) {
            return false;
        }
        if (!Double.isNaN(held)) {
            of.hold(held, sample.at() - Math.max(heldFrom, Math.max(start, from)));
        }
        held = sample.number();
        heldFrom = sample.at();
        of.add(sample.number());
        return true;
    }

    /** Takes what is known of a part of a window; false if no more is wanted. */
    boolean figures(Figures part) {
        if (part.count() == 0) {
            return true;
        }
        Bucket of = bucket(part.at());
        if (enough) {
            return false;
        }
        of.add(part);
        return true;
    }

    private Bucket bucket(long at) {
        Bucket open = bucket;
        if (open != null && at < end) {
            return open;
        }
        if (open != null) {
            close(open, end);
        }
        start = windows.start(at);
        end = windows.end(start);
        Bucket fresh = new Bucket(aggregation);
        bucket = fresh;
        return fresh;
    }

    private void close(Bucket open, long until) {
        long most = Math.min(end, until);
        if (!Double.isNaN(held) && most > heldFrom) {
            open.hold(held, most - Math.max(heldFrom, Math.max(start, from)));
        }
        if (!open.isEmpty()) {
            tell(new Point(start, open.value()));
        }
        bucket = null;
    }

    /**
     * The last window.
     *
     * @param until up to when the last value holds: the end of the range, or now
     */
    void finish(long until) {
        Bucket open = bucket;
        if (open != null && !enough) {
            close(open, Math.min(until, to));
        }
        while (!(fill instanceof Fill.None) && !enough && next < to) {
            push(new Point(next, missing(next, null)));
        }
    }

    private void tell(Point point) {
        if (!(fill instanceof Fill.None)) {
            while (next < point.at() && !enough) {
                push(new Point(next, missing(next, point)));
            }
        }
        if (!enough) {
            push(point);
            told = point;
        }
    }

    private void push(Point point) {
        enough = !sink.test(point);
        next = windows.end(point.at());
    }

    /** What stands for an empty window between the one told last and the one after it. */
    private double missing(long at, @Nullable Point after) {
        Point before = told;
        return switch (fill) {
            case Fill.None none -> Double.NaN;
            case Fill.Empty empty -> Double.NaN;
            case Fill.Constant(double number) -> number;
            case Fill.Previous previous -> before == null ? Double.NaN : before.value();
            case Fill.Linear linear ->
                    before == null || after == null
                            ? Double.NaN
                            : before.value()
                                    + (after.value() - before.value())
                                            * ((double) (at - before.at())
                                                    / (after.at() - before.at()));
        };
    }
}
