package dev.millrace.keyspace.layout;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** Prints declarations and entries as Markdown tables with aligned columns. */
public final class CatalogueText {
    private CatalogueText() {}

    static String markdown(List<Declaration> declarations) {
        return "# Keys\n" + sections(declarations, 2);
    }

    static String sections(Collection<? extends Declaration> declarations, int level) {
        StringBuilder text = new StringBuilder();
        String marks = "#".repeat(level);
        List<List<String>> cells = new ArrayList<>();
        List<List<String>> leftovers = new ArrayList<>();
        for (Declaration each : declarations) {
            switch (each) {
                case Layout<?> layout -> text.append(section(layout, marks));
                case Cell cell ->
                        cells.add(
                                List.of(
                                        cell.type().words(),
                                        code(cell.pattern().text()),
                                        cell.owner().words(),
                                        cell.about()));
                case Leftover leftover ->
                        leftovers.add(
                                List.of(
                                        leftover.type().words(),
                                        code(leftover.pattern().text()),
                                        leftover.about()));
            }
        }
        if (!cells.isEmpty()) {
            text.append("\n%s Keys that stand by themselves\n\n".formatted(marks));
            text.append(table(List.of("Data Type", "Key", "Owner", "Meaning"), cells));
        }
        if (!leftovers.isEmpty()) {
            text.append("\n%s What another system left behind\n\n".formatted(marks));
            text.append("Never written here; a check names it, and a repair removes it.\n\n");
            text.append(table(List.of("Data Type", "Key", "Why it may go"), leftovers));
        }
        return text.toString();
    }

    private static String section(Layout<?> layout, String marks) {
        List<List<String>> rows = new ArrayList<>();
        for (Spot spot : layout.spots()) {
            String value = spot.role() == Spot.Role.VALUE ? layout.name() : spot.member();
            rows.add(
                    List.of(spot.type().words(), code(spot.pattern().text()), value, spot.score()));
        }
        StringBuilder text = new StringBuilder("\n%s %s\n\n".formatted(marks, layout.name()));
        if (!layout.about().isEmpty()) {
            text.append(layout.about()).append(' ');
        }
        text.append("Lives with: ").append(layout.mapping().owner().words()).append(".\n\n");
        text.append(table(List.of("Data Type", "Key", "Value", "Score"), rows));
        layout.indexes().stream()
                .filter(index -> index.tolerated().isPresent())
                .forEach(
                        index ->
                                text.append("\nAn entry of another system in ")
                                        .append(code(index.pattern.text()))
                                        .append(" with the score ")
                                        .append(Entry.score(index.tolerated().getAsDouble()))
                                        .append(" is left alone while its value exists.\n"));
        if (!layout.losesTo().isEmpty()) {
            text.append("\nRefused are ids whose key is ")
                    .append(
                            String.join(
                                    ", ",
                                    layout.losesTo().stream().map(CatalogueText::code).toList()))
                    .append(".\n");
        }
        return text.toString();
    }

    public static String table(List<Entry> entries) {
        List<List<String>> rows = new ArrayList<>();
        for (Entry entry : entries) {
            rows.add(
                    switch (entry) {
                        case Entry.Sorted(String key, double score, String member) ->
                                List.of(key, Entry.score(score), member);
                        case Entry.Member(String key, String member) -> List.of(key, "", member);
                        case Entry.Unique(String key, String field, String id) ->
                                List.of(key, field, id);
                    });
        }
        return table(List.of("Sorted Set Key", "Score", "Member"), rows);
    }

    public static String table(List<String> head, List<List<String>> rows) {
        int[] widths = new int[head.size()];
        for (int i = 0; i < widths.length; i++) {
            int column = i;
            widths[i] =
                    Math.max(
                            head.get(i).length(),
                            rows.stream()
                                    .mapToInt(row -> row.get(column).length())
                                    .max()
                                    .orElse(0));
        }
        StringBuilder text = new StringBuilder(line(head, widths));
        List<String> rulers = new ArrayList<>();
        for (int width : widths) {
            rulers.add("-".repeat(width));
        }
        text.append(line(rulers, widths));
        rows.forEach(row -> text.append(line(row, widths)));
        return text.toString();
    }

    private static String line(List<String> row, int[] widths) {
        StringBuilder text = new StringBuilder("|");
        for (int i = 0; i < widths.length; i++) {
            String cell = row.get(i);
            text.append(' ').append(cell).repeat(" ", widths[i] - cell.length()).append(" |");
        }
        return text.append('\n').toString();
    }

    private static String code(String text) {
        return "`" + text + "`";
    }
}
