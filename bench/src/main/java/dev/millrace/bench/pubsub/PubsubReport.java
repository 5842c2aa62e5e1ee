package dev.millrace.bench.pubsub;

import dev.millrace.bench.race.Figures;
import dev.millrace.bench.race.Goal;
import dev.millrace.bench.race.HubTurn;
import dev.millrace.bench.race.Latencies;
import dev.millrace.bench.race.Machine;
import dev.millrace.bench.race.Pace;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** The tables. */
record PubsubReport(
        Pace pace,
        int connections,
        int channels,
        Map<Deed, List<HubTurn>> turns,
        Latencies deliveries) {

    String text(String redis) {
        double[] others =
                turns.values().stream()
                        .flatMap(List::stream)
                        .mapToDouble(HubTurn::coresOfOthers)
                        .toArray();
        return """
        Messages of about 50 bytes on %d channels; a hub with the room of message channels, default settings.

        - Machine: %s
        - Redis: %s
        - %d connections, each with one request in flight
        - %d rounds in turns, each %s s a round, after %d for warming up; median over the rounds (smallest–largest), of ratios \
        too: each is taken within its round
        - Hub, Redis: processor time of that process for one request. All of them, and the load, share the cores of this machine
        - Meanwhile other processes kept %s of %d cores busy

        | | requests per second | hub µs | Redis µs | ÷ empty POST |
        |---|---:|---:|---:|---:|
        %s
        %s
        From the beginning of a publish to a long poll that waits for it, %,d messages on %d channels, one every 4 ms or so:

        | median ms | p99 ms | p99.9 ms | largest ms |
        |---:|---:|---:|---:|
        | %s |
        """
                .formatted(
                        channels,
                        Machine.about(),
                        redis,
                        connections,
                        pace.rounds(),
                        Figures.number("%.1f", pace.time().toMillis() / 1000.0),
                        pace.warmups(),
                        Figures.number("%.1f", Figures.median(others)),
                        Machine.cores(),
                        rows(),
                        Goal.table(
                                List.of(
                                        new Goal(
                                                "publish ÷ empty POST",
                                                ratios(turns.getOrDefault(Deed.PUBLISH, List.of())),
                                                "at least 0.5"))),
                        deliveries.count(),
                        channels,
                        deliveries.cells());
    }

    private String rows() {
        StringBuilder rows = new StringBuilder();
        turns.forEach(
                (deed, list) ->
                        rows.append(
                                String.format(
                                        Locale.ROOT,
                                        "| %s | %s | %s | %s | %s |\n",
                                        deed.about(),
                                        cell("%,.0f", list, HubTurn::perSecond),
                                        cell("%.1f", list, HubTurn::hubMicros),
                                        cell("%.1f", list, HubTurn::redisMicros),
                                        Figures.cell("%.2f", ratios(list)))));
        return rows.toString();
    }

    private static String cell(
            String format, List<HubTurn> list, ToDoubleFunction<HubTurn> figure) {
        return Figures.cell(format, list.stream().mapToDouble(figure).toArray());
    }

    private double[] ratios(List<HubTurn> list) {
        return Figures.ratios(
                list.stream().mapToDouble(HubTurn::perSecond).toArray(),
                turns.getOrDefault(Deed.EMPTY, List.of()).stream()
                        .mapToDouble(HubTurn::perSecond)
                        .toArray());
    }
}
