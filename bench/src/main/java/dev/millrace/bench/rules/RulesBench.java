package dev.millrace.bench.rules;

import dev.millrace.bench.Out;
import dev.millrace.bench.race.Figures;
import dev.millrace.bench.race.Goal;
import dev.millrace.bench.race.Latencies;
import dev.millrace.bench.race.Machine;
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
import java.util.concurrent.Callable;
import java.util.function.ToDoubleFunction;

/** {@code ./millrace bench rules}. */
@Command(
        name = "rules",
        description = {
            "Business rules: how often they are evaluated a second while values are written as fast"
                + " as can be, beside the same writes where no rule looks; memory of a rule; and"
                + " how long it takes from a write until the order that it leads to is stored, and"
                + " to rehearse a rule on a day.",
            ""
        },
        sortOptions = false)
public final class RulesBench implements Callable<Integer> {
    private static final double KIB = 1024;
    private static final int REHEARSALS = 10;

    private final Out out;

    @Mixin private final RaceOptions options = new RaceOptions(5, 2, 3);

    @Option(
            names = "--rules",
            paramLabel = "N",
            defaultValue = "10000",
            description = "Rules, ten to a point, in thousands (default: 10000).")
    private int rules;

    @Option(
            names = "--actions",
            paramLabel = "N",
            defaultValue = "500",
            description = "Writes whose way to an action is timed (default: 500).")
    private int actions;

    @Option(
            names = "--others",
            paramLabel = "N",
            defaultValue = "50",
            description =
                    "Writes of others a second meanwhile, of which each is a thousand evaluations"
                            + " (default: 50).")
    private int others;

    public RulesBench(Out out) {
        this.out = out;
    }

    /** What was measured besides the rounds. */
    private record Rest(
            Population.Bytes bytes,
            Latencies alone,
            Latencies besideOthers,
            Latencies rehearsals) {}

    @Override
    public Integer call() throws Exception {
        if (rules < 1 || actions < 1 || others < 1) {
            throw new IllegalArgumentException("--rules, --actions and --others are at least 1.");
        }
        Pace pace = options.pace(1, 0);
        try (RaceServer redis = options.open();
                WholeHub hub = WholeHub.start(WholeHub.Plan.on(redis), out::say)) {
            Population population = new Population(hub, redis, rules);
            Population.Bytes bytes = population.create();
            Evaluations evaluations = new Evaluations(hub, redis, population);
            List<Evaluations.Round> rounds = new ArrayList<>();
            for (int i = -pace.warmups(); i < pace.rounds(); i++) {
                redis.rewriteFiles();
                Evaluations.Round round = evaluations.round(pace.time().toNanos());
                hub.settle();
                out.say(line(i, round));
                if (i >= 0) {
                    rounds.add(round);
                }
            }
            ActionDelay delay = new ActionDelay(hub, redis, evaluations);
            delay.prepare();
            hub.settle();
            Latencies alone = delay.alone(actions);
            Latencies beside = delay.besideOthers(actions, others);
            hub.settle();
            Latencies rehearsals = new Rehearsed(hub).times(REHEARSALS);
            String text =
                    text(
                            redis,
                            pace,
                            population.count(),
                            rounds,
                            new Rest(bytes, alone, beside, rehearsals));
            out.result(text);
            if (options.save()) {
                out.say("Saved as " + Results.save("rules", text));
            }
        }
        return 0;
    }

    private static String line(int round, Evaluations.Round turn) {
        return String.format(
                Locale.ROOT,
                "%-8s %,11.0f evaluations a second, %6.2f µs of the hub for each%s",
                round < 0 ? "warm-up" : "round " + (round + 1),
                turn.perSecond(),
                turn.hubNanos() / 1000,
                turn.missed() == 0 ? "" : "; %,d missed".formatted(turn.missed()));
    }

    private String text(
            RaceServer redis, Pace pace, int count, List<Evaluations.Round> rounds, Rest rest) {
        double[] busy =
                rounds.stream().mapToDouble(each -> each.watched().coresOfOthers()).toArray();
        long missed = rounds.stream().mapToLong(Evaluations.Round::missed).sum();
        return """
        %,d rules, ten to a point, half of them a condition and half an expression of one of %d shapes; each write has the %d points of a channel, \
        each with another value than before, and so leads to %,d evaluations. A whole hub with its embedded broker.

        - Machine: %s
        - Redis: %s
        - %d rounds in turns, each %s s a round, after %d for warming up; median over the rounds (smallest–largest), of ratios \
        too: each is taken within its round
        - A turn with rules ends when all that was written has been looked at and counted; %,d evaluations did not come
        - Hub, Redis: processor time of that process for one write, with what is still done when it is answered
        - Meanwhile other processes kept %s of %d cores busy

        | writes of %d points | per second | hub µs | Redis µs |
        |---|---:|---:|---:|
        %s%s
        From sending a value to the stored record of the execution that has ordered a device, %,d times; beside others: while \
        values are written that lead to %,d evaluations a second:

        | | median ms | p99 ms | p99.9 ms | largest ms |
        |---|---:|---:|---:|---:|
        | alone | %s |
        | beside others | %s |

        A rule rehearsed on %,d values of a day, %d times:

        | | median ms | p99 ms | p99.9 ms | largest ms |
        |---|---:|---:|---:|---:|
        | rehearsal | %s |

        %s\
        """
                .formatted(
                        count,
                        Population.SHAPES,
                        Population.POINTS,
                        Population.POINTS * Population.OF_A_POINT,
                        Machine.about(),
                        redis.about(),
                        pace.rounds(),
                        Figures.number("%.1f", pace.time().toMillis() / 1000.0),
                        pace.warmups(),
                        missed,
                        Figures.number("%.1f", Figures.median(busy)),
                        Machine.cores(),
                        Population.POINTS,
                        row("no rule looks at them", rounds, false),
                        row("ten rules look at each", rounds, true),
                        rest.alone.count(),
                        others * Population.POINTS * Population.OF_A_POINT,
                        rest.alone.cells(),
                        rest.besideOthers.cells(),
                        Rehearsed.SAMPLES,
                        REHEARSALS,
                        rest.rehearsals.cells(),
                        Goal.table(goals(rounds, rest)));
    }

    private static String row(String name, List<Evaluations.Round> rounds, boolean watched) {
        return "| %s | %s | %s | %s |\n"
                .formatted(
                        name,
                        cell(
                                "%,.0f",
                                rounds,
                                each -> (watched ? each.watched() : each.plain()).perSecond()),
                        cell(
                                "%.1f",
                                rounds,
                                each -> (watched ? each.watched() : each.plain()).hubMicros()),
                        cell(
                                "%.1f",
                                rounds,
                                each -> (watched ? each.watched() : each.plain()).redisMicros()));
    }

    private static String cell(
            String format,
            List<Evaluations.Round> rounds,
            ToDoubleFunction<Evaluations.Round> figure) {
        return Figures.cell(format, figures(rounds, figure));
    }

    private static double[] figures(
            List<Evaluations.Round> rounds, ToDoubleFunction<Evaluations.Round> figure) {
        return rounds.stream().mapToDouble(figure).toArray();
    }

    private static List<Goal> goals(List<Evaluations.Round> rounds, Rest rest) {
        return List.of(
                new Goal(
                        "evaluations a second",
                        figures(rounds, Evaluations.Round::perSecond),
                        "at least 150000 on two cores"),
                new Goal(
                        "µs of the hub for an evaluation",
                        figures(rounds, each -> each.hubNanos() / 1000),
                        ""),
                new Goal(
                        "writes a second, with ten rules to a point ÷ without",
                        figures(
                                rounds,
                                each -> each.watched().perSecond() / each.plain().perSecond()),
                        ""),
                new Goal(
                        "KiB of the hub's heap for a rule with a condition",
                        new double[] {rest.bytes.ofConditions() / KIB},
                        "at most 10"),
                new Goal(
                        "KiB of the hub's heap for a rule with an expression",
                        new double[] {rest.bytes.ofExpressions() / KIB},
                        "at most 10"),
                new Goal(
                        "p99 ms from a write to its action, alone",
                        new double[] {rest.alone.millis(99)},
                        "at most 100"),
                new Goal(
                        "p99 ms from a write to its action, beside others",
                        new double[] {rest.besideOthers.millis(99)},
                        "at most 100"),
                new Goal(
                        "ms to rehearse a rule on 86,400 values, the slowest",
                        new double[] {rest.rehearsals.millis(100)},
                        "at most 2000"));
    }
}
