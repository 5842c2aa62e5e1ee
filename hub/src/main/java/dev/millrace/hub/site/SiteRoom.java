package dev.millrace.hub.site;

import dev.millrace.hub.ems.EmsHealthApi;
import dev.millrace.hub.ems.EmsRoutes;
import dev.millrace.hub.ems.Service;
import dev.millrace.hub.house.House;
import dev.millrace.hub.house.Room;
import dev.millrace.hub.http.Route;
import dev.millrace.hub.settings.Block;
import dev.millrace.hub.site.locks.Locks;
import dev.millrace.hub.site.locks.LocksApi;
import dev.millrace.hub.site.locks.LocksLayouts;
import dev.millrace.hub.site.sync.Sync;
import dev.millrace.hub.site.sync.SyncApi;
import dev.millrace.hub.site.sync.SyncLayouts;
import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.layout.Declaration;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/** The room of what belongs to the whole site. Thread-safe once it is started. */
public final class SiteRoom implements Room {
    static final String NAME = "site";

    private final SiteKeys site;
    private final List<Route> routes = new ArrayList<>();

    /** What was opened, the newest first. */
    private final Deque<Runnable> opened = new ArrayDeque<>();

    /**
     * The room.
     *
     * @param site what the other rooms use of it
     */
    public SiteRoom(SiteKeys site) {
        this.site = site;
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String about() {
        return "Configuration, status, events, synchronisation, temporary data.";
    }

    @Override
    public List<Declaration> declarations() {
        List<Declaration> all = new ArrayList<>(SiteLayouts.all());
        all.addAll(LocksLayouts.all());
        all.addAll(SyncLayouts.all());
        return all;
    }

    @Override
    public Optional<Block<?>> settings() {
        return Optional.of(SiteSettings.BLOCK);
    }

    @Override
    public void start(House house) {
        SiteSettings settings = house.settings(SiteSettings.BLOCK);
        Keyspace keyspace = house.keyspace();
        site.tell(keyspace.feed(Site.EVENTS));
        Services services = new Services(keyspace, site, house.clock());
        site.kind(services);
        SystemConfiguration system = new SystemConfiguration(keyspace, site, house.clock());
        Configurations configurations = new Configurations(keyspace, site, system);
        Locks locks = new Locks(keyspace, house.clock());
        Sync sync = new Sync(keyspace, locks, house.clock(), site::places);
        opened.push(sync::close);
        Heartbeats heartbeats =
                new Heartbeats(
                        keyspace,
                        site,
                        locks,
                        house.version(),
                        settings.heartbeat(),
                        house.clock());
        opened.push(heartbeats::close);
        if (!keyspace.redis().cluster()) {
            opened.push(
                    new TempSweep(
                                    keyspace,
                                    settings.tempTime(),
                                    settings.sessionTime(),
                                    house.figures())
                            ::close);
            opened.push(
                    keyspace.foreignWrites(List.of(services.pattern()), configurations::noticed)
                            ::close);
        }
        EmsRoutes ems =
                new EmsRoutes(Service.APIGATEWAY, house.clock())
                        .audited(site.trail(keyspace, house.clock()));
        SessionKeys sessions = new SessionKeys(keyspace, settings.sessionTime(), house.clock());
        house.gate().accept(sessions);
        new AuthApi(house.gate(), sessions).addTo(ems);
        new ConfigApi(configurations, system).addTo(ems);
        new StatusApi(keyspace, site, heartbeats).addTo(ems);
        new QueuesApi(new Queues(keyspace, site, house.clock())).addTo(ems);
        new SyncApi(NAME, sync).addTo(ems);
        new LocksApi(NAME, locks).addTo(ems);
        new TempApi(new Temporary(keyspace), house.clock()).addTo(ems);
        routes.addAll(ems.routes());
        routes.addAll(
                new EmsHealthApi(Service.APIGATEWAY, house.version(), keyspace, house.clock())
                        .routes());
    }

    @Override
    public List<Route> routes() {
        return List.copyOf(routes);
    }

    @Override
    public void stop() {
        while (!opened.isEmpty()) {
            opened.pop().run();
        }
    }
}
