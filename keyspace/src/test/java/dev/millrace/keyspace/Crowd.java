package dev.millrace.keyspace;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.IntConsumer;
import java.util.function.IntFunction;

/** Does something from many threads at the same moment; a failure of one is a failure of all. */
final class Crowd {
    private Crowd() {}

    static <T> List<T> ask(int count, IntFunction<T> task) {
        CountDownLatch start = new CountDownLatch(1);
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<T>> going = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                int number = i;
                Callable<T> work =
                        () -> {
                            start.await();
                            return task.apply(number);
                        };
                going.add(threads.submit(work));
            }
            start.countDown();
            List<T> answers = new ArrayList<>();
            for (Future<T> each : going) {
                answers.add(each.get());
            }
            return answers;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        } catch (ExecutionException e) {
            throw new AssertionError(e.getCause());
        }
    }

    static void run(int count, IntConsumer task) {
        ask(
                count,
                number -> {
                    task.accept(number);
                    return number;
                });
    }
}
