package dev.millrace.bench.readings;

import dev.millrace.bench.race.Figures;
import dev.millrace.bench.race.HubTurn;
import dev.millrace.bench.race.Latencies;
import dev.millrace.bench.race.Machine;
import dev.millrace.bench.race.Pace;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/**
 * The tables.
 *
 * @param heap bytes before, and after each step
 * @param step how many events a step has
 */
record ReadingsReport(Pace pace, Map<Entrant, List<HubTurn>> turns, List<Long> heap, int step) {
    private static final double MIB = 1 << 20;

    private static final String WHAT =
            """
            Events of one device with two readings each, about 330 bytes of JSON, over HTTP. One event is one commit: three \
            values, the 11 index entries of the event and its readings, their order, and the announcement to those who listen.

            - (a) one event a request, each connection with one request in flight
            - (b) the same requests to a path of the same hub that reads the body by the same code, answers as many bytes and \
            stores nothing; as many a second as (a) had just before, evenly spread: the more a hub has to do, the less of \
            it is waking up, and only at one rate do two ways compare
            - (c) many events a request, one a line
            - (d) what the hub sent to Redis for (c), recorded byte by byte, sent again to an empty Redis by a client that does \
            nothing else, on as many connections, pipelined without bounds: what Redis itself can do
            - (e) as (b), but each connection sends the next request as soon as it has its answer
            """;

    /**
     * A question, asked again and again on one connection.
     *
     * @param among how many readings there were
     */
    record Asked(String about, long among, HubTurn turn, Latencies latencies) {}

    String text(String redis, String conditions, List<Asked> asked) {
        double[] others =
                turns.values().stream()
                        .flatMap(List::stream)
                        .mapToDouble(HubTurn::coresOfOthers)
                        .sorted()
                        .toArray();
        StringBuilder text = new StringBuilder(WHAT);
        text.append("\n- Machine: ").append(Machine.about());
        text.append("\n- Redis: ").append(redis);
        text.append("\n- ").append(conditions);
        text.append(
                "\n- %d rounds in turns, each %s s a round, after %d for warming up; median over the rounds (smallest–largest), of ratios too: each is taken within its round"
                        .formatted(
                                pace.rounds(),
                                Figures.number("%.1f", pace.time().toMillis() / 1000.0),
                                pace.warmups()));
        text.append(
                "\n"
                    + "- Hub, Redis: processor time of that process for one event. All of them, and"
                    + " the load, share the cores of this machine");
        text.append(
                "\n- Meanwhile other processes kept %s of %d cores busy (%s–%s)\n"
                        .formatted(
                                Figures.number("%.1f", Figures.median(others)),
                                Machine.cores(),
                                Figures.number("%.1f", Arrays.stream(others).min().orElse(0)),
                                Figures.number("%.1f", Arrays.stream(others).max().orElse(0))));
        text.append("\n## Taking events\n\n").append(eventsTable());
        text.append("\n## The heap of the hub\n\n").append(heapTable());
        text.append("\n## Asking\n\n").append(askedTable(asked));
        return text.toString();
    }

    private String eventsTable() {
        StringBuilder table =
                new StringBuilder(
                        "| | | events per second | hub µs | Redis µs | speed ÷ (d) | hub CPU ÷ (b)"
                                + " | hub CPU ÷ (e) |\n"
                                + "|---|---|---:|---:|---:|---:|---:|---:|\n");
        turns.forEach(
                (entrant, list) ->
                        table.append(
                                "| %s | %s | %s | %s | %s | %s | %s | %s |\n"
                                        .formatted(
                                                entrant.letter(),
                                                entrant.about(),
                                                cell("%,.0f", list, HubTurn::perSecond),
                                                entrant == Entrant.CEILING
                                                        ? "–"
                                                        : cell("%.1f", list, HubTurn::hubMicros),
                                                cell("%.1f", list, HubTurn::redisMicros),
                                                ratio(entrant, Entrant.CEILING, HubTurn::perSecond),
                                                ratio(entrant, Entrant.PARSE, HubTurn::hubMicros),
                                                ratio(
                                                        entrant,
                                                        Entrant.FAST_PARSE,
                                                        HubTurn::hubMicros))));
        return table.toString();
    }

    private static String cell(
            String format, List<HubTurn> list, ToDoubleFunction<HubTurn> figure) {
        return Figures.cell(format, list.stream().mapToDouble(figure).toArray());
    }

    private String ratio(Entrant upper, Entrant lower, ToDoubleFunction<HubTurn> figure) {
        if (upper == lower) {
            return "1";
        }
        boolean stores = upper != Entrant.PARSE && upper != Entrant.FAST_PARSE;
        boolean ofHub = lower != Entrant.CEILING;
        if (ofHub ? upper == Entrant.CEILING : !stores) {
            return "–";
        }
        return Figures.cell("%.2f", Figures.ratios(figures(upper, figure), figures(lower, figure)));
    }

    private double[] figures(Entrant entrant, ToDoubleFunction<HubTurn> figure) {
        return turns.getOrDefault(entrant, List.of()).stream().mapToDouble(figure).toArray();
    }

    private String heapTable() {
        StringBuilder table =
                new StringBuilder("| events so far | MiB after cleaning up |\n|---:|---:|\n");
        for (int i = 0; i < heap.size(); i++) {
            table.append(
                    String.format(
                            Locale.ROOT, "| %,d | %.1f |\n", i * (long) step, heap.get(i) / MIB));
        }
        return table.toString();
    }

    private static String askedTable(List<Asked> asked) {
        StringBuilder table =
                new StringBuilder(
                        "One connection, one question after the other.\n\n"
                            + "| question | among readings | per second | median ms | p99 ms | hub"
                            + " µs | Redis µs |\n"
                            + "|---|---:|---:|---:|---:|---:|---:|\n");
        for (Asked each : asked) {
            table.append(
                    String.format(
                            Locale.ROOT,
                            "| %s | %,d | %,.0f | %.2f | %.2f | %.0f | %.0f |\n",
                            each.about,
                            each.among,
                            each.turn.perSecond(),
                            each.latencies.millis(50),
                            each.latencies.millis(99),
                            each.turn.hubMicros(),
                            each.turn.redisMicros()));
        }
        return table.toString();
    }
}
