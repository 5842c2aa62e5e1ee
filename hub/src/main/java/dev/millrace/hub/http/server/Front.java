package dev.millrace.hub.http.server;

import dev.millrace.hub.http.Cors;
import dev.millrace.hub.http.RouteTable;

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
    final Hosts hosts;
    final AtomicInteger connections = new AtomicInteger();
    final AtomicInteger inFlight = new AtomicInteger();

    /** Bodies that arrive or are worked on. */
    final Budget bodies;

    /** Large answers that their clients have not taken yet. */
    final Budget answers;

    volatile boolean stopping;

    /**
     * All of it.
     *
     * @param memory how many bytes bodies may take, and answers as many again
     */
    Front(HttpSettings settings, RouteTable table, Gate gate, HttpMetrics metrics, long memory) {
        this.bodies = new Budget(memory);
        this.answers = new Budget(memory);
        this.settings = settings;
        this.table = table;
        this.gate = gate;
        this.metrics = metrics;
        this.cors = new Cors(settings.corsOrigins());
        this.hosts = new Hosts(settings, gate.givesRightsByAddress());
        this.peers = new Peers(settings.trustedProxies(), settings.realIpHeader());
    }
}
