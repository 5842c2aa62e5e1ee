package dev.millrace.hub.live;

import dev.millrace.hub.access.Decision;
import dev.millrace.hub.access.Gate;
import dev.millrace.hub.http.Code;
import dev.millrace.hub.http.Problem;
import dev.millrace.hub.http.Route;
import dev.millrace.hub.work.Bell;
import dev.millrace.keyspace.Keyspace;

import io.micrometer.core.instrument.MeterRegistry;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Live feeds of one hub: what rooms have declared, read once for all who listen. Opened before the
 * server and closed after it. Thread-safe.
 */
public final class Live implements AutoCloseable {
    /** So many feeds on one connection; more is a mistake. */
    static final int MOST_FEEDS = 16;

    /** So many clients read from Redis at the same time what they missed. */
    private static final int CATCHING_UP = 8;

    private static final Duration TICK = Duration.ofSeconds(1);

    /** Whoever joins wakes it. */
    private static final Duration NOBODY = Duration.ofHours(1);

    private static final Duration LATER = Duration.ofSeconds(5);

    private final Gate gate;
    private final LiveSettings settings;
    private final LiveMetrics metrics;
    private final Map<String, Tail> tails = new LinkedHashMap<>();
    private final Map<Executor, Crowd> crowds = new ConcurrentHashMap<>();
    private final CountDownLatch closed = new CountDownLatch(1);

    /** Rung for the clock, which stands while nobody listens. */
    private final Bell joined = new Bell();

    private final Thread clock = Thread.ofVirtual().name("live-clock").unstarted(this::watch);

    private Live(
            Keyspace keyspace,
            Gate gate,
            LiveSettings settings,
            MeterRegistry registry,
            List<LiveFeed> feeds) {
        this.gate = gate;
        this.settings = settings;
        this.metrics = new LiveMetrics(registry);
        Semaphore catchingUp = new Semaphore(CATCHING_UP);
        for (LiveFeed feed : feeds) {
            Tail tail =
                    new Tail(
                            feed,
                            () -> keyspace.feed(feed.topic()),
                            settings.recentFacts(),
                            catchingUp);
            if (tails.put(feed.name(), tail) != null) {
                throw new IllegalArgumentException("Two feeds are called " + feed.name());
            }
        }
    }

    public static Live open(
            Keyspace keyspace,
            Gate gate,
            LiveSettings settings,
            MeterRegistry registry,
            List<LiveFeed> feeds) {
        Live live = new Live(keyspace, gate, settings, registry, feeds);
        live.clock.start();
        return live;
    }

    public List<Route> routes() {
        return new LiveApi(this).routes();
    }

    Gate gate() {
        return gate;
    }

    LiveMetrics metrics() {
        return metrics;
    }

    Crowd crowd(Executor loop) {
        return crowds.computeIfAbsent(loop, each -> new Crowd(each, settings, metrics));
    }

    /** Counts a client in, unless there are too many; {@link Client#closed} counts it out. */
    void countIn() {
        joined.ring();
        if (metrics.joined() > settings.maxClients()) {
            metrics.left();
            throw Problem.retryable(
                    Code.OVERLOADED,
                    "More clients listen than live.max-clients; try again later.",
                    LATER);
        }
    }

    /**
     * Joins the feeds of these names, if the pass opens all of them.
     *
     * @throws Problem if one is not known, or not allowed; then none is joined
     */
    List<Tail> join(List<String> names, Pass pass) {
        if (names.isEmpty() || names.size() > MOST_FEEDS) {
            throw Problem.of(
                    Code.BAD_PARAMETER,
                    "Name 1 to %d feeds, separated by commas. There are: %s."
                            .formatted(MOST_FEEDS, String.join(", ", tails.keySet())));
        }
        List<Tail> wanted = names.stream().map(name -> named(name, pass)).toList();
        List<Tail> joined = new ArrayList<>();
        try {
            for (Tail tail : wanted) {
                tail.join();
                joined.add(tail);
            }
            return joined;
        } catch (RuntimeException e) {
            joined.forEach(Tail::leave);
            throw e;
        }
    }

    private Tail named(String name, Pass pass) {
        Tail tail = tails.get(name);
        if (tail == null) {
            throw Problem.of(
                    Code.BAD_PARAMETER,
                    "There is no feed '%s'. There are: %s."
                            .formatted(name, String.join(", ", tails.keySet())));
        }
        Decision decision = pass.admit(tail.feed().door());
        if (!(decision instanceof Decision.Admitted)) {
            throw Problem.of(decision);
        }
        return tail;
    }

    private void watch() {
        try {
            while (!closed.await(TICK.toMillis(), TimeUnit.MILLISECONDS)) {
                crowds.forEach((loop, crowd) -> loop.execute(crowd::tick));
                if (metrics.clients() == 0) {
                    joined.await(NOBODY);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        closed.countDown();
        joined.ring();
        tails.values().forEach(Tail::close);
    }
}
