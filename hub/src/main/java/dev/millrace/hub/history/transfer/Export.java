package dev.millrace.hub.history.transfer;

import dev.millrace.hub.ems.JsonText;
import dev.millrace.hub.ems.NumberText;
import dev.millrace.hub.history.asking.Aggregation;
import dev.millrace.hub.history.asking.Answers;
import dev.millrace.hub.history.asking.Point;
import dev.millrace.hub.history.asking.Question;
import dev.millrace.hub.history.asking.Times;
import dev.millrace.hub.history.kept.SampleReads;
import dev.millrace.hub.history.series.Decimals;
import dev.millrace.hub.history.series.Sample;
import dev.millrace.hub.history.series.SeriesName;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/**
 * Samples, or windows, of some series as they are needed elsewhere. Samples of any range: they are
 * written while they are read, those of all series in the order of their times.
 */
public final class Export {
    private static final int PIECE = 32 << 10;

    private final SampleReads reads;
    private final Answers answers;

    public Export(SampleReads reads, Answers answers) {
        this.reads = reads;
        this.answers = answers;
    }

    /** How it is written. */
    public enum Format {
        /** One line for each sample: source, id, field, ts, value. */
        CSV("text/csv; charset=utf-8"),
        /** One object in a line for each sample. */
        NDJSON("application/x-ndjson"),
        /** As it is imported: {@code {"samples":[...]}}. */
        JSON("application/json");

        private final String type;

        Format(String type) {
            this.type = type;
        }

        /** As a body says it. */
        public String type() {
            return type;
        }

        /** The one with this name. */
        public static Optional<Format> of(String word) {
            return switch (word) {
                case "csv" -> Optional.of(CSV);
                case "ndjson", "jsonl" -> Optional.of(NDJSON);
                case "json" -> Optional.of(JSON);
                default -> Optional.empty();
            };
        }
    }

    /**
     * Writes it.
     *
     * @param iso whether times are written as ISO 8601, else in ms
     */
    public void write(Question question, Format format, boolean iso, OutputStream out)
            throws IOException {
        Lines lines = new Lines(format, iso, out);
        try {
            if (question.aggregation() == Aggregation.RAW) {
                reads.together(question.series(), question.from(), question.to(), lines::sample);
            } else {
                for (SeriesName series : question.series()) {
                    if (answers.answer(question, series)
                            instanceof Answers.Answer.Points(List<Point> points, var next)) {
                        points.forEach(point -> lines.point(series, point));
                    }
                }
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        lines.finish();
    }

    private static final class Lines {
        private final Format format;
        private final boolean iso;
        private final OutputStream out;
        private final StringBuilder text = new StringBuilder(PIECE + 256);
        private boolean first = true;

        Lines(Format format, boolean iso, OutputStream out) {
            this.format = format;
            this.iso = iso;
            this.out = out;
            switch (format) {
                case CSV -> text.append("source,id,field,ts,value\n");
                case JSON -> text.append("{\"samples\":[\n");
                case NDJSON -> {}
            }
        }

        boolean sample(SeriesName series, Sample sample) {
            begin(series, sample.at());
            if (format == Format.CSV) {
                Csv.append(text, sample.text());
            } else {
                Decimals.appendJson(text, sample);
            }
            end();
            return true;
        }

        void point(SeriesName series, Point point) {
            begin(series, point.at());
            if (Double.isFinite(point.value())) {
                text.append(NumberText.shortest(point.value()));
            } else if (format != Format.CSV) {
                text.append("null");
            }
            end();
        }

        private void begin(SeriesName series, long at) {
            if (format == Format.CSV) {
                text.append(series.source()).append(',').append(series.id()).append(',');
                Csv.append(text, series.field());
                text.append(',').append(iso ? Times.iso(at) : Long.toString(at)).append(',');
                return;
            }
            if (format == Format.JSON && !first) {
                text.append(",\n");
            }
            first = false;
            text.append("{\"source\":\"").append(series.source()).append("\",\"id\":\"");
            text.append(series.id()).append("\",\"field\":");
            JsonText.append(text, series.field());
            text.append(",\"ts\":");
            if (iso) {
                text.append('"').append(Times.iso(at)).append('"');
            } else {
                text.append(at);
            }
            text.append(",\"value\":");
        }

        private void end() {
            if (format != Format.CSV) {
                text.append('}');
            }
            if (format != Format.JSON) {
                text.append('\n');
            }
            if (text.length() >= PIECE) {
                flush();
            }
        }

        private void flush() {
            try {
                out.write(text.toString().getBytes(StandardCharsets.UTF_8));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            text.setLength(0);
        }

        void finish() throws IOException {
            if (format == Format.JSON) {
                text.append("\n]}\n");
            }
            out.write(text.toString().getBytes(StandardCharsets.UTF_8));
        }
    }
}
