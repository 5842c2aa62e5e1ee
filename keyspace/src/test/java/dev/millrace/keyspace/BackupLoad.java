package dev.millrace.keyspace;

import static org.awaitility.Awaitility.await;

import dev.millrace.keyspace.Plant.Event;
import dev.millrace.keyspace.Plant.Reading;
import dev.millrace.keyspace.redis.outcome.Outcome;
import dev.millrace.keyspace.redis.outcome.Reason;
import dev.millrace.keyspace.redis.outcome.RedisException;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/** Writers that create, change, move and delete entities until they are told to stop. */
final class BackupLoad implements AutoCloseable {
    private final Keyspace keyspace;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final List<Future<?>> writers = new ArrayList<>();
    private final AtomicBoolean stop = new AtomicBoolean();
    private final AtomicLong writes = new AtomicLong();

    private BackupLoad(Keyspace keyspace) {
        this.keyspace = keyspace;
    }

    static BackupLoad start(Keyspace keyspace, int count) {
        BackupLoad load = new BackupLoad(keyspace);
        for (int i = 0; i < count; i++) {
            int number = i;
            load.writers.add(load.threads.submit(() -> load.write(number)));
        }
        return load;
    }

    private void write(int number) {
        Random random = new Random(number);
        BackupWorld world = new BackupWorld(keyspace);
        while (!stop.get()) {
            int i = 1000 * (number + 1) + random.nextInt(100);
            switch (random.nextInt(4)) {
                case 0 -> writeAll(world, i);
                case 1 -> keyspace.store(Plant.EVENTS).delete(BackupWorld.eventId(i));
                case 2 -> {
                    String device = "device" + random.nextInt(50);
                    accept(
                            keyspace.store(Plant.EVENTS)
                                    .update(
                                            BackupWorld.eventId(i),
                                            old -> new Event(old.id(), device, old.created(), 7)));
                }
                default ->
                        accept(
                                keyspace.store(Plant.READINGS)
                                        .update(
                                                BackupWorld.readingId(i),
                                                old ->
                                                        new Reading(
                                                                old.id(),
                                                                "device" + random.nextInt(50),
                                                                "n",
                                                                old.created(),
                                                                "new")));
            }
            writes.incrementAndGet();
        }
    }

    private static void writeAll(BackupWorld world, int i) {
        try {
            world.write(i);
        } catch (RedisException e) {
            if (e.reason() != Reason.UNAVAILABLE) {
                throw e;
            }
        }
    }

    /** A move may have to wait for a backup that begins; nothing else may fail. */
    private static void accept(Outcome<?> outcome) {
        if (!outcome.failedBy(Reason.ABSENT) && !outcome.failedBy(Reason.UNAVAILABLE)) {
            outcome.orThrow();
        }
    }

    /** Waits until so many more writes were made. */
    void awaitWrites(long more) {
        long until = writes.get() + more;
        await().atMost(120, TimeUnit.SECONDS)
                .until(() -> writes.get() >= until || writers.stream().anyMatch(Future::isDone));
    }

    /** Stops them; a failure of one is a failure of all. */
    @Override
    public void close() {
        stop.set(true);
        try {
            for (Future<?> writer : writers) {
                writer.get();
            }
        } catch (ExecutionException e) {
            throw new AssertionError(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
        threads.close();
    }
}
