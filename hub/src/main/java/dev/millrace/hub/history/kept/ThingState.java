package dev.millrace.hub.history.kept;

import dev.millrace.hub.ems.NumberText;
import dev.millrace.hub.history.series.Decimals;
import dev.millrace.hub.history.series.Sample;
import dev.millrace.hub.history.series.SeriesName.Thing;

import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * The statistics of one channel, model or service, as they will be when what was added is stored:
 * over all its samples, and for each series. Whoever writes them checks that they are still those
 * of the revision that was read, so figures of several writers never mix. For one thread.
 */
public final class ThingState {
    static final String REVISION = "revision";

    private final Thing thing;
    private final Map<String, FieldState> fields = new HashMap<>();

    /**
     * As it stands in Redis, or will before the next step; empty if there are no statistics yet.
     */
    private String revision;

    private double min = Double.POSITIVE_INFINITY;
    private double max = Double.NEGATIVE_INFINITY;
    private double sum;
    private long count;
    private long first = Long.MAX_VALUE;
    private long last = Long.MIN_VALUE;
    private String lastValue = "";

    /**
     * What is stored.
     *
     * @param hash empty if nothing is
     */
    ThingState(Thing thing, Map<String, String> hash) {
        this.thing = thing;
        this.revision = hash.getOrDefault(REVISION, "");
        hash.forEach(this::read);
    }

    private void read(String name, String text) {
        int dot = name.lastIndexOf('.');
        if (dot > 0) {
            fields.computeIfAbsent(name.substring(0, dot), each -> new FieldState())
                    .read(name.substring(dot + 1), text);
            return;
        }
        double number = Decimals.parse(text);
        if (Double.isNaN(number) && !name.equals("last_value")) {
            return;
        }
        switch (name) {
            case "min" -> min = number;
            case "max" -> max = number;
            case "sum" -> sum = number;
            case "count" -> count = (long) number;
            case "first_ts" -> first = (long) number;
            case "last_ts" -> last = (long) number;
            case "last_value" -> lastValue = text;
            default -> {
                // Others may keep figures of their own here.
            }
        }
    }

    public Thing thing() {
        return thing;
    }

    /** How many series are remembered, which is what this takes of memory. */
    public int size() {
        return fields.size();
    }

    /** The fields of its series. */
    public Set<String> names() {
        return new TreeSet<>(fields.keySet());
    }

    /** The newest sample of a field; null if there is none. */
    public @Nullable Sample newest(String field) {
        FieldState state = fields.get(field);
        return state == null ? null : state.last();
    }

    /** The series of this field, new if there is none yet. */
    public FieldState field(String field) {
        return fields.computeIfAbsent(field, each -> new FieldState());
    }

    String revision() {
        return revision;
    }

    /** The revision after that one. */
    String following() {
        double before = Decimals.parse(revision);
        return Long.toString(Double.isNaN(before) ? 1 : (long) before + 1);
    }

    void add(String field, Sample sample) {
        field(field).add(sample);
        seen(sample);
        if (sample.isNumber()) {
            sum += sample.number();
            count++;
            min = Math.min(min, sample.number());
            max = Math.max(max, sample.number());
        }
    }

    void replace(String field, Sample before, Sample after) {
        field(field).replace(before, after);
        seen(after);
        sum += (after.isNumber() ? after.number() : 0) - (before.isNumber() ? before.number() : 0);
        count += (after.isNumber() ? 1 : 0) - (before.isNumber() ? 1 : 0);
        if (after.isNumber()) {
            min = Math.min(min, after.number());
            max = Math.max(max, after.number());
        }
    }

    private void seen(Sample sample) {
        first = Math.min(first, sample.at());
        if (sample.at() >= last) {
            last = sample.at();
            lastValue = sample.text();
        }
    }

    /** What has to be written, the revision with it. */
    Map<String, String> write() {
        Map<String, String> all = new LinkedHashMap<>();
        if (count > 0) {
            all.put("count", Long.toString(count));
            all.put("min", NumberText.shortest(min));
            all.put("max", NumberText.shortest(max));
            all.put("sum", NumberText.shortest(sum));
            all.put("avg", NumberText.shortest(sum / count));
        }
        all.put("first_ts", Long.toString(first));
        all.put("last_ts", Long.toString(last));
        all.put("last_value", lastValue);
        fields.forEach((field, state) -> state.write(field, all));
        revision = following();
        all.put(REVISION, revision);
        return all;
    }
}
