package dev.millrace.bench.peers;

import dev.millrace.bench.race.Figures;
import dev.millrace.bench.race.Machine;
import dev.millrace.bench.race.Pace;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/** The tables. */
record PeersReport(Pace pace, int connections, String sides, List<Section> sections) {

    /** One peer. */
    record Section(Api api, Side hub, Side peer, List<PeersRace.Result> results) {}

    /**
     * The load is one thread. At half of a core it keeps up with twice as much, and its work hides
     * nothing; beyond that it may be what holds a fast server up.
     */
    private static final double MUCH_LOAD = 0.5;

    String text() {
        double[] others =
                sections.stream()
                        .flatMap(section -> section.results.stream())
                        .flatMap(each -> Stream.concat(each.hub().stream(), each.peer().stream()))
                        .mapToDouble(PeerTurn::coresOfOthers)
                        .toArray();
        StringBuilder text =
                new StringBuilder(
                        """
                        The same requests to this hub and to others that speak the same API, in turns.

                        - Machine: %s
                        - %s
                        - %d connections, each with one request in flight, unless it says otherwise
                        - %d rounds in turns, each %s s a round, after %d for warming up; median over the rounds (smallest–largest), \
                        of ratios too: each is taken within its round
                        - µs: processor time for one request, of the server and of its Redis (processes whose name begins with \
                        redis-server or valkey-server), with what they still do when they have answered; of theirs in brackets; – where no \
                        process ids were given
                        - The load is one thread of this machine. † marks what it may have held up: it used more than %s of a core \
                        in some round, and the true figure of that side is at least this one
                        - Latencies: at one rate for both, half of what the slower one reached before, on as many connections; each \
                        from the moment at which the request should have been sent, whether a connection was free or not
                        - Meanwhile other processes kept %s of %d cores busy (%s–%s), those of a side included whose ids were not given
                        """
                                .formatted(
                                        Machine.about(),
                                        sides,
                                        connections,
                                        pace.rounds(),
                                        Figures.number("%.1f", pace.time().toMillis() / 1000.0),
                                        pace.warmups(),
                                        Figures.number("%.1f", MUCH_LOAD),
                                        Figures.number("%.1f", Figures.median(others)),
                                        Machine.cores(),
                                        Figures.number(
                                                "%.1f", Arrays.stream(others).min().orElse(0)),
                                        Figures.number(
                                                "%.1f", Arrays.stream(others).max().orElse(0))));
        for (Section each : sections) {
            text.append("\n## Against ").append(each.api.about()).append("\n\n");
            text.append(costs(each)).append('\n').append(latencies(each));
        }
        return text.toString();
    }

    private String about(Deed deed) {
        int count = deed.connections(connections);
        return count == connections
                ? deed.about()
                : "%s, %d connection".formatted(deed.about(), count);
    }

    private String costs(Section section) {
        StringBuilder table =
                new StringBuilder(
                        "| same request to both | hub per second | theirs per second | hub ÷ theirs"
                                + " | hub µs (theirs) | Redis µs (theirs) | load cores (theirs) |\n"
                                + "|---|---:|---:|---:|---:|---:|---:|\n");
        for (PeersRace.Result each : section.results) {
            double[] hub = figures(each.hub(), PeerTurn::perSecond);
            double[] peer = figures(each.peer(), PeerTurn::perSecond);
            table.append(
                    "| %s | %s%s | %s%s | %s | %s | %s | %s |\n"
                            .formatted(
                                    about(each.deed()),
                                    Figures.cell("%,.0f", hub),
                                    mark(each.hub()),
                                    Figures.cell("%,.0f", peer),
                                    mark(each.peer()),
                                    Figures.cell("%.2f", Figures.ratios(hub, peer)),
                                    both(section, each, Processes::servers, PeerTurn::serverMicros),
                                    both(section, each, Processes::redis, PeerTurn::redisMicros),
                                    Figures.number("%.2f", median(each.hub(), PeerTurn::loadCores))
                                            + " ("
                                            + Figures.number(
                                                    "%.2f",
                                                    median(each.peer(), PeerTurn::loadCores))
                                            + ")"));
        }
        return table.toString();
    }

    private static String mark(List<PeerTurn> turns) {
        return turns.stream().anyMatch(each -> each.loadCores() > MUCH_LOAD) ? " †" : "";
    }

    private static String both(
            Section section,
            PeersRace.Result result,
            Function<Processes, List<?>> whose,
            ToDoubleFunction<PeerTurn> figure) {
        return micros(section.hub, result.hub(), whose, figure)
                + " ("
                + micros(section.peer, result.peer(), whose, figure)
                + ")";
    }

    private static String micros(
            Side side,
            List<PeerTurn> turns,
            Function<Processes, List<?>> whose,
            ToDoubleFunction<PeerTurn> figure) {
        return whose.apply(side.processes()).isEmpty()
                ? "–"
                : Figures.number("%.0f", median(turns, figure));
    }

    private static double median(List<PeerTurn> turns, ToDoubleFunction<PeerTurn> figure) {
        return Figures.median(figures(turns, figure));
    }

    private static double[] figures(List<PeerTurn> turns, ToDoubleFunction<PeerTurn> figure) {
        return turns.stream().mapToDouble(figure).toArray();
    }

    private String latencies(Section section) {
        StringBuilder table =
                new StringBuilder(
                        "| at one rate for both | per second | median ms (theirs) | p99 ms (theirs)"
                                + " | p99.9 ms (theirs) | median ÷ theirs |\n"
                                + "|---|---:|---:|---:|---:|---:|\n");
        for (PeersRace.Result each : section.results) {
            table.append(
                    String.format(
                            Locale.ROOT,
                            "| %s | %,.0f | %s | %s | %s | %.2f |\n",
                            about(each.deed()),
                            each.rate(),
                            millis(each, 50),
                            millis(each, 99),
                            millis(each, 99.9),
                            each.hubLatencies().millis(50) / each.peerLatencies().millis(50)));
        }
        return table.toString();
    }

    private static String millis(PeersRace.Result result, double percent) {
        return String.format(
                Locale.ROOT,
                "%.2f (%.2f)",
                result.hubLatencies().millis(percent),
                result.peerLatencies().millis(percent));
    }
}
