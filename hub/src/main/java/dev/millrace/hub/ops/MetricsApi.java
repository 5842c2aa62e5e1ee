package dev.millrace.hub.ops;

import dev.millrace.hub.access.Role;
import dev.millrace.hub.http.Answer;
import dev.millrace.hub.http.Request;
import dev.millrace.hub.http.Route;
import dev.millrace.keyspace.feed.FeedHealth;
import dev.millrace.keyspace.redis.Redis;

import io.micrometer.core.instrument.Timer;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;

import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** {@code /metrics} for Prometheus, and the few of its figures that the page shows. */
final class MetricsApi {
    private static final String TYPE = "text/plain; version=0.0.4; charset=utf-8";

    private final PrometheusMeterRegistry registry;
    private final Redis redis;
    private final Pulse pulse;
    private final InstantSource clock;
    private final String version;
    private volatile Map<String, FeedHealth> feeds = Map.of();

    MetricsApi(
            PrometheusMeterRegistry registry,
            Redis redis,
            Pulse pulse,
            InstantSource clock,
            String version) {
        this.registry = registry;
        this.redis = redis;
        this.pulse = pulse;
        this.clock = clock;
        this.version = version;
    }

    /** Told after each look at Redis. */
    void seen(Pulse.Look look) {
        feeds = look.feeds();
    }

    /**
     * Counters since the start, for rates, and what is now.
     *
     * @param requests over HTTP, answered
     * @param redisRoundTripMillis on average since the start
     */
    record Figures(
            Instant at,
            String version,
            long uptimeSeconds,
            long requests,
            long inFlight,
            long connections,
            long redisRequests,
            long redisRoundTrips,
            double redisRoundTripMillis,
            long redisWaiting,
            long heapBytes,
            Map<String, FeedFigures> feeds) {}

    /** How much a feed holds, and how many facts its slowest reader has not read. */
    record FeedFigures(long bytes, long unread) {}

    List<Route> routes() {
        return List.of(
                Route.get("/metrics")
                        .needs(Role.VIEWER, "ops")
                        .about("All figures, in the text format of Prometheus.")
                        .givesType("text/plain")
                        .by(this::metrics),
                Route.get("/ops/figures")
                        .needs(Role.VIEWER, "ops")
                        .about("The most important figures; two answers tell the rates between.")
                        .gives(Figures.class)
                        .by(this::figures));
    }

    private Answer metrics(Request request) {
        // What is served is what was seen last: a scrape does not wait for Redis.
        pulse.feel();
        return Answer.bytes(200, TYPE, registry.scrape().getBytes(StandardCharsets.UTF_8));
    }

    private Answer figures(Request request) {
        pulse.feel();
        Redis.Figures counted = redis.figures();
        Map<String, FeedFigures> shown = new TreeMap<>();
        feeds.forEach(
                (topic, health) ->
                        shown.put(
                                topic,
                                new FeedFigures(
                                        health.bytes(),
                                        health.readers().stream()
                                                .mapToLong(FeedHealth.Reader::unread)
                                                .max()
                                                .orElse(0))));
        return Answer.json(
                new Figures(
                        clock.instant(),
                        version,
                        Duration.ofMillis(ManagementFactory.getRuntimeMXBean().getUptime())
                                .toSeconds(),
                        registry.find("millrace.http.requests").timers().stream()
                                .mapToLong(Timer::count)
                                .sum(),
                        gauge("millrace.http.in.flight"),
                        gauge("millrace.http.connections"),
                        counted.requests(),
                        counted.batches(),
                        counted.batches() == 0
                                ? 0
                                : (double) counted.roundTripNanos()
                                        / counted.batches()
                                        / TimeUnit.MILLISECONDS.toNanos(1),
                        counted.waiting(),
                        ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed(),
                        shown));
    }

    private long gauge(String name) {
        var found = registry.find(name).gauge();
        return found == null ? 0 : (long) found.value();
    }
}
