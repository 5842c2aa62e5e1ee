package dev.millrace.hub.notifications.kept;

import dev.millrace.keyspace.commit.Stored;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Predicate;

/**
 * Removes many things, some at once: their commits travel together. However many there are, only
 * one step of them is in memory.
 */
public final class Removal {
    private static final int STEP = 100;

    private Removal() {}

    /**
     * Removes what the condition holds for.
     *
     * @param remove gives whether it was there
     * @return how many were removed
     */
    public static <E> long of(
            Iterator<Stored<E>> all, Predicate<Stored<E>> condition, Predicate<Stored<E>> remove) {
        return of(all, condition, remove, Long.MAX_VALUE);
    }

    /** The same for the first so many that the condition holds for. */
    public static <E> long of(
            Iterator<Stored<E>> all,
            Predicate<Stored<E>> condition,
            Predicate<Stored<E>> remove,
            long most) {
        long left = most;
        long removed = 0;
        List<Callable<Boolean>> step = new ArrayList<>(STEP);
        try (ExecutorService each = Executors.newVirtualThreadPerTaskExecutor()) {
            while (left > 0 && all.hasNext()) {
                Stored<E> next = all.next();
                if (condition.test(next)) {
                    step.add(() -> remove.test(next));
                    left--;
                }
                if (step.size() == STEP || left == 0 || !all.hasNext()) {
                    for (Future<Boolean> done : each.invokeAll(step)) {
                        removed += done.get() ? 1 : 0;
                    }
                    step.clear();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException why) {
                throw why;
            }
            throw new IllegalStateException(e.getCause());
        }
        return removed;
    }
}
