package dev.millrace.bench.race;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * The figures of a race as Markdown: medians over the rounds with the smallest and the largest
 * value, and ratios to chosen contestants. A ratio is taken within each round and its median is
 * given, so that a slow minute of the machine does not count against those who met it.
 */
public final class Report {
    private final Map<Contestant, List<Turn>> turns;
    private final Pace pace;
    private final String server;

    Report(Map<Contestant, List<Turn>> turns, Pace pace, String server) {
        this.turns = turns;
        this.pace = pace;
        this.server = server;
    }

    /**
     * One row for each contestant.
     *
     * @param references names of contestants that the others are compared with
     */
    public String table(List<String> references) {
        List<Contestant> compared =
                turns.keySet().stream().filter(each -> references.contains(each.name())).toList();
        StringBuilder table =
                new StringBuilder("| | contestant | per second | JVM µs | Redis µs |");
        for (Contestant each : compared) {
            table.append(
                    " speed ÷ (%s) | Redis of (%s) ÷ own |".formatted(each.name(), each.name()));
        }
        table.append("\n|---|---|---:|---:|---:|").append("---:|---:|".repeat(compared.size()));
        turns.forEach((contestant, rounds) -> table.append(row(contestant, rounds, compared)));
        return table.append('\n').toString();
    }

    private String row(Contestant contestant, List<Turn> rounds, List<Contestant> compared) {
        StringBuilder row =
                new StringBuilder("\n| %s | %s |".formatted(contestant.name(), contestant.about()));
        row.append(cell("%,.0f", rounds, Turn::perSecond));
        row.append(cell("%.1f", rounds, Turn::jvmMicros));
        row.append(cell("%.1f", rounds, Turn::redisMicros));
        for (Contestant other : compared) {
            List<Turn> theirs = turns.getOrDefault(other, List.of());
            row.append(ratio(rounds, theirs, Turn::perSecond));
            row.append(ratio(theirs, rounds, Turn::redisMicros));
        }
        return row.toString();
    }

    private static String cell(String format, List<Turn> rounds, ToDoubleFunction<Turn> figure) {
        return " " + Figures.cell(format, figures(rounds, figure)) + " |";
    }

    private static String ratio(List<Turn> upper, List<Turn> lower, ToDoubleFunction<Turn> figure) {
        double[] ratios = Figures.ratios(figures(upper, figure), figures(lower, figure));
        return " " + Figures.number("%.2f", Figures.median(ratios)) + " |";
    }

    private static double[] figures(List<Turn> rounds, ToDoubleFunction<Turn> figure) {
        return rounds.stream().mapToDouble(figure).toArray();
    }

    /** Machine, server and pace: what a reader needs to judge the figures. */
    public String conditions() {
        String each =
                pace.count() == 0
                        ? Figures.number("%.1f", pace.time().toMillis() / 1000.0) + " s"
                        : pace.count() + " operations";
        List<String> lines = new ArrayList<>();
        lines.add("Machine: " + Machine.about());
        lines.add("Server: " + server);
        lines.add(
                "%d virtual threads; %d rounds in turns, each contestant %s a round, after %d for warming up"
                        .formatted(pace.threads(), pace.rounds(), each, pace.warmups()));
        lines.add(
                "Median over the rounds (smallest–largest); ratios are medians of the ratios of"
                        + " each round");
        lines.add(
                "JVM: processor time of the whole process for one operation, the load included."
                        + " Redis: that of its main thread");
        double[] others =
                turns.values().stream()
                        .flatMap(List::stream)
                        .mapToDouble(Turn::coresOfOthers)
                        .sorted()
                        .toArray();
        lines.add(
                "Meanwhile other processes kept %s of %d cores busy (%s–%s)"
                        .formatted(
                                Figures.number("%.1f", Figures.median(others)),
                                Machine.cores(),
                                Figures.number("%.1f", others[0]),
                                Figures.number("%.1f", others[others.length - 1])));
        return "- " + String.join("\n- ", lines) + "\n";
    }
}
