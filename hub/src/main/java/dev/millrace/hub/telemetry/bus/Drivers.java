package dev.millrace.hub.telemetry.bus;

import dev.millrace.hub.telemetry.bus.Operations.Wish;
import dev.millrace.hub.telemetry.kept.ChannelConfiguration;
import dev.millrace.hub.work.Beat;
import dev.millrace.hub.work.Bell;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.redis.outcome.RedisException;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * The channels that this hub talks to devices for. Of several hubs each wants the lease of every
 * channel; whoever comes first has it, and the others go on when that one dies. Thread-safe.
 */
public final class Drivers implements AutoCloseable {
    private static final Duration LOOK = Duration.ofSeconds(1);
    private static final Duration PATIENCE = Duration.ofSeconds(15);
    private static final Logger log = LoggerFactory.getLogger(Drivers.class);

    private final Keyspace keyspace;
    private final Spoken spoken;
    private final Journal journal;
    private final List<Holding> holdings;
    private final Supplier<List<ChannelConfiguration>> configured;
    private final Operations operations;
    private final InstantSource clock;
    private final String holder = UUID.randomUUID().toString();
    private final Map<Integer, Post> posts = new ConcurrentHashMap<>();

    /** Held while it is said what is wanted, so that a post does not end just then. */
    private final ReentrantLock lock = new ReentrantLock();

    private final Bell bell = new Bell();
    private final Thread thread;
    private volatile boolean closing;
    private boolean troubled;

    /**
     * @param configured the configurations of all channels, as they are now
     * @param holdings told of every channel that this hub holds
     */
    public Drivers(
            Keyspace keyspace,
            Spoken spoken,
            Journal journal,
            List<Holding> holdings,
            Supplier<List<ChannelConfiguration>> configured,
            Operations operations,
            MeterRegistry figures,
            InstantSource clock) {
        this.keyspace = keyspace;
        this.spoken = spoken;
        this.journal = journal;
        this.holdings = List.copyOf(holdings);
        this.configured = configured;
        this.operations = operations;
        this.clock = clock;
        Gauge.builder(
                        "millrace.telemetry.channels.driven",
                        posts,
                        all -> all.values().stream().filter(Post::isDriven).count())
                .description("Device channels that this hub polls.")
                .register(figures);
        this.thread = Thread.ofVirtual().name("telemetry-drivers").unstarted(this::run);
    }

    public void start() {
        thread.start();
    }

    /** A configuration or a wish has changed here: there is no need to wait for the next look. */
    public void wake() {
        bell.ring();
    }

    private void run() {
        try {
            while (!closing) {
                try {
                    look();
                    troubled = false;
                } catch (RedisException e) {
                    if (!troubled) {
                        log.warn("It cannot be seen what is stopped. reason={}", e.getMessage());
                    }
                    troubled = true;
                }
                bell.await(Beat.within(LOOK));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void look() {
        Map<Integer, Post.Wanted> wanted = new HashMap<>();
        for (ChannelConfiguration each : configured.get()) {
            if (each.enabled()) {
                spoken.forDevice(each)
                        .ifPresent(
                                protocol ->
                                        wanted.put(each.id(), new Post.Wanted(protocol, each, 0)));
            }
        }
        if (!wanted.isEmpty()) {
            operations
                    .all()
                    .forEach(
                            (channel, wish) ->
                                    wanted.computeIfPresent(channel, (id, it) -> with(it, wish)));
        }
        lock.lock();
        try {
            posts.forEach((channel, post) -> post.want(Optional.ofNullable(wanted.get(channel))));
            wanted.forEach(
                    (channel, it) -> {
                        if (!posts.containsKey(channel) && !closing) {
                            Post post = post(channel);
                            posts.put(channel, post);
                            post.want(Optional.of(it));
                            post.start();
                        }
                    });
        } finally {
            lock.unlock();
        }
    }

    private static Post.@Nullable Wanted with(Post.Wanted it, Wish wish) {
        return wish.stopped()
                ? null
                : new Post.Wanted(it.protocol(), it.configuration(), wish.turn());
    }

    private Post post(int channel) {
        return new Post(
                channel,
                keyspace.lease("channel-" + channel, holder, Post.LEASE_TIME),
                journal,
                holdings,
                clock,
                this::mayEnd);
    }

    private boolean mayEnd(Post post) {
        lock.lock();
        try {
            return !post.isWanted() && posts.remove(post.channel(), post);
        } finally {
            lock.unlock();
        }
    }

    /** Lets all channels go, so that another hub goes on at once. */
    @Override
    public void close() {
        closing = true;
        bell.ring();
        try {
            thread.join(PATIENCE);
            posts.values().forEach(Post::close);
            long end = System.nanoTime() + PATIENCE.toNanos();
            for (Post each : posts.values()) {
                each.join(Duration.ofNanos(Math.max(1, end - System.nanoTime())));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
