package dev.millrace.hub.notifications.kept;

import dev.millrace.keyspace.commit.Stored;

import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.PriorityQueue;

/**
 * Several lists in the order of ids as one, in which each thing is once. For one thread.
 *
 * @param <E> what is in them
 */
final class Merged<E> implements Iterator<Stored<E>> {
    private final PriorityQueue<Head<E>> heads =
            new PriorityQueue<>(Comparator.comparing(head -> head.first.id()));

    /** The first of what is left of one list. */
    private record Head<E>(Stored<E> first, Iterator<Stored<E>> rest) {}

    Merged(List<? extends Iterator<Stored<E>>> lists) {
        lists.forEach(this::enter);
    }

    private void enter(Iterator<Stored<E>> rest) {
        if (rest.hasNext()) {
            heads.add(new Head<>(rest.next(), rest));
        }
    }

    @Override
    public boolean hasNext() {
        return !heads.isEmpty();
    }

    @Override
    public Stored<E> next() {
        Head<E> least = heads.poll();
        if (least == null) {
            throw new NoSuchElementException();
        }
        enter(least.rest);
        for (Head<E> same = heads.peek();
                same != null && same.first.id().equals(least.first.id());
                same = heads.peek()) {
            heads.remove(same);
            enter(same.rest);
        }
        return least.first;
    }
}
