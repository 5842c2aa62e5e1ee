package dev.millrace.bench.commands;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.millrace.bench.race.RaceServer;
import dev.millrace.keyspace.redis.Redis;
import dev.millrace.keyspace.redis.Subscription;

import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Hears how commands end, from what the hub publishes with the commit of each end. So a time counts
 * until the end is stored and told, and not until somebody looks.
 */
final class Ends implements AutoCloseable {
    private static final String CHANNEL = "event:control";
    private static final String ID = "bench-";
    private static final long MOST_SECONDS = 120;

    private final Redis redis;
    private final Subscription subscription;
    private final ConcurrentHashMap<Long, Long> began = new ConcurrentHashMap<>();
    private final ConcurrentHashMap<Long, Long> took = new ConcurrentHashMap<>();
    private final AtomicLong next = new AtomicLong();
    private final AtomicLong failed = new AtomicLong();
    private volatile long last;

    Ends(RaceServer server) throws InterruptedException {
        CountDownLatch listening = new CountDownLatch(1);
        redis = Redis.open(server.options());
        subscription =
                redis.subscribe(
                        List.of(CHANNEL),
                        new Subscription.Listener() {
                            @Override
                            public void message(String channel, byte[] body) {
                                heard(new String(body, UTF_8));
                            }

                            @Override
                            public void listening(String channel) {
                                listening.countDown();
                            }
                        });
        if (!listening.await(MOST_SECONDS, TimeUnit.SECONDS)) {
            throw new IllegalStateException("Nothing can be heard from Redis.");
        }
    }

    /** The id of an order. */
    static String id(long number) {
        return ID + number;
    }

    /** The number of the next order, which begins at this time. */
    long begin(long nanos) {
        long number = next.getAndIncrement();
        began.put(number, nanos);
        return number;
    }

    private void heard(String event) {
        boolean completed = event.contains("\"control_completed\"");
        int at = event.indexOf("\"" + ID);
        if (at < 0 || event.contains("\"type\":\"control\"")) {
            return;
        }
        if (!completed) {
            failed.incrementAndGet();
        }
        int from = at + 1 + ID.length();
        long number = Long.parseLong(event.substring(from, event.indexOf('"', from)));
        Long since = began.remove(number);
        if (since != null) {
            last = System.nanoTime();
            took.put(number, last - since);
        }
    }

    /** Waits until all that were begun have ended; gives when the last one did. */
    long awaitAll() throws InterruptedException {
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(MOST_SECONDS);
        while (!began.isEmpty()) {
            if (System.nanoTime() - until > 0) {
                throw new IllegalStateException(began.size() + " commands do not end.");
            }
            TimeUnit.MILLISECONDS.sleep(1);
        }
        if (failed.get() > 0) {
            throw new IllegalStateException(failed.get() + " commands have failed.");
        }
        return last;
    }

    /** How long each took, from its giving to its end; forgets them. */
    long[] times() {
        long[] times = took.values().stream().mapToLong(Long::longValue).toArray();
        took.clear();
        return times;
    }

    @Override
    public void close() {
        subscription.close();
        redis.close();
    }
}
