package dev.millrace.bench.peers;

import dev.millrace.bench.race.Figures;
import dev.millrace.bench.race.HttpLoad;
import dev.millrace.bench.race.Latencies;
import dev.millrace.bench.race.Machine;
import dev.millrace.bench.race.Pace;
import dev.millrace.bench.race.WholeHub;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.stream.LongStream;

/**
 * Two sides and one request, in turns: first as often as each connection can, which gives how many
 * a second and what one costs; then at one rate for both, which gives how long one takes.
 *
 * <p>With the first, a server that stands still is asked less meanwhile, so its latencies would be
 * those of its good moments. With the second the requests come whether it answers or not.
 */
final class PeersRace {
    private final Pace pace;
    private final Questions questions;
    private final Consumer<String> say;

    PeersRace(Pace pace, Questions questions, Consumer<String> say) {
        this.pace = pace;
        this.questions = questions;
        this.say = say;
    }

    /**
     * Of one request.
     *
     * @param rate a second, of both, at which the latencies are measured
     */
    record Result(
            Deed deed,
            List<PeerTurn> hub,
            List<PeerTurn> peer,
            double rate,
            Latencies hubLatencies,
            Latencies peerLatencies) {}

    Result run(Deed deed, Side hub, Side peer) throws Exception {
        WholeHub.settle(() -> hub.processes().allNanos() + peer.processes().allNanos());
        List<PeerTurn> ofHub = new ArrayList<>();
        List<PeerTurn> ofPeer = new ArrayList<>();
        for (int round = -pace.warmups(); round < pace.rounds(); round++) {
            for (boolean first : order(round)) {
                Side side = first ? hub : peer;
                PeerTurn turn = of(deed, side, () -> turn(deed, side));
                if (round >= 0) {
                    (first ? ofHub : ofPeer).add(turn);
                }
                say.accept(line(round, deed, side, turn));
            }
        }
        double rate = Math.max(1, Math.min(perSecond(ofHub), perSecond(ofPeer)) / 2);
        List<Latencies> hubLatencies = new ArrayList<>();
        List<Latencies> peerLatencies = new ArrayList<>();
        for (int round = 0; round < pace.rounds(); round++) {
            for (boolean first : order(round)) {
                Side side = first ? hub : peer;
                (first ? hubLatencies : peerLatencies)
                        .add(of(deed, side, () -> latencies(deed, side, rate)));
            }
        }
        return new Result(
                deed, ofHub, ofPeer, rate, Latencies.of(hubLatencies), Latencies.of(peerLatencies));
    }

    /** Whether it is the hub's turn, or theirs. */
    private static List<Boolean> order(int round) {
        boolean first = Math.floorMod(round, 2) == 0;
        return List.of(first, !first);
    }

    private static double perSecond(List<PeerTurn> turns) {
        return Figures.median(turns.stream().mapToDouble(PeerTurn::perSecond).toArray());
    }

    private interface Measuring<T> {
        T run() throws Exception;
    }

    /** Says who it was that did not answer as it should. */
    private static <T> T of(Deed deed, Side side, Measuring<T> measuring) throws Exception {
        try {
            return measuring.run();
        } catch (IOException | IllegalStateException e) {
            throw new IllegalStateException(
                    "%s, asked for '%s': %s"
                            .formatted(side.server().url(""), deed.about(), e.getMessage()),
                    e);
        }
    }

    private PeerTurn turn(Deed deed, Side side) throws Exception {
        List<HttpLoad.Talker> talkers = questions.talkers(deed, side.server());
        Processes processes = side.processes();
        try (HttpLoad load = new HttpLoad(nanos -> {}, side.server(), talkers)) {
            long server = processes.serverNanos();
            long redis = processes.redisNanos();
            long own = Machine.jvmNanos();
            long machine = Machine.busyNanos();
            long began = System.nanoTime();
            long count = load.run(pace.time().toNanos());
            long nanos = System.nanoTime() - began;
            long loadNanos = Machine.jvmNanos() - own;
            long others =
                    Machine.busyNanos()
                            - machine
                            - (processes.allNanos() - server - redis)
                            - loadNanos;
            WholeHub.settle(processes::allNanos);
            return new PeerTurn(
                    count,
                    nanos,
                    processes.serverNanos() - server,
                    processes.redisNanos() - redis,
                    loadNanos,
                    Math.max(0, others));
        }
    }

    private Latencies latencies(Deed deed, Side side, double rate) throws Exception {
        List<HttpLoad.Talker> talkers = questions.talkers(deed, side.server());
        LongStream.Builder nanos = LongStream.builder();
        try (HttpLoad load = new HttpLoad(nanos::add, side.server(), talkers)) {
            load.atRate(pace.time().toNanos(), rate);
        }
        WholeHub.settle(side.processes()::allNanos);
        Latencies latencies = Latencies.of(nanos.build().toArray());
        say.accept(
                String.format(
                        Locale.ROOT,
                        "at a rate %-14s %-12s %,9.0f per second, median %.2f ms, p99 %.2f ms",
                        deed.name().toLowerCase(Locale.ROOT).replace('_', ' '),
                        side.name(),
                        rate,
                        latencies.millis(50),
                        latencies.millis(99)));
        return latencies;
    }

    private static String line(int round, Deed deed, Side side, PeerTurn turn) {
        return String.format(
                Locale.ROOT,
                "%-9s %-14s %-12s %,9.0f per second, %7.1f µs server, %6.1f µs Redis, load %.2f"
                        + " cores",
                round < 0 ? "warm-up" : "round " + (round + 1),
                deed.name().toLowerCase(Locale.ROOT).replace('_', ' '),
                side.name(),
                turn.perSecond(),
                turn.serverMicros(),
                turn.redisMicros(),
                turn.loadCores());
    }
}
