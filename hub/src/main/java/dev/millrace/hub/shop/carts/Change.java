package dev.millrace.hub.shop.carts;

import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * A change of a cart.
 *
 * @param lines items with the quantities that {@code kind} says what to do with
 * @param expected the version that the cart must have
 * @param once makes it happen once, however often it is asked for
 */
record Change(Kind kind, List<Cart.Line> lines, Optional<String> expected, Optional<Once> once) {

    Change {
        lines = List.copyOf(lines);
    }

    /** What is done with the quantities. */
    enum Kind {
        /** An item has this one from now on; none if it is not above 0. */
        SET,
        /** So many more, or less. */
        ADD,
        /** The cart holds these and nothing else. */
        REPLACE,
        /** Of another cart: where both have an item, the larger one counts. */
        MAX,
        /** Both together. */
        SUM,
        /** That of the other cart. */
        THEIRS,
        /** That of this cart. */
        OURS;

        String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * A client's key for a change.
     *
     * @param digest of the key
     * @param print of what was asked for with it
     */
    record Once(String digest, String print) {}
}
