package dev.millrace.bench.plant;

import dev.millrace.bench.race.Figures;
import dev.millrace.bench.race.Goal;
import dev.millrace.bench.race.HubTurn;
import dev.millrace.bench.race.Machine;
import dev.millrace.bench.race.Pace;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** The table of all deeds and that of the ratios. */
record PlantReport(Pace pace, int connections, Field field, Map<Deed, List<HubTurn>> turns) {

    String text(String redis) {
        double[] others =
                turns.values().stream()
                        .flatMap(List::stream)
                        .mapToDouble(HubTurn::coresOfOthers)
                        .toArray();
        return """
        %,d channels with %d points each; a whole hub with its embedded broker.

        - Machine: %s
        - Redis: %s
        - %d connections, each with one request in flight; the raw client has as many commands in one pipeline on one connection, \
        the hand-written function as many connections as the hub
        - (i) sets the value and the time of each point, and the time of the channel; (ii) is what the hub sent to Redis, heard by \
        MONITOR and sent again; (iii) looks up the rules of each point it sets, and compares
        - %d rounds in turns, each %s s a round, after %d for warming up; median over the rounds (smallest–largest), of ratios \
        too: each is taken within its round
        - Hub, Redis: processor time of that process for one point, with what the hub still does when it has answered. All of \
        them, and the load, share the cores of this machine
        - Meanwhile other processes kept %s of %d cores busy

        | | calls per second | points per second | hub µs of a point | Redis µs of a point |
        |---|---:|---:|---:|---:|
        %s
        %s\
        """
                .formatted(
                        field.channelsInAll(),
                        field.points(),
                        Machine.about(),
                        redis,
                        connections,
                        pace.rounds(),
                        Figures.number("%.1f", pace.time().toMillis() / 1000.0),
                        pace.warmups(),
                        Figures.number("%.1f", Figures.median(others)),
                        Machine.cores(),
                        rows(),
                        Goal.table(goals()));
    }

    private String rows() {
        StringBuilder rows = new StringBuilder();
        turns.forEach(
                (deed, list) ->
                        rows.append(
                                String.format(
                                        Locale.ROOT,
                                        "| %s | %s | %s | %s | %s |\n",
                                        deed.name(),
                                        cell("%,.0f", list, HubTurn::perSecond),
                                        cell("%,.0f", list, each -> points(deed, each)),
                                        deed.asksHub()
                                                ? cell("%.1f", list, each -> hub(deed, each))
                                                : "–",
                                        cell("%.1f", list, each -> redis(deed, each)))));
        return rows.toString();
    }

    private List<Goal> goals() {
        List<Goal> goals = new ArrayList<>();
        for (Deed deed : turns.keySet()) {
            if (deed.way() == Deed.Way.HUB) {
                against(goals, deed, Deed.Way.RAW, "at least 0.40");
                against(goals, deed, Deed.Way.REPLAY, "at least 0.85");
                if (deed.rules() > 0) {
                    function(goals, deed);
                    rules(goals, deed);
                }
            }
        }
        return goals;
    }

    /** Speed, which the hub shares with its clients, and what it makes Redis do. */
    private void against(List<Goal> goals, Deed deed, Deed.Way other, String bound) {
        Deed by = deed.by(other);
        goals.add(
                new Goal(
                        "points a second, %s ÷ %s".formatted(deed.name(), mark(other)),
                        speed(deed, by),
                        bound));
        goals.add(
                new Goal(
                        "time of Redis, %s ÷ %s".formatted(mark(other), deed.name()),
                        Figures.ratios(
                                figures(by, turn -> redis(by, turn)),
                                figures(deed, turn -> redis(deed, turn))),
                        bound));
    }

    private void function(List<Goal> goals, Deed deed) {
        goals.add(
                new Goal(
                        "calls a second, %s ÷ (iii)".formatted(deed.name()),
                        speed(deed, deed.by(Deed.Way.FUNCTION)),
                        deed.points() == 1 ? "at least 0.70" : "at least 1"));
    }

    private void rules(List<Goal> goals, Deed deed) {
        String bound = deed.rules() == Field.SOME ? "at least 0.85" : "";
        goals.add(
                new Goal(
                        "calls a second, %s ÷ the same without rules".formatted(deed.name()),
                        speed(deed, Deed.hub(deed.points(), 0)),
                        bound));
    }

    private double[] speed(Deed upper, Deed lower) {
        return Figures.ratios(
                figures(upper, turn -> points(upper, turn)),
                figures(lower, turn -> points(lower, turn)));
    }

    private static String mark(Deed.Way way) {
        return way.about().substring(0, way.about().indexOf(')') + 1);
    }

    private static double points(Deed deed, HubTurn turn) {
        return turn.perSecond() * deed.points();
    }

    private static double hub(Deed deed, HubTurn turn) {
        return turn.hubMicros() / deed.points();
    }

    private static double redis(Deed deed, HubTurn turn) {
        return turn.redisMicros() / deed.points();
    }

    private static String cell(
            String format, List<HubTurn> list, ToDoubleFunction<HubTurn> figure) {
        return Figures.cell(format, list.stream().mapToDouble(figure).toArray());
    }

    private double[] figures(Deed deed, ToDoubleFunction<HubTurn> figure) {
        return turns.getOrDefault(deed, List.of()).stream().mapToDouble(figure).toArray();
    }
}
