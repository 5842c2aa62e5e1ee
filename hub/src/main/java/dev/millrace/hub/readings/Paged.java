package dev.millrace.hub.readings;

import dev.millrace.keyspace.Page;
import dev.millrace.keyspace.Query;

import java.util.Iterator;
import java.util.NoSuchElementException;

/**
 * All answers to a question, fetched page by page while they are read, so that a long list never
 * lies in memory. The first page is fetched at once: what is wrong with Redis is known before an
 * answer has begun. For one thread.
 */
final class Paged<E> implements Iterator<E> {
    private static final int PAGE = 500;

    private final Query<E> query;
    private Page<E> page;
    private int at;

    Paged(Query<E> query) {
        this.query = query.limit(PAGE);
        this.page = query.page();
    }

    @Override
    public boolean hasNext() {
        while (at == page.items().size() && page.next().isPresent()) {
            page = query.after(page.next().get()).page();
            at = 0;
        }
        return at < page.items().size();
    }

    @Override
    public E next() {
        if (!hasNext()) {
            throw new NoSuchElementException("There are no more.");
        }
        return page.items().get(at++).value();
    }
}
