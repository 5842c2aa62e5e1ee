package dev.millrace.hub.cli;

import dev.millrace.hub.cli.terminal.Terminal;
import dev.millrace.keyspace.memory.MemoryReport;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;

/** A measurement of memory, for a person. */
final class MemoryText {
    private static final String[] UNITS = {"B", "kB", "MB", "GB", "TB"};

    private MemoryText() {}

    static String of(MemoryReport report) {
        boolean grown = report.before().isPresent();
        List<List<String>> rows = new ArrayList<>();
        rows.add(row(grown, "", "keys", "values", "indexes", "together", "a day"));
        report.parts().stream()
                .sorted(Comparator.comparingLong(MemoryReport.Part::bytes).reversed())
                .forEachOrdered(
                        part ->
                                rows.add(
                                        row(
                                                grown,
                                                part.name().isEmpty()
                                                        ? "of no layout"
                                                        : part.name(),
                                                number(part.keys()),
                                                bytes(part.values()),
                                                part.indexes() == 0 ? "" : bytes(part.indexes()),
                                                bytes(part.bytes()),
                                                growth(report.growth(part)))));
        StringBuilder text = new StringBuilder();
        columns(rows, text);
        text.append(
                "\nTogether about %s of the %s that Redis uses; the rest are its own tables and buffers.\n"
                        .formatted(bytes(report.bytes()), bytes(report.used())));
        text.append(outlook(report)).append('\n');
        return text.toString();
    }

    private static String outlook(MemoryReport report) {
        String limit =
                report.max() == 0
                        ? "No maxmemory is set."
                        : "It may use %s.".formatted(bytes(report.max()));
        if (report.before().isEmpty()) {
            return limit + " How fast it grows can be told the next time, in ten minutes or later.";
        }
        String since = Terminal.time(report.before().get().at());
        String grows = "Since %s it grows by %s a day".formatted(since, growth(report.growth()));
        OptionalLong days = report.daysLeft();
        return limit
                + " "
                + grows
                + (days.isEmpty() ? "." : "; full in %s days.".formatted(number(days.getAsLong())));
    }

    private static List<String> row(
            boolean grown,
            String name,
            String keys,
            String values,
            String indexes,
            String together,
            String growth) {
        return grown
                ? List.of(name, keys, values, indexes, together, growth)
                : List.of(name, keys, values, indexes, together);
    }

    /** The first column to the left, figures to the right. */
    private static void columns(List<List<String>> rows, StringBuilder text) {
        int columns = rows.getFirst().size();
        int[] widths = new int[columns];
        for (List<String> row : rows) {
            for (int i = 0; i < columns; i++) {
                widths[i] = Math.max(widths[i], row.get(i).length());
            }
        }
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder(row.getFirst());
            line.repeat(' ', widths[0] - row.getFirst().length());
            for (int i = 1; i < columns; i++) {
                line.repeat(' ', 2 + widths[i] - row.get(i).length()).append(row.get(i));
            }
            text.append(line).append('\n');
        }
    }

    private static String growth(OptionalLong perDay) {
        if (perDay.isEmpty()) {
            return "";
        }
        long bytes = perDay.getAsLong();
        return (bytes < 0 ? "-" : "+") + bytes(Math.abs(bytes));
    }

    private static String number(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }

    /** Three digits or a little more, as people say it. */
    static String bytes(long bytes) {
        double figure = bytes;
        int unit = 0;
        while (figure >= 1000 && unit < UNITS.length - 1) {
            figure /= 1000;
            unit++;
        }
        return String.format(
                Locale.ROOT,
                unit == 0 || figure >= 100 ? "%.0f %s" : "%.1f %s",
                figure,
                UNITS[unit]);
    }
}
