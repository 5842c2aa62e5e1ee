package dev.millrace.hub.site.locks;

import dev.millrace.keyspace.layout.Cell;
import dev.millrace.keyspace.layout.Declaration;
import dev.millrace.keyspace.layout.KeyType;

import java.util.List;

/** The keys of locks: a lock lives with its resource, and so does its fence. */
public final class LocksLayouts {
    static final Cell LOCK =
            Cell.of(KeyType.STRING, "sync:lock:{resource}")
                    .ownedBy("resource")
                    .about("Who holds the resource: owner:timestamp.");

    static final Cell FENCE =
            Cell.of(KeyType.STRING, "sync:fence:{resource}")
                    .ownedBy("resource")
                    .about("The fence of the newest holder, a number; kept for a week.");

    private LocksLayouts() {}

    public static List<Declaration> all() {
        return List.of(LOCK, FENCE);
    }
}
