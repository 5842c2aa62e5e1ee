package dev.millrace.hub.history.transfer;

import dev.millrace.hub.ems.NumberText;
import dev.millrace.hub.history.asking.Times;
import dev.millrace.hub.history.kept.Kept;
import dev.millrace.hub.history.kept.SampleWriter;
import dev.millrace.hub.history.kept.SampleWriter.Brought;
import dev.millrace.hub.history.series.Decimals;
import dev.millrace.hub.history.series.Sample;
import dev.millrace.hub.history.series.SeriesName;

import tools.jackson.databind.JsonNode;

import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;

/**
 * Samples that somebody brings: the right ones are written, some thousands at a time, and each
 * wrong one is named. For one thread.
 */
public final class Import {
    private static final int STEP = 5000;
    private static final int MOST_NAMED = 1000;
    private static final long FUTURE_MILLIS = 60_000;

    private final SampleWriter writer;
    private final Kept kept;
    private final long now;
    private final List<Brought> waiting = new ArrayList<>();
    private final List<Map<String, Object>> rejected = new ArrayList<>();
    private long read;
    private long wrong;
    private long written;

    /**
     * Begins one.
     *
     * @param now in ms
     */
    public Import(SampleWriter writer, Kept kept, long now) {
        this.writer = writer;
        this.kept = kept;
        this.now = now;
    }

    /** A sample as an object. */
    public void take(JsonNode sample) {
        JsonNode value = sample.path("value");
        String text =
                value.isNumber() && Double.isFinite(value.asDouble())
                        ? NumberText.shortest(value.asDouble())
                        : value.isString() ? value.stringValue() : "";
        JsonNode time = sample.path(sample.has("ts") ? "ts" : "timestamp");
        take(
                sample.path("source").asString(""),
                sample.path("id").asString(""),
                sample.path("field").asString(""),
                time.isValueNode() ? time.asString("") : "",
                text);
    }

    /** A sample as texts. */
    public void take(String source, String id, String field, String time, String value) {
        long index = read++;
        String fault = SeriesName.fault(source, id, field).orElse("");
        OptionalLong at = Times.time(time, ZoneOffset.UTC);
        if (fault.isEmpty() && at.isEmpty()) {
            fault = "ts must be a time: ISO 8601, or milliseconds since 1970.";
        }
        if (fault.isEmpty()
                && (value.isEmpty()
                        || value.length() > Sample.LONGEST
                        || isNoNumber(value)
                        || value.chars().anyMatch(Character::isISOControl))) {
            fault =
                    "value must be a number, or a text of 1 to %d characters."
                            .formatted(Sample.LONGEST);
        }
        if (fault.isEmpty()) {
            SeriesName series = new SeriesName(SeriesName.source(source), id, field);
            long when = at.getAsLong();
            if (when > now + FUTURE_MILLIS) {
                fault = "It is of a time more than a minute from now.";
            } else if (when < Math.max(writer.floor(series), now - kept.of(series).toMillis())) {
                fault = "It is older than samples are kept.";
            } else {
                waiting.add(new Brought(series, Sample.of(when, value)));
            }
        }
        if (!fault.isEmpty()) {
            reject(index, source, id, field, time, fault);
        }
        if (waiting.size() >= STEP) {
            write();
        }
    }

    private static boolean isNoNumber(String value) {
        return value.equalsIgnoreCase("nan")
                || value.equalsIgnoreCase("null")
                || value.toLowerCase(java.util.Locale.ROOT).matches("[+-]?inf(inity)?")
                || (value.matches("[+-]?[0-9.]+([eE][+-]?[0-9]+)?")
                        && Double.isNaN(Decimals.parse(value)));
    }

    /** Something that is not even a sample. */
    public void reject(String fault) {
        reject(read++, "", "", "", "", fault);
    }

    private void reject(
            long index, String source, String id, String field, String time, String fault) {
        wrong++;
        if (rejected.size() >= MOST_NAMED) {
            return;
        }
        Map<String, Object> view = new LinkedHashMap<>();
        view.put("index", index);
        view.put("source", source);
        view.put("id", id);
        view.put("field", field);
        view.put("ts", time);
        view.put("reason", fault);
        rejected.add(view);
    }

    private void write() {
        writer.write(waiting, kept);
        written += waiting.size();
        waiting.clear();
    }

    /** Writes what is left, and says what became of all. */
    public Map<String, Object> finish() {
        if (!waiting.isEmpty()) {
            write();
        }
        Map<String, Object> view = new LinkedHashMap<>();
        view.put("imported", written);
        view.put("rejected", rejected);
        view.put("rejected_total", wrong);
        return view;
    }

    /** How many were looked at. */
    public long read() {
        return read;
    }
}
