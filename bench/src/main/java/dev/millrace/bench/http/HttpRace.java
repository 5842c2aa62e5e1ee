package dev.millrace.bench.http;

import dev.millrace.bench.race.Child;
import dev.millrace.bench.race.Pace;
import dev.millrace.bench.race.RaceServer;

import java.io.IOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;

/**
 * Lets the entrants answer in turns, round after round. All servers run all the time and wait while
 * it is not their turn; they are compared within a round, because a shared machine is faster now
 * and slower then, and each round begins with another one.
 */
final class HttpRace implements AutoCloseable {
    /** Of every server alike, and enough for all of them. */
    private static final List<String> HEAP = List.of("-Xms512m", "-Xmx512m");

    private final List<Entrant> entrants;
    private final Pace pace;
    private final RaceServer redis;
    private final Consumer<String> progress;
    private final Map<ServerMain.Kind, Child> servers = new EnumMap<>(ServerMain.Kind.class);
    private final Map<ServerMain.Kind, String> ports = new EnumMap<>(ServerMain.Kind.class);
    private final Child load;

    HttpRace(List<Entrant> entrants, Pace pace, RaceServer redis, Consumer<String> progress)
            throws IOException {
        this.entrants = List.copyOf(entrants);
        this.pace = pace;
        this.redis = redis;
        this.progress = progress;
        load =
                new Child(
                        "The load",
                        LoadMain.class,
                        List.of("-Xmx256m", "-XX:+UseSerialGC"),
                        List.of(),
                        Map.of(),
                        progress);
        try {
            for (Entrant entrant : entrants) {
                if (!servers.containsKey(entrant.server())) {
                    servers.put(entrant.server(), server(entrant.server()));
                }
            }
            servers.forEach((kind, server) -> ports.put(kind, server.hear("ready")));
        } catch (IOException | RuntimeException e) {
            close();
            throw e;
        }
    }

    private Child server(ServerMain.Kind kind) throws IOException {
        String name = kind.name().toLowerCase(Locale.ROOT);
        return new Child(
                "The server " + name,
                ServerMain.class,
                HEAP,
                List.of(name),
                Map.of(ServerMain.REDIS, redis.url()),
                progress);
    }

    /** All rounds of one workload. */
    Map<Entrant, List<HttpTurn>> run(Workload workload, int connections)
            throws InterruptedException {
        List<Entrant> those =
                entrants.stream().filter(each -> each.workloads().contains(workload)).toList();
        Map<Entrant, List<HttpTurn>> turns = new LinkedHashMap<>();
        those.forEach(each -> turns.put(each, new ArrayList<>()));
        for (int round = -pace.warmups(); round < pace.rounds(); round++) {
            for (int i = 0; i < those.size(); i++) {
                Entrant entrant = those.get(Math.floorMod(i + round, those.size()));
                HttpTurn turn = turn(entrant, workload, connections);
                if (round >= 0) {
                    turns.getOrDefault(entrant, new ArrayList<>()).add(turn);
                }
                progress.accept(line(round, entrant, workload, connections, turn));
            }
        }
        return turns;
    }

    private static String line(
            int round, Entrant entrant, Workload workload, int connections, HttpTurn turn) {
        return String.format(
                Locale.ROOT,
                "%-6s %3d %-8s (%-2s) %,9.0f per second, %6.1f µs server, %5.1f µs load, %5.1f µs"
                        + " Redis, %.1f cores others",
                workload.name().toLowerCase(Locale.ROOT),
                connections,
                round < 0 ? "warm-up" : "round " + (round + 1),
                entrant.name(),
                turn.perSecond(),
                turn.serverMicros(),
                turn.loadMicros(),
                turn.redisMicros(),
                turn.coresOfOthers());
    }

    private HttpTurn turn(Entrant entrant, Workload workload, int connections)
            throws InterruptedException {
        if (workload == Workload.COMMIT) {
            redis.empty();
        }
        Child server = Objects.requireNonNull(servers.get(entrant.server()));
        load.tell(
                "%s %s %d %d %s"
                        .formatted(
                                ports.get(entrant.server()),
                                workload,
                                connections,
                                pace.time().toMillis(),
                                entrant.prefix()));
        load.hear("connected");
        HttpTurn.Clocks began = HttpTurn.Clocks.read(server, load, redis);
        load.tell("go");
        String[] done = load.hear("done").split(" ", -1);
        return began.until(
                HttpTurn.Clocks.read(server, load, redis),
                Long.parseLong(done[0]),
                Long.parseLong(done[1]));
    }

    @Override
    public void close() {
        load.close();
        servers.values().forEach(Child::close);
    }
}
