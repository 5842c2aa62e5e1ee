package dev.millrace.hub.http.server;

import dev.millrace.hub.access.Gate;
import dev.millrace.hub.http.Owner;
import dev.millrace.hub.http.RouteTable;

import java.util.IdentityHashMap;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicInteger;

/** What all event loops share. */
final class Front {
    final HttpSettings settings;
    final RouteTable table;
    final Gate gate;
    final HttpMetrics metrics;
    final Peers peers;
    final Hosts hosts;
    final AtomicInteger connections = new AtomicInteger();
    final AtomicInteger inFlight = new AtomicInteger();

    /** Bodies that arrive or are worked on. */
    final Budget bodies;

    /** Large answers that their clients have not taken yet. */
    final Budget answers;

    volatile boolean stopping;

    /** By the owner itself: a record of ten components is compared too slowly for every request. */
    private final IdentityHashMap<Owner, Manners> manners = new IdentityHashMap<>();

    /**
     * What an owner says about headers, made once.
     *
     * @param headers of every answer of a route
     * @param cors what pages of other sites may do there
     */
    record Manners(FixedHeaders headers, Cors cors) {}

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
        Cors everywhere = new Cors(settings.cors().origins());
        for (Owner owner : table.owners()) {
            manners.put(
                    owner,
                    new Manners(
                            FixedHeaders.of(owner.headers()),
                            owner.cors().map(Cors::new).orElse(everywhere)));
        }
        this.hosts = new Hosts(settings, gate.givesRightsByAddress());
        this.peers = new Peers(settings.trustedProxies(), settings.realIpHeader());
    }

    /** Those of one of the table's owners. */
    Manners manners(Owner owner) {
        return Objects.requireNonNull(manners.get(owner), owner.name());
    }
}
