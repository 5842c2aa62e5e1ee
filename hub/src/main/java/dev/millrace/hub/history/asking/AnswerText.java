package dev.millrace.hub.history.asking;

import dev.millrace.hub.ems.JsonText;
import dev.millrace.hub.ems.NumberText;
import dev.millrace.hub.history.series.Decimals;
import dev.millrace.hub.history.series.Sample;
import dev.millrace.hub.history.series.SeriesName;

import java.util.List;

/** Answers as JSON. Put together by hand: there may be a hundred thousand samples in one. */
public final class AnswerText {
    private AnswerText() {}

    /** An answer with the series that it is about. */
    public static void whole(
            StringBuilder out, SeriesName series, Question question, Answers.Answer answer) {
        out.append("{\"source\":\"").append(series.source()).append("\",\"id\":");
        JsonText.append(out, series.id());
        out.append(",\"field\":");
        JsonText.append(out, series.field());
        out.append(",\"aggregation\":\"").append(question.aggregation().word()).append('"');
        question.interval()
                .ifPresent(millis -> out.append(",\"interval\":").append(millis / 1000.0));
        out.append(",\"samples\":[");
        switch (answer) {
            case Answers.Answer.Samples(List<Sample> samples, var next) -> samples(out, samples);
            case Answers.Answer.Points(List<Point> points, var next) -> points(out, points);
        }
        out.append(']');
        answer.next().ifPresent(next -> out.append(",\"next\":").append(next));
        out.append('}');
    }

    private static void samples(StringBuilder out, List<Sample> samples) {
        String begin = "{\"timestamp\":";
        for (Sample sample : samples) {
            out.append(begin).append(sample.at()).append(",\"value\":");
            Decimals.appendJson(out, sample);
            out.append('}');
            begin = ",{\"timestamp\":";
        }
    }

    private static void points(StringBuilder out, List<Point> points) {
        String begin = "{\"timestamp\":";
        for (Point point : points) {
            out.append(begin).append(point.at()).append(",\"value\":");
            if (Double.isFinite(point.value())) {
                out.append(NumberText.shortest(point.value()));
            } else {
                out.append("null");
            }
            out.append('}');
            begin = ",{\"timestamp\":";
        }
    }
}
