package dev.millrace.keyspace.backup;

import dev.millrace.keyspace.backup.rdb.Part;
import dev.millrace.keyspace.backup.rdb.RdbReader;
import dev.millrace.keyspace.redis.Redis;
import dev.millrace.keyspace.redis.Snapshot;
import dev.millrace.keyspace.redis.options.Endpoint;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Reads the snapshots of all servers at once, each in a thread of its own: a server waits for
 * whoever reads, and holds back memory until it has.
 */
final class SnapshotWalk {
    private final Redis redis;
    private final List<Snapshot> open = new CopyOnWriteArrayList<>();

    SnapshotWalk(Redis redis) {
        this.redis = redis;
    }

    /**
     * Hands over every part of every key, as it lies in Redis.
     *
     * @param begun told when every server has begun: what is written later is in no snapshot
     * @param visitors makes one for each server, which is called by one thread
     */
    void over(List<Endpoint> servers, Runnable begun, Supplier<Consumer<Part>> visitors) {
        try {
            all(servers, server -> open.add(redis.snapshot(server)));
            begun.run();
            all(open, snapshot -> read(snapshot, visitors.get()));
        } finally {
            open.forEach(Snapshot::close);
        }
    }

    private boolean read(Snapshot snapshot, Consumer<Part> visitor) {
        snapshot.finish(RdbReader.read(snapshot, redis.options().database(), visitor));
        return true;
    }

    /** Does it for each at the same time; the first failure ends all. */
    private <A, B> void all(List<A> items, Function<A, B> work) {
        try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<B>> going = new ArrayList<>();
            items.forEach(item -> going.add(threads.submit(() -> work.apply(item))));
            boolean ended = false;
            try {
                for (Future<B> each : going) {
                    each.get();
                }
                ended = true;
            } finally {
                if (!ended) {
                    open.forEach(Snapshot::close);
                }
            }
        } catch (ExecutionException e) {
            if (e.getCause() instanceof RuntimeException cause) {
                throw cause;
            }
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BackupException("It was interrupted.");
        }
    }
}
