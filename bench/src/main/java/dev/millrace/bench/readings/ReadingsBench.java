package dev.millrace.bench.readings;

import dev.millrace.bench.Out;
import dev.millrace.bench.race.Figures;
import dev.millrace.bench.race.HubTurn;
import dev.millrace.bench.race.Machine;
import dev.millrace.bench.race.Pace;
import dev.millrace.bench.race.RaceOptions;
import dev.millrace.bench.race.RaceServer;
import dev.millrace.bench.race.Results;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;

/** {@code ./millrace bench readings}. */
@Command(
        name = "readings",
        description = {
            "Events with two readings over HTTP, one by one and in bulk, beside a path that only"
                    + " reads them and beside Redis alone; questions among many readings; and"
                    + " whether an event costs more the more are stored.",
            ""
        },
        sortOptions = false)
public final class ReadingsBench implements Callable<Integer> {
    private static final List<String> PARTS = List.of("events", "heap", "asking", "sizes");

    private static final String EVENTS =
            """

            - (a) one event a request, each connection with one request in flight; a whole hub with its embedded broker on, to \
            which nobody listens
            - (a2) the same with the broker off; (a3) with somebody who listens, until all events were heard of
            - (b) the same requests to a server in the same process that reads the body by the same code, answers as many \
            bytes and stores nothing; as many a second as (a) had just before, evenly spread: the more a hub has to do, the \
            less of it is waking up, and only at one rate do two ways compare
            - (c) many events a request, one a line
            - (d1), (d2) the same keys and values by a raw client: three SET, eleven ZADD for the indexes, ZADD for the order of \
            the readings, XADD for the announcement and HSET for how far it is; as many events in one pipeline as (a) has \
            connections. In (d1) each event stands between MULTI and EXEC
            - (e) as (b), but each connection sends the next request as soon as it has its answer
            - What a hub still does when it has answered is counted, too

            """;

    private static final String SIZES =
            """

            Events one by one, as in (a), beside a raw client that adds nothing but the index entries of as many events to the \
            same sorted sets, in turns.

            """;

    private final Out out;

    @Mixin private final RaceOptions options = new RaceOptions(5, 3, 3);

    @Option(
            names = "--only",
            paramLabel = "PART",
            split = ",",
            description = "Only these of events, heap, asking and sizes (default: all).")
    private List<String> only = PARTS;

    @Option(
            names = "--connections",
            paramLabel = "N",
            defaultValue = "64",
            description = "Connections of those who send one event a request (default: 64).")
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
            names = "--warm",
            paramLabel = "N",
            defaultValue = "100000",
            description = "Requests of (a) before all others, for warming up (default: 100000).")
    private int warm;

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
            names = "--sizes",
            paramLabel = "N",
            split = ",",
            defaultValue = "10000,100000,1000000",
            description =
                    "How many events are stored when the cost of one more is looked at (default:"
                            + " 10000,100000,1000000; five million take about 10 GB).")
    private List<Long> sizes = List.of();

    public ReadingsBench(Out out) {
        this.out = out;
    }

    @Override
    public Integer call() throws Exception {
        Pace pace = options.pace(1, 0);
        if (connections < 1
                || senders < 1
                || lot < 1
                || readings < 1
                || sizes.stream().anyMatch(each -> each < 1)
                || events < Heap.STEPS) {
            throw new IllegalArgumentException(
                    "--connections, --senders, --lot, --readings and --sizes are at least 1,"
                            + " --events at least 10.");
        }
        if (!PARTS.containsAll(only)) {
            throw new IllegalArgumentException(
                    "--only takes some of %s, separated by commas.".formatted(PARTS));
        }
        HubUnderTest.Crowd crowd = new HubUnderTest.Crowd(connections, senders, lot);
        try (RaceServer redis = options.open();
                HubUnderTest hub = new HubUnderTest(redis, crowd, out::say)) {
            Scene scene = new Scene(pace, redis, hub, crowd, out::say);
            String text = measure(scene);
            out.result(text);
            if (options.save()) {
                // A part must not replace the page of all.
                String name = only.containsAll(PARTS) ? "" : "-" + String.join("-", only);
                out.say("Saved as " + Results.save("readings" + name, text));
            }
            redis.emptyButForTheHub();
        }
        return 0;
    }

    private String measure(Scene scene) throws Exception {
        TakingEvents taking = new TakingEvents(scene, warm);
        StringBuilder sections = new StringBuilder();
        if (only.contains("events") || only.contains("sizes")) {
            out.say("Warming up.");
            scene.hub().warmUp(warm);
        }
        if (only.contains("events")) {
            taking.race();
            sections.append("\n## Taking events\n").append(EVENTS).append(taking.section());
        }
        if (only.contains("heap")) {
            sections.append("\n## The heap of the hub\n\n").append(Heap.section(scene, events));
        }
        if (only.contains("asking")) {
            sections.append("\n## Asking\n\n").append(new Asking(scene).section(readings));
        }
        if (only.contains("sizes")) {
            sections.append("\n## The cost of an event by how many are stored\n").append(SIZES);
            sections.append(new Sizes(scene).section(sizes));
        }
        double[] others = taking.all().mapToDouble(HubTurn::coresOfOthers).toArray();
        return conditions(scene) + (others.length == 0 ? "" : busy(others)) + sections;
    }

    private String conditions(Scene scene) {
        return """
        Events of one device with two readings each, about 330 bytes of JSON, over HTTP. One event is one commit: three values, \
        the 11 index entries of the event and its readings, their order, and the announcement to those who listen.

        - Machine: %s
        - Redis: %s
        - %d connections, %d of those who send in bulk, with %d events in a request
        - %d rounds in turns, each %s s a round, after %d for warming up; median over the rounds (smallest–largest), of ratios \
        too: each is taken within its round
        - Hub, Redis: processor time of that process for one event or question. All of them, and the load, share the cores of \
        this machine
        """
                .formatted(
                        Machine.about(),
                        scene.redis().about(),
                        connections,
                        senders,
                        lot,
                        scene.pace().rounds(),
                        Figures.number("%.1f", scene.pace().time().toMillis() / 1000.0),
                        scene.pace().warmups());
    }

    private static String busy(double[] others) {
        return "- While events were taken, other processes kept %s of %d cores busy (%s–%s)\n"
                .formatted(
                        Figures.number("%.1f", Figures.median(others)),
                        Machine.cores(),
                        Figures.number("%.1f", Arrays.stream(others).min().orElse(0)),
                        Figures.number("%.1f", Arrays.stream(others).max().orElse(0)));
    }
}
