package dev.millrace.hub.http.proxy;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;

import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;

/** What a proxy counts. */
final class ProxyFigures {
    final AtomicInteger connections = new AtomicInteger();
    final AtomicInteger asking = new AtomicInteger();
    final AtomicInteger tunnels = new AtomicInteger();
    private final Counter turnedAway;
    private final Counter brokenOff;
    private final Counter[] answers = new Counter[6];
    private final Map<Failure, Counter> failures = new EnumMap<>(Failure.class);

    ProxyFigures(MeterRegistry registry, Upstreams upstreams) {
        gauge(registry, "connections", "Clients that are connected to the proxy.", connections);
        gauge(registry, "asking", "Requests that the application is working on.", asking);
        gauge(registry, "tunnels", "WebSockets through the proxy.", tunnels);
        Gauge.builder("millrace.proxy.applications", upstreams, Upstreams::working)
                .description("Applications behind the proxy that answer.")
                .register(registry);
        turnedAway =
                Counter.builder("millrace.proxy.connections.refused")
                        .description("Connections closed at once, because there were too many.")
                        .register(registry);
        brokenOff =
                Counter.builder("millrace.proxy.broken")
                        .description("Answers that ended before their end.")
                        .register(registry);
        for (int i = 1; i < answers.length; i++) {
            answers[i] =
                    Counter.builder("millrace.proxy.answers")
                            .description("Answers to clients, by the first digit of their status.")
                            .tag("status", i + "xx")
                            .register(registry);
        }
        for (Failure each : Failure.values()) {
            failures.put(
                    each,
                    Counter.builder("millrace.proxy.failures")
                            .description("Requests to the application that had no answer.")
                            .tag("why", each.name().toLowerCase(Locale.ROOT))
                            .register(registry));
        }
    }

    private static void gauge(
            MeterRegistry registry, String name, String about, AtomicInteger number) {
        Gauge.builder("millrace.proxy." + name, number, AtomicInteger::get)
                .description(about)
                .register(registry);
    }

    void turnedAway() {
        turnedAway.increment();
    }

    void brokenOff() {
        brokenOff.increment();
    }

    void answered(int status) {
        answers[Math.clamp(status / 100, 1, 5)].increment();
    }

    void failed(Failure why) {
        Objects.requireNonNull(failures.get(why)).increment();
    }
}
