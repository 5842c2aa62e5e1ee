package dev.millrace.hub.shop.pages;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;

import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;

/** What the cache counts. */
final class PageFigures {
    /** How a request for a page was answered. */
    enum How {
        /** From the cache. */
        HIT,
        /** From the cache, with an old page. */
        STALE,
        /** With what another request had asked for. */
        COLLAPSED,
        /** By the application, and kept. */
        MISS,
        /** By the application, which said that the page it had sent is still the page. */
        REVALIDATED,
        /** By the application: this page cannot be kept. */
        UNCACHEABLE,
        /** By the application: this is not a page that the cache looks after. */
        PASS,
        /** By the application: waiting for another request took too long. */
        IMPATIENT,
        /** Not at all. */
        FAILED
    }

    private final Map<How, Counter> counters = new EnumMap<>(How.class);
    final Counter views;
    final Counter viewsDropped;
    final Counter purged;
    final Counter refreshFailures;

    PageFigures(MeterRegistry registry, Near near) {
        for (How each : How.values()) {
            counters.put(
                    each,
                    Counter.builder("millrace.shop.pages.requests")
                            .description(
                                    "Requests through the page cache, by how they were answered.")
                            .tag("how", each.name().toLowerCase(Locale.ROOT))
                            .register(registry));
        }
        Gauge.builder("millrace.shop.pages.near", near, Near::count)
                .description("Pages of which this hub has a copy.")
                .register(registry);
        views = counter(registry, "views", "Views of items that were noted.");
        viewsDropped =
                counter(registry, "views.dropped", "Views of items that could not be noted.");
        purged = counter(registry, "purged", "Pages that were purged.");
        refreshFailures =
                counter(
                        registry,
                        "refresh.failures",
                        "Pages that could not be refreshed; the old one serves.");
    }

    private static Counter counter(MeterRegistry registry, String name, String about) {
        return Counter.builder("millrace.shop.pages." + name).description(about).register(registry);
    }

    void count(How how) {
        Objects.requireNonNull(counters.get(how)).increment();
    }

    /** Since this hub began. */
    Map<String, Long> counts() {
        Map<String, Long> all = new LinkedHashMap<>();
        counters.forEach(
                (how, counter) ->
                        all.put(how.name().toLowerCase(Locale.ROOT), (long) counter.count()));
        return all;
    }
}
