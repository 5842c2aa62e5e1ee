package dev.millrace.hub.telemetry.realtime;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/** The figures of live values by WebSocket. Thread-safe. */
final class RealtimeFigures {
    private final AtomicInteger clients = new AtomicInteger();
    private final LongAdder sent = new LongAdder();
    private final Counter slow;

    RealtimeFigures(MeterRegistry registry) {
        Gauge.builder("millrace.realtime.clients", clients, AtomicInteger::get)
                .description("Clients connected to /ws.")
                .register(registry);
        FunctionCounter.builder("millrace.realtime.messages.sent", sent, LongAdder::sum)
                .description("Messages sent to clients of /ws.")
                .register(registry);
        slow =
                Counter.builder("millrace.realtime.closed.slow")
                        .description("Clients of /ws closed because they did not keep up.")
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

    void sent() {
        sent.increment();
    }

    void closedSlow() {
        slow.increment();
    }
}
