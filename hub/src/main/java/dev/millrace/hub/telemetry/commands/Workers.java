package dev.millrace.hub.telemetry.commands;

import dev.millrace.hub.telemetry.bus.HeldChannel;
import dev.millrace.hub.telemetry.bus.Holding;
import dev.millrace.hub.telemetry.kept.PointIds;
import dev.millrace.hub.telemetry.kept.TelemetryLayouts;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.foreign.ForeignWrites;
import dev.millrace.keyspace.redis.outcome.RedisException;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * A worker for each channel that this hub holds. It is woken by what is given here at once; by what
 * others put into a queue as soon as Redis names the queue; and, since such hints may be lost and a
 * cluster gives none, by a look at all queues now and then. Thread-safe.
 */
final class Workers implements Holding, AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Workers.class);

    private static final Duration LOOK = Duration.ofSeconds(1);
    private static final Duration LOOK_IN_CLUSTER = Duration.ofMillis(100);
    private static final Duration LAST_ANSWER = Duration.ofSeconds(5);

    private final Keyspace keyspace;
    private final Tools tools;
    private final Duration look;
    private final Map<Integer, Worker> workers = new ConcurrentHashMap<>();
    private final Map<Integer, Worker> before = new ConcurrentHashMap<>();
    private final Map<Integer, Sent> sent = new ConcurrentHashMap<>();
    private final CountDownLatch closed = new CountDownLatch(1);
    private @Nullable Thread looking;
    private @Nullable ForeignWrites hints;

    Workers(Keyspace keyspace, Tools tools) {
        this.keyspace = keyspace;
        this.tools = tools;
        this.look = keyspace.redis().cluster() ? LOOK_IN_CLUSTER : LOOK;
    }

    @Override
    public void begin(HeldChannel channel) {
        listen();
        int id = channel.channel();
        Worker worker =
                new Worker(
                        channel,
                        tools,
                        sent.computeIfAbsent(id, each -> new Sent()),
                        Optional.ofNullable(before.remove(id)));
        workers.put(id, worker);
        worker.start();
    }

    @Override
    public void end(HeldChannel channel) {
        Worker worker = workers.remove(channel.channel());
        if (worker != null) {
            before.put(channel.channel(), worker);
            worker.end(LAST_ANSWER);
        }
    }

    /** Something waits for this channel. */
    void wake(int channel) {
        Worker worker = workers.get(channel);
        if (worker != null) {
            worker.wake();
        }
    }

    // ---------------------------------------------------------------- noticing

    /** A hub that holds no channel listens to nothing. */
    private synchronized void listen() {
        if (looking != null || closed.getCount() == 0) {
            return;
        }
        looking = Thread.ofVirtual().name("commands-look").start(this::lookAgainAndAgain);
        if (!keyspace.redis().cluster()) {
            hints =
                    keyspace.foreignWrites(
                            List.of(TelemetryLayouts.CONTROL_QUEUE.pattern()), this::noticed);
        }
    }

    private void noticed(ForeignWrites.Noticed noticed) {
        if (noticed.everythingOf(TelemetryLayouts.CONTROL_QUEUE.pattern())) {
            workers.values().forEach(Worker::wake);
        }
        // Most of it is what this hub has just taken itself: then there is nothing to wake for.
        List<Integer> held = new ArrayList<>();
        for (String key : noticed.keysOf(TelemetryLayouts.CONTROL_QUEUE.pattern())) {
            TelemetryLayouts.CONTROL_QUEUE
                    .valueIn(key, "channel_id")
                    .map(PointIds::channel)
                    .filter(workers::containsKey)
                    .ifPresent(held::add);
        }
        tools.reads().withWork(held).forEach(this::wake);
    }

    private void lookAgainAndAgain() {
        boolean troubled = false;
        try {
            while (!closed.await(look.toNanos(), TimeUnit.NANOSECONDS)) {
                try {
                    tools.reads().withWork(List.copyOf(workers.keySet())).forEach(this::wake);
                    troubled = false;
                } catch (RedisException e) {
                    if (!troubled) {
                        log.warn("Queues of commands cannot be read. reason={}", e.getMessage());
                    }
                    troubled = true;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** What still works is ended; what it has sent is recorded, if that can be. */
    @Override
    public synchronized void close() {
        closed.countDown();
        if (hints != null) {
            hints.close();
        }
        before.putAll(workers);
        workers.clear();
        before.values().forEach(each -> each.end(LAST_ANSWER));
        before.values().forEach(Worker::join);
    }
}
