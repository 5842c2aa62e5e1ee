package dev.millrace.hub.history.kept;

import dev.millrace.hub.ems.NumberText;
import dev.millrace.hub.history.series.Decimals;
import dev.millrace.hub.history.series.Sample;

import org.jspecify.annotations.Nullable;

import java.util.Map;

/** The statistics of one series, as they will be when what was added is stored. */
public final class FieldState {
    private double min = Double.POSITIVE_INFINITY;
    private double max = Double.NEGATIVE_INFINITY;
    private double sum;
    private long count;
    private @Nullable Sample last;

    /** What of it has changed since it was written. */
    private boolean newMin;

    private boolean newMax;
    private boolean changed;

    /** The hour whose indexes are known to have the series; of nobody else's hour. */
    private long indexed = Long.MIN_VALUE;

    FieldState() {}

    /** What is stored under its name. */
    void read(String figure, String text) {
        double number = Decimals.parse(text);
        switch (figure) {
            case "min" -> min = Double.isNaN(number) ? min : number;
            case "max" -> max = Double.isNaN(number) ? max : number;
            case "sum" -> sum = Double.isNaN(number) ? 0 : number;
            case "count" -> count = Double.isNaN(number) ? 0 : (long) number;
            case "last" -> last = Sample.of(last == null ? 0 : last.at(), text);
            case "last_ts" ->
                    last =
                            new Sample(
                                    Double.isNaN(number) ? 0 : (long) number,
                                    last == null ? "" : last.text(),
                                    last == null ? Double.NaN : last.number());
            default -> {
                // avg follows from the others; what others write beside it is theirs.
            }
        }
    }

    /** The newest sample; null if there is none. */
    public @Nullable Sample last() {
        return last;
    }

    /** Its time; before all others if there is none. */
    public long lastAt() {
        return last == null ? Long.MIN_VALUE : last.at();
    }

    /** Whether its figures have to be written. */
    boolean isChanged() {
        return changed;
    }

    long indexed() {
        return indexed;
    }

    void indexed(long hour) {
        indexed = hour;
    }

    /** Adds a sample. */
    void add(Sample sample) {
        changed = true;
        if (sample.at() >= lastAt()) {
            last = sample;
        }
        if (sample.isNumber()) {
            sum += sample.number();
            count++;
            widen(sample.number());
        }
    }

    /** One sample takes the place of another one of the same time. */
    void replace(Sample before, Sample after) {
        changed = true;
        if (after.at() >= lastAt()) {
            last = after;
        }
        sum += (after.isNumber() ? after.number() : 0) - (before.isNumber() ? before.number() : 0);
        count += (after.isNumber() ? 1 : 0) - (before.isNumber() ? 1 : 0);
        if (after.isNumber()) {
            widen(after.number());
        }
    }

    private void widen(double number) {
        if (number < min) {
            min = number;
            newMin = true;
        }
        if (number > max) {
            max = number;
            newMax = true;
        }
    }

    /** What has to be written. */
    void write(String field, Map<String, String> fields) {
        if (!changed) {
            return;
        }
        changed = false;
        if (newMin) {
            fields.put(field + ".min", NumberText.shortest(min));
            newMin = false;
        }
        if (newMax) {
            fields.put(field + ".max", NumberText.shortest(max));
            newMax = false;
        }
        if (count > 0) {
            fields.put(field + ".sum", NumberText.shortest(sum));
            fields.put(field + ".avg", NumberText.shortest(sum / count));
            fields.put(field + ".count", Long.toString(count));
        }
        if (last != null) {
            fields.put(field + ".last", last.text());
            fields.put(field + ".last_ts", Long.toString(last.at()));
        }
    }
}
