package dev.millrace.hub.history.transfer;

import dev.millrace.hub.http.Json;

import org.jspecify.annotations.Nullable;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;

/**
 * Samples as lines, of JSON or of comma-separated values, any number of them: they are written
 * while they arrive. A line that is none is named like a wrong sample.
 */
public final class ImportLines {
    private static final int LONGEST_LINE = 64 << 10;

    private ImportLines() {}

    /** Lines of JSON, each an object. */
    public static void json(InputStream body, Import target) throws IOException {
        try (BufferedReader lines = lines(body)) {
            for (String line = next(lines); line != null; line = next(lines)) {
                if (line.isBlank()) {
                    continue;
                }
                JsonNode sample;
                try {
                    sample = Json.MAPPER.readTree(line);
                } catch (JacksonException e) {
                    target.reject("The line is not JSON.");
                    continue;
                }
                target.take(sample);
            }
        }
    }

    /**
     * Comma-separated values. The first line names the columns: source, id, field, ts, value, in
     * any order.
     *
     * @return what is wrong with the first line; empty if nothing is
     */
    public static String csv(InputStream body, Import target) throws IOException {
        try (BufferedReader lines = lines(body)) {
            String first = next(lines);
            List<String> names =
                    first == null
                            ? List.of()
                            : Csv.cells(first.toLowerCase(Locale.ROOT).replace("\uFEFF", ""));
            Columns columns = Columns.of(names);
            if (columns == null) {
                return "The first line must name the columns source, id, field, ts and value.";
            }
            for (String line = next(lines); line != null; line = next(lines)) {
                if (line.isBlank()) {
                    continue;
                }
                List<String> cells = Csv.cells(line);
                if (cells.size() < names.size()) {
                    target.reject("The line has fewer cells than the first one.");
                    continue;
                }
                target.take(
                        cells.get(columns.source),
                        cells.get(columns.id),
                        cells.get(columns.field),
                        cells.get(columns.ts),
                        cells.get(columns.value));
            }
        }
        return "";
    }

    private record Columns(int source, int id, int field, int ts, int value) {
        static @Nullable Columns of(List<String> names) {
            int ts = names.contains("ts") ? names.indexOf("ts") : names.indexOf("timestamp");
            Columns found =
                    new Columns(
                            names.indexOf("source"),
                            names.indexOf("id"),
                            names.indexOf("field"),
                            ts,
                            names.indexOf("value"));
            boolean all =
                    found.source >= 0
                            && found.id >= 0
                            && found.field >= 0
                            && ts >= 0
                            && found.value >= 0;
            return all ? found : null;
        }
    }

    private static BufferedReader lines(InputStream body) {
        return new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8), 1 << 16);
    }

    /** The next line without its end, cut where it is too long; null at the end. */
    private static @Nullable String next(BufferedReader lines) throws IOException {
        StringBuilder line = new StringBuilder(96);
        int c = lines.read();
        if (c < 0) {
            return null;
        }
        while (c >= 0 && c != '\n') {
            if (line.length() < LONGEST_LINE) {
                line.append((char) c);
            }
            c = lines.read();
        }
        int end = line.length();
        return end > 0 && line.charAt(end - 1) == '\r'
                ? line.substring(0, end - 1)
                : line.toString();
    }
}
