package dev.millrace.hub.live;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/** The figures of live feeds. */
final class LiveMetrics {
    private final AtomicInteger clients = new AtomicInteger();
    private final LongAdder sent = new LongAdder();
    private final Counter reloads;
    private final Counter cut;

    LiveMetrics(MeterRegistry registry) {
        Gauge.builder("millrace.live.clients", clients, AtomicInteger::get)
                .description("Clients that listen to live feeds.")
                .register(registry);
        FunctionCounter.builder("millrace.live.facts.sent", sent, LongAdder::sum)
                .description("Facts sent, counted for each client.")
                .register(registry);
        reloads =
                Counter.builder("millrace.live.reloads")
                        .description("Clients told to reload: too far behind, or another epoch.")
                        .register(registry);
        cut =
                Counter.builder("millrace.live.cut")
                        .description("Clients cut because they took nothing for too long.")
                        .register(registry);
    }

    int joined() {
        return clients.incrementAndGet();
    }

    void left() {
        clients.decrementAndGet();
    }

    int clients() {
        return clients.get();
    }

    void sent(int frames) {
        sent.add(frames);
    }

    void reloaded() {
        reloads.increment();
    }

    void cut() {
        cut.increment();
    }
}
