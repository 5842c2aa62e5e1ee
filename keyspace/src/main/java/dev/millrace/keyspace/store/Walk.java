package dev.millrace.keyspace.store;

import dev.millrace.keyspace.commit.Place;
import dev.millrace.keyspace.redis.Replies;

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
 * and by bytes, so that neither the server nor we hold much at once. What fits in one step costs
 * one round trip.
 *
 * <p>Where an index lies in every shard, each shard has a queue of hits that were read and not yet
 * given out. The next hit is the first of all queues; before it is chosen, every queue that is
 * empty while its shard has more is filled, all of them in one round trip.
 *
 * <p>Like any cursor it may miss what is entered behind it meanwhile, and sees nothing twice. For
 * one thread.
 */
final class Walk<E, T> implements Iterator<T> {
    /** About a millisecond of the server's time. */
    private static final int STEP = 500;

    private static final int STEP_BYTES = 256 << 10;

    /** With 64 shards, what they hold together stays below this many bytes. */
    private static final int ALL_BYTES = 8 << 20;

    private final IndexScan<E> scan;
    private final Function<IndexScan.Hit, @Nullable T> read;
    private final List<Source> sources = new ArrayList<>();
    private long wanted;
    private IndexScan.@Nullable Hit last;
    private @Nullable T next;

    /** What one shard still has to give. */
    private static final class Source {
        final Place place;
        final Deque<IndexScan.Hit> hits = new ArrayDeque<>();
        @Nullable Cursor cursor;
        boolean more = true;

        Source(Place place, @Nullable Cursor cursor) {
            this.place = place;
            this.cursor = cursor;
        }

        boolean isDry() {
            return hits.isEmpty() && more;
        }
    }

    /**
     * A walk.
     *
     * @param most how many are given at most
     * @param read what a hit stands for; null for one that leads to nothing, and is left out
     */
    Walk(IndexScan<E> scan, long most, Function<IndexScan.Hit, @Nullable T> read) {
        this.scan = scan;
        this.wanted = most;
        this.read = read;
        scan.places().forEach(place -> sources.add(new Source(place, scan.after())));
    }

    @Override
    public boolean hasNext() {
        while (next == null && wanted > 0) {
            IndexScan.Hit hit = nextHit();
            if (hit == null) {
                return false;
            }
            // While it moves to another shard an entity may be found in both.
            boolean seen = last != null && last.member().equals(hit.member());
            last = hit;
            next = seen ? null : read.apply(hit);
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

    private IndexScan.@Nullable Hit nextHit() {
        while (sources.stream().anyMatch(Source::isDry)) {
            fill(sources.stream().filter(Source::isDry).toList());
        }
        Source first = null;
        for (Source source : sources) {
            if (!source.hits.isEmpty()
                    && (first == null
                            || scan.order().compare(source.hits.getFirst(), first.hits.getFirst())
                                    < 0)) {
                first = source;
            }
        }
        return first == null ? null : first.hits.removeFirst();
    }

    private void fill(List<Source> dry) {
        int all = sources.size();
        // Most shards have about the same share of what is wanted; asking for twice that is
        // usually enough, and what is not used of it was cheap.
        long most = Math.min(wanted, (long) STEP * all);
        int count = (int) Math.min(all == 1 ? most : 2 * most / all + 8, STEP);
        int bytes = Math.min(STEP_BYTES, ALL_BYTES / all);
        List<@Nullable Object> replies =
                scan.ask(
                        dry.stream()
                                .map(each -> scan.step(each.place, each.cursor, count, bytes))
                                .toList());
        for (int i = 0; i < dry.size(); i++) {
            Source source = dry.get(i);
            List<?> reply = Replies.list(replies.get(i));
            source.more = Replies.textOrEmpty(reply.getFirst()).equals("1");
            if (source.more) {
                source.cursor =
                        new Cursor(
                                Double.parseDouble(Replies.textOrEmpty(reply.get(1))),
                                Replies.textOrEmpty(reply.get(2)));
            }
            scan.collect(reply, source.place, source.hits);
        }
    }
}
