package dev.millrace.hub.shop;

import dev.millrace.hub.house.Chosen;
import dev.millrace.hub.house.House;
import dev.millrace.hub.house.Room;
import dev.millrace.hub.http.Owner;
import dev.millrace.hub.http.Owners;
import dev.millrace.hub.http.Route;
import dev.millrace.hub.settings.Block;
import dev.millrace.hub.shop.carts.Carts;
import dev.millrace.hub.shop.demo.DemoShop;
import dev.millrace.hub.shop.pages.Pages;
import dev.millrace.hub.shop.pages.PagesLayouts;
import dev.millrace.hub.shop.rows.Rows;
import dev.millrace.hub.shop.rows.RowsLayouts;
import dev.millrace.hub.shop.visits.Visits;
import dev.millrace.hub.shop.visits.VisitsLayouts;
import dev.millrace.keyspace.layout.Declaration;

import org.jspecify.annotations.Nullable;

import java.net.URI;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The room of a web shop. Its parts are opened one after the other, each with what it needs of
 * those before it; each has its keys, settings, routes and duties.
 */
public final class Shop implements Room {
    public static final String ROOM = "shop";

    private final List<Route> routes = new ArrayList<>();

    private volatile @Nullable Rows database;

    /** What was opened, the newest first. */
    private final Deque<Runnable> opened = new ArrayDeque<>();

    @Override
    public String name() {
        return ROOM;
    }

    @Override
    public String about() {
        return "Sessions, views, carts, cached rows and cached pages.";
    }

    @Override
    public List<Declaration> declarations() {
        return Stream.of(VisitsLayouts.all(), RowsLayouts.all(), PagesLayouts.all())
                .flatMap(List::stream)
                .toList();
    }

    @Override
    public Optional<Block<?>> settings() {
        return Optional.of(ShopSettings.BLOCK);
    }

    @Override
    public void claim(Owners owners, Chosen settings) {
        owners.below(Owner.own(ROOM), "/shop");
    }

    @Override
    public void start(House house) {
        ShopSettings settings = house.settings(ShopSettings.BLOCK);
        Visits visits =
                new Visits(house, settings.sessions(), settings.views(), settings.carts().idle());
        opened.push(visits::close);
        routes.addAll(visits.routes());
        Rows rows = new Rows(house, settings.rows(), settings.demo());
        opened.push(rows::close);
        database = rows;
        routes.addAll(rows.routes());
        Carts carts = new Carts(house, settings.carts(), settings.sessions().idle(), rows::ofItems);
        routes.addAll(carts.routes());
        routes.addAll(
                new StatsApi()
                        .add("sessions", visits::sessionStats)
                        .add("views", visits::viewStats)
                        .add("carts", carts::stats)
                        .add("rows", rows::stats)
                        .routes());
        List<URI> applications = List.of();
        if (settings.demo()) {
            DemoShop demo = DemoShop.open(settings.demoPort(), visits, carts, rows::ofItems);
            opened.push(demo::close);
            applications = List.of(demo.url());
        }
        Pages pages =
                new Pages(house, ROOM, settings.pages(), settings.proxy(), visits, applications);
        opened.push(pages::close);
        if (settings.rows().purgePages()) {
            rows.whenChanged(pages::rowChanged);
        }
        routes.addAll(pages.routes());
    }

    @Override
    public List<Route> routes() {
        return List.copyOf(routes);
    }

    @Override
    public List<String> warnings() {
        Rows rows = database;
        return rows == null
                ? List.of()
                : rows.trouble()
                        .map(why -> List.of("The shop's database does not answer: " + why))
                        .orElse(List.of());
    }

    @Override
    public void stop() {
        while (!opened.isEmpty()) {
            opened.pop().run();
        }
    }
}
