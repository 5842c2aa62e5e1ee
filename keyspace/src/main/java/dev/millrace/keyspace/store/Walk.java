package dev.millrace.keyspace.store;

import dev.millrace.keyspace.commit.Place;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.function.Function;

/**
 * All hits of a query, one after another, however many: read in steps that are bounded by number
 * and by bytes, so that neither the server nor we hold much at once. A step is two round trips: the
 * entries, and what lies behind them.
 *
 * <p>Where an index lies in every shard, each shard has a queue of hits that were read and not yet
 * given out. The next hit is the first of all queues; before it is chosen, every queue that is
 * empty while its shard has more is filled, all of them at once.
 *
 * <p>Like any cursor it may miss what is entered behind it meanwhile, and sees nothing twice. For
 * one thread.
 */
final class Walk<E, T> implements Iterator<T> {
    private final IndexScan<E> scan;
    private final Function<Hit.Behind<E>, T> read;
    private final List<Source<E>> sources = new ArrayList<>();
    private long wanted;
    private @Nullable String last;
    private @Nullable T next;

    /** What one shard still has to give. */
    private static final class Source<E> {
        final Place place;
        final Deque<Hit.Behind<E>> hits = new ArrayDeque<>();
        @Nullable Cursor cursor;
        boolean more = true;

        Source(Place place, @Nullable Cursor cursor) {
            this.place = place;
            this.cursor = cursor;
        }

        boolean isDry() {
            return hits.isEmpty() && more;
        }

        /** What there was no room for is asked for again. */
        void take(IndexScan.Found found, Values.Given<E> given) {
            int looked = given.looked();
            cursor =
                    looked < found.hits().size()
                            ? found.hits().get(looked - 1).cursor()
                            : found.next();
            more = cursor != null;
            hits.addAll(given.behind());
        }
    }

    /**
     * A walk.
     *
     * @param most how many are given at most
     * @param read what a hit stands for
     */
    Walk(IndexScan<E> scan, long most, Function<Hit.Behind<E>, T> read) {
        this.scan = scan;
        this.wanted = most;
        this.read = read;
        scan.places().forEach(place -> sources.add(new Source<>(place, scan.after())));
    }

    @Override
    public boolean hasNext() {
        while (next == null && wanted > 0) {
            Hit.Behind<E> found = nextFound();
            if (found == null) {
                return false;
            }
            // While it moves to another shard an entity may be found in both.
            boolean seen = found.hit().member().equals(last);
            last = found.hit().member();
            next = seen ? null : read.apply(found);
        }
        return next != null;
    }

    @Override
    public T next() {
        if (!hasNext() || next == null) {
            throw new NoSuchElementException();
        }
        T given = next;
        next = null;
        wanted--;
        return given;
    }

    private Hit.@Nullable Behind<E> nextFound() {
        while (isAnyDry()) {
            fill(sources.stream().filter(Source::isDry).toList());
        }
        Source<E> first = null;
        for (Source<E> source : sources) {
            if (!source.hits.isEmpty() && (first == null || comesBefore(source, first))) {
                first = source;
            }
        }
        return first == null ? null : first.hits.removeFirst();
    }

    private boolean isAnyDry() {
        for (Source<E> source : sources) {
            if (source.isDry()) {
                return true;
            }
        }
        return false;
    }

    private boolean comesBefore(Source<E> one, Source<E> other) {
        return scan.order().compare(one.hits.getFirst().hit(), other.hits.getFirst().hit()) < 0;
    }

    private void fill(List<Source<E>> dry) {
        int all = sources.size();
        // Most shards have about the same share of what is wanted; asking for twice that is
        // usually enough, and what is not used of it was cheap.
        long most = Math.min(wanted, (long) Values.STEP * all);
        int count = (int) Math.min(all == 1 ? most : 2 * most / all + 8, Values.STEP);
        List<IndexScan.Found> found =
                scan.find(
                        dry.stream()
                                .map(each -> new IndexScan.Start(each.place, each.cursor))
                                .toList(),
                        count);
        List<Values.Given<E>> given =
                scan.values().read(found.stream().map(IndexScan.Found::hits).toList());
        for (int i = 0; i < dry.size(); i++) {
            dry.get(i).take(found.get(i), given.get(i));
        }
    }
}
