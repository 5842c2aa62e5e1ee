package dev.millrace.hub.shop.rows;

import dev.millrace.hub.house.House;
import dev.millrace.hub.http.Json;
import dev.millrace.hub.http.Route;

import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/** Cached rows, opened. Thread-safe. */
public final class Rows implements AutoCloseable {
    private final RowSettings settings;
    private final Database database;
    private final RowCache cache;
    private final RowFigures figures;
    private final Refresher refresher;
    private final List<Route> routes = new ArrayList<>();
    private final List<RowChanges> listeners = new CopyOnWriteArrayList<>();

    /** What was opened, the newest first. */
    private final Deque<Runnable> opened = new ArrayDeque<>();

    /**
     * Opens them.
     *
     * @param demo whether the database on board is filled
     */
    public Rows(House house, RowSettings settings, boolean demo) {
        this.settings = settings;
        String url = settings.url().orElseGet(() -> OnBoard.url(house.dataDir()));
        this.database =
                new Database(
                        url,
                        settings,
                        connection -> {
                            if (settings.url().isEmpty()) {
                                OnBoard.prepare(connection, demo);
                            }
                        });
        opened.push(database::close);
        this.figures = new RowFigures(house.figures());
        RowStore store = new RowStore(house.keyspace(), settings, house.clock());
        RowChanges changes = (table, id) -> listeners.forEach(each -> each.changed(table, id));
        this.cache = new RowCache(store, database, settings, figures, house.clock(), changes);
        this.refresher =
                new Refresher(
                        house.keyspace(),
                        store,
                        database,
                        settings,
                        figures,
                        house.figures(),
                        house.clock(),
                        changes);
        opened.push(refresher::close);
        settings.listen()
                .map(
                        channel ->
                                new ChangeListener(
                                        url,
                                        channel,
                                        settings,
                                        house.keyspace(),
                                        store,
                                        cache,
                                        refresher,
                                        house.figures()))
                .ifPresent(listener -> opened.push(listener::close));
        routes.addAll(new RowScheduleApi(store, cache, refresher, settings).routes());
        routes.addAll(new RowsApi(cache, store, refresher, settings).routes());
    }

    public List<Route> routes() {
        return List.copyOf(routes);
    }

    /** Tells somebody of every row that is seen to have changed from now on. */
    public void whenChanged(RowChanges listener) {
        listeners.add(listener);
    }

    /** The rows of items, those of the first table. What cannot be had just now is missing. */
    public Map<String, ObjectNode> ofItems(Collection<String> items) {
        if (!settings.tables().containsKey(RowName.FIRST)) {
            return Map.of();
        }
        List<String> right =
                items.stream().filter(id -> new RowName(RowName.FIRST, id).isRight()).toList();
        Map<String, ObjectNode> rows = new HashMap<>();
        cache.get(RowName.FIRST, right)
                .forEach(
                        (id, row) ->
                                row.text()
                                        .map(Json.MAPPER::readTree)
                                        .filter(ObjectNode.class::isInstance)
                                        .map(ObjectNode.class::cast)
                                        .ifPresent(json -> rows.put(id, json)));
        return rows;
    }

    /** What was counted at this hub, and how it stands. */
    public Map<String, Object> stats() {
        Map<String, Object> stats = new LinkedHashMap<>();
        stats.put("hits", Math.round(figures.hits.count()));
        stats.put("misses", Math.round(figures.misses.count()));
        stats.put("stale", Math.round(figures.stale.count()));
        stats.put("coalesced", Math.round(figures.coalesced.count()));
        stats.put("queries", Math.round(figures.queries.count()));
        stats.put("refreshes", Math.round(figures.refreshes.count()));
        stats.put("failures", Math.round(figures.failures.count()));
        stats.put("scheduled", refresher.scheduled());
        stats.put("trouble", database.trouble().orElse(""));
        return stats;
    }

    /** Why the database does not answer; empty if it does. */
    public Optional<String> trouble() {
        return database.trouble();
    }

    @Override
    public void close() {
        while (!opened.isEmpty()) {
            opened.pop().run();
        }
    }
}
