package dev.millrace.hub.shop.carts;

import dev.millrace.hub.house.House;
import dev.millrace.hub.http.Route;

import io.micrometer.core.instrument.Counter;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Carts, opened. Thread-safe. */
public final class Carts {
    private static final SecureRandom RANDOM = new SecureRandom();

    private final CartStore store;
    private final List<Route> routes;
    private final Counter changes;
    private final Counter conflicts;

    /**
     * Opens them.
     *
     * @param sessionIdle how long a session lives that nobody uses
     * @param goods what is known about items
     */
    public Carts(House house, CartSettings settings, Duration sessionIdle, Goods goods) {
        store = new CartStore(house.keyspace(), settings, sessionIdle, house.clock());
        changes =
                Counter.builder("millrace.shop.cart.changes")
                        .description("Changes of carts that were made.")
                        .register(house.figures());
        conflicts =
                Counter.builder("millrace.shop.cart.conflicts")
                        .description("Changes of carts that were refused: the cart had changed.")
                        .register(house.figures());
        this.routes = new CartsApi(store, settings, goods, changes, conflicts).routes();
    }

    public List<Route> routes() {
        return routes;
    }

    /** What was counted at this hub. */
    public Map<String, Object> stats() {
        return Map.of(
                "changes", Math.round(changes.count()), "conflicts", Math.round(conflicts.count()));
    }

    /** What is in a visitor's cart, and how many of it. */
    public Map<String, Long> items(String token) {
        return store.get(token).lines().stream()
                .collect(
                        Collectors.toMap(
                                Cart.Line::item, Cart.Line::quantity, Long::sum, TreeMap::new));
    }

    /**
     * Puts more of an item into a visitor's cart.
     *
     * @return whether there was room
     */
    public boolean add(String token, String item, long more) {
        Change change =
                new Change(
                        Change.Kind.ADD,
                        List.of(new Cart.Line(item, more)),
                        Optional.empty(),
                        Optional.empty());
        boolean done = store.change(token, change) instanceof Changed.Done;
        if (done) {
            changes.increment();
        }
        return done;
    }

    /** A name that nobody else has. */
    static String random() {
        byte[] bytes = new byte[16];
        RANDOM.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }
}
