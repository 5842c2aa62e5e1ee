package dev.millrace.hub.shop.rows;

import dev.millrace.hub.shop.rows.RowStore.Claimed;
import dev.millrace.hub.shop.visits.Everywhere;
import dev.millrace.hub.shop.visits.Words;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.layout.Cell;
import dev.millrace.keyspace.redis.Script;
import dev.millrace.keyspace.store.Cells;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;
import java.util.concurrent.CompletableFuture;

/** The schedule of rows as a whole; on a cluster it lies in parts. */
final class RefreshStore {
    private static final Script CLAIM = Script.of(RefreshStore.class, "claim");

    private final Keyspace keyspace;
    private final List<String> places;

    RefreshStore(Keyspace keyspace) {
        this.keyspace = keyspace;
        this.places = Everywhere.owners(keyspace);
    }

    List<String> places() {
        return places;
    }

    /**
     * What was found in one place.
     *
     * @param next when the first of the others is due, in s since 1970
     * @param count how many are scheduled there
     */
    record Due(OptionalDouble next, long count, List<Claimed> claimed) {}

    /**
     * Claims what is due.
     *
     * @param places where to look
     * @param until when it is ours
     * @param most from each place
     */
    Map<String, Due> claim(List<String> places, Instant now, Instant until, int most) {
        List<CompletableFuture<@Nullable Object>> asked =
                places.stream()
                        .map(
                                place ->
                                        keyspace.callOnce(
                                                CLAIM,
                                                List.of(
                                                        RowsLayouts.DELAY.of(place),
                                                        RowsLayouts.SCHEDULE.of(place)),
                                                Words.score(Words.micros(() -> now)),
                                                Words.score(Words.micros(() -> until)),
                                                Words.number(most)))
                        .toList();
        Map<String, Due> due = new HashMap<>();
        for (int i = 0; i < places.size(); i++) {
            List<?> answer = Words.list(Words.await(asked.get(i)));
            List<Claimed> claimed = new ArrayList<>();
            for (Object each : Words.list(answer.get(2))) {
                List<?> flat = Words.list(each);
                claimed.add(
                        new Claimed(
                                RowName.ofMember(Words.textOf(flat.get(0))),
                                Words.decimal(Words.textOf(flat.get(1))).orElse(1),
                                Words.textOf(flat.get(2))));
            }
            due.put(
                    places.get(i),
                    new Due(
                            Words.decimal(Words.textOf(answer.get(0))),
                            Words.numberOf(answer.get(1)),
                            claimed));
        }
        return due;
    }

    /** How many rows are scheduled. */
    long size() {
        Cells cells = keyspace.cells();
        return places.stream().map(RowsLayouts.SCHEDULE::of).map(cells::size).toList().stream()
                .mapToLong(each -> each.answer().or(0L))
                .sum();
    }

    /** A scheduled row. */
    record Planned(RowName row, double due) {}

    /** The next ones that are due. */
    List<Planned> next(int most) {
        Cells cells = keyspace.cells();
        List<Cells.Question<List<Cells.Scored>>> questions =
                places.stream()
                        .map(RowsLayouts.SCHEDULE::of)
                        .map((Cell.Key key) -> cells.sorted(key, 0, most - 1))
                        .toList();
        List<Planned> all = new ArrayList<>();
        for (Cells.Question<List<Cells.Scored>> each : questions) {
            each.answer()
                    .or(List.of())
                    .forEach(
                            scored ->
                                    all.add(
                                            new Planned(
                                                    RowName.ofMember(scored.member()),
                                                    scored.score())));
        }
        all.sort(Comparator.comparingDouble(Planned::due));
        return all.subList(0, Math.min(most, all.size()));
    }
}
