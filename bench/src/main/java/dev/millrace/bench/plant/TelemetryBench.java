package dev.millrace.bench.plant;

import dev.millrace.bench.Out;
import dev.millrace.bench.race.Goal;
import dev.millrace.bench.race.HubTurn;
import dev.millrace.bench.race.Pace;
import dev.millrace.bench.race.RaceOptions;
import dev.millrace.bench.race.RaceServer;
import dev.millrace.bench.race.Results;
import dev.millrace.bench.race.WholeHub;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;

/** {@code ./millrace bench telemetry}. */
@Command(
        name = "telemetry",
        description = {
            "Values of a plant over HTTP, one and a hundred at once, beside what the same server"
                    + " answers to a request that does nothing, beside plain HSETs and beside the"
                    + " hub's own commits sent by a raw client; and how long the write of one point"
                    + " takes beside writes of a thousand.",
            ""
        },
        sortOptions = false)
public final class TelemetryBench implements Callable<Integer> {
    private final Out out;

    @Mixin private final RaceOptions options = new RaceOptions(5, 3, 3);
    @Mixin private final PlantOptions plant = new PlantOptions();

    public TelemetryBench(Out out) {
        this.out = out;
    }

    @Override
    public Integer call() throws Exception {
        Pace pace = options.pace(1, 0);
        Field field = plant.field(0);
        try (RaceServer redis = options.open();
                WholeHub hub = WholeHub.start(WholeHub.Plan.on(redis), out::say)) {
            PlantRace race = new PlantRace(redis, hub, field, plant.connections());
            Map<Deed, List<HubTurn>> turns = race.run(Deed.ofTelemetry(), pace, out::say);
            BesideLarge.Found beside =
                    new BesideLarge(hub, field).measure(pace.time().toNanos() * pace.rounds());
            String text =
                    new PlantReport(pace, plant.connections(), field, turns).text(redis.about())
                            + section(beside);
            out.result(text);
            if (options.save()) {
                out.say("Saved as " + Results.save("telemetry", text));
            }
        }
        return 0;
    }

    private static String section(BesideLarge.Found beside) {
        return """

        From the moment at which the write of one point should have been sent to its answer, 200 a second, %,d times, while one \
        connection writes 1000 points at a time without a pause (%,d times):

        | median ms | p99 ms | p99.9 ms | largest ms |
        |---:|---:|---:|---:|
        | %s |

        %s\
        """
                .formatted(
                        beside.latencies().count(),
                        beside.large(),
                        beside.latencies().cells(),
                        Goal.table(
                                List.of(
                                        new Goal(
                                                "p99 ms of one point beside 1000",
                                                new double[] {beside.latencies().millis(99)},
                                                "at most 10"))));
    }
}
