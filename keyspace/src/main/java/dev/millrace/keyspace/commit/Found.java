package dev.millrace.keyspace.commit;

import static dev.millrace.keyspace.redis.Words.text;

import dev.millrace.keyspace.layout.Catalogue;
import dev.millrace.keyspace.layout.Declaration;
import dev.millrace.keyspace.layout.Layout;
import dev.millrace.keyspace.layout.Spot;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * A key in the database.
 *
 * @param key its name without the shard's prefix
 * @param spots what it may be
 * @param type what it really is, as Redis names it
 */
public record Found(Place place, String key, List<Spot> spots, String type) {
    public String fullKey() {
        return place.prefix() + key;
    }

    /** The layouts whose value it may be. */
    public List<Layout<?>> layouts() {
        List<Layout<?>> layouts = new ArrayList<>();
        for (Spot spot : spots) {
            if (spot.role() == Spot.Role.VALUE && spot.owner() instanceof Layout<?> layout) {
                layouts.add(layout);
            }
        }
        return layouts;
    }

    /** What a key, with its shard's prefix, may be; empty if nobody claims it. */
    public static Optional<Found> of(Ground ground, byte[] full) {
        String name = new String(full, StandardCharsets.UTF_8);
        if (!Arrays.equals(text(name), full)) {
            return Optional.empty(); // no text, so none of our keys
        }
        Place place = ground.shards().place(Declaration.SITE);
        String key = name;
        if (ground.shards().cluster()) {
            Optional<Place> shard = ground.shards().byPrefix(name);
            if (shard.isPresent()) {
                place = shard.get();
                key = name.substring(place.prefix().length());
            } else {
                int own = name.indexOf('}') + 1;
                boolean tagFirst = name.startsWith("{") && name.startsWith(Catalogue.OWN, own);
                place = ground.shards().tagged(name, name);
                if (tagFirst) {
                    String tag = name.substring(1, own - 1);
                    place = ground.shards().beside(ground.shards().tagged(name, tag));
                    key = name.substring(own);
                }
            }
        }
        List<Spot> spots = ground.catalogue().spotsOf(text(key));
        boolean prefixed = !place.prefix().isEmpty() || !ground.shards().cluster();
        List<Spot> possible =
                spots.stream().filter(spot -> prefixed || spot.pattern().tagged()).toList();
        return possible.isEmpty()
                ? Optional.empty()
                : Optional.of(new Found(place, key, possible, ""));
    }
}
