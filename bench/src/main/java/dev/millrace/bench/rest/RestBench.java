package dev.millrace.bench.rest;

import dev.millrace.bench.Out;
import dev.millrace.bench.race.Figures;
import dev.millrace.bench.race.Machine;
import dev.millrace.bench.race.Results;

import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.function.ToDoubleFunction;

/** {@code ./millrace bench rest}. */
@Command(
        name = "rest",
        description = {
            "How a hub starts, how soon it is at full speed, and what it takes at rest: with broker"
                    + " and embedded Redis, with an ahead-of-time cache as the launcher makes it.",
            "",
            "Resident memory and processor time are those of the hub and its Redis together. It"
                    + " needs a quiet machine with Linux.",
            ""
        },
        sortOptions = false)
public final class RestBench implements Callable<Integer> {
    private static final double MIB = 1 << 20;

    private final Out out;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            defaultValue = "3",
            description = "How often everything is done; medians count (default: 3).")
    private int rounds;

    @Option(
            names = "--against",
            paramLabel = "FLAGS",
            description =
                    "Flags of the JVM to compare with, in turns, as \"-XX:+UseSerialGC -Xms16m\";"
                            + " again for more.")
    private List<String> against = List.of();

    @Option(
            names = "--connections",
            paramLabel = "N",
            defaultValue = "16",
            description = "Connections that send events (default: 16).")
    private int connections;

    @Option(
            names = "--load",
            paramLabel = "SECONDS",
            defaultValue = "60",
            description = "How long they do (default: 60).")
    private int load;

    @Option(
            names = "--events",
            paramLabel = "N",
            defaultValue = "1000000",
            description = "And until there are so many (default: 1000000).")
    private long events;

    @Option(
            names = "--rest",
            paramLabel = "SECONDS",
            defaultValue = "120",
            description = "What goes before a figure of rest (default: 120).")
    private int rest;

    @Option(
            names = "--idle",
            paramLabel = "SECONDS",
            defaultValue = "30",
            description = "How long it is measured at rest (default: 30).")
    private int idle;

    @Option(
            names = "--rehearsal",
            paramLabel = "N",
            defaultValue = "300",
            description = "Rounds of the rehearsal; 0 for no cache (default: 300).")
    private int rehearsal;

    @Option(
            names = "--save",
            description = "Writes a page with the figures and today's date to bench/results too.")
    private boolean save;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Prints this.")
    @SuppressWarnings("UnusedVariable") // picocli sets it and acts on it
    private boolean help;

    public RestBench(Out out) {
        this.out = out;
    }

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (rounds < 1 || rehearsal < 0) {
            throw new IllegalArgumentException("there is at least one round to measure.");
        }
        RestTurn.Plan plan = new RestTurn.Plan(connections, load, events, rest, idle);
        Map<String, List<RestTurn>> turns = new LinkedHashMap<>();
        List<String> all = new ArrayList<>(List.of(""));
        all.addAll(against);
        boolean cached = true;
        for (int round = 0; round < rounds; round++) {
            for (String words : all) {
                List<String> flags = words.isBlank() ? List.of() : List.of(words.split(" +"));
                try (StartCache cache = StartCache.make(flags, rehearsal)) {
                    cached &= cache.exists();
                    List<String> both = new ArrayList<>(flags);
                    both.addAll(cache.flags());
                    RestTurn turn = RestTurn.of(both, plan, out::say);
                    turns.computeIfAbsent(words, any -> new ArrayList<>()).add(turn);
                    out.say("round %d %s %s".formatted(round + 1, words, turn));
                }
            }
        }
        String text = page(turns, cached);
        out.result(text);
        if (save) {
            out.say("Saved as " + Results.save("rest", text));
        }
        return 0;
    }

    private String page(Map<String, List<RestTurn>> turns, boolean cached) {
        StringBuilder page = new StringBuilder(Machine.about());
        page.append(
                "\n\n%d rounds, %d connections, %d s of load and at least %d events, %d s of rest, %s ahead-of-time cache\n\n| |"
                        .formatted(
                                rounds, connections, load, events, rest, cached ? "with" : "no"));
        turns.keySet()
                .forEach(words -> page.append(words.isEmpty() ? " as started |" : words + " |"));
        page.append("\n|---|").append("---:|".repeat(turns.size()));
        row(page, turns, "process started to ready, s", "%.2f", RestTurn::readySeconds);
        row(page, turns, "events a second, ten seconds later", "%,.0f", RestTurn::atTen);
        row(page, turns, "the same warm", "%,.0f", RestTurn::warm);
        row(page, turns, "ten seconds later ÷ warm", "%.2f", turn -> turn.atTen() / turn.warm());
        row(page, turns, "hub µs an event, warm", "%.0f", RestTurn::hubMicros);
        row(page, turns, "resident after that, MiB", "%.0f", turn -> turn.loadedBytes() / MIB);
        row(page, turns, "resident without load, MiB", "%.0f", turn -> turn.idleBytes() / MIB);
        row(page, turns, "processor at rest, ms a second", "%.1f", RestTurn::idleMillis);
        return page.append('\n').toString();
    }

    private static void row(
            StringBuilder page,
            Map<String, List<RestTurn>> turns,
            String name,
            String format,
            ToDoubleFunction<RestTurn> figure) {
        page.append("\n| ").append(name).append(" |");
        turns.values()
                .forEach(
                        each ->
                                page.append(' ')
                                        .append(
                                                Figures.cell(
                                                        format,
                                                        each.stream()
                                                                .mapToDouble(figure)
                                                                .toArray()))
                                        .append(" |"));
    }
}
