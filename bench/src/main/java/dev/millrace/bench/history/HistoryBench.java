package dev.millrace.bench.history;

import dev.millrace.bench.Out;
import dev.millrace.bench.race.Latencies;
import dev.millrace.bench.race.Pace;
import dev.millrace.bench.race.RaceOptions;
import dev.millrace.bench.race.RaceServer;
import dev.millrace.bench.race.Results;
import dev.millrace.bench.race.WholeHub;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;

/** {@code ./millrace bench history}. */
@Command(
        name = "history",
        description = {
            "Recording the values of a plant beside the commands that a raw client would send to"
                    + " Redis; questions about a day, a year and ten series of a week; how late a"
                    + " value becomes a sample; and how much room a sample takes.",
            ""
        },
        sortOptions = false)
public final class HistoryBench implements Callable<Integer> {
    private final Out out;

    @Mixin private final RaceOptions options = new RaceOptions(3, 1, 5);

    @Option(
            names = "--channels",
            paramLabel = "N",
            defaultValue = "100",
            description = "Channels that are recorded (default: 100).")
    private int channels;

    @Option(
            names = "--points",
            paramLabel = "N",
            defaultValue = "100",
            description = "Points of each, all of them in one write (default: 100).")
    private int points;

    @Option(
            names = "--rate",
            paramLabel = "N",
            defaultValue = "10000",
            description = "Points a second while the lag is measured (default: 10000).")
    private int rate;

    @Option(
            names = "--part",
            paramLabel = "N",
            defaultValue = "1",
            description =
                    "Ask about one so many'th of the samples: 1 is a day of seconds, a year of"
                            + " tens of minutes and a week of minutes (default: 1).")
    private int part;

    @Option(
            names = "--asked",
            paramLabel = "N",
            defaultValue = "50",
            description = "How often each question is asked (default: 50).")
    private int asked;

    public HistoryBench(Out out) {
        this.out = out;
    }

    @Override
    public Integer call() throws Exception {
        Pace pace = options.pace(1, 0);
        if (channels < 1 || points < 1 || points > 1000 || rate < points || part < 1 || asked < 1) {
            throw new IllegalArgumentException(
                    "--channels, --part and --asked are at least 1, --points 1 to 1000, --rate at"
                            + " least one write.");
        }
        try (RaceServer redis = options.open();
                WholeHub hub =
                        WholeHub.start(
                                WholeHub.Plan.on(redis)
                                        .with(
                                                "history.record.mode=on_update",
                                                "history.keep-age=3650d",
                                                "history.keep-bytes=off"),
                                out::say)) {
            Plant plant = new Plant(hub.address(), channels, points);
            List<Recording.Turn> turns = new ArrayList<>();
            Recording recording = new Recording(redis, hub.child(), plant);
            for (int round = -pace.warmups(); round < pace.rounds(); round++) {
                Recording.Turn turn = recording.turn(pace.time().toNanos());
                out.say(line(round, turn));
                if (round >= 0) {
                    turns.add(turn);
                }
                hub.settle();
            }
            out.say("Lag at %,d points a second.".formatted(rate));
            Latencies lag = new Lag(redis, plant).measure(pace.time().toNanos(), rate);
            hub.settle();
            Questions questions = new Questions(hub.address(), part);
            out.say("Bringing the samples that are asked for.");
            questions.fill();
            hub.settle();
            Map<Question, Latencies> answers = questions.ask(asked);
            Room room = Room.measure(redis, questions.daysOfSeconds());
            String text =
                    new HistoryReport(pace, plant, rate, part, turns, lag, answers, room)
                            .text(redis.about());
            out.result(text);
            if (options.save()) {
                out.say("Saved as " + Results.save("history", text));
            }
        }
        return 0;
    }

    private static String line(int round, Recording.Turn turn) {
        return String.format(
                Locale.ROOT,
                "%-8s raw %,9.0f, written and recorded %,9.0f points a second, %.1f cores others",
                round < 0 ? "warm-up" : "round " + (round + 1),
                turn.raw().perSecond(),
                turn.recorded().perSecond(),
                turn.recorded().coresOfOthers());
    }
}
