package dev.millrace.bench.rest;

import dev.millrace.bench.race.HttpLoad;
import dev.millrace.bench.race.WholeHub;
import dev.millrace.bench.readings.Bodies;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * What was seen of one hub.
 *
 * @param readySeconds from the start of its process to the line that says so
 * @param atTen events a second, ten seconds after it was ready and began to take them
 * @param warm events a second at the end of the load
 * @param hubMicros its processor time for an event at the end of the load
 * @param loadedBytes resident, with its Redis, some time after the load
 * @param idleMillis processor time a second of it and its Redis, of one that has had no load
 * @param idleBytes resident memory of the same
 */
record RestTurn(
        double readySeconds,
        double atTen,
        double warm,
        double hubMicros,
        long loadedBytes,
        double idleMillis,
        long idleBytes) {
    private static final int SENT = 1_000;
    private static final int AROUND_TEN = 10;

    /**
     * How long everything takes.
     *
     * @param load in seconds, at least as long as the first ten are
     * @param events are sent until there are so many, however long that takes
     * @param rest before a figure of rest is taken, in seconds
     * @param idle for how long it is, in seconds
     */
    record Plan(int connections, int load, long events, int rest, int idle) {
        Plan {
            if (connections < 1 || load < 1 || events < 0 || rest < 0 || idle < 1) {
                throw new IllegalArgumentException(
                        "--connections, --load and --idle are at least 1; nothing is negative.");
            }
        }
    }

    static RestTurn of(List<String> flags, Plan plan, Consumer<String> say)
            throws IOException, InterruptedException {
        WholeHub.Plan how = WholeHub.Plan.embedded().flagged(flags);
        double idleMillis;
        long idleBytes;
        try (WholeHub hub = WholeHub.start(how, say)) {
            TimeUnit.SECONDS.sleep(plan.rest);
            long before = cpuNanos(hub);
            TimeUnit.SECONDS.sleep(plan.idle);
            idleMillis = (cpuNanos(hub) - before) / 1e6 / plan.idle;
            idleBytes = resident(hub);
        }
        long began = System.nanoTime();
        try (WholeHub hub = WholeHub.start(how, say)) {
            double ready = (System.nanoTime() - began) / 1e9;
            Load load = new Load(plan);
            load.run(hub);
            TimeUnit.SECONDS.sleep(plan.rest);
            return new RestTurn(
                    ready,
                    load.rate(Math.min(AROUND_TEN, plan.load - 1)),
                    load.rate(plan.load - 1),
                    load.hubMicros,
                    resident(hub),
                    idleMillis,
                    idleBytes);
        }
    }

    private static final class Load {
        final Plan plan;
        final AtomicLongArray answers;
        double hubMicros;

        Load(Plan plan) {
            this.plan = plan;
            this.answers = new AtomicLongArray(plan.load);
        }

        void run(WholeHub hub) throws IOException {
            AtomicInteger number = new AtomicInteger();
            List<byte[]> bodies = new ArrayList<>();
            for (int i = 0; i < SENT; i++) {
                bodies.add(hub.address().post("/api/v1/event", Bodies.event(i)));
            }
            HttpLoad.Talker talker = answer -> bodies.get(number.getAndIncrement() % SENT);
            long began = System.nanoTime();
            try (HttpLoad load =
                    new HttpLoad(
                            latency -> count(System.nanoTime() - began),
                            hub.address(),
                            Stream.generate(() -> talker).limit(plan.connections).toList())) {
                long first = load.run(TimeUnit.SECONDS.toNanos(plan.load) * 3 / 4);
                long cpu = hub.child().cpuNanos();
                long second = load.run(TimeUnit.SECONDS.toNanos(plan.load) / 4);
                hubMicros = (hub.child().cpuNanos() - cpu) / 1e3 / second;
                long left = plan.events - first - second;
                if (left > 0) {
                    load.run(Long.MAX_VALUE / 2, Double.POSITIVE_INFINITY, left);
                }
            }
        }

        private void count(long nanos) {
            int second = (int) TimeUnit.NANOSECONDS.toSeconds(nanos);
            if (second < plan.load) {
                answers.incrementAndGet(second);
            }
        }

        /** Answers a second, over the one of this number and those beside it. */
        double rate(int second) {
            int from = Math.max(0, second - 1);
            int to = Math.min(plan.load - 1, second + 1);
            double sum = 0;
            for (int i = from; i <= to; i++) {
                sum += answers.get(i);
            }
            return sum / (to - from + 1);
        }
    }

    private static Stream<ProcessHandle> family(WholeHub hub) {
        return Stream.concat(Stream.of(hub.child().process()), hub.child().process().descendants());
    }

    private static long cpuNanos(WholeHub hub) {
        return family(hub)
                .mapToLong(each -> each.info().totalCpuDuration().orElse(Duration.ZERO).toNanos())
                .sum();
    }

    private static long resident(WholeHub hub) throws IOException {
        long bytes = 0;
        for (ProcessHandle each : family(hub).toList()) {
            Path status = Path.of("/proc", Long.toString(each.pid()), "status");
            if (Files.exists(status)) {
                bytes +=
                        Files.readAllLines(status).stream()
                                .filter(line -> line.startsWith("VmRSS:"))
                                .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")) << 10)
                                .sum();
            }
        }
        return bytes;
    }
}
