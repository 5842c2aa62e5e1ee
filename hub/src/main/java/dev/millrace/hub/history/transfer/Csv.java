package dev.millrace.hub.history.transfer;

import java.util.ArrayList;
import java.util.List;

/** Lines of comma-separated values. */
public final class Csv {
    private Csv() {}

    /** Appends a cell, in quotes where it needs them. */
    public static void append(StringBuilder out, String cell) {
        boolean plain = true;
        for (int i = 0; i < cell.length() && plain; i++) {
            char c = cell.charAt(i);
            plain = c != ',' && c != '"' && c != '\n' && c != '\r';
        }
        if (plain) {
            out.append(cell);
        } else {
            out.append('"').append(cell.replace("\"", "\"\"")).append('"');
        }
    }

    /** The cells of a line. */
    static List<String> cells(String line) {
        List<String> cells = new ArrayList<>();
        StringBuilder cell = new StringBuilder();
        boolean quoted = false;
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            if (quoted) {
                if (c == '"' && i + 1 < line.length() && line.charAt(i + 1) == '"') {
                    cell.append('"');
                    i++;
                } else if (c == '"') {
                    quoted = false;
                } else {
                    cell.append(c);
                }
            } else if (c == '"' && cell.isEmpty()) {
                quoted = true;
            } else if (c == ',') {
                cells.add(cell.toString());
                cell.setLength(0);
            } else {
                cell.append(c);
            }
        }
        cells.add(cell.toString());
        return cells;
    }
}
