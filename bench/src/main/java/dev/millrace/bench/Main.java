package dev.millrace.bench;

import dev.millrace.bench.bus.BusBench;
import dev.millrace.bench.commands.CommandsBench;
import dev.millrace.bench.commit.CommitBench;
import dev.millrace.bench.documents.DocumentsBench;
import dev.millrace.bench.feed.FeedBench;
import dev.millrace.bench.fsck.FsckBench;
import dev.millrace.bench.history.HistoryBench;
import dev.millrace.bench.http.HttpBench;
import dev.millrace.bench.live.LiveBench;
import dev.millrace.bench.peers.PeersBench;
import dev.millrace.bench.plant.AlarmsBench;
import dev.millrace.bench.plant.TelemetryBench;
import dev.millrace.bench.pubsub.PubsubBench;
import dev.millrace.bench.readings.ReadingsBench;
import dev.millrace.bench.realtime.RealtimeBench;
import dev.millrace.bench.rest.RestBench;
import dev.millrace.bench.rules.RulesBench;
import dev.millrace.bench.shop.ShopBench;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ./millrace bench}: chooses a benchmark. */
@Command(
        name = "./millrace bench",
        description = "Benchmarks, side by side with what one would use instead.",
        synopsisSubcommandLabel = "BENCHMARK")
final class Main implements Runnable {
    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Prints this.")
    @SuppressWarnings("UnusedVariable") // picocli sets it and acts on it
    private boolean help;

    private Main() {}

    public static void main(String[] args) {
        // Beside the classes, so that it meets no logback.xml of the hub.
        System.setProperty("logback.configurationFile", "dev/millrace/bench/logback.xml");
        System.exit(run(Out.standard(), args));
    }

    /** 0 when it ran, 2 when it could not. */
    static int run(Out out, String... args) {
        return new CommandLine(new Main())
                .addSubcommand(new AlarmsBench(out))
                .addSubcommand(new BusBench(out))
                .addSubcommand(new CommandsBench(out))
                .addSubcommand(new CommitBench(out))
                .addSubcommand(new DocumentsBench(out))
                .addSubcommand(new FeedBench(out))
                .addSubcommand(new FsckBench(out))
                .addSubcommand(new HistoryBench(out))
                .addSubcommand(new HttpBench(out))
                .addSubcommand(new LiveBench(out))
                .addSubcommand(new PeersBench(out))
                .addSubcommand(new PubsubBench(out))
                .addSubcommand(new ReadingsBench(out))
                .addSubcommand(new RealtimeBench(out))
                .addSubcommand(new RestBench(out))
                .addSubcommand(new RulesBench(out))
                .addSubcommand(new ShopBench(out))
                .addSubcommand(new TelemetryBench(out))
                .setParameterExceptionHandler(
                        (e, ignored) -> {
                            out.say("bench: " + sentence(e));
                            return CommandLine.ExitCode.USAGE;
                        })
                .setExecutionExceptionHandler(
                        (e, line, parsed) -> {
                            // Some say nothing but their name.
                            out.say("bench: " + (e.getMessage() == null ? e : e.getMessage()));
                            return CommandLine.ExitCode.USAGE;
                        })
                .execute(args);
    }

    private static String sentence(CommandLine.ParameterException e) {
        return e instanceof CommandLine.UnmatchedArgumentException unmatched
                        && e.getCommandLine().getParent() == null
                ? "there is no benchmark '%s'; there are alarms, bus, commands, commit, documents, feed, fsck, history, http, live, peers, pubsub, readings, realtime, rest, rules, shop and telemetry."
                        .formatted(unmatched.getUnmatched().getFirst())
                : e.getMessage() + "; --help explains the options.";
    }

    /** Without the name of a benchmark. */
    @Override
    public void run() {
        throw new IllegalArgumentException(
                "which benchmark? There are alarms, bus, commands, commit, documents, feed, fsck,"
                    + " history, http, live, peers, pubsub, readings, realtime, rest, rules, shop"
                    + " and telemetry, for example ./millrace bench commit");
    }
}
