package dev.millrace.bench.plant;

import dev.millrace.bench.Out;
import dev.millrace.bench.race.Goal;
import dev.millrace.bench.race.HubTurn;
import dev.millrace.bench.race.Latencies;
import dev.millrace.bench.race.Pace;
import dev.millrace.bench.race.RaceOptions;
import dev.millrace.bench.race.RaceServer;
import dev.millrace.bench.race.Results;
import dev.millrace.bench.race.WholeHub;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

/** {@code ./millrace bench alarms}. */
@Command(
        name = "alarms",
        description = {
            "What rules on the points of a plant cost: values with none, one and ten rules for each"
                + " point, beside plain HSETs, beside the hub's own commits sent by a raw client"
                + " and beside a Lua function as one would write it by hand; memory of a rule; and"
                + " how long it takes until a value that somebody sets in Redis is an event.",
            ""
        },
        sortOptions = false)
public final class AlarmsBench implements Callable<Integer> {
    private static final double KIB = 1024;

    private final Out out;

    @Mixin private final RaceOptions options = new RaceOptions(5, 3, 3);
    @Mixin private final PlantOptions plant = new PlantOptions();

    @Option(
            names = "--rules",
            paramLabel = "N",
            defaultValue = "10000",
            description = "Rules, half of them ten to a point (default: 10000).")
    private int rules;

    @Option(
            names = "--crossings",
            paramLabel = "N",
            defaultValue = "1000",
            description = "Values set in Redis whose way to an event is timed (default: 1000).")
    private int crossings;

    public AlarmsBench(Out out) {
        this.out = out;
    }

    @Override
    public Integer call() throws Exception {
        Pace pace = options.pace(1, 0);
        Field field = plant.field(rules);
        if (rules < 1 || crossings < 1) {
            throw new IllegalArgumentException("--rules and --crossings are at least 1.");
        }
        try (RaceServer redis = options.open();
                WholeHub hub = WholeHub.start(WholeHub.Plan.on(redis), out::say)) {
            Rules memory = Rules.create(hub, field);
            PlantRace race = new PlantRace(redis, hub, field, plant.connections());
            Map<Deed, List<HubTurn>> turns = race.run(Deed.ofAlarms(), pace, out::say);
            ForeignDelay delay = new ForeignDelay(redis, hub, field);
            hub.settle();
            delay.prepare();
            Latencies alone = delay.alone(crossings);
            Latencies others = delay.besideOthers(crossings);
            String text =
                    new PlantReport(pace, plant.connections(), field, turns).text(redis.about())
                            + section(memory, alone, others);
            out.result(text);
            if (options.save()) {
                out.say("Saved as " + Results.save("alarms", text));
            }
        }
        return 0;
    }

    private static String section(Rules memory, Latencies alone, Latencies others) {
        return """

        From a HSET by a plain client to the entry in the list of events, %,d times; beside others: while 2000 other watched \
        points a second are set likewise:

        | | median ms | p99 ms | p99.9 ms | largest ms |
        |---|---:|---:|---:|---:|
        | alone | %s |
        | beside others | %s |

        %,d rules were created one after the other, %,.0f a second.

        %s\
        """
                .formatted(
                        alone.count(),
                        alone.cells(),
                        others.cells(),
                        memory.count(),
                        memory.perSecond(),
                        Goal.table(
                                List.of(
                                        new Goal(
                                                "KiB of the hub's heap for a rule",
                                                new double[] {memory.bytes() / KIB},
                                                "at most 10"),
                                        new Goal(
                                                "p99 ms from a HSET to its event, alone",
                                                new double[] {alone.millis(99)},
                                                "at most 50"),
                                        new Goal(
                                                "p99 ms from a HSET to its event, beside others",
                                                new double[] {others.millis(99)},
                                                "at most 50"))));
    }
}
