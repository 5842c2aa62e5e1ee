package dev.millrace.hub.notifications.kept;

import dev.millrace.keyspace.commit.Stored;
import dev.millrace.keyspace.store.Page;
import dev.millrace.keyspace.store.Query;

import org.jspecify.annotations.Nullable;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.NoSuchElementException;

/** All that a query finds, page after page while it is asked for. For one thread. */
final class Pages<E> implements Iterator<Stored<E>> {
    /** Small, because in a cluster each shard is asked for so many. */
    private static final int PAGE = 100;

    private final Query<E> query;
    private final Deque<Stored<E>> ready = new ArrayDeque<>();
    private boolean finished;

    private Pages(Query<E> query) {
        this.query = query;
    }

    static <E> Pages<E> of(Query<E> query) {
        return new Pages<>(query.limit(PAGE));
    }

    /** The same, whose first page is no larger than what is wanted; 0 for all. */
    static <E> Pages<E> of(Query<E> query, int wanted) {
        return new Pages<>(query.limit(wanted == 0 ? PAGE : Math.min(wanted, PAGE)));
    }

    @Override
    public boolean hasNext() {
        // A page may have nothing that can be read, and yet be followed by another one.
        while (ready.isEmpty() && !finished) {
            Page<E> page = query.page();
            ready.addAll(page.items());
            page.next().ifPresentOrElse(query::after, () -> finished = true);
        }
        return !ready.isEmpty();
    }

    @Override
    public Stored<E> next() {
        @Nullable Stored<E> next = hasNext() ? ready.poll() : null;
        if (next == null) {
            throw new NoSuchElementException();
        }
        return next;
    }
}
