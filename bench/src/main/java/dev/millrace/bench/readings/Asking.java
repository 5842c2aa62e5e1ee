package dev.millrace.bench.readings;

import dev.millrace.bench.race.Figures;
import dev.millrace.bench.race.Goal;
import dev.millrace.bench.race.HubTurn;
import dev.millrace.bench.race.Latencies;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** Questions among many readings. */
final class Asking {
    private static final int ASKED = 100;
    private static final String LATEST = "/api/v1/reading/device/%s/" + ASKED;

    private final Scene scene;
    private final PlainQuestions plain;
    private final Map<Asker, List<Turn>> turns = new EnumMap<>(Asker.class);
    private long stored;

    Asking(Scene scene) {
        this.scene = scene;
        this.plain = new PlainQuestions(scene.redis(), ASKED);
    }

    /** Who asks for the latest readings, and on how many connections. */
    private enum Asker {
        HUB_ON_ONE("the hub", true),
        PLAIN_ON_ONE("`ZRANGE … REV` and `MGET`", true),
        HUB("the hub", false),
        PLAIN("`ZRANGE … REV` and `MGET`", false);

        final String about;
        final boolean one;

        Asker(String about, boolean one) {
            this.about = about;
            this.one = one;
        }

        boolean asksHub() {
            return this == HUB_ON_ONE || this == HUB;
        }

        Asker plain() {
            return one ? PLAIN_ON_ONE : PLAIN;
        }
    }

    private record Turn(HubTurn turn, Latencies latencies) {
        double medianMillis() {
            return latencies.millis(50);
        }
    }

    String section(int readings) throws Exception {
        scene.say().accept("Storing readings to be asked for.");
        scene.redis().emptyButForTheHub();
        stored = scene.hub().fill(Math.max(1, readings / Bodies.READINGS), scene.redis());
        scene.hub().whole().settle();
        for (int round = -scene.pace().warmups(); round < scene.pace().rounds(); round++) {
            Asker[] askers = Asker.values();
            for (int i = 0; i < askers.length; i++) {
                Asker asker = askers[Math.floorMod(i + round, askers.length)];
                Turn turn = turn(asker);
                if (round >= 0) {
                    turns.computeIfAbsent(asker, any -> new ArrayList<>()).add(turn);
                }
                scene.say().accept(line(round, asker, turn));
            }
        }
        return "The latest %d readings of one device among %,d:\n\n"
                        .formatted(ASKED, stored * Bodies.READINGS)
                + table()
                + "\n"
                + Goal.table(goals())
                + "\nOther questions, one after the other on one connection:\n\n"
                + others();
    }

    private int connections(Asker asker) {
        return asker.one ? 1 : scene.crowd().connections();
    }

    private Turn turn(Asker asker) throws Exception {
        if (asker.asksHub()) {
            return ask(
                    IntStream.range(0, connections(asker))
                            .mapToObj(i -> LATEST.formatted(Bodies.device(i)))
                            .toList());
        }
        Latencies[] latencies = {Latencies.of()};
        HubTurn turn =
                HubTurn.of(
                        scene.hub().whole().child(),
                        scene.redis(),
                        () -> {
                            latencies[0] = plain.ask(connections(asker), scene.nanos());
                            return latencies[0].count();
                        });
        return new Turn(turn, latencies[0]);
    }

    private Turn ask(List<String> paths) throws Exception {
        LongStream.Builder nanos = LongStream.builder();
        HubTurn turn =
                HubTurn.of(
                        scene.hub().whole().child(),
                        scene.redis(),
                        () -> scene.hub().ask(paths, scene.nanos(), nanos::add));
        return new Turn(turn, Latencies.of(nanos.build().toArray()));
    }

    private String line(int round, Asker asker, Turn turn) {
        return String.format(
                Locale.ROOT,
                "%-8s latest readings, %s, %d connections: %,.0f per second, median %.2f ms,"
                        + " %.0f µs hub, %.0f µs Redis",
                round < 0 ? "warm-up" : "round " + (round + 1),
                asker.about,
                connections(asker),
                turn.turn.perSecond(),
                turn.medianMillis(),
                turn.turn.hubMicros(),
                turn.turn.redisMicros());
    }

    private String table() {
        StringBuilder table =
                new StringBuilder(
                        "| by | connections | per second | median ms | p99 ms | hub µs | Redis µs |"
                                + " Redis ÷ plain | median ÷ plain |\n"
                                + "|---|---:|---:|---:|---:|---:|---:|---:|---:|\n");
        turns.forEach(
                (asker, list) ->
                        table.append(
                                "| %s | %d | %s | %s | %s | %s | %s | %s | %s |\n"
                                        .formatted(
                                                asker.about,
                                                connections(asker),
                                                cell("%,.0f", asker, Asking::perSecond),
                                                cell("%.2f", asker, Turn::medianMillis),
                                                cell(
                                                        "%.2f",
                                                        asker, each -> each.latencies.millis(99)),
                                                asker.asksHub()
                                                        ? cell("%.0f", asker, Asking::hubMicros)
                                                        : "–",
                                                cell("%.0f", asker, Asking::redisMicros),
                                                ratio(asker, Asking::redisMicros),
                                                ratio(asker, Turn::medianMillis))));
        return table.toString();
    }

    private static double perSecond(Turn turn) {
        return turn.turn.perSecond();
    }

    private static double hubMicros(Turn turn) {
        return turn.turn.hubMicros();
    }

    private static double redisMicros(Turn turn) {
        return turn.turn.redisMicros();
    }

    private List<Goal> goals() {
        return List.of(
                new Goal(
                        "Redis of the hub ÷ plain, %d connections"
                                .formatted(connections(Asker.HUB)),
                        ratios(Asker.HUB, Asking::redisMicros),
                        "at most 1.6"),
                new Goal(
                        "Redis of the hub ÷ plain, 1 connection",
                        ratios(Asker.HUB_ON_ONE, Asking::redisMicros),
                        "at most 1.6"),
                new Goal(
                        "median of the hub ÷ plain, 1 connection",
                        ratios(Asker.HUB_ON_ONE, Turn::medianMillis),
                        "at most 1.5"));
    }

    private String cell(String format, Asker asker, ToDoubleFunction<Turn> figure) {
        return Figures.cell(format, figures(asker, figure));
    }

    private String ratio(Asker asker, ToDoubleFunction<Turn> figure) {
        return asker.asksHub() ? Figures.cell("%.2f", ratios(asker, figure)) : "1";
    }

    private double[] ratios(Asker asker, ToDoubleFunction<Turn> figure) {
        return Figures.ratios(figures(asker, figure), figures(asker.plain(), figure));
    }

    private double[] figures(Asker asker, ToDoubleFunction<Turn> figure) {
        return turns.getOrDefault(asker, List.of()).stream().mapToDouble(figure).toArray();
    }

    // ---------------------------------------------------------------- other questions

    private String others() throws Exception {
        long middle = Bodies.FIRST + stored / 2;
        return """
        | question | per second | median ms | p99 ms | hub µs | Redis µs |
        |---|---:|---:|---:|---:|---:|
        """
                + other(
                        "latest %d events of one device, with their readings".formatted(ASKED),
                        "/api/v1/event/device/%s/%d".formatted(Bodies.device(7), ASKED))
                + other(
                        "%d readings from one time to another".formatted(ASKED),
                        "/api/v1/reading/%d/%d/%d".formatted(middle, middle + 1000, ASKED));
    }

    private String other(String about, String path) throws Exception {
        scene.hub().ask(List.of(path), scene.nanos() / 2, each -> {});
        Turn asked = ask(List.of(path));
        String row =
                String.format(
                        Locale.ROOT,
                        "| %s | %,.0f | %.2f | %.2f | %.0f | %.0f |",
                        about,
                        asked.turn.perSecond(),
                        asked.medianMillis(),
                        asked.latencies.millis(99),
                        asked.turn.hubMicros(),
                        asked.turn.redisMicros());
        scene.say().accept("Asking: " + row);
        return row + "\n";
    }
}
