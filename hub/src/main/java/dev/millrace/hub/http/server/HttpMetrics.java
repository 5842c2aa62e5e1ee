package dev.millrace.hub.http.server;

import dev.millrace.hub.http.RouteTable;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;

/**
 * Counts answers by route and status. The route is that of the table, never the path that was asked
 * for: a stranger must not be able to make new time series.
 */
final class HttpMetrics {
    private static final int STATUSES = 600;
    private static final Duration[] BUCKETS = {
        Duration.ofNanos(500_000),
        Duration.ofMillis(1),
        Duration.ofMillis(2),
        Duration.ofMillis(5),
        Duration.ofMillis(10),
        Duration.ofMillis(25),
        Duration.ofMillis(50),
        Duration.ofMillis(100),
        Duration.ofMillis(250),
        Duration.ofSeconds(1),
        Duration.ofSeconds(5),
        Duration.ofSeconds(30)
    };

    private final MeterRegistry registry;
    private final Map<RouteTable.Entry, AtomicReferenceArray<@Nullable Timer>> timers =
            new ConcurrentHashMap<>();
    private final AtomicReferenceArray<@Nullable Timer> elsewhere =
            new AtomicReferenceArray<>(STATUSES);
    private final Counter turnedAway;

    HttpMetrics(MeterRegistry registry) {
        this.registry = registry;
        this.turnedAway =
                Counter.builder("millrace.http.connections.refused")
                        .description("Connections closed at once: more than http.max-connections.")
                        .register(registry);
    }

    void watch(Front front) {
        registry.gauge("millrace.http.connections", front.connections);
        registry.gauge("millrace.http.in.flight", front.inFlight);
        registry.gauge("millrace.http.bodies.bytes", front.bodies.used());
        registry.gauge("millrace.http.answers.bytes", front.answers.used());
    }

    void turnedAway() {
        turnedAway.increment();
    }

    void answered(RouteTable.@Nullable Entry entry, int answered, long nanos) {
        // Where an answer was fetched from elsewhere, its status is whatever that server says.
        int status = Math.clamp(answered, 0, STATUSES - 1);
        AtomicReferenceArray<@Nullable Timer> own =
                entry == null
                        ? elsewhere
                        : timers.computeIfAbsent(entry, e -> new AtomicReferenceArray<>(STATUSES));
        Timer timer = own.get(status);
        if (timer == null) {
            timer = timer(entry, status);
            own.set(status, timer);
        }
        timer.record(nanos, TimeUnit.NANOSECONDS);
    }

    private Timer timer(RouteTable.@Nullable Entry entry, int status) {
        return Timer.builder("millrace.http.requests")
                .description("Requests, from complete headers to the answer.")
                .tag("method", entry == null ? "" : entry.route().method().name())
                .tag("route", entry == null ? "none" : entry.route().path())
                .tag("status", Integer.toString(status))
                .serviceLevelObjectives(BUCKETS)
                .register(registry);
    }
}
