package dev.millrace.keyspace.commit;

import static dev.millrace.keyspace.redis.Words.number;

import dev.millrace.keyspace.layout.Cell;
import dev.millrace.keyspace.layout.KeyType;

/**
 * A list from which work is taken: what a commit looks for in it and takes out of it. An element is
 * known by its bytes, for others push elements too; equal ones are taken out one by one, the first
 * of them first.
 *
 * {@snippet :
 * WorkQueue queue = WorkQueue.at(QUEUE.at("7"));
 * commit.with(queue.has(element)).with(queue.without(element)).append(TAKEN.at("7"), element, 10);
 * }
 */
public final class WorkQueue {
    private final Cell.Key list;

    private WorkQueue(Cell.Key list) {
        this.list = list;
    }

    public static WorkQueue at(Cell.Key list) {
        return new WorkQueue(list);
    }

    /** Fewer elements wait than so many; else it is a CONFLICT. */
    public Addition shorterThan(int elements) {
        return check(Operation.LIST_SHORTER, number(elements));
    }

    /** The element waits; else it is ABSENT. Looks through the list. */
    public Addition has(byte[] element) {
        return check(Operation.IN_LIST, element);
    }

    private Addition check(Operation operation, byte[] argument) {
        return basket ->
                basket.add(operation, basket.cells().checked(list, KeyType.LIST), argument);
    }

    /** Takes the element out, if it waits. Looks through the list. */
    public Addition without(byte[] element) {
        return basket ->
                basket.add(
                        Operation.REMOVE_LISTED,
                        basket.cells().written(list, KeyType.LIST),
                        element);
    }
}
