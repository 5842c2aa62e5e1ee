package dev.millrace.hub.shop.carts;

/** What became of a change. */
sealed interface Changed {
    /** The cart as it is now. */
    record Done(Cart cart) implements Changed {}

    /** It did not have the version that was expected. */
    record Stale(Cart cart) implements Changed {}

    /** A merge has it for itself for a moment. */
    record Busy() implements Changed {}

    /** The quantity of an item would be larger than the shop allows. */
    record TooLarge() implements Changed {}

    record TooManyLines() implements Changed {}

    /** The key came with another change before. */
    record KeyReused() implements Changed {}

    record TooManyKeys() implements Changed {}
}
