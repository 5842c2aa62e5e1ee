package dev.millrace.hub.history.batches;

import dev.millrace.hub.ems.NumberText;
import dev.millrace.hub.history.series.SeriesName;

import org.jspecify.annotations.Nullable;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A batch as lines that InfluxDB and others read. */
final class LineProtocol {
    private static final Pattern POINT = Pattern.compile("(?:([TSCA])\\.)?([0-9]+)");
    private static final String NANOS = "000000";

    private LineProtocol() {}

    static String of(Batch batch) {
        StringBuilder lines = new StringBuilder();
        for (Batch.Item each : batch.samples()) {
            line(lines, each);
        }
        return lines.toString();
    }

    private static void line(StringBuilder out, Batch.Item item) {
        SeriesName series = item.series();
        Matcher point = POINT.matcher(series.field());
        boolean channel = series.source().equals(SeriesName.CHANNEL) && point.matches();
        @Nullable String prefix = channel ? point.group(1) : null;
        String type = prefix == null ? "T" : prefix;
        String measurement =
                switch (type) {
                    case "S" -> "signal";
                    case "C" -> "control";
                    case "A" -> "adjustment";
                    default -> "telemetry";
                };
        out.append(measurement).append(",service=").append(service(series));
        if (channel) {
            out.append(",channel=").append(series.id()).append(",type=").append(type);
            out.append(" point_").append(point.group(2));
        } else {
            out.append(',').append(thing(series)).append('=').append(name(series.id()));
            out.append(' ').append(name(series.field()));
        }
        out.append('=').append(value(item)).append(' ');
        out.append(item.sample().at()).append(NANOS).append('\n');
    }

    private static String service(SeriesName series) {
        return series.source().equals(SeriesName.MODEL) ? "modsrv" : series.source();
    }

    /** What the tag is called that says whose value it is. */
    private static String thing(SeriesName series) {
        return switch (series.source()) {
            case SeriesName.CHANNEL -> "channel";
            case SeriesName.MODEL -> "model";
            default -> "id";
        };
    }

    private static String value(Batch.Item item) {
        return item.sample().isNumber()
                ? NumberText.shortest(item.sample().number())
                : "\"" + item.sample().text().replace("\\", "\\\\").replace("\"", "\\\"") + "\"";
    }

    /** In names, commas, equals signs and blanks mean something. */
    private static String name(String text) {
        return text.replace("\\", "\\\\")
                .replace(",", "\\,")
                .replace("=", "\\=")
                .replace(" ", "\\ ");
    }
}
