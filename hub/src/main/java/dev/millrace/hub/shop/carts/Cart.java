package dev.millrace.hub.shop.carts;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * What a visitor wants.
 *
 * @param version grows with every change; 0 for a cart that nobody ever put something into
 * @param updated unknown where it was never changed
 * @param lines by item
 */
record Cart(String token, long version, Optional<Instant> updated, List<Line> lines) {
    Cart {
        lines = List.copyOf(lines);
    }

    /** So many of an item. */
    record Line(String item, long quantity) {}

    long total() {
        return lines.stream().mapToLong(Line::quantity).sum();
    }
}
