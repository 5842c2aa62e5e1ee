package dev.millrace.hub.http.proxy;

import io.vertx.core.http.HttpClientAgent;

/** What all event loops of a proxy share. */
final class Shared {
    final ProxyOptions options;
    final Desk desk;
    final Hops hops;
    final Upstreams upstreams;
    final ProxyFigures figures;
    final HttpClientAgent client;
    volatile boolean stopping;

    Shared(
            ProxyOptions options,
            Desk desk,
            Hops hops,
            Upstreams upstreams,
            ProxyFigures figures,
            HttpClientAgent client) {
        this.options = options;
        this.desk = desk;
        this.hops = hops;
        this.upstreams = upstreams;
        this.figures = figures;
        this.client = client;
    }
}
