package dev.millrace.bench.documents;

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
record DocumentsReport(
        Pace pace, int connections, Map<Deed, List<HubTurn>> turns, Latencies announced) {

    String text(String redis) {
        double[] others =
                turns.values().stream()
                        .flatMap(List::stream)
                        .mapToDouble(HubTurn::coresOfOthers)
                        .toArray();
        return """
        %,d documents of about 300 bytes in %d namespaces; a whole hub with its embedded broker, which announces every change. \
        A set is one commit: value, index, version before, announcement.

        - Machine: %s
        - Redis: %s
        - %d connections, each with one request in flight; the raw client has as many commands in one pipeline on one connection
        - %d rounds in turns, each %s s a round, after %d for warming up; median over the rounds (smallest–largest), of ratios \
        too: each is taken within its round
        - Hub, Redis: processor time of that process for one request, with what the hub still does when it has answered; \
        ÷ ceiling: of one document. All of them, and the load, share the cores of this machine
        - Meanwhile other processes kept %s of %d cores busy

        | | requests per second | documents per second | hub µs | Redis µs | ÷ empty GET | documents ÷ ceiling | Redis ÷ ceiling |
        |---|---:|---:|---:|---:|---:|---:|---:|
        %s
        %s
        From the beginning of a set to its event at a subscriber by MQTT, one after the other, %,d times:

        | median ms | p99 ms | p99.9 ms | largest ms |
        |---:|---:|---:|---:|
        | %s |
        """
                .formatted(
                        Samples.NAMESPACES * Samples.IN_NAMESPACE,
                        Samples.NAMESPACES,
                        Machine.about(),
                        redis,
                        connections,
                        pace.rounds(),
                        Figures.number("%.1f", pace.time().toMillis() / 1000.0),
                        pace.warmups(),
                        Figures.number("%.1f", Figures.median(others)),
                        Machine.cores(),
                        rows(),
                        Goal.table(goals()),
                        announced.count(),
                        announced.cells());
    }

    private String rows() {
        StringBuilder rows = new StringBuilder();
        turns.forEach(
                (deed, list) ->
                        rows.append(
                                String.format(
                                        Locale.ROOT,
                                        "| %s | %s | %s | %s | %s | %s | %s | %s |\n",
                                        deed.about(),
                                        cell("%,.0f", list, HubTurn::perSecond),
                                        cell("%,.0f", list, each -> documents(deed, each)),
                                        deed.isRaw() ? "–" : cell("%.1f", list, HubTurn::hubMicros),
                                        cell("%.1f", list, HubTurn::redisMicros),
                                        deed.isRaw()
                                                ? "–"
                                                : ratio(
                                                        deed,
                                                        Deed.PING,
                                                        HubTurn::perSecond,
                                                        HubTurn::perSecond),
                                        deed == Deed.PING
                                                ? "–"
                                                : ratio(
                                                        deed,
                                                        deed.ceiling(),
                                                        each -> documents(deed, each),
                                                        each -> documents(deed.ceiling(), each)),
                                        deed == Deed.PING
                                                ? "–"
                                                : ratio(
                                                        deed,
                                                        deed.ceiling(),
                                                        each -> redisOfOne(deed, each),
                                                        each ->
                                                                redisOfOne(
                                                                        deed.ceiling(), each)))));
        return rows.toString();
    }

    private List<Goal> goals() {
        return List.of(
                new Goal("Redis, set ÷ ceiling", ofRedis(Deed.SET), "at most 2.5"),
                new Goal("Redis, mget by 100 ids ÷ ceiling", ofRedis(Deed.MGET_IDS), "at most 2"));
    }

    private double[] ofRedis(Deed deed) {
        return Figures.ratios(
                figures(deed, HubTurn::redisMicros), figures(deed.ceiling(), HubTurn::redisMicros));
    }

    /** Processor time of Redis for one document. */
    private static double redisOfOne(Deed deed, HubTurn turn) {
        return turn.redisMicros() / deed.documents();
    }

    private static double documents(Deed deed, HubTurn turn) {
        return turn.perSecond() * deed.documents();
    }

    private static String cell(
            String format, List<HubTurn> list, ToDoubleFunction<HubTurn> figure) {
        return Figures.cell(format, list.stream().mapToDouble(figure).toArray());
    }

    private String ratio(
            Deed upper,
            Deed lower,
            ToDoubleFunction<HubTurn> ofUpper,
            ToDoubleFunction<HubTurn> ofLower) {
        return upper == lower
                ? "1"
                : Figures.cell(
                        "%.2f", Figures.ratios(figures(upper, ofUpper), figures(lower, ofLower)));
    }

    private double[] figures(Deed deed, ToDoubleFunction<HubTurn> figure) {
        return turns.getOrDefault(deed, List.of()).stream().mapToDouble(figure).toArray();
    }
}
