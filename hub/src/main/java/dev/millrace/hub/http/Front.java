package dev.millrace.hub.http;

import dev.millrace.hub.access.Gate;

import java.util.concurrent.atomic.AtomicInteger;

/** What all event loops share. */
final class Front {
    final HttpSettings settings;
    final RouteTable table;
    final Gate gate;
    final HttpMetrics metrics;
    final Cors cors;
    final Peers peers;
    final AtomicInteger connections = new AtomicInteger();
    final AtomicInteger inFlight = new AtomicInteger();
    volatile boolean stopping;

    Front(HttpSettings settings, RouteTable table, Gate gate, HttpMetrics metrics) {
        this.settings = settings;
        this.table = table;
        this.gate = gate;
        this.metrics = metrics;
        this.cors = new Cors(settings.corsOrigins());
        this.peers = new Peers(settings.trustedProxies(), settings.realIpHeader());
    }
}
