package dev.millrace.hub.shop.visits;

import dev.millrace.hub.settings.Block;
import dev.millrace.keyspace.Keyspace;

/** Makes items popular, as visitors would. */
public final class PopularItems {
    private record Views(ViewSettings views) {}

    private PopularItems() {}

    public static void seen(Keyspace keyspace, String... items) {
        ViewSettings settings = Block.of("shop", "The shop", Views.class).standard().views();
        PopularStore store = new PopularStore(keyspace, settings);
        for (String item : items) {
            store.count(item);
        }
    }
}
