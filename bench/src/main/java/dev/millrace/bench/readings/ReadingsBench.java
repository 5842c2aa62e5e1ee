package dev.millrace.bench.readings;

import dev.millrace.bench.Out;
import dev.millrace.bench.race.HubTurn;
import dev.millrace.bench.race.Latencies;
import dev.millrace.bench.race.Pace;
import dev.millrace.bench.race.RaceOptions;
import dev.millrace.bench.race.RaceServer;
import dev.millrace.bench.race.Results;
import dev.millrace.keyspace.redis.options.Endpoint;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.stream.LongStream;

/** {@code ./millrace bench readings}. */
@Command(
        name = "readings",
        description = {
            "Events with two readings over HTTP, one by one and in bulk, beside a path that only"
                    + " reads them and beside Redis alone; and questions among many readings.",
            ""
        },
        sortOptions = false)
public final class ReadingsBench implements Callable<Integer> {
    private static final int STEPS = 10;
    private static final int ASKED = 100;

    private final Out out;

    @Mixin private final RaceOptions options = new RaceOptions(5, 3, 3);

    @Option(
            names = "--connections",
            paramLabel = "N",
            defaultValue = "64",
            description = "Connections of (a), (b) and (e) (default: 64).")
    private int connections;

    @Option(
            names = "--senders",
            paramLabel = "N",
            defaultValue = "4",
            description = "Connections of (c) (default: 4).")
    private int senders;

    @Option(
            names = "--lot",
            paramLabel = "N",
            defaultValue = "1000",
            description = "Events in one request of (c) (default: 1000).")
    private int lot;

    @Option(
            names = "--recorded",
            paramLabel = "N",
            defaultValue = "30000",
            description = "Events in the recording of (d) (default: 30000).")
    private int recorded;

    @Option(
            names = "--events",
            paramLabel = "N",
            defaultValue = "1000000",
            description = "Events over which the heap is looked at (default: 1000000).")
    private int events;

    @Option(
            names = "--readings",
            paramLabel = "N",
            defaultValue = "1000000",
            description = "Readings among which is asked (default: 1000000).")
    private int readings;

    @Option(
            names = "--warm",
            paramLabel = "N",
            defaultValue = "100000",
            description = "Requests of (a) before the rounds for warming up (default: 100000).")
    private int warm;

    /** What (a) reached last, a second; any rate will do before that. */
    private double lastRate = 1000;

    public ReadingsBench(Out out) {
        this.out = out;
    }

    @Override
    public Integer call() throws Exception {
        Pace pace = options.pace(1, 0);
        if (connections < 1
                || senders < 1
                || lot < 1
                || recorded < 1
                || events < STEPS
                || readings < 1) {
            throw new IllegalArgumentException(
                    "--connections, --senders, --lot, --recorded and --readings are at least 1,"
                            + " --events at least 10.");
        }
        try (RaceServer redis = options.open()) {
            Recording recording = record(redis);
            try (HubUnderTest hub = hub(redis.url())) {
                warmUp(hub, redis);
                Map<Entrant, List<HubTurn>> turns = race(pace, redis, hub, recording);
                List<Long> heap = heap(redis, hub);
                ReadingsReport report = new ReadingsReport(pace, turns, heap, stepsOf());
                List<ReadingsReport.Asked> asked = ask(pace, redis, hub);
                String text =
                        report.text(
                                redis.about(),
                                "%d connections of (a), (b) and (e), %d of (c) with %d events in a request, %d of (d)"
                                        .formatted(
                                                connections,
                                                senders,
                                                lot,
                                                recording.streams().size()),
                                asked);
                out.result(text);
                if (options.save()) {
                    out.say("Saved as " + Results.save("readings", text));
                }
                redis.empty();
            }
        }
        return 0;
    }

    private HubUnderTest hub(String url) throws Exception {
        return new HubUnderTest(url, connections, senders, lot, out::say);
    }

    // ---------------------------------------------------------------- the recording

    /** What a hub sends to Redis for so many events. */
    private Recording record(RaceServer redis) throws Exception {
        redis.empty();
        Endpoint server = redis.options().endpoints().getFirst();
        try (Tap tap = new Tap(server)) {
            String url = redis.url().replace(":" + server.port(), ":" + tap.port());
            try (HubUnderTest hub = hub(url)) {
                redis.call("FLUSHDB");
                hub.fill(recorded, redis);
                if (!hub.takesBulk()) {
                    out.say("This hub takes no events in bulk: (d) is what it sends for (a).");
                }
            }
            long stored = HubUnderTest.stored(redis);
            out.say(String.format(Locale.ROOT, "Recorded %,d events.", stored));
            return new Recording(tap.heard(), stored);
        }
    }

    private long replay(RaceServer redis, Recording recording) {
        recording.replay(redis.options().endpoints().getFirst());
        long stored = HubUnderTest.stored(redis);
        if (stored < recording.events()) {
            throw new IllegalStateException(
                    "The recording stored %d events and not %d."
                            .formatted(stored, recording.events()));
        }
        return recording.events();
    }

    // ---------------------------------------------------------------- turns

    /** (a) is the slowest: by time alone it would still be compiled when (b) has long been. */
    private void warmUp(HubUnderTest hub, RaceServer redis) throws Exception {
        redis.empty();
        for (long done = 0; done < warm; ) {
            done += hub.single(1_000_000_000L);
        }
        out.say(String.format(Locale.ROOT, "Warmed up by %,d events one by one.", warm));
    }

    private Map<Entrant, List<HubTurn>> race(
            Pace pace, RaceServer redis, HubUnderTest hub, Recording recording) throws Exception {
        List<Entrant> entrants = new ArrayList<>(List.of(Entrant.values()));
        if (!hub.takesBulk()) {
            entrants.remove(Entrant.BULK);
        }
        Map<Entrant, List<HubTurn>> turns = new EnumMap<>(Entrant.class);
        entrants.forEach(each -> turns.put(each, new ArrayList<>()));
        for (int round = -pace.warmups(); round < pace.rounds(); round++) {
            for (int i = 0; i < entrants.size(); i++) {
                Entrant entrant = entrants.get(Math.floorMod(i + round, entrants.size()));
                redis.empty();
                HubTurn turn =
                        HubTurn.of(
                                hub.child(),
                                redis,
                                () -> work(entrant, pace.time().toNanos(), redis, hub, recording));
                mustBeStored(entrant, turn, redis);
                if (entrant == Entrant.SINGLE) {
                    lastRate = turn.perSecond();
                }
                if (round >= 0) {
                    turns.getOrDefault(entrant, new ArrayList<>()).add(turn);
                }
                out.say(line(round, entrant, turn));
            }
        }
        return turns;
    }

    private long work(
            Entrant entrant, long nanos, RaceServer redis, HubUnderTest hub, Recording recording)
            throws Exception {
        return switch (entrant) {
            case SINGLE -> hub.single(nanos);
            case PARSE -> hub.parse(nanos, lastRate);
            case BULK -> hub.bulk(nanos);
            case CEILING -> replay(redis, recording);
            case FAST_PARSE -> hub.parse(nanos, Double.POSITIVE_INFINITY);
        };
    }

    /** An answer means stored. */
    private static void mustBeStored(Entrant entrant, HubTurn turn, RaceServer redis) {
        long stored = HubUnderTest.stored(redis);
        boolean stores = entrant != Entrant.PARSE && entrant != Entrant.FAST_PARSE;
        if (stores ? stored < turn.count() : stored > 0) {
            throw new IllegalStateException(
                    "(%s) answered %d and stored %d."
                            .formatted(entrant.letter(), turn.count(), stored));
        }
    }

    private static String line(int round, Entrant entrant, HubTurn turn) {
        return String.format(
                Locale.ROOT,
                "%-8s (%s) %,9.0f per second, %6.1f µs hub, %6.1f µs Redis, %.1f cores others",
                round < 0 ? "warm-up" : "round " + (round + 1),
                entrant.letter(),
                turn.perSecond(),
                turn.hubMicros(),
                turn.redisMicros(),
                turn.coresOfOthers());
    }

    // ---------------------------------------------------------------- the heap

    private int stepsOf() {
        return events / STEPS;
    }

    /** Bytes before, and after each tenth of the events; Redis is emptied in between. */
    private List<Long> heap(RaceServer redis, HubUnderTest hub) throws Exception {
        List<Long> heap = new ArrayList<>();
        redis.empty();
        heap.add(hub.heap());
        for (int i = 0; i < STEPS; i++) {
            redis.empty();
            hub.fill(stepsOf(), redis);
            heap.add(hub.heap());
            out.say(
                    String.format(
                            Locale.ROOT,
                            "%,d events, heap %.1f MiB",
                            (i + 1) * stepsOf(),
                            heap.getLast() / 1048576.0));
        }
        return heap;
    }

    // ---------------------------------------------------------------- questions

    private List<ReadingsReport.Asked> ask(Pace pace, RaceServer redis, HubUnderTest hub)
            throws Exception {
        redis.empty();
        int needed = Math.max(1, readings / Bodies.READINGS);
        out.say("Storing readings to be asked for.");
        long stored = hub.fill(needed, redis);
        long middle = Bodies.FIRST + stored / 2;
        String device = Bodies.device(7);
        List<ReadingsReport.Asked> asked = new ArrayList<>();
        asked.add(
                ask(
                        "latest %d readings of one device".formatted(ASKED),
                        "/api/v1/reading/device/%s/%d".formatted(device, ASKED),
                        pace,
                        redis,
                        hub,
                        stored));
        asked.add(
                ask(
                        "latest %d events of one device, with their readings".formatted(ASKED),
                        "/api/v1/event/device/%s/%d".formatted(device, ASKED),
                        pace,
                        redis,
                        hub,
                        stored));
        asked.add(
                ask(
                        "%d readings from one time to another".formatted(ASKED),
                        "/api/v1/reading/%d/%d/%d".formatted(middle, middle + 1000, ASKED),
                        pace,
                        redis,
                        hub,
                        stored));
        return asked;
    }

    private ReadingsReport.Asked ask(
            String about, String path, Pace pace, RaceServer redis, HubUnderTest hub, long stored)
            throws Exception {
        LongStream.Builder nanos = LongStream.builder();
        hub.ask(path, pace.time().toNanos() / 2, each -> {});
        HubTurn turn =
                HubTurn.of(
                        hub.child(), redis, () -> hub.ask(path, pace.time().toNanos(), nanos::add));
        out.say(String.format(Locale.ROOT, "%s: %,.0f per second", about, turn.perSecond()));
        return new ReadingsReport.Asked(
                about, stored * Bodies.READINGS, turn, Latencies.of(nanos.build().toArray()));
    }
}
