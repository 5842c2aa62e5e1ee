package dev.millrace.hub.shop.rows;

import dev.millrace.hub.shop.rows.RowStore.Claimed;
import dev.millrace.hub.shop.rows.RowStore.Stored;
import dev.millrace.hub.work.BackOff;
import dev.millrace.hub.work.Duty;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.redis.outcome.RedisException;

import io.micrometer.core.instrument.MeterRegistry;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Semaphore;

/**
 * Reads scheduled rows again when they are due, those of one table in one query, each table beside
 * the others. One hub of a site does it; what it has claimed and not stored when it dies is due
 * again some seconds later. A row is claimed before it is read, and stored only if the claim is
 * still there: whoever schedules it anew or throws it away meanwhile wins.
 */
final class Refresher implements AutoCloseable {
    /** Shorter than that of other duties: rows are to be fresh again soon after a hub has died. */
    private static final Duration LEASE_TIME = Duration.ofSeconds(6);

    /** Where nothing is scheduled: other programs may begin to. */
    private static final Duration NOTHING = Duration.ofMillis(500);

    /**
     * All parts of a cluster are looked at so often, those with something due as often as needed.
     */
    private static final Duration EVERYWHERE = Duration.ofMillis(500);

    private static final BackOff BACK_OFF =
            BackOff.doubling(Duration.ofMillis(200), Duration.ofSeconds(1));
    private static final Duration UNKNOWN_TABLE = Duration.ofMinutes(1);

    /** Of the database: that there is no such row. */
    private static final String NONE = "";

    /** Batches of one look. */
    private static final int ROUND = 5;

    /** Of these the database, and other tables than the slow one, get the rest. */
    private static final int LEFT_FOR_READERS = 1;

    private static final Logger log = LoggerFactory.getLogger(Refresher.class);

    private final RefreshStore schedule;
    private final RowStore store;
    private final Database database;
    private final RowSettings settings;
    private final RowFigures figures;
    private final InstantSource clock;
    private final RowChanges changes;
    private final Semaphore queries;
    private final Duty duty;

    /** Of the duty's thread alone: when something is due next, by place. */
    private final Map<String, Double> next = new HashMap<>();

    private final Map<String, Long> counts = new HashMap<>();
    private long lookedEverywhere = System.nanoTime() - EVERYWHERE.toNanos();
    private volatile long scheduled;
    private volatile long overdue;

    Refresher(
            Keyspace keyspace,
            RowStore store,
            Database database,
            RowSettings settings,
            RowFigures figures,
            MeterRegistry registry,
            InstantSource clock,
            RowChanges changes) {
        this.schedule = new RefreshStore(keyspace);
        this.store = store;
        this.database = database;
        this.settings = settings;
        this.figures = figures;
        this.clock = clock;
        this.changes = changes;
        this.queries = new Semaphore(Math.max(1, database.width() - LEFT_FOR_READERS));
        RowFigures.overdue(registry, () -> overdue, () -> scheduled);
        this.duty = Duty.start(keyspace, "shop-rows", LEASE_TIME, registry, this::step);
    }

    /** Something is due. */
    void wake() {
        duty.wake();
    }

    private Duration step(Duty.Turn turn) {
        if (queries.availablePermits() == 0) {
            return settings.poll();
        }
        Instant now = clock.instant();
        // What is due while it is ours is nobody's else until a query must have ended.
        Instant until = now.plus(settings.patience().multipliedBy(2)).plusSeconds(2);
        Map<String, RefreshStore.Due> due =
                schedule.claim(due(now), now, until, settings.batch() * ROUND);
        Map<String, List<Claimed>> byTable = new LinkedHashMap<>();
        boolean more = false;
        for (Map.Entry<String, RefreshStore.Due> each : due.entrySet()) {
            RefreshStore.Due found = each.getValue();
            next.put(each.getKey(), found.next().orElse(Double.MAX_VALUE));
            counts.put(each.getKey(), found.count());
            more |= found.claimed().size() == settings.batch() * ROUND;
            found.claimed()
                    .forEach(
                            row ->
                                    byTable.computeIfAbsent(
                                                    row.row().table(), table -> new ArrayList<>())
                                            .add(row));
        }
        scheduled = counts.values().stream().mapToLong(Long::longValue).sum();
        overdue = byTable.values().stream().mapToLong(List::size).sum();
        byTable.forEach((table, rows) -> refresh(turn, table, rows, now));
        if (more) {
            return Duration.ZERO;
        }
        return scheduled == 0 ? NOTHING : settings.poll();
    }

    /** The places to be looked at: all of them now and then, else those with something due. */
    private List<String> due(Instant now) {
        long nanos = System.nanoTime();
        if (schedule.places().size() == 1 || nanos - lookedEverywhere >= EVERYWHERE.toNanos()) {
            lookedEverywhere = nanos;
            return schedule.places();
        }
        double seconds = (double) now.toEpochMilli() / 1000;
        return schedule.places().stream()
                .filter(place -> next.getOrDefault(place, Double.MAX_VALUE) <= seconds)
                .toList();
    }

    private void refresh(Duty.Turn turn, String table, List<Claimed> rows, Instant claimed) {
        for (int from = 0; from < rows.size() && turn.mine(); from += settings.batch()) {
            List<Claimed> some =
                    List.copyOf(rows.subList(from, Math.min(rows.size(), from + settings.batch())));
            try {
                queries.acquire();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
            Thread.ofVirtual()
                    .name("shop-rows-refresh")
                    .start(
                            () -> {
                                try {
                                    refreshSome(table, some, claimed);
                                } catch (RedisException | CompletionException e) {
                                    // They are due again when our claim has ended.
                                    log.warn(
                                            "Refreshed rows could not be stored. reason={}",
                                            e.getMessage());
                                } finally {
                                    queries.release();
                                }
                            });
        }
    }

    private void refreshSome(String table, List<Claimed> rows, Instant claimed) {
        RowTable known = settings.tables().get(table);
        figures.queries.increment();
        Database.Answer answer =
                known == null
                        ? new Database.Answer.Away("There is no table " + table + ".")
                        : database.read(known, rows.stream().map(each -> each.row().id()).toList());
        Map<RowName, RowStore.Kept> before =
                answer instanceof Database.Answer.Rows(Map<String, String> good, var bad)
                                && bad.isEmpty()
                        ? Map.of()
                        : store.get(rows.stream().map(Claimed::row).toList());
        List<CompletableFuture<Stored>> stored = new ArrayList<>();
        for (Claimed row : rows) {
            Optional<String> found =
                    answer instanceof Database.Answer.Rows(Map<String, String> good, var bad)
                                    && !bad.containsKey(row.row().id())
                            ? Optional.of(good.getOrDefault(row.row().id(), NONE))
                            : Optional.empty();
            stored.add(
                    found.isPresent()
                            ? stored(row, found.get(), claimed)
                            : failed(row, known != null, before.get(row.row())));
        }
        for (int i = 0; i < rows.size(); i++) {
            switch (stored.get(i).join()) {
                case CHANGED -> {
                    figures.refreshes.increment();
                    changes.changed(table, rows.get(i).row().id());
                }
                case SAME -> figures.refreshes.increment();
                case GONE -> changes.changed(table, rows.get(i).row().id());
                case FAILED -> figures.failures.increment();
                case MOVED -> duty.wake();
            }
        }
    }

    private CompletableFuture<Stored> stored(Claimed row, String json, Instant claimed) {
        Instant due = claimed.plusNanos(Math.round(Math.min(row.delay(), 1e8) * 1e9));
        return store.refreshed(row, json.isEmpty() ? "gone" : "row", json, due);
    }

    private CompletableFuture<Stored> failed(
            Claimed row, boolean known, RowStore.@Nullable Kept before) {
        long failures = before == null ? 0 : before.failures();
        // Only a restart with other settings makes a table known.
        Duration pause = known ? BACK_OFF.after((int) Math.min(failures, 10)) : UNKNOWN_TABLE;
        return store.refreshed(row, "failed", "", clock.instant().plus(pause));
    }

    /** How many there are, whichever hub refreshes them. */
    long scheduled() {
        return schedule.size();
    }

    List<RefreshStore.Planned> next(int most) {
        return schedule.next(most);
    }

    @Override
    public void close() {
        duty.close();
    }
}
