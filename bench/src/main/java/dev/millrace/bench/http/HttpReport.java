package dev.millrace.bench.http;

import dev.millrace.bench.race.Figures;

import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/** The figures of one workload with one number of connections, as a table. */
record HttpReport(Workload workload, int connections, Map<Entrant, List<HttpTurn>> turns) {
    private static final List<String> REFERENCES = List.of("b", "c", "c2");

    String table() {
        List<Entrant> references =
                turns.keySet().stream().filter(each -> REFERENCES.contains(each.name())).toList();
        StringBuilder table = new StringBuilder();
        table.append("%s, %d connections\n\n".formatted(workload.about(), connections));
        table.append("| | entrant | per second | server µs | load µs | Redis µs |");
        references.forEach(
                each ->
                        table.append(
                                " speed ÷ (%s) | server CPU ÷ (%s) |"
                                        .formatted(each.name(), each.name())));
        table.append("\n|---|---|---:|---:|---:|---:|");
        table.append("---:|---:|".repeat(references.size()));
        turns.keySet().forEach(each -> table.append(row(each, references)));
        return table.append('\n').toString();
    }

    private String row(Entrant entrant, List<Entrant> references) {
        StringBuilder row =
                new StringBuilder("\n| %s | %s |".formatted(entrant.name(), entrant.about()));
        row.append(cell("%,.0f", figures(entrant, HttpTurn::perSecond)));
        row.append(cell("%.1f", figures(entrant, HttpTurn::serverMicros)));
        row.append(cell("%.1f", figures(entrant, HttpTurn::loadMicros)));
        row.append(cell("%.1f", figures(entrant, HttpTurn::redisMicros)));
        for (Entrant other : references) {
            row.append(ratio(entrant, other, HttpTurn::perSecond));
            row.append(ratio(entrant, other, HttpTurn::serverMicros));
        }
        return row.toString();
    }

    private String ratio(Entrant entrant, Entrant other, ToDoubleFunction<HttpTurn> figure) {
        return entrant.equals(other)
                ? " 1 |"
                : cell("%.2f", Figures.ratios(figures(entrant, figure), figures(other, figure)));
    }

    private static String cell(String format, double[] figures) {
        return " " + Figures.cell(format, figures) + " |";
    }

    private double[] figures(Entrant entrant, ToDoubleFunction<HttpTurn> figure) {
        return turns.getOrDefault(entrant, List.of()).stream().mapToDouble(figure).toArray();
    }

    Stream<HttpTurn> all() {
        return turns.values().stream().flatMap(List::stream);
    }
}
