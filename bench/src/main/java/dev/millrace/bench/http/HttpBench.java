package dev.millrace.bench.http;

import dev.millrace.bench.Out;
import dev.millrace.bench.race.Figures;
import dev.millrace.bench.race.Machine;
import dev.millrace.bench.race.Pace;
import dev.millrace.bench.race.RaceOptions;
import dev.millrace.bench.race.RaceServer;
import dev.millrace.bench.race.Results;

import org.jspecify.annotations.Nullable;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;

/** {@code ./millrace bench http}. */
@Command(
        name = "http",
        description = {
            "Empty GETs, JSON echoes and POSTs with one commit, on the hub's web server, on Netty"
                    + " alone and on Spring Boot, in turns.",
            ""
        },
        sortOptions = false)
public final class HttpBench implements Callable<Integer> {
    private static final String WHAT =
            """
            Requests over keep-alive connections with one request in flight on each. Every server is a process of its own \
            with the same JVM flags and heap, and so is the load, which looks at the status and the body of every answer.

            - (a), (a2) The hub's web server with all that it does for every request: gate, limits, deadlines, request id, \
            security headers, figures. (a) answers on a virtual thread that may block, (a2) through a future
            - (b) Netty's HTTP codec with a handler that knows three paths, native epoll, as many event loops. It stores \
            through the same engine as (a2), so that only the HTTP layer differs
            - (c), (c2) Spring Boot %s with Tomcat, virtual threads and Spring Data Redis (Lettuce). (c) stores with MULTI, \
            on a pool of 64 connections, and does not look whether the id is new; (c2) with a hand-written script on Spring's \
            shared connection. Its connections are not closed after a hundred requests
            """;

    private final Out out;

    @Mixin private final RaceOptions options = new RaceOptions(5, 2, 3);

    @Option(
            names = "--connections",
            paramLabel = "N",
            split = ",",
            defaultValue = "64,512",
            description = "How many, one after the other (default: 64,512).")
    private List<Integer> connections = List.of();

    @Option(
            names = "--workloads",
            paramLabel = "NAME",
            split = ",",
            description = "Only these of empty, echo and commit.")
    private @Nullable List<String> workloads;

    @Option(
            names = "--only",
            paramLabel = "NAME",
            split = ",",
            description = "Only these entrants, for example a,b.")
    private @Nullable List<String> only;

    public HttpBench(Out out) {
        this.out = out;
    }

    @Override
    public Integer call() throws InterruptedException, IOException {
        Pace pace = options.pace(1, 0);
        if (connections.stream().anyMatch(each -> each < 1 || each > 10_000)) {
            throw new IllegalArgumentException("--connections takes numbers from 1 to 10000.");
        }
        List<Entrant> entrants =
                chosen(
                        "--only",
                        only,
                        Entrant.ALL,
                        Entrant.ALL.stream().map(Entrant::name).toList());
        List<Workload> wanted =
                chosen(
                        "--workloads",
                        workloads,
                        List.of(Workload.values()),
                        List.of("empty", "echo", "commit"));
        List<HttpReport> reports = new ArrayList<>();
        try (RaceServer redis = options.open();
                HttpRace race = new HttpRace(entrants, pace, redis, out::say)) {
            for (int number : connections) {
                for (Workload workload : wanted) {
                    reports.add(new HttpReport(workload, number, race.run(workload, number)));
                }
            }
            redis.empty();
            String text = text(pace, redis, reports);
            out.result(text);
            if (options.save()) {
                out.say("Saved as " + Results.save("http", text));
            }
        }
        return 0;
    }

    private static <T> List<T> chosen(
            String option, @Nullable List<String> wanted, List<T> all, List<String> names) {
        if (wanted == null) {
            return all;
        }
        if (!names.containsAll(wanted)) {
            throw new IllegalArgumentException(
                    "%s takes some of %s, separated by commas.".formatted(option, names));
        }
        List<T> chosen = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            if (wanted.contains(names.get(i))) {
                chosen.add(all.get(i));
            }
        }
        return chosen;
    }

    private static String text(Pace pace, RaceServer redis, List<HttpReport> reports) {
        double[] others =
                reports.stream()
                        .flatMap(HttpReport::all)
                        .mapToDouble(HttpTurn::coresOfOthers)
                        .sorted()
                        .toArray();
        StringBuilder text = new StringBuilder(WHAT.formatted(springVersion()));
        text.append("\n- Machine: ").append(Machine.about());
        text.append("\n- Redis: ").append(redis.about());
        text.append(
                "\n- %d rounds in turns, each entrant %s s a round, after %d for warming up"
                        .formatted(
                                pace.rounds(),
                                Figures.number("%.1f", pace.time().toMillis() / 1000.0),
                                pace.warmups()));
        text.append(
                "\n- Median over the rounds (smallest–largest), of ratios too: each is taken within"
                        + " its round");
        text.append(
                "\n- Server, load, Redis: processor time of that process for one request. All of"
                        + " them share the cores of this machine");
        text.append(
                "\n- Meanwhile other processes kept %s of %d cores busy (%s–%s)\n"
                        .formatted(
                                Figures.number("%.1f", Figures.median(others)),
                                Machine.cores(),
                                Figures.number("%.1f", Arrays.stream(others).min().orElse(0)),
                                Figures.number("%.1f", Arrays.stream(others).max().orElse(0))));
        reports.forEach(report -> text.append("\n## ").append(report.table()));
        return text.toString();
    }

    private static String springVersion() {
        return String.valueOf(org.springframework.boot.SpringBootVersion.getVersion());
    }
}
