package dev.millrace.hub.shop.rows;

import dev.millrace.hub.shop.visits.Words;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.layout.Cell;
import dev.millrace.keyspace.redis.Script;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.concurrent.CompletableFuture;

/**
 * Rows in Redis, on the keys of the second key description: the row itself, how often it is
 * refreshed and when next. When it was loaded and whether that failed since is kept beside it.
 */
final class RowStore {
    private static final Script GET = Script.reading(RowStore.class, "get");
    private static final Script BEGIN = Script.of(RowStore.class, "begin");
    private static final Script FINISH = Script.of(RowStore.class, "finish", "keep");
    private static final Script RELEASE = Script.emptying(RowStore.class, "release");
    private static final Script SCHEDULE = Script.of(RowStore.class, "schedule", "keep");
    private static final Script UNSCHEDULE = Script.emptying(RowStore.class, "unschedule");
    private static final Script INVALIDATE = Script.emptying(RowStore.class, "invalidate");
    private static final Script CHANGED = Script.emptying(RowStore.class, "changed");
    private static final Script REFRESHED = Script.of(RowStore.class, "refreshed", "keep");

    private final Keyspace keyspace;
    private final RowSettings settings;
    private final InstantSource clock;

    RowStore(Keyspace keyspace, RowSettings settings, InstantSource clock) {
        this.keyspace = keyspace;
        this.settings = settings;
        this.clock = clock;
    }

    /**
     * What is known about a row.
     *
     * @param json the row, if it is here
     * @param loaded when it was; unknown where another program put it here
     * @param absentUntil until when it is known that there is none
     * @param failures since it was loaded
     * @param due when it is refreshed next
     * @param delay seconds between two refreshes
     * @param missing since when a scheduled one is not in the database
     * @param ends when it is thrown away
     */
    record Kept(
            Optional<String> json,
            Optional<Instant> loaded,
            Optional<Instant> absentUntil,
            long failures,
            Optional<Instant> due,
            OptionalDouble delay,
            Optional<Instant> missing,
            Optional<Instant> ends) {
        boolean scheduled() {
            return due.isPresent() && delay.isPresent();
        }
    }

    Kept get(RowName row) {
        return Objects.requireNonNull(get(List.of(row)).get(row));
    }

    Map<RowName, Kept> get(Collection<RowName> rows) {
        List<RowName> each = List.copyOf(new LinkedHashSet<>(rows));
        List<CompletableFuture<@Nullable Object>> asked =
                each.stream()
                        .map(
                                row ->
                                        keyspace.ask(
                                                GET,
                                                keys(row).subList(0, 4),
                                                Words.text(row.member())))
                        .toList();
        Map<RowName, Kept> found = new HashMap<>();
        for (int i = 0; i < asked.size(); i++) {
            found.put(each.get(i), kept(Words.list(Words.await(asked.get(i)))));
        }
        return found;
    }

    private static Kept kept(List<?> flat) {
        String json = Words.textOf(flat.get(0));
        long ends = Words.numberOf(flat.get(7));
        return new Kept(
                json.isEmpty() ? Optional.empty() : Optional.of(json),
                millis(flat.get(1)),
                millis(flat.get(2)),
                Words.whole(Words.textOf(flat.get(3))).orElse(0),
                Words.time(Words.textOf(flat.get(4))),
                Words.decimal(Words.textOf(flat.get(5))),
                millis(flat.get(6)),
                ends > 0 ? Optional.of(Instant.ofEpochMilli(ends)) : Optional.empty());
    }

    private static Optional<Instant> millis(@Nullable Object text) {
        var number = Words.whole(Words.textOf(text));
        return number.isPresent()
                ? Optional.of(Instant.ofEpochMilli(number.getAsLong()))
                : Optional.empty();
    }

    // ---------------------------------------------------------------- loading

    /**
     * Claims the loading of rows.
     *
     * @param overtake whether others who load them are to store nothing
     * @return those that we may load
     */
    List<RowName> begin(List<RowName> rows, String claim, Duration time, boolean overtake) {
        List<CompletableFuture<@Nullable Object>> asked =
                rows.stream()
                        .map(
                                row ->
                                        keyspace.call(
                                                BEGIN,
                                                keys(row).subList(4, 5),
                                                Words.text(claim),
                                                Words.number(time.toMillis()),
                                                Words.flag(overtake)))
                        .toList();
        List<RowName> ours = new ArrayList<>();
        for (int i = 0; i < rows.size(); i++) {
            if (Words.numberOf(Words.await(asked.get(i))) == 1) {
                ours.add(rows.get(i));
            }
        }
        return ours;
    }

    /** What became of storing a row. */
    enum Stored {
        CHANGED,
        SAME,
        GONE,
        FAILED,
        /** It was thrown away or scheduled meanwhile; ours may be older. */
        MOVED
    }

    /**
     * Stores what was loaded.
     *
     * @param json empty if there is no such row
     */
    CompletableFuture<Stored> finish(RowName row, String claim, Optional<String> json) {
        return keyspace.call(
                        FINISH,
                        keys(row),
                        Words.text(row.member()),
                        Words.text(claim),
                        Words.text(json.orElse("")),
                        Words.number(clock.millis()),
                        Words.seconds(settings.fresh().plus(settings.stale())),
                        Words.seconds(settings.absent()),
                        Words.seconds(settings.forget()))
                .thenApply(RowStore::stored);
    }

    void release(RowName row, String claim) {
        Words.await(keyspace.call(RELEASE, keys(row).subList(4, 5), Words.text(claim)));
    }

    private static Stored stored(@Nullable Object word) {
        return Stored.valueOf(Words.textOf(word).toUpperCase(Locale.ROOT));
    }

    // ---------------------------------------------------------------- the schedule

    /** Returns when it is due: now. */
    Instant schedule(RowName row, double delay) {
        Instant now = clock.instant();
        Words.await(
                keyspace.call(
                        SCHEDULE,
                        keys(row),
                        Words.text(row.member()),
                        Words.text(Double.toString(delay)),
                        Words.score(Words.micros(() -> now)),
                        Words.seconds(settings.forget())));
        return now;
    }

    /** Whether it was scheduled. */
    boolean unschedule(RowName row) {
        return Words.numberOf(
                        Words.await(keyspace.call(UNSCHEDULE, keys(row), Words.text(row.member()))))
                == 1;
    }

    /** Whether it is scheduled, and so will be loaded again. */
    boolean invalidate(RowName row) {
        return Words.numberOf(
                        Words.await(
                                keyspace.call(
                                        INVALIDATE,
                                        keys(row),
                                        Words.text(row.member()),
                                        Words.score(Words.micros(clock)))))
                == 1;
    }

    /**
     * The same, because the database says that it has changed; a scheduled one serves until then.
     */
    boolean changed(RowName row) {
        return Words.numberOf(
                        Words.await(
                                keyspace.call(
                                        CHANGED,
                                        keys(row),
                                        Words.text(row.member()),
                                        Words.score(Words.micros(clock)))))
                == 1;
    }

    /**
     * A row that was claimed to be refreshed.
     *
     * @param until when it is ours, as Redis has it
     */
    record Claimed(RowName row, double delay, String until) {}

    /**
     * Stores what became of a refresh.
     *
     * @param what {@code row}, {@code gone} or {@code failed}
     */
    CompletableFuture<Stored> refreshed(Claimed claimed, String what, String json, Instant due) {
        return keyspace.call(
                        REFRESHED,
                        keys(claimed.row()),
                        Words.text(claimed.row().member()),
                        Words.text(claimed.until()),
                        Words.text(what),
                        Words.text(json),
                        Words.number(clock.millis()),
                        Words.score(Words.micros(() -> due)),
                        Words.seconds(settings.forget()),
                        Words.seconds(settings.stale()),
                        Words.number(clock.millis() + settings.absent().toMillis()))
                .thenApply(RowStore::stored);
    }

    // ---------------------------------------------------------------- words

    /** In the order in which the scripts take them. */
    private static List<Cell.Key> keys(RowName row) {
        String id = row.id();
        return List.of(
                RowsLayouts.DELAY.of(id),
                RowsLayouts.SCHEDULE.of(id),
                row.table().equals(RowName.FIRST)
                        ? RowsLayouts.INVENTORY_ROW.at(id)
                        : RowsLayouts.ROW.at(row.table(), id),
                RowsLayouts.STATE.at(row.table(), id),
                RowsLayouts.LOADING.at(row.table(), id));
    }
}
