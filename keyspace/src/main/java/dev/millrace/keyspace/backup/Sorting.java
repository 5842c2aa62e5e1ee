package dev.millrace.keyspace.backup;

import static dev.millrace.keyspace.redis.Words.text;

import dev.millrace.keyspace.backup.file.Held;
import dev.millrace.keyspace.commit.Commit;
import dev.millrace.keyspace.commit.Ground;
import dev.millrace.keyspace.commit.Homes;
import dev.millrace.keyspace.commit.Place;
import dev.millrace.keyspace.commit.Shards;
import dev.millrace.keyspace.layout.Catalogue;
import dev.millrace.keyspace.layout.Cell;
import dev.millrace.keyspace.layout.Spot;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * What a key is to a backup: content under its logical name, or bookkeeping of the engine. Content
 * is whatever is not bookkeeping, also the keys of strangers: better too much than too little.
 */
final class Sorting {
    private final Catalogue catalogue;
    private final Shards shards;

    /** What is done with a key. */
    enum Kind {
        CONTENT,
        /** Made anew where it is missing. */
        BOOKKEEPING,
        /** The sequence number of a shard's logs. */
        SEQUENCE,
        /** An entity on its way to another shard. */
        MOVING,
        /** The receipt of one. */
        MOVED
    }

    /**
     * A key without its shard.
     *
     * @param shard the shard whose prefix it had; {@link Held#NONE} if it had none
     */
    record Sorted(Kind kind, byte[] key, int shard) {}

    Sorting(Ground ground) {
        this.catalogue = ground.catalogue();
        this.shards = ground.shards();
    }

    Sorted sort(byte[] full) {
        String name = name(full);
        Optional<Place> place = shards.cluster() ? shards.byPrefix(name) : Optional.empty();
        if (place.isPresent()) {
            int length = place.get().prefix().length();
            byte[] key = Arrays.copyOfRange(full, length, full.length);
            return new Sorted(kind(name.substring(length)), key, place.get().shard());
        }
        // Beside a key with a tag of its own, the engine's keys have that tag before them.
        int close = shards.cluster() && name.startsWith("{") ? name.indexOf('}') : -1;
        return new Sorted(kind(name.substring(close + 1)), full, Held.NONE);
    }

    private Kind kind(String key) {
        if (!key.startsWith(Catalogue.OWN)) {
            return Kind.CONTENT;
        }
        if (key.equals(Commit.SEQUENCE.name())) {
            return Kind.SEQUENCE;
        }
        for (Spot spot : catalogue.spotsOf(key)) {
            if (spot.owner() instanceof Cell cell && cell.isBookkeeping()) {
                return cell.pattern().equals(Homes.MOVING)
                        ? Kind.MOVING
                        : cell.pattern().equals(Homes.MOVED) ? Kind.MOVED : Kind.BOOKKEEPING;
            }
        }
        return Kind.CONTENT;
    }

    /** What a logical key may be; nothing for one that is not a text. */
    List<Spot> spots(byte[] key) {
        String name = name(key);
        return Arrays.equals(text(name), key) ? catalogue.spotsOf(key) : List.of();
    }

    static String name(byte[] text) {
        return new String(text, StandardCharsets.UTF_8);
    }

    /** Whether a cluster has a part of this key in every shard. */
    boolean split(byte[] key) {
        List<Spot> spots = spots(key);
        return !spots.isEmpty() && spots.getFirst().owner() instanceof Cell cell && cell.split();
    }
}
