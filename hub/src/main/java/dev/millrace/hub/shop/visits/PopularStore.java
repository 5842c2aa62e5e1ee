package dev.millrace.hub.shop.visits;

import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.layout.Cell;
import dev.millrace.keyspace.redis.Script;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * The popularity of items in Redis: one ranking, which on a cluster lies in parts where the items
 * live and is merged when it is read.
 */
final class PopularStore {
    private static final Script COUNT = Script.of(PopularStore.class, "count");
    private static final Script FIND = Script.reading(PopularStore.class, "find");
    private static final Script POSITION = Script.reading(PopularStore.class, "position");
    private static final Script RESCALE = Script.of(PopularStore.class, "rescale");

    /** Between two rescales there may be so many times as many items as are kept. */
    private static final int SLACK = 10;

    private final Keyspace keyspace;
    private final ViewSettings settings;

    PopularStore(Keyspace keyspace, ViewSettings settings) {
        this.keyspace = keyspace;
        this.settings = settings;
    }

    /** How many items there may be before new ones have to wait for a rescale. */
    int most() {
        return settings.popular() * SLACK;
    }

    /** An item was looked at, by somebody who lives elsewhere. */
    void count(String item) {
        Words.await(
                keyspace.callOnce(
                        COUNT, List.of(key(item)), Words.text(item), Words.number(most())));
    }

    /**
     * An item in the ranking.
     *
     * @param rank how many are before it
     * @param views how often it was looked at, as far as that still counts
     */
    record Standing(long rank, double views) {}

    /** Where it stands; empty if nobody has looked at it for long. */
    Optional<Standing> find(String item) {
        Cell.Key home = key(item);
        List<?> found =
                Words.list(Words.await(keyspace.ask(FIND, List.of(home), Words.text(item))));
        if (found.isEmpty()) {
            return Optional.empty();
        }
        byte[] score = Words.text(Words.textOf(found.getFirst()));
        long rank = Words.numberOf(found.get(1));
        List<CompletableFuture<@Nullable Object>> others =
                keys().stream()
                        .filter(key -> !keyspace.liveTogether(key.owner(), item))
                        .map(key -> keyspace.ask(POSITION, List.of(key), score, Words.text(item)))
                        .toList();
        for (CompletableFuture<@Nullable Object> other : others) {
            rank += Words.numberOf(Words.await(other));
        }
        double views = -Double.parseDouble(Words.textOf(found.getFirst()));
        return Optional.of(new Standing(rank, views));
    }

    /** The most popular items, the first one first. */
    List<Ranking.Place> top(int from, int most) {
        return new Ranking(keyspace, keys()).top(from + most).places().stream().skip(from).toList();
    }

    /** What became of a rescale. */
    record Rescaled(long kept, long dropped) {}

    /** Halves all, if the last time was at least so many seconds ago; empty if it is not due. */
    Optional<Rescaled> rescaleIfDue(long nowSeconds, long pause) {
        return rescale(nowSeconds, pause);
    }

    /** Halves all now. */
    Rescaled rescale(long nowSeconds) {
        return rescale(nowSeconds, 0).orElse(new Rescaled(0, 0));
    }

    private Optional<Rescaled> rescale(long nowSeconds, long pause) {
        List<Cell.Key> keys = keys();
        // On one server the script knows by itself which ones are the last.
        int[] kept =
                keys.size() == 1
                        ? new int[] {settings.popular()}
                        : new Ranking(keyspace, keys).top(settings.popular()).shares();
        List<CompletableFuture<@Nullable Object>> parts = new ArrayList<>();
        for (int i = 0; i < kept.length; i++) {
            Cell.Key key = keys.get(i);
            parts.add(
                    keyspace.callOnce(
                            RESCALE,
                            List.of(key, VisitsLayouts.RESCALED.of(key.owner())),
                            Words.number(kept[i]),
                            Words.number(nowSeconds),
                            Words.number(pause)));
        }
        long left = 0;
        long dropped = 0;
        boolean due = false;
        for (CompletableFuture<@Nullable Object> part : parts) {
            if (Words.await(part) instanceof List<?> counts) {
                left += Words.numberOf(counts.get(0));
                dropped += Words.numberOf(counts.get(1));
                due = true;
            }
        }
        return due ? Optional.of(new Rescaled(left, dropped)) : Optional.empty();
    }

    private static Cell.Key key(String item) {
        return VisitsLayouts.POPULAR.of(item);
    }

    private List<Cell.Key> keys() {
        return Everywhere.owners(keyspace).stream().map(PopularStore::key).toList();
    }
}
