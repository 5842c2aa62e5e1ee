package dev.millrace.hub;

import dev.millrace.hub.access.Access;
import dev.millrace.hub.access.Audit;
import dev.millrace.hub.access.Role;
import dev.millrace.hub.http.OpenApiApi;
import dev.millrace.hub.http.Route;
import dev.millrace.hub.http.RouteTable;
import dev.millrace.hub.http.WebServer;
import dev.millrace.hub.live.Live;
import dev.millrace.hub.live.LiveFeed;
import dev.millrace.keyspace.Keyspace;

import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;

import java.time.Clock;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * The one class that wires the rooms together. Opened from top to bottom, closed from bottom to
 * top; what one room needs of another is handed over here.
 */
final class Hub implements AutoCloseable {
    private final Access access;
    private final Live live;
    private final WebServer server;

    private Hub(Access access, Live live, WebServer server) {
        this.access = access;
        this.live = live;
        this.server = server;
    }

    /** Begins what takes a while and needs no Redis: the proofs of the catalogue. */
    static void prepare() {
        Thread.ofPlatform()
                .daemon()
                .name("prepare")
                .start(() -> Objects.requireNonNull(Rooms.CATALOGUE));
    }

    static Hub open(Settings settings, SiteRedis site) {
        Clock clock = Clock.systemUTC();
        PrometheusMeterRegistry figures = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        Keyspace keyspace = new Keyspace(site.redis(), Rooms.CATALOGUE);
        Access access = Access.open(keyspace, settings.access());
        Live live =
                Live.open(
                        keyspace,
                        access.gate(),
                        settings.live(),
                        figures,
                        List.of(
                                LiveFeed.of("audit", Audit.TOPIC, Role.ADMIN, "access")
                                        .withTime()));
        try {
            OpenApiApi description = new OpenApiApi(VersionCommand.version());
            List<Route> routes = new ArrayList<>();
            routes.addAll(description.routes());
            routes.addAll(live.routes());
            RouteTable table = new RouteTable(routes, PathOwners.table(clock));
            description.describe(table);
            WebServer server = WebServer.start(settings.http(), table, access.gate(), figures);
            return new Hub(access, live, server);
        } catch (RuntimeException e) {
            live.close();
            access.close();
            throw e;
        }
    }

    /** Where it listens. */
    String url() {
        return server.url();
    }

    @Override
    public void close() {
        server.close();
        live.close();
        access.close();
    }
}
