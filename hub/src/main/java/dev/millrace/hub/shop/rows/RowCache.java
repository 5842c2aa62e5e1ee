package dev.millrace.hub.shop.rows;

import dev.millrace.hub.shop.rows.RowStore.Kept;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Gives out rows: as they are here, or read through from the database. However many ask for one
 * that is not here, one reads it: within this hub they wait for the same load, between hubs for
 * whoever has claimed it in Redis. A claim is given up when the row is thrown away meanwhile; what
 * was loaded then may be older than that, and is loaded once more. Thread-safe.
 */
final class RowCache {
    /** What another hub loads is looked at so often. */
    private static final Duration LOOK = Duration.ofMillis(20);

    /** Thrown away that often while it was loaded: then what came is given out, and not stored. */
    private static final int TRIES = 5;

    /** A refresh that is later than this has nobody who does it. */
    private static final Duration LATE = Duration.ofSeconds(5);

    private final RowStore store;
    private final Database database;
    private final RowSettings settings;
    private final RowFigures figures;
    private final InstantSource clock;
    private final RowChanges changes;
    private final Map<RowName, CompletableFuture<Row>> loading = new ConcurrentHashMap<>();

    RowCache(
            RowStore store,
            Database database,
            RowSettings settings,
            RowFigures figures,
            InstantSource clock,
            RowChanges changes) {
        this.store = store;
        this.database = database;
        this.settings = settings;
        this.figures = figures;
        this.clock = clock;
        this.changes = changes;
    }

    Row get(RowName row) {
        return get(row.table(), List.of(row.id())).getOrDefault(row.id(), new Row.Absent(false));
    }

    /** Rows of one table; those that are not here come by one query. */
    Map<String, Row> get(String table, Collection<String> ids) {
        List<RowName> names =
                new LinkedHashSet<>(ids).stream().map(id -> new RowName(table, id)).toList();
        Map<RowName, Kept> kept = store.get(names);
        Map<RowName, Row> found = new HashMap<>();
        List<RowName> missing = new ArrayList<>();
        for (RowName each : names) {
            here(kept.get(each))
                    .ifPresentOrElse(row -> found.put(each, row), () -> missing.add(each));
        }
        if (!missing.isEmpty()) {
            found.putAll(through(missing, kept));
        }
        Map<String, Row> rows = new LinkedHashMap<>();
        for (RowName each : names) {
            Row row = found.get(each);
            if (row != null) {
                count(row);
                rows.put(each.id(), row);
            }
        }
        return rows;
    }

    private void count(Row row) {
        switch (row) {
            case Row.Hit hit -> figures.hits.increment();
            case Row.Absent absent when absent.hit() -> figures.hits.increment();
            case Row.Stale stale -> figures.stale.increment();
            case Row.Loaded loaded -> figures.misses.increment();
            case Row.Absent absent -> figures.misses.increment();
            case Row.Unavailable unavailable -> figures.misses.increment();
        }
    }

    /** The row, if what is here will do. */
    private Optional<Row> here(RowStore.@Nullable Kept kept) {
        if (kept == null) {
            return Optional.empty();
        }
        Instant now = clock.instant();
        if (kept.json().isEmpty()) {
            return kept.absentUntil().filter(now::isBefore).map(until -> new Row.Absent(true));
        }
        String json = kept.json().get();
        Optional<Duration> age = age(kept, now);
        if (kept.scheduled()) {
            // Whoever refreshes it is trying: more of us would not help.
            if (kept.failures() > 0) {
                return Optional.of(new Row.Stale(json, age));
            }
            return now.isAfter(kept.due().orElse(now).plus(LATE))
                    ? Optional.empty()
                    : Optional.of(new Row.Hit(json, age));
        }
        boolean fresh = age.filter(old -> old.compareTo(settings.fresh()) >= 0).isEmpty();
        return fresh ? Optional.of(new Row.Hit(json, age)) : Optional.empty();
    }

    /** Of a row that another program refreshes, the schedule says when that was. */
    private static Optional<Duration> age(Kept kept, Instant now) {
        return kept.loaded()
                .or(
                        () ->
                                kept.scheduled()
                                        ? kept.due()
                                                .map(
                                                        due ->
                                                                due.minusMillis(
                                                                        Math.round(
                                                                                kept.delay()
                                                                                                .orElse(
                                                                                                        0)
                                                                                        * 1000)))
                                        : Optional.empty())
                .map(then -> Duration.between(then, now))
                .map(old -> old.isNegative() ? Duration.ZERO : old);
    }

    /** A row from the database now, whatever is here. */
    Row refresh(RowName row) {
        String claim = claim();
        store.begin(List.of(row), claim, lease(), true);
        CompletableFuture<Row> mine = new CompletableFuture<>();
        load(row.table(), Map.of(row, mine), claim);
        return answer(mine, Optional.ofNullable(store.get(row)));
    }

    /** Forgets it here; whoever loads it at this moment loads it again. */
    void forget(RowName row) {
        loading.remove(row);
    }

    /** It is thrown away because it has changed, and nobody will see the difference later. */
    void thrownAway(RowName row) {
        changes.changed(row.table(), row.id());
    }

    // ---------------------------------------------------------------- loading

    private static String claim() {
        byte[] random = new byte[12];
        ThreadLocalRandom.current().nextBytes(random);
        return HexFormat.of().formatHex(random);
    }

    /** A hub that dies while it loads holds others up for so long. */
    private Duration lease() {
        return settings.patience().plus(settings.patience());
    }

    private Map<RowName, Row> through(List<RowName> rows, Map<RowName, Kept> kept) {
        Map<RowName, CompletableFuture<Row>> mine = new LinkedHashMap<>();
        Map<RowName, CompletableFuture<Row>> all = new LinkedHashMap<>();
        for (RowName row : rows) {
            CompletableFuture<Row> fresh = new CompletableFuture<>();
            CompletableFuture<Row> other = loading.putIfAbsent(row, fresh);
            if (other == null) {
                mine.put(row, fresh);
            } else {
                figures.coalesced.increment();
            }
            all.put(row, other == null ? fresh : other);
        }
        if (!mine.isEmpty()) {
            // Not on the thread of the one who asks: others wait for it, and he may leave.
            Thread.ofVirtual()
                    .name("shop-rows-load")
                    .start(
                            () -> {
                                try {
                                    load(mine);
                                } finally {
                                    mine.forEach(loading::remove);
                                }
                            });
        }
        Map<RowName, Row> answers = new HashMap<>();
        all.forEach(
                (row, answer) ->
                        answers.put(row, answer(answer, Optional.ofNullable(kept.get(row)))));
        return answers;
    }

    /** What it is, or what was here where it cannot be had. */
    private Row answer(CompletableFuture<Row> loaded, Optional<Kept> before) {
        Row row;
        try {
            row = loaded.get(lease().toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            row = new Row.Unavailable("It takes too long to load it.");
        } catch (ExecutionException e) {
            Throwable cause = e.getCause();
            row = new Row.Unavailable(cause == null ? e.toString() : cause.toString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            row = new Row.Unavailable("The hub is stopping.");
        }
        Instant now = clock.instant();
        Optional<Kept> old =
                row instanceof Row.Unavailable
                        ? before.filter(kept -> kept.json().isPresent())
                        : Optional.empty();
        return old.isPresent()
                ? new Row.Stale(old.get().json().orElseThrow(), age(old.get(), now))
                : row;
    }

    private void load(Map<RowName, CompletableFuture<Row>> wanted) {
        try {
            Map<RowName, CompletableFuture<Row>> others = new LinkedHashMap<>(wanted);
            loadClaimed(others);
            if (!others.isEmpty()) {
                waitFor(others);
            }
        } catch (RuntimeException e) {
            wanted.values().forEach(each -> each.completeExceptionally(e));
        }
    }

    /** Loads those that we can claim, and takes them out. */
    private void loadClaimed(Map<RowName, CompletableFuture<Row>> wanted) {
        String claim = claim();
        List<RowName> ours = store.begin(List.copyOf(wanted.keySet()), claim, lease(), false);
        if (ours.isEmpty()) {
            return;
        }
        Map<RowName, CompletableFuture<Row>> own = new LinkedHashMap<>();
        ours.forEach(row -> own.put(row, wanted.remove(row)));
        // Whoever had the claim before us may have stored it since we looked.
        store.get(ours)
                .forEach(
                        (row, kept) ->
                                here(kept)
                                        .filter(each -> !(each instanceof Row.Stale))
                                        .ifPresent(
                                                each -> {
                                                    store.release(row, claim);
                                                    complete(List.of(row), own, each);
                                                    own.remove(row);
                                                }));
        load(ours.getFirst().table(), own, claim);
    }

    private void load(String table, Map<RowName, CompletableFuture<Row>> wanted, String claim) {
        List<RowName> rows = new ArrayList<>(wanted.keySet());
        for (int from = 0; from < rows.size(); from += settings.batch()) {
            List<RowName> some = rows.subList(from, Math.min(rows.size(), from + settings.batch()));
            loadSome(table, some, wanted, claim);
        }
    }

    private void loadSome(
            String table,
            List<RowName> rows,
            Map<RowName, CompletableFuture<Row>> wanted,
            String claim) {
        List<RowName> left = rows;
        for (int tries = 0; !left.isEmpty(); tries++) {
            figures.queries.increment();
            Database.Answer answer =
                    database.read(
                            Objects.requireNonNull(settings.tables().get(table)),
                            left.stream().map(RowName::id).toList());
            switch (answer) {
                case Database.Answer.Away(String why) -> {
                    left.forEach(row -> store.release(row, claim));
                    complete(left, wanted, new Row.Unavailable(why));
                    left = List.of();
                }
                case Database.Answer.Rows found ->
                        left = keep(left, wanted, claim, found, tries + 1 < TRIES);
            }
        }
    }

    /** Gives those back that are to be loaded again. */
    private List<RowName> keep(
            List<RowName> rows,
            Map<RowName, CompletableFuture<Row>> wanted,
            String claim,
            Database.Answer.Rows found,
            boolean again) {
        List<CompletableFuture<RowStore.Stored>> stored = new ArrayList<>();
        for (RowName row : rows) {
            if (found.bad().containsKey(row.id())) {
                store.release(row, claim);
                stored.add(CompletableFuture.completedFuture(RowStore.Stored.FAILED));
            } else {
                stored.add(
                        store.finish(row, claim, Optional.ofNullable(found.byId().get(row.id()))));
            }
        }
        List<RowName> moved = new ArrayList<>();
        for (int i = 0; i < rows.size(); i++) {
            RowName row = rows.get(i);
            RowStore.Stored what = stored.get(i).join();
            if (what == RowStore.Stored.MOVED && again) {
                moved.add(row);
                continue;
            }
            if (what == RowStore.Stored.CHANGED) {
                changes.changed(row.table(), row.id());
            }
            String json = found.byId().get(row.id());
            String bad = found.bad().get(row.id());
            complete(
                    List.of(row),
                    wanted,
                    bad != null
                            ? new Row.Unavailable(bad)
                            : json == null ? new Row.Absent(false) : new Row.Loaded(json));
        }
        return moved.isEmpty() ? moved : store.begin(moved, claim, lease(), true);
    }

    private static void complete(
            List<RowName> rows, Map<RowName, CompletableFuture<Row>> wanted, Row row) {
        for (RowName each : rows) {
            CompletableFuture<Row> waiting = wanted.get(each);
            if (waiting != null) {
                waiting.complete(row);
            }
        }
    }

    /** Another hub loads them. If it ends without, we do. */
    private void waitFor(Map<RowName, CompletableFuture<Row>> wanted) {
        Map<RowName, CompletableFuture<Row>> left = new LinkedHashMap<>(wanted);
        long end = System.nanoTime() + lease().toNanos();
        while (!left.isEmpty() && System.nanoTime() - end < 0) {
            try {
                Thread.sleep(LOOK);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                break;
            }
            store.get(left.keySet())
                    .forEach(
                            (row, kept) ->
                                    here(kept)
                                            .filter(each -> !(each instanceof Row.Stale))
                                            .ifPresent(each -> complete(List.of(row), left, each)));
            left.values().removeIf(CompletableFuture::isDone);
            if (!left.isEmpty()) {
                loadClaimed(left);
            }
        }
        complete(
                List.copyOf(left.keySet()),
                left,
                new Row.Unavailable("Another hub takes too long to load it."));
    }
}
