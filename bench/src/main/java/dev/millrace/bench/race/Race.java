package dev.millrace.bench.race;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;

/**
 * Lets contestants work in turns, round after round, and measures each turn.
 *
 * <p>In turns, because a shared machine is faster now and slower then: contestants are compared
 * within a round, and each round begins with another one. Before each turn the database is emptied
 * and garbage collected, so that nobody pays for the one before.
 *
 * <p>A turn is measured from the moment all threads may start to the moment the last one has
 * finished what it had begun. The first operation that fails ends the race: figures of something
 * that does not work mean nothing.
 */
public final class Race {
    private final List<Contestant> contestants;
    private final Pace pace;
    private final RaceServer server;
    private final Consumer<String> progress;

    /**
     * @param progress hears a line after every turn
     */
    public Race(
            List<Contestant> contestants, Pace pace, RaceServer server, Consumer<String> progress) {
        this.contestants = List.copyOf(contestants);
        this.pace = pace;
        this.server = server;
        this.progress = progress;
    }

    /**
     * Runs all rounds.
     *
     * @throws RaceException when an operation fails
     */
    public Report run() throws InterruptedException {
        Map<Contestant, List<Turn>> turns = new LinkedHashMap<>();
        contestants.forEach(each -> turns.put(each, new ArrayList<>()));
        try {
            for (int round = -pace.warmups(); round < pace.rounds(); round++) {
                round(round, turns);
            }
        } finally {
            server.empty();
        }
        return new Report(turns, pace, server.about());
    }

    private void round(int round, Map<Contestant, List<Turn>> turns) throws InterruptedException {
        for (int i = 0; i < contestants.size(); i++) {
            Contestant contestant = contestants.get(Math.floorMod(i + round, contestants.size()));
            Turn turn = turn(contestant);
            if (round >= 0) {
                turns.getOrDefault(contestant, new ArrayList<>()).add(turn);
            }
            progress.accept(
                    "%-9s (%s) %,9.0f per second, %5.1f µs JVM, %5.1f µs Redis, %.1f cores others"
                            .formatted(
                                    round < 0 ? "warm-up" : "round " + (round + 1),
                                    contestant.name(),
                                    turn.perSecond(),
                                    turn.jvmMicros(),
                                    turn.redisMicros(),
                                    turn.coresOfOthers()));
        }
    }

    private Turn turn(Contestant contestant) throws InterruptedException {
        server.empty();
        System.gc();
        AtomicLong left = new AtomicLong(pace.count() == 0 ? Long.MAX_VALUE : pace.count());
        CountDownLatch start = new CountDownLatch(1);
        List<Future<Long>> threads = new ArrayList<>();
        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < pace.threads(); i++) {
                int thread = i;
                threads.add(
                        executor.submit(
                                () -> {
                                    start.await();
                                    return work(contestant.work(), thread, left);
                                }));
            }
            long jvm = Machine.jvmNanos();
            long redis = server.cpuNanos();
            long machine = Machine.busyNanos();
            long began = System.nanoTime();
            start.countDown();
            if (pace.count() == 0) {
                Thread.sleep(pace.time());
                left.set(0);
            }
            long operations = 0;
            for (Future<Long> thread : threads) {
                operations += thread.get();
            }
            long nanos = System.nanoTime() - began;
            return new Turn(
                    operations,
                    nanos,
                    Machine.jvmNanos() - jvm,
                    server.cpuNanos() - redis,
                    Machine.busyNanos() - machine);
        } catch (ExecutionException e) {
            throw new RaceException(contestant, e.getCause());
        }
    }

    private static long work(Contestant.Work work, int thread, AtomicLong left) throws Exception {
        long done = 0;
        try {
            while (left.getAndDecrement() > 0) {
                work.once(thread);
                done++;
            }
        } catch (Exception e) {
            left.set(0); // the others need not go on
            throw e;
        }
        return done;
    }
}
