package dev.millrace.hub.history.asking;

import dev.millrace.hub.history.series.Figures;

import java.util.Arrays;

/** Collects the numbers of one window, in the order of their times. For one thread. */
final class Bucket {
    private final Aggregation aggregation;
    private long count;
    private double sum;
    private double min = Double.POSITIVE_INFINITY;
    private double max = Double.NEGATIVE_INFINITY;
    private double first;
    private double last;
    private double mean;
    private double squares;
    private double weighted;
    private double weight;
    private double[] all = {};

    Bucket(Aggregation aggregation) {
        this.aggregation = aggregation;
    }

    boolean isEmpty() {
        return count == 0;
    }

    void add(double number) {
        if (count == 0) {
            first = number;
        }
        last = number;
        count++;
        sum += number;
        min = Math.min(min, number);
        max = Math.max(max, number);
        if (aggregation == Aggregation.STD) {
            // Welford's way: the difference of two large sums would lose what matters.
            double step = number - mean;
            mean += step / count;
            squares += step * (number - mean);
        } else if (aggregation == Aggregation.MEDIAN) {
            if (count > all.length) {
                all = Arrays.copyOf(all, Math.max(16, all.length * 2));
            }
            all[(int) count - 1] = number;
        }
    }

    /** Adds a part of which only figures are known. */
    void add(Figures part) {
        if (count == 0) {
            first = part.first();
        }
        last = part.last();
        count += part.count();
        sum += part.sum();
        min = Math.min(min, part.min());
        max = Math.max(max, part.max());
    }

    /** A value held so long within this window. */
    void hold(double number, long millis) {
        weighted += number * millis;
        weight += millis;
    }

    /** What comes of it; of an empty one, nothing but its count does. */
    double value() {
        return switch (aggregation) {
            case RAW, LAST -> last;
            case AVG -> sum / count;
            case MIN -> min;
            case MAX -> max;
            case SUM -> sum;
            case COUNT -> count;
            case FIRST -> first;
            case STD -> Math.sqrt(squares / count);
            case MEDIAN -> median();
            case DELTA -> last - first;
            case TWA -> weight == 0 ? last : weighted / weight;
        };
    }

    private double median() {
        double[] sorted = Arrays.copyOf(all, (int) count);
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1
                ? sorted[middle]
                : sorted[middle - 1] + (sorted[middle] - sorted[middle - 1]) / 2;
    }
}
