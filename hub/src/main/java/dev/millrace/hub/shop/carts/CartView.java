package dev.millrace.hub.shop.carts;

import com.fasterxml.jackson.annotation.JsonInclude;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.time.Instant;
import java.util.List;
import java.util.Map;

/** A cart as clients see it. */
record CartView(
        String token,
        long version,
        List<Item> items,
        long totalQuantity,
        @Nullable String updatedAt) {

    /**
     * A line.
     *
     * @param row of the item, if it was asked for and is known
     * @param available whether there are so many of it; if rows were asked for
     */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record Item(String item, long quantity, @Nullable JsonNode row, @Nullable Boolean available) {}

    static CartView of(Cart cart) {
        return of(
                cart,
                cart.lines().stream()
                        .map(line -> new Item(line.item(), line.quantity(), null, null))
                        .toList());
    }

    private static CartView of(Cart cart, List<Item> items) {
        return new CartView(
                cart.token(),
                cart.version(),
                items,
                cart.total(),
                cart.updated().map(Instant::toString).orElse(null));
    }

    /** Joins lines with what is known about their items. */
    record Maker(Goods goods) {
        /** The column of a row that says how many there are. */
        private static final String STOCK = "qty";

        CartView withRows(Cart cart) {
            Map<String, ObjectNode> rows =
                    goods.of(cart.lines().stream().map(Cart.Line::item).toList());
            return of(cart, cart.lines().stream().map(line -> item(line, rows)).toList());
        }

        private static Item item(Cart.Line line, Map<String, ObjectNode> rows) {
            ObjectNode row = rows.get(line.item());
            boolean available =
                    row != null
                            && (!row.path(STOCK).isNumber()
                                    || row.path(STOCK).doubleValue() >= line.quantity());
            return new Item(line.item(), line.quantity(), row, available);
        }
    }
}
