package dev.millrace.hub.ops;

import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.feed.FeedHealth;
import dev.millrace.keyspace.feed.Topic;
import dev.millrace.keyspace.redis.OwnConnection;
import dev.millrace.keyspace.redis.Redis;
import dev.millrace.keyspace.redis.Script;
import dev.millrace.keyspace.redis.ServerInfo;
import dev.millrace.keyspace.redis.options.Endpoint;
import dev.millrace.keyspace.redis.outcome.RedisException;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * How Redis and the feeds are doing. However many ask, there is one look at a time, and a look
 * serves everybody for a moment; nobody waits for it longer than {@link #BOUND}. So a Redis that
 * hangs costs those who ask two seconds at most, and never more than one look of our own.
 */
final class Pulse {
    private static final Logger log = LoggerFactory.getLogger(Pulse.class);

    /** Load balancers give up after a few seconds; they must have heard the reason by then. */
    static final Duration BOUND = Duration.ofSeconds(2);

    private static final long FRESH_NANOS = Duration.ofSeconds(1).toNanos();
    private static final long STALE_NANOS = Duration.ofSeconds(5).toNanos();
    private static final Script WRITE = Script.of(Pulse.class, "write");

    private final Keyspace keyspace;
    private final List<Topic> topics;
    private final Supplier<Optional<String>> trouble;
    private final Supplier<List<String>> standstills;
    private final InstantSource clock;
    private final ReentrantLock lock = new ReentrantLock();
    private volatile Consumer<Look> listener = look -> {};
    private @Nullable Look latest;
    private long latestNanos;
    private @Nullable CompletableFuture<Look> running;
    private long runningNanos;

    /**
     * What was seen.
     *
     * @param reasons why the hub cannot do its work; none if it can
     * @param feeds by the name of their topics
     */
    record Look(Instant at, List<String> reasons, Map<String, FeedHealth> feeds) {
        Look {
            reasons = List.copyOf(reasons);
            feeds = new TreeMap<>(feeds);
        }
    }

    /**
     * A pulse that nobody has felt yet.
     *
     * @param topics the feeds whose readers are looked at
     * @param trouble what whoever runs the server knows about it
     * @param standstills of the rooms: what they were to do and cannot
     */
    Pulse(
            Keyspace keyspace,
            List<Topic> topics,
            Supplier<Optional<String>> trouble,
            Supplier<List<String>> standstills,
            InstantSource clock) {
        this.standstills = standstills;
        this.keyspace = keyspace;
        this.topics = List.copyOf(topics);
        this.trouble = trouble;
        this.clock = clock;
    }

    /** Told of every look, on the thread that looked. */
    void listener(Consumer<Look> newListener) {
        listener = newListener;
    }

    /** Starts a look if the last one is old, and waits for nothing. */
    void feel() {
        lock.lock();
        try {
            if (running == null
                    && (latest == null || System.nanoTime() - latestNanos > STALE_NANOS)) {
                CompletableFuture<Look> _ = start();
            }
        } finally {
            lock.unlock();
        }
    }

    /** What was seen a moment ago, or is seen now; or that nothing can be seen. */
    Look look() {
        CompletableFuture<Look> look;
        long patience;
        lock.lock();
        try {
            if (latest != null && System.nanoTime() - latestNanos < FRESH_NANOS) {
                return latest;
            }
            look = running == null ? start() : running;
            patience = BOUND.toNanos() - (System.nanoTime() - runningNanos);
        } finally {
            lock.unlock();
        }
        try {
            return look.get(Math.max(0, patience), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            return unanswered();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return unanswered();
        } catch (ExecutionException e) {
            return failed("Redis could not be looked at: " + e.getCause());
        }
    }

    private Look unanswered() {
        String servers =
                String.join(", ", primaries().stream().map(Endpoint::address).sorted().toList());
        return failed(
                trouble.get()
                        .orElse(
                                "Redis (%s) has given no answer for %d s. Is it running, not stopped and not overloaded, and can it be reached from here? ./millrace doctor tells more."
                                        .formatted(servers, BOUND.toSeconds())));
    }

    private Look failed(String reason) {
        return new Look(clock.instant(), List.of(reason), Map.of());
    }

    private List<Endpoint> primaries() {
        try {
            return keyspace.redis().primaries();
        } catch (RedisException e) {
            return List.of();
        }
    }

    /** With the lock held. */
    private CompletableFuture<Look> start() {
        CompletableFuture<Look> started = new CompletableFuture<>();
        running = started;
        runningNanos = System.nanoTime();
        Thread.ofVirtual().name("pulse").start(() -> run(started));
        return started;
    }

    private void run(CompletableFuture<Look> started) {
        Look look;
        try {
            look = take();
        } catch (RuntimeException e) {
            // The message of anything else may be about the inside of some library.
            look =
                    failed(
                            "Redis could not be looked at: "
                                    + (e instanceof RedisException
                                            ? e.getMessage()
                                            : "the log has more."));
            if (!(e instanceof RedisException)) {
                log.error("Redis could not be looked at.", e);
            }
        }
        lock.lock();
        try {
            latest = look;
            latestNanos = System.nanoTime();
            running = null;
        } finally {
            lock.unlock();
        }
        listener.accept(look);
        started.complete(look);
    }

    private Look take() {
        List<String> reasons = new ArrayList<>(servers());
        Map<String, FeedHealth> feeds = new TreeMap<>();
        if (reasons.isEmpty()) {
            try {
                keyspace.redis().mustKeepPromises();
            } catch (RedisException e) {
                reasons.add(String.valueOf(e.getMessage()));
            }
            for (Topic topic : topics) {
                try {
                    FeedHealth health = keyspace.feed(topic).health();
                    feeds.put(topic.name(), health);
                    reasons.addAll(Behind.of(topic, health));
                } catch (RedisException e) {
                    reasons.add(String.valueOf(e.getMessage()));
                }
            }
        }
        reasons.addAll(standstills.get());
        return new Look(clock.instant(), reasons.stream().distinct().toList(), feeds);
    }

    /** All servers at once: one that hangs must not hide what another one says. */
    private List<String> servers() {
        List<String> reasons = new ArrayList<>();
        try (ExecutorService each = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Callable<Optional<String>>> visits = new ArrayList<>();
            for (Endpoint server : keyspace.redis().primaries()) {
                visits.add(() -> visit(server));
            }
            for (Future<Optional<String>> visit : each.invokeAll(visits)) {
                visit.resultNow().ifPresent(reasons::add);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return reasons;
    }

    private Optional<String> visit(Endpoint server) {
        Redis redis = keyspace.redis();
        try (OwnConnection connection = redis.own(server)) {
            String info = text(connection.call(ascii("INFO")));
            connection.call(WRITE.evaluationWithoutKeys());
            String policy = ServerInfo.parse(info).evictionPolicy();
            return policy.equals("noeviction")
                    ? Optional.empty()
                    : Optional.of(
                            "%s: It throws keys away when its memory is full (maxmemory-policy is %s). Type CONFIG SET maxmemory-policy noeviction in redis-cli."
                                    .formatted(server.address(), policy));
        } catch (RedisException e) {
            return Optional.of(
                    trouble.get()
                            .orElseGet(() -> "%s: %s".formatted(server.address(), e.getMessage())));
        }
    }

    private static byte[] ascii(String word) {
        return word.getBytes(StandardCharsets.US_ASCII);
    }

    private static String text(@Nullable Object reply) {
        return reply instanceof byte[] bytes
                ? new String(bytes, StandardCharsets.UTF_8)
                : Objects.toString(reply, "");
    }
}
