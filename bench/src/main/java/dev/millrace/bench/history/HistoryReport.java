package dev.millrace.bench.history;

import dev.millrace.bench.race.Figures;
import dev.millrace.bench.race.Goal;
import dev.millrace.bench.race.Latencies;
import dev.millrace.bench.race.Machine;
import dev.millrace.bench.race.Pace;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** The tables. */
record HistoryReport(
        Pace pace,
        Plant plant,
        int rate,
        int part,
        List<Recording.Turn> turns,
        Latencies lag,
        Map<Question, Latencies> answers,
        Room room) {

    /** What the makers of both say of their stores, of values that change little. */
    private static final String PUBLISHED =
            "Published: Prometheus 1 to 2 bytes (its documentation, \"Storage\"), VictoriaMetrics"
                    + " below 1 (its FAQ); both compress on disk, and round nothing up to a member"
                    + " of a sorted set that any client can read.";

    String text(String redis) {
        return """
        %,d channels of %,d points; one write has all points of a channel, and every value becomes a sample.

        - Machine: %s
        - Redis: %s
        - %d connections, each with one request in flight; the raw client has as many writes in one pipeline, each an HSET of \
        its values and a ZADD for each
        - %d rounds in turns, each %s s a round, after %d for warming up; median over the rounds (smallest–largest), of ratios \
        too: each is taken within its round
        - Hub, Redis: processor time of that process for one point
        - Meanwhile other processes kept %s of %d cores busy

        | | points a second | hub µs | Redis µs |
        |---|---:|---:|---:|
        | raw: HSET and ZADD, pipelined | %s | – | %s |
        | the hub, until those who write have their answers | %s | – | – |
        | the hub, until all of them are samples with indexes and statistics | %s | %s | %s |

        %s
        From a write to its sample, at %,d points a second, %,d times:

        | median ms | p99 ms | p99.9 ms | largest ms |
        |---:|---:|---:|---:|
        | %s |

        Questions over HTTP, one after the other%s:

        | | median ms | p99 ms | p99.9 ms | largest ms | wanted, median |
        |---|---:|---:|---:|---:|---:|
        %s
        Bytes for a sample, of %,d samples of one series, one each second:

        | Redis | SQLite with an index |
        |---:|---:|
        | %.1f | %s |

        %s
        """
                .formatted(
                        plant.channels(),
                        plant.points(),
                        Machine.about(),
                        redis,
                        Plant.WRITERS,
                        pace.rounds(),
                        Figures.number("%.1f", pace.time().toMillis() / 1000.0),
                        pace.warmups(),
                        Figures.number(
                                "%.1f",
                                Figures.median(values(each -> each.recorded().coresOfOthers()))),
                        Machine.cores(),
                        cell("%,.0f", each -> each.raw().perSecond()),
                        cell("%.2f", each -> each.raw().redisMicros()),
                        cell("%,.0f", Recording.Turn::written),
                        cell("%,.0f", each -> each.recorded().perSecond()),
                        cell("%.2f", each -> each.recorded().hubMicros()),
                        cell("%.2f", each -> each.recorded().redisMicros()),
                        Goal.table(
                                List.of(
                                        new Goal(
                                                "written and recorded ÷ raw",
                                                Figures.ratios(
                                                        values(each -> each.recorded().perSecond()),
                                                        values(each -> each.raw().perSecond())),
                                                "at least 0.6"))),
                        rate,
                        lag.count(),
                        lag.cells(),
                        part == 1 ? "" : ", about one part of %d of the samples".formatted(part),
                        rows(),
                        room.samples(),
                        room.redis(),
                        room.sqlite().isPresent()
                                ? Figures.number("%.1f", room.sqlite().getAsDouble())
                                : "not measured: no Python",
                        PUBLISHED);
    }

    private String rows() {
        StringBuilder rows = new StringBuilder();
        answers.forEach(
                (question, latencies) ->
                        rows.append(
                                String.format(
                                        Locale.ROOT,
                                        "| %s | %s | at most %d |\n",
                                        question.about(),
                                        latencies.cells(),
                                        question.mostMillis())));
        return rows.toString();
    }

    private double[] values(ToDoubleFunction<Recording.Turn> figure) {
        return turns.stream().mapToDouble(figure).toArray();
    }

    private String cell(String format, ToDoubleFunction<Recording.Turn> figure) {
        return Figures.cell(format, values(figure));
    }
}
