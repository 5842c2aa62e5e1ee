package dev.millrace.keyspace;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.keyspace.redis.Redis;
import dev.millrace.keyspace.redis.options.RedisOptions;
import dev.millrace.keyspace.redis.outcome.Outcome;
import dev.millrace.keyspace.schedule.Lease;
import dev.millrace.keyspace.schedule.Schedule;
import dev.millrace.keyspace.testing.ChildJvm;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/**
 * The process that {@link StoppedProcessTest} stops and wakes. It is a careless one: it never asks
 * whether its lease is still held, and has many commits in its hands at any moment.
 */
final class StoppedProcess {
    static final List<String> OWNERS = IntStream.range(0, 10).mapToObj(i -> "owner" + i).toList();
    static final Duration LEASE = Duration.ofMillis(300);
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final int IN_HAND = 50;
    static final int ALL_HANDS = IN_HAND * OWNERS.size();

    private final Keyspace keyspace;
    private final Lease lease;
    private final List<Thread> threads = new ArrayList<>();
    private List<Schedule.Claim> claims = List.of();
    private volatile boolean going;

    private StoppedProcess(Keyspace keyspace) {
        this.keyspace = keyspace;
        this.lease = keyspace.lease("sender", "first", LEASE);
    }

    public static void main(String[] args) throws IOException {
        // However long it was stopped, it has not stopped to wait. Not closed: ends with the test.
        Redis redis = Redis.open(RedisOptions.of(args[0]).withTimes(PATIENCE, PATIENCE));
        StoppedProcess process = new StoppedProcess(new Keyspace(redis, Plant.CATALOGUE));
        ChildJvm.answer("ready");
        ChildJvm.obey(process::obey);
    }

    private void obey(String order) {
        switch (order) {
            case "hold" -> hold();
            case "let go" -> letGo();
            case "claim" -> claims = keyspace.schedule("jobs").claim(1000, LEASE);
            case "finish" -> finish();
            default -> throw new IllegalArgumentException(order);
        }
        ChildJvm.answer(order);
    }

    // ---------------------------------------------------------------- as the holder of a lease

    private void hold() {
        while (!lease.take()) {
            LockSupport.parkNanos(LEASE.toNanos() / 10);
        }
        going = true;
        threads.add(Thread.startVirtualThread(this::renew));
        for (String owner : OWNERS) {
            threads.add(Thread.startVirtualThread(() -> write(owner)));
        }
    }

    private void renew() {
        while (going) {
            lease.take();
            LockSupport.parkNanos(LEASE.toNanos() / 3);
        }
    }

    private void write(String owner) {
        Semaphore hands = new Semaphore(IN_HAND);
        CompletableFuture<Void> last = CompletableFuture.completedFuture(null);
        while (going) {
            hands.acquireUninterruptibly();
            CompletableFuture<Outcome<Long>> sent =
                    keyspace.commit(owner)
                            .append(Plant.QUEUE.at(owner), "first".getBytes(UTF_8), 1_000_000)
                            .with(lease.guard())
                            .send();
            last =
                    sent.thenAccept(
                            outcome -> {
                                ChildJvm.news(word(outcome));
                                hands.release();
                            });
        }
        last.join();
        hands.acquireUninterruptibly(IN_HAND);
    }

    private void letGo() {
        going = false;
        try {
            for (Thread thread : threads) {
                thread.join();
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        threads.clear();
    }

    // ---------------------------------------------------------------- as a worker

    private void finish() {
        for (Schedule.Claim claim : claims) {
            Outcome<Long> outcome =
                    claim.commit()
                            .increment(Plant.COUNTER.at(claim.id()), 1)
                            .with(claim.done())
                            .run();
            ChildJvm.news(word(outcome));
        }
    }

    private static String word(Outcome<Long> outcome) {
        return switch (outcome) {
            case Outcome.Done<Long> done -> "done";
            case Outcome.NotDone<Long> not -> "not " + not.reason();
            case Outcome.Unconfirmed<Long> stored -> "unconfirmed";
            case Outcome.Unknown<Long> unknown -> "unknown";
        };
    }
}
