package dev.millrace.bench.readings;

import dev.millrace.bench.race.Figures;
import dev.millrace.bench.race.Goal;
import dev.millrace.bench.race.HubTurn;
import dev.millrace.bench.race.RaceServer;

import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/** What it costs to take an event, beside what that takes at least. */
final class TakingEvents {
    private final Scene scene;
    private final int warm;
    private final Map<Entrant, List<HubTurn>> turns = new EnumMap<>(Entrant.class);

    /** What (a) reached last, a second; any rate will do before that. */
    private double lastRate = 1000;

    /**
     * Nothing is measured yet.
     *
     * @param warm how many events are taken before the first round
     */
    TakingEvents(Scene scene, int warm) {
        this.scene = scene;
        this.warm = warm;
    }

    /** A hub and the Redis it is on: two hubs on one would share their work. */
    private record Place(RaceServer redis, HubUnderTest hub) implements AutoCloseable {
        @Override
        public void close() {
            hub.close();
            redis.close();
        }
    }

    void race() throws Exception {
        Optional<Place> quiet = quiet();
        try (PlainEvents plain = new PlainEvents(scene.redis(), scene.crowd().connections())) {
            List<Entrant> entrants =
                    Stream.of(Entrant.values())
                            .filter(each -> quiet.isPresent() || each != Entrant.NO_BROKER)
                            .toList();
            Place usual = new Place(scene.redis(), scene.hub());
            for (int round = -scene.pace().warmups(); round < scene.pace().rounds(); round++) {
                for (int i = 0; i < entrants.size(); i++) {
                    Entrant entrant = entrants.get(Math.floorMod(i + round, entrants.size()));
                    Place place = entrant == Entrant.NO_BROKER ? quiet.orElse(usual) : usual;
                    HubTurn turn = turn(entrant, place.redis, place.hub, plain);
                    if (round >= 0) {
                        turns.computeIfAbsent(entrant, any -> new ArrayList<>()).add(turn);
                    }
                    scene.say().accept(line(round, entrant, turn));
                }
            }
        } finally {
            quiet.ifPresent(Place::close);
        }
    }

    private Optional<Place> quiet() throws Exception {
        if (!scene.redis().isOurs()) {
            scene.say().accept("(a2) needs a Redis of its own and is left out with --url.");
            return Optional.empty();
        }
        RaceServer redis = RaceServer.open(Optional.empty());
        try {
            HubUnderTest hub =
                    new HubUnderTest(redis, scene.crowd(), scene.say(), "mqtt.embedded.port=off");
            hub.warmUp(warm);
            return Optional.of(new Place(redis, hub));
        } catch (IOException | RuntimeException e) {
            redis.close();
            throw e;
        }
    }

    private HubTurn turn(Entrant entrant, RaceServer redis, HubUnderTest hub, PlainEvents plain)
            throws Exception {
        redis.emptyButForTheHub();
        HubTurn turn;
        if (entrant == Entrant.LISTENED) {
            try (Listener listener = new Listener(hub.whole().broker())) {
                long[] stored = {0};
                turn =
                        HubTurn.of(
                                hub.whole().child(),
                                redis,
                                () -> stored[0] = hub.single(scene.nanos()),
                                () -> {
                                    listener.await(stored[0]);
                                    hub.whole().settle();
                                });
            }
        } else {
            turn =
                    HubTurn.of(
                            hub.whole().child(),
                            redis,
                            () -> work(entrant, hub, plain),
                            () -> rest(entrant, hub));
        }
        mustBeStored(entrant, turn, redis);
        if (entrant == Entrant.SINGLE) {
            lastRate = turn.perSecond();
        }
        return turn;
    }

    private long work(Entrant entrant, HubUnderTest hub, PlainEvents plain) throws Exception {
        long nanos = scene.nanos();
        return switch (entrant) {
            case SINGLE, NO_BROKER, LISTENED -> hub.single(nanos);
            case PARSE -> hub.parse(nanos, lastRate);
            case BULK -> hub.bulk(nanos);
            case TRANSACTIONS -> plain.repeat(PlainEvents.Way.TRANSACTIONS, nanos, Long.MAX_VALUE);
            case COMMANDS -> plain.repeat(PlainEvents.Way.COMMANDS, nanos, Long.MAX_VALUE);
            case FAST_PARSE -> hub.parse(nanos, Double.POSITIVE_INFINITY);
        };
    }

    /** What a hub does after it has answered belongs to the answer. */
    private static void rest(Entrant entrant, HubUnderTest hub) throws InterruptedException {
        if (entrant.asksHub() && entrant.stores()) {
            hub.whole().settle();
        }
    }

    /** An answer means stored. */
    private static void mustBeStored(Entrant entrant, HubTurn turn, RaceServer redis) {
        long stored = HubUnderTest.stored(redis);
        if (entrant.stores() ? stored < turn.count() : stored > 0) {
            throw new IllegalStateException(
                    "(%s) answered %d and stored %d."
                            .formatted(entrant.letter(), turn.count(), stored));
        }
    }

    private static String line(int round, Entrant entrant, HubTurn turn) {
        return String.format(
                Locale.ROOT,
                "%-8s (%-2s) %,9.0f per second, %6.1f µs hub, %6.1f µs Redis, %.1f cores others",
                round < 0 ? "warm-up" : "round " + (round + 1),
                entrant.letter(),
                turn.perSecond(),
                turn.hubMicros(),
                turn.redisMicros(),
                turn.coresOfOthers());
    }

    // ---------------------------------------------------------------- the tables

    Stream<HubTurn> all() {
        return turns.values().stream().flatMap(List::stream);
    }

    String section() {
        StringBuilder table =
                new StringBuilder(
                        "| | | events per second | hub µs | Redis µs | Redis ÷ (d1) | Redis ÷ (d2)"
                                + " | hub ÷ (b) | hub ÷ (e) |\n"
                                + "|---|---|---:|---:|---:|---:|---:|---:|---:|\n");
        turns.forEach(
                (entrant, list) ->
                        table.append(
                                "| %s | %s | %s | %s | %s | %s | %s | %s | %s |\n"
                                        .formatted(
                                                entrant.letter(),
                                                entrant.about(),
                                                cell("%,.0f", list, HubTurn::perSecond),
                                                entrant.asksHub()
                                                        ? cell("%.1f", list, HubTurn::hubMicros)
                                                        : "–",
                                                cell("%.1f", list, HubTurn::redisMicros),
                                                ofRedis(entrant, Entrant.TRANSACTIONS),
                                                ofRedis(entrant, Entrant.COMMANDS),
                                                ofHub(entrant, Entrant.PARSE),
                                                ofHub(entrant, Entrant.FAST_PARSE))));
        return table + "\n" + Goal.table(goals());
    }

    private List<Goal> goals() {
        return List.of(
                new Goal(
                        "Redis, (a) ÷ (d1)",
                        ratios(Entrant.SINGLE, Entrant.TRANSACTIONS, HubTurn::redisMicros),
                        "at most 0.75"),
                new Goal(
                        "Redis, (c) ÷ (d1)",
                        ratios(Entrant.BULK, Entrant.TRANSACTIONS, HubTurn::redisMicros),
                        "at most 0.5"),
                new Goal(
                        "hub, (a) ÷ (b)",
                        ratios(Entrant.SINGLE, Entrant.PARSE, HubTurn::hubMicros),
                        "at most 1.5"));
    }

    private static String cell(
            String format, List<HubTurn> list, ToDoubleFunction<HubTurn> figure) {
        return Figures.cell(format, list.stream().mapToDouble(figure).toArray());
    }

    private String ofRedis(Entrant upper, Entrant lower) {
        return upper == lower
                ? "1"
                : upper.stores()
                        ? Figures.cell("%.2f", ratios(upper, lower, HubTurn::redisMicros))
                        : "–";
    }

    private String ofHub(Entrant upper, Entrant lower) {
        return upper == lower
                ? "1"
                : upper.asksHub()
                        ? Figures.cell("%.2f", ratios(upper, lower, HubTurn::hubMicros))
                        : "–";
    }

    private double[] ratios(Entrant upper, Entrant lower, ToDoubleFunction<HubTurn> figure) {
        return Figures.ratios(figures(upper, figure), figures(lower, figure));
    }

    private double[] figures(Entrant entrant, ToDoubleFunction<HubTurn> figure) {
        return turns.getOrDefault(entrant, List.of()).stream().mapToDouble(figure).toArray();
    }
}
