package dev.millrace.hub.history.timeseries;

import dev.millrace.hub.ems.NumberText;
import dev.millrace.hub.history.asking.Aggregation;
import dev.millrace.hub.history.asking.Answers;
import dev.millrace.hub.history.asking.Fill;
import dev.millrace.hub.history.asking.Latest;
import dev.millrace.hub.history.asking.Point;
import dev.millrace.hub.history.asking.Question;
import dev.millrace.hub.history.asking.Times;
import dev.millrace.hub.history.kept.SampleReads;
import dev.millrace.hub.history.series.Hours;
import dev.millrace.hub.history.series.Sample;
import dev.millrace.hub.history.series.SeriesName;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The questions of Brewblox's user interface. Thread-safe.
 *
 * <p>What cannot be meant is an {@link IllegalArgumentException} with a sentence.
 */
final class TimeseriesQueries {
    private static final int MOST_FIELDS = 200;
    private static final int MOST_HOURS = 24 * 366;
    private static final long STANDARD_FIELDS = 86_400_000;
    private static final long STANDARD_METRICS = 600_000;
    private static final long LONGEST = 366L * 86_400_000;
    private static final int PIECE = 32 << 10;

    private final SampleReads reads;
    private final Answers answers;
    private final Latest latest;
    private final InstantSource clock;

    TimeseriesQueries(SampleReads reads, Answers answers, Latest latest, InstantSource clock) {
        this.reads = reads;
        this.answers = answers;
        this.latest = latest;
        this.clock = clock;
    }

    long now() {
        return clock.millis();
    }

    /** The names that were seen in some time up to now, sorted. */
    List<String> fields(JsonNode query) {
        long duration = duration(query, STANDARD_FIELDS);
        long last = Hours.of(clock.millis());
        long first = Math.max(Hours.of(clock.millis() - duration), last - MOST_HOURS);
        Set<String> names = new TreeSet<>();
        for (long hour = first; hour <= last; ) {
            boolean wholeDay = hour % 24 == 0 && hour + 24 <= last;
            Set<String> some = wholeDay ? reads.ofDay(hour) : reads.ofHour(hour);
            some.forEach(
                    each -> SeriesName.parse(each).flatMap(Metric::name).ifPresent(names::add));
            hour += wholeDay ? 24 : 1;
        }
        return List.copyOf(names);
    }

    private static long duration(JsonNode query, long standard) {
        JsonNode duration = query.path("duration");
        return duration.asString("").isEmpty() ? standard : TimeFrame.duration(duration);
    }

    /** The last values, none older than some time. */
    List<Map<String, Object>> metrics(JsonNode query) {
        long oldest = clock.millis() - duration(query, STANDARD_METRICS);
        Map<String, SeriesName> names = named(query);
        Map<SeriesName, Sample> found = latest.of(List.copyOf(names.values()));
        List<Map<String, Object>> metrics = new ArrayList<>();
        names.forEach(
                (name, series) -> {
                    Sample sample = found.get(series);
                    if (sample != null && sample.isNumber() && sample.at() >= oldest) {
                        Map<String, Object> metric = new LinkedHashMap<>();
                        metric.put("metric", name);
                        metric.put("value", sample.number());
                        metric.put("timestamp", Times.iso(sample.at()));
                        metrics.add(metric);
                    }
                });
        return metrics;
    }

    /** The fields that are asked for; those that can be no series have no values either. */
    static Map<String, SeriesName> named(JsonNode query) {
        JsonNode fields = query.path("fields");
        if (!fields.isArray() || fields.size() > MOST_FIELDS) {
            throw new IllegalArgumentException(
                    "fields must be a list of at most %d names.".formatted(MOST_FIELDS));
        }
        Map<String, SeriesName> names = new LinkedHashMap<>();
        for (JsonNode field : fields) {
            if (!field.isString()) {
                throw new IllegalArgumentException("A field is a text.");
            }
            Optional<SeriesName> series = Metric.series(field.stringValue());
            series.ifPresent(each -> names.put(field.stringValue(), each));
        }
        return names;
    }

    TimeFrame frame(JsonNode query) {
        TimeFrame frame = TimeFrame.of(query, clock.millis());
        if (frame.to() - frame.from() > LONGEST) {
            throw new IllegalArgumentException("A range has at most 366 days.");
        }
        return frame;
    }

    /** Means of steps, for each field that has any. */
    List<Map<String, Object>> ranges(Map<String, SeriesName> names, TimeFrame frame, long step) {
        List<Map<String, Object>> ranges = new ArrayList<>();
        Question question =
                new Question(
                        List.copyOf(names.values()),
                        frame.from(),
                        frame.to(),
                        Aggregation.AVG,
                        Optional.of(step),
                        ZoneOffset.UTC,
                        new Fill.None(),
                        Question.LARGEST_LIMIT,
                        false);
        names.forEach(
                (name, series) -> {
                    if (answers.answer(question, series)
                            instanceof Answers.Answer.Points(List<Point> points, var next)) {
                        List<List<Object>> values = new ArrayList<>(points.size());
                        for (Point point : points) {
                            values.add(
                                    List.of(point.at() / 1000, NumberText.shortest(point.value())));
                        }
                        Map<String, Object> range = new LinkedHashMap<>();
                        range.put("metric", Map.of("__name__", name));
                        range.put("values", values);
                        ranges.add(range);
                    }
                });
        return ranges;
    }

    /** How times are written. */
    enum Precision {
        NS,
        MS,
        S,
        ISO8601;

        static Precision of(JsonNode query) {
            String word = query.path("precision").asString("");
            return switch (word) {
                case "ns" -> NS;
                case "", "ms" -> MS;
                case "s" -> S;
                case "ISO8601" -> ISO8601;
                default ->
                        throw new IllegalArgumentException(
                                "precision must be ns, ms, s or ISO8601.");
            };
        }

        String text(long at) {
            return switch (this) {
                case NS -> at + "000000";
                case MS -> Long.toString(at);
                case S -> Long.toString(Math.floorDiv(at, 1000L));
                case ISO8601 -> Times.iso(at);
            };
        }
    }

    /** All samples, a line for each time, a column for each field. */
    void csv(Map<String, SeriesName> names, TimeFrame frame, Precision precision, OutputStream out)
            throws IOException {
        List<SeriesName> series = List.copyOf(names.values());
        StringBuilder text = new StringBuilder(PIECE + 1024).append("time");
        names.keySet().forEach(name -> text.append(',').append(name));
        text.append('\n');
        Row row = new Row(series, precision, text);
        try {
            if (!series.isEmpty()) {
                reads.together(
                        series,
                        frame.from(),
                        frame.to(),
                        (each, sample) -> {
                            row.take(each, sample);
                            if (text.length() > PIECE) {
                                flush(text, out);
                            }
                            return true;
                        });
            }
            row.end();
            flush(text, out);
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }

    private static void flush(StringBuilder text, OutputStream out) {
        try {
            out.write(text.toString().getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        text.setLength(0);
    }

    /** The values of one time. */
    private static final class Row {
        private final List<SeriesName> series;
        private final Precision precision;
        private final StringBuilder text;
        private final Map<SeriesName, String> cells = new LinkedHashMap<>();
        private long at;

        Row(List<SeriesName> series, Precision precision, StringBuilder text) {
            this.series = series;
            this.precision = precision;
            this.text = text;
        }

        void take(SeriesName name, Sample sample) {
            if (!cells.isEmpty() && sample.at() != at) {
                end();
            }
            at = sample.at();
            cells.put(name, sample.text());
        }

        void end() {
            if (cells.isEmpty()) {
                return;
            }
            text.append(precision.text(at));
            for (SeriesName each : series) {
                text.append(',').append(cells.getOrDefault(each, ""));
            }
            text.append('\n');
            cells.clear();
        }
    }
}
