package dev.millrace.hub.shop;

import dev.millrace.hub.access.Role;
import dev.millrace.hub.http.Answer;
import dev.millrace.hub.http.Request;
import dev.millrace.hub.http.Route;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/** How the shop stands, over HTTP: what each of its parts says about itself. */
final class StatsApi {
    private final Map<String, Supplier<Map<String, Object>>> parts = new LinkedHashMap<>();

    /** A part says something, under its name. */
    StatsApi add(String name, Supplier<Map<String, Object>> part) {
        parts.put(name, part);
        return this;
    }

    List<Route> routes() {
        return List.of(
                Route.get("/shop/stats")
                        .needs(Role.VIEWER, Shop.ROOM)
                        .about(
                                "How the shop stands; what was counted, was counted at this hub"
                                        + " since it was started.")
                        .by(this::stats));
    }

    private Answer stats(Request request) {
        Map<String, Object> all = new LinkedHashMap<>();
        parts.forEach((name, part) -> all.put(name, part.get()));
        return Answer.json(all);
    }
}
