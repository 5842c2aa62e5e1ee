package dev.millrace.hub.readings.kept;

import dev.millrace.keyspace.store.Page;
import dev.millrace.keyspace.store.Query;
import dev.millrace.keyspace.store.Store;

import org.jspecify.annotations.Nullable;

import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.PriorityQueue;

/**
 * The readings of several names, newest first over all of them. Each name has an index of its own;
 * of each only the next few are in memory, and more are fetched when these are used up. A name of
 * which there is nothing new enough costs one question. For one thread.
 */
public final class NewestOfNames implements Iterator<Reading> {
    /** How many of one name are fetched at once, at least and at most. */
    private static final int LEAST = 8;

    private static final int MOST = 500;

    private static final Comparator<Reading> NEWEST_FIRST =
            Comparator.comparingLong(Reading::created).thenComparing(Reading::id).reversed();

    private final PriorityQueue<Source> sources =
            new PriorityQueue<>(Comparator.comparing(Source::head, NEWEST_FIRST));
    private long wanted;

    /** What is left of one name. */
    private static final class Source {
        private final Query<Reading> query;
        private Page<Reading> page;
        private int at;

        Source(Query<Reading> query) {
            this.query = query;
            this.page = query.page();
        }

        boolean hasHead() {
            while (at == page.items().size() && page.next().isPresent()) {
                page = query.after(page.next().get()).page();
                at = 0;
            }
            return at < page.items().size();
        }

        Reading head() {
            return page.items().get(at).value();
        }
    }

    public NewestOfNames(Store<Reading> readings, List<String> names, long most) {
        wanted = most;
        if (most > 0 && !names.isEmpty()) {
            // Twice an equal share: enough for most, and little is fetched in vain.
            int step = Math.clamp(2 * most / names.size(), LEAST, MOST);
            Together.each(
                            names,
                            name ->
                                    new Source(
                                            readings.query("reading:name:{name}", name)
                                                    .newestFirst()
                                                    .limit(step)))
                    .stream()
                    .filter(Source::hasHead)
                    .forEach(sources::add);
        }
    }

    @Override
    public boolean hasNext() {
        return wanted > 0 && !sources.isEmpty();
    }

    @Override
    public Reading next() {
        @Nullable Source newest = wanted > 0 ? sources.poll() : null;
        if (newest == null) {
            throw new NoSuchElementException("There are no more.");
        }
        Reading reading = newest.head();
        wanted--;
        newest.at++;
        if (wanted > 0 && newest.hasHead()) {
            sources.add(newest);
        }
        return reading;
    }
}
