package dev.millrace.hub.ops;

import dev.millrace.keyspace.feed.FeedHealth;
import dev.millrace.keyspace.redis.Redis;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;

/** What is counted beside the requests: Redis, the feeds, the JVM. */
final class Meters implements AutoCloseable {
    private final JvmGcMetrics collections = new JvmGcMetrics();
    private final MultiGauge feedBytes;
    private final MultiGauge feedUnread;
    private final MultiGauge feedLag;
    private final MultiGauge feedLost;

    Meters(MeterRegistry registry, Redis redis, String version) {
        redis(registry, redis);
        feedBytes = feed(registry, "millrace.feed.bytes", "Bytes of facts that a feed holds.");
        feedUnread = feed(registry, "millrace.feed.unread", "Facts that wait for a reader.");
        feedLag =
                feed(
                        registry,
                        "millrace.feed.lag.seconds",
                        "Age of the oldest fact that waits for a reader.");
        feedLost = feed(registry, "millrace.feed.lost", "Facts dropped before a reader came.");
        new JvmMemoryMetrics().bindTo(registry);
        collections.bindTo(registry);
        new JvmThreadMetrics().bindTo(registry);
        new ProcessorMetrics().bindTo(registry);
        new FileDescriptorMetrics().bindTo(registry);
        new UptimeMetrics().bindTo(registry);
        Gauge.builder("millrace.build.info", () -> 1)
                .description("The version, as a label.")
                .tag("version", version)
                .tag("java", Runtime.version().toString())
                .register(registry);
    }

    private static void redis(MeterRegistry registry, Redis redis) {
        Gauge.builder("millrace.redis.waiting", redis, each -> each.figures().waiting())
                .description("Requests that wait in the queues to Redis.")
                .register(registry);
        counter(registry, redis, "requests", "Requests sent.", Redis.Figures::requests);
        counter(registry, redis, "connects", "Connections opened.", Redis.Figures::connects);
        counter(
                registry,
                redis,
                "refused",
                "Requests refused because a queue was full.",
                Redis.Figures::refused);
        counter(
                registry,
                redis,
                "unknown",
                "Requests whose outcome was lost with a connection.",
                Redis.Figures::unknown);
        counter(
                registry,
                redis,
                "unconfirmed",
                "Writes stored, but not confirmed by the replicas asked for.",
                Redis.Figures::unconfirmed);
        FunctionTimer.builder(
                        "millrace.redis.round.trip",
                        redis,
                        each -> each.figures().batches(),
                        each -> each.figures().roundTripNanos(),
                        TimeUnit.NANOSECONDS)
                .description("From sending a batch to its last answer.")
                .register(registry);
        TimeGauge.builder(
                        "millrace.redis.round.trip.slowest",
                        redis,
                        TimeUnit.NANOSECONDS,
                        Redis::takeSlowestRoundTrip)
                .description("The slowest since the last scrape.")
                .register(registry);
    }

    private static void counter(
            MeterRegistry registry,
            Redis redis,
            String name,
            String about,
            ToDoubleFunction<Redis.Figures> value) {
        FunctionCounter.builder(
                        "millrace.redis." + name,
                        redis,
                        each -> value.applyAsDouble(each.figures()))
                .description(about)
                .register(registry);
    }

    private static MultiGauge feed(MeterRegistry registry, String name, String about) {
        return MultiGauge.builder(name).description(about).register(registry);
    }

    /** Told after each look at Redis. */
    void seen(Pulse.Look look) {
        List<MultiGauge.Row<?>> bytes = new ArrayList<>();
        List<MultiGauge.Row<?>> unread = new ArrayList<>();
        List<MultiGauge.Row<?>> lag = new ArrayList<>();
        List<MultiGauge.Row<?>> lost = new ArrayList<>();
        look.feeds()
                .forEach(
                        (topic, health) -> {
                            bytes.add(MultiGauge.Row.of(Tags.of("topic", topic), health.bytes()));
                            for (FeedHealth.Reader reader : health.readers()) {
                                Tags tags = Tags.of("topic", topic, "reader", reader.name());
                                unread.add(MultiGauge.Row.of(tags, reader.unread()));
                                lag.add(MultiGauge.Row.of(tags, lag(reader, look.at())));
                                lost.add(MultiGauge.Row.of(tags, reader.lost()));
                            }
                        });
        feedBytes.register(bytes, true);
        feedUnread.register(unread, true);
        feedLag.register(lag, true);
        feedLost.register(lost, true);
    }

    private static double lag(FeedHealth.Reader reader, Instant now) {
        return reader.since()
                .map(since -> Math.max(0, Duration.between(since, now).toMillis()) / 1000.0)
                .orElse(0.0);
    }

    @Override
    public void close() {
        collections.close();
    }
}
