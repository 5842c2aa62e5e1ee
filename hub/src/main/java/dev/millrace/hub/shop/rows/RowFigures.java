package dev.millrace.hub.shop.rows;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;

import java.util.function.Supplier;

/** What is counted about rows. */
final class RowFigures {
    final Counter hits;
    final Counter misses;
    final Counter stale;
    final Counter coalesced;
    final Counter queries;
    final Counter refreshes;
    final Counter failures;

    RowFigures(MeterRegistry figures) {
        hits = requests(figures, "hit");
        misses = requests(figures, "miss");
        stale = requests(figures, "stale");
        coalesced =
                Counter.builder("millrace.shop.row.coalesced")
                        .description("Requests that waited for a row that was being loaded.")
                        .register(figures);
        queries =
                Counter.builder("millrace.shop.row.queries")
                        .description("Queries of the shop's database.")
                        .register(figures);
        refreshes =
                Counter.builder("millrace.shop.row.refreshes")
                        .description("Scheduled rows that were read again.")
                        .register(figures);
        failures =
                Counter.builder("millrace.shop.row.refresh.failures")
                        .description("Scheduled rows that could not be read again.")
                        .register(figures);
    }

    private static Counter requests(MeterRegistry figures, String how) {
        return Counter.builder("millrace.shop.row.requests")
                .tag("answer", how)
                .description("Rows asked for, by how they were answered.")
                .register(figures);
    }

    static void overdue(MeterRegistry figures, Supplier<Number> overdue, Supplier<Number> kept) {
        Gauge.builder("millrace.shop.rows.overdue", overdue)
                .description("Scheduled rows that are due, as the hub that refreshes has seen it.")
                .register(figures);
        Gauge.builder("millrace.shop.rows.scheduled", kept)
                .description("Scheduled rows, as the hub that refreshes has seen it.")
                .register(figures);
    }
}
