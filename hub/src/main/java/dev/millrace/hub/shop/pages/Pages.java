package dev.millrace.hub.shop.pages;

import dev.millrace.hub.house.House;
import dev.millrace.hub.http.Route;
import dev.millrace.hub.http.proxy.Proxy;
import dev.millrace.hub.http.proxy.ProxyOptions;
import dev.millrace.hub.shop.visits.Visits;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The page cache, opened: it can be purged and looked at, and where a port is set the shop's pages
 * are served there. Thread-safe.
 */
public final class Pages implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(Pages.class);

    /** Beyond what the application may take, for what comes after its answer has begun. */
    private static final Duration LEASE_SLACK = Duration.ofSeconds(5);

    /** The one whose rows are the shop's items. */
    private static final String FIRST_TABLE = "inv";

    private final PagesApi api;
    private final Purging purging;
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();
    private volatile @Nullable Proxy proxy;

    /**
     * Opens it.
     *
     * @param applications where the shop is, if the settings do not say so
     */
    public Pages(
            House house,
            String room,
            PagesSettings settings,
            ProxySettings listening,
            Visits visits,
            List<URI> applications) {
        Near near = new Near(settings.memory().count());
        PageFigures figures = new PageFigures(house.figures(), near);
        PageStore store = new PageStore(house.keyspace(), settings);
        Addresses addresses = new Addresses(settings);
        this.purging = new Purging(store, near, addresses, house.gate(), room, figures);
        this.api = new PagesApi(store, purging, figures, visits, this::address);
        List<URI> behind = listening.upstream().isEmpty() ? applications : listening.upstream();
        Optional<Integer> port = listening.port().number();
        if (port.isEmpty()) {
            return;
        }
        if (behind.isEmpty()) {
            log.warn(
                    "There is no application behind shop.proxy.port; name it in"
                            + " shop.proxy.upstream.");
            return;
        }
        String hub = Flights.newHub();
        PageNews news = open(new PageNews(house.keyspace().redis(), near, hub));
        PageViews views = open(new PageViews(visits, figures.views, figures.viewsDropped));
        ProxyOptions options = listening.options(port.get(), behind);
        Flights flights =
                new Flights(
                        settings,
                        store,
                        near,
                        news,
                        views,
                        figures,
                        house.clock(),
                        listening.answerTimeOut().plus(LEASE_SLACK),
                        hub,
                        (asked, fetch) -> Objects.requireNonNull(proxy).fetch(asked, fetch));
        PageDesk desk =
                new PageDesk(
                        settings,
                        addresses,
                        visits.popularity(),
                        near,
                        flights,
                        views,
                        figures,
                        purging,
                        house.clock());
        try {
            Proxy open = open(Proxy.start(options, desk, house.figures()));
            proxy = open;
            log.info("The shop's pages are at {}. upstream={}", open.url(), behind);
        } catch (RuntimeException e) {
            close();
            throw e;
        }
    }

    private <T extends AutoCloseable> T open(T part) {
        opened.push(part);
        return part;
    }

    /** Where the shop's pages are served, if they are. */
    public Optional<String> address() {
        return Optional.ofNullable(proxy).map(Proxy::url);
    }

    /**
     * A row of the shop's database has changed. If it is one of the table of items, the pages of
     * that item are asked for anew; done soon after.
     */
    public void rowChanged(String table, String id) {
        if (table.equals(FIRST_TABLE) && proxy != null) {
            var _ = purging.soon(List.of(Groups.item(id)));
        }
    }

    public List<Route> routes() {
        return api.routes();
    }

    @Override
    public void close() {
        while (!opened.isEmpty()) {
            try {
                opened.pop().close();
            } catch (Exception e) {
                log.warn("A part of the page cache did not close cleanly. reason={}", e.toString());
            }
        }
    }
}
