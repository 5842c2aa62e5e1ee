package dev.millrace.hub.why;

import dev.millrace.hub.ems.EmsRoutes;
import dev.millrace.hub.ems.Service;
import dev.millrace.hub.house.House;
import dev.millrace.hub.house.Room;
import dev.millrace.hub.http.Route;
import dev.millrace.keyspace.layout.Declaration;

import java.util.List;

/**
 * The room that answers why. It keeps nothing: a chain is there as long as its parts. Thread-safe
 * once it is started.
 */
public final class Why implements Room {
    private final List<Links> rooms;
    private List<Route> routes = List.of();

    /**
     * The room.
     *
     * @param rooms that record parts of chains; started before this one
     */
    public Why(List<Links> rooms) {
        this.rooms = List.copyOf(rooms);
    }

    @Override
    public String name() {
        return WhyApi.ROOM;
    }

    @Override
    public String about() {
        return "Why something was done: chains from values to alarms, messages and commands.";
    }

    @Override
    public List<Declaration> declarations() {
        return List.of();
    }

    @Override
    public void start(House house) {
        EmsRoutes ems = new EmsRoutes(Service.APIGATEWAY, house.clock());
        new WhyApi(new Chains(rooms)).addTo(ems);
        routes = ems.routes();
    }

    @Override
    public List<Route> routes() {
        return routes;
    }

    @Override
    public void stop() {}
}
