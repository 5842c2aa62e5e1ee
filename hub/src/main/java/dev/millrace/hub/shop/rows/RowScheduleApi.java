package dev.millrace.hub.shop.rows;

import dev.millrace.hub.access.Role;
import dev.millrace.hub.http.Answer;
import dev.millrace.hub.http.Request;
import dev.millrace.hub.http.Route;
import dev.millrace.hub.shop.visits.ShopErrors;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** The schedule of rows over HTTP. */
final class RowScheduleApi {
    private static final String ROOM = "shop";
    private static final String ONE = "/shop/rows/{table}/{id:slashed}/schedule";
    private static final int MOST = 1000;
    private static final double LONGEST = Duration.ofDays(3650).toSeconds();

    private final RowStore store;
    private final RowCache cache;
    private final Refresher refresher;
    private final RowSettings settings;

    RowScheduleApi(RowStore store, RowCache cache, Refresher refresher, RowSettings settings) {
        this.store = store;
        this.cache = cache;
        this.refresher = refresher;
        this.settings = settings;
    }

    List<Route> routes() {
        return List.of(
                Route.get("/shop/rows/schedule")
                        .needs(Role.VIEWER, ROOM)
                        .about("Scheduled rows, the next one that is due first.")
                        .parameter("limit", "how many at most")
                        .by(this::all),
                Route.put(ONE)
                        .needs(Role.OPERATOR, ROOM)
                        .about(
                                "Keeps a row, read again after so many seconds each time; with 0"
                                        + " and less it is kept no longer.")
                        .takes(Wish.class)
                        .gives(Begun.class)
                        .by(this::put),
                Route.get(ONE)
                        .needs(Role.VIEWER, ROOM)
                        .about("How a scheduled row stands.")
                        .gives(Scheduled.class)
                        .by(this::get),
                Route.delete(ONE)
                        .needs(Role.OPERATOR, ROOM)
                        .about("Keeps a row no longer; it is gone when this is answered.")
                        .by(this::delete));
    }

    private record Wish(@Nullable JsonNode delay) {}

    private record Begun(double delay, String due, double dueEpoch) {}

    private record Ended(double delay, boolean removed) {}

    /**
     * A scheduled row.
     *
     * @param dueEpoch as it stands in {@code schedule:}
     * @param lastOk when it was read last
     * @param failures since then
     * @param missingSince when it was looked for first and not found
     */
    private record Scheduled(
            String table,
            String id,
            @Nullable String due,
            @Nullable Double dueEpoch,
            @Nullable Double delay,
            @Nullable String lastOk,
            long failures,
            @Nullable String missingSince) {}

    private Answer put(Request request) {
        RowName row = RowsApi.row(request, settings);
        JsonNode delay = request.json(Wish.class).delay();
        if (delay == null || !delay.isNumber() || !(Math.abs(delay.doubleValue()) <= LONGEST)) {
            throw ShopErrors.bad("delay must be a number of seconds, at most ten years.");
        }
        double seconds = delay.doubleValue();
        if (seconds <= 0) {
            return Answer.json(new Ended(seconds, unschedule(row)));
        }
        Instant due = store.schedule(row, seconds);
        refresher.wake();
        return Answer.json(
                202, new Begun(seconds, due.toString(), (double) due.toEpochMilli() / 1000));
    }

    private boolean unschedule(RowName row) {
        cache.forget(row);
        return store.unschedule(row);
    }

    private Answer delete(Request request) {
        unschedule(RowsApi.row(request, settings));
        return Answer.empty(204);
    }

    private Answer get(Request request) {
        RowName row = RowsApi.row(request, settings);
        RowStore.Kept kept = store.get(row);
        if (!kept.scheduled()) {
            throw ShopErrors.absent("The row is not scheduled.");
        }
        return Answer.json(view(row, kept));
    }

    private Answer all(Request request) {
        int limit = request.number("limit", 100, 1, MOST);
        List<RowName> next = refresher.next(limit).stream().map(RefreshStore.Planned::row).toList();
        Map<RowName, RowStore.Kept> kept = store.get(next);
        List<Scheduled> rows = new ArrayList<>();
        for (RowName row : next) {
            RowStore.Kept known = kept.get(row);
            if (known != null && known.due().isPresent()) {
                rows.add(view(row, known));
            }
        }
        return Answer.json(rows);
    }

    private static Scheduled view(RowName row, RowStore.Kept kept) {
        return new Scheduled(
                row.table(),
                row.id(),
                kept.due().map(Instant::toString).orElse(null),
                kept.due().map(due -> (double) due.toEpochMilli() / 1000).orElse(null),
                kept.delay().isPresent() ? kept.delay().getAsDouble() : null,
                kept.loaded().map(Instant::toString).orElse(null),
                kept.failures(),
                kept.missing().map(Instant::toString).orElse(null));
    }
}
