package dev.millrace.hub.http;

import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Which path belongs to whom. A path belongs to the owner of its longest prefix in the table, taken
 * by whole segments; an exact entry counts before a prefix of the same length.
 */
public final class Owners {
    private final Map<String, Owner> exact = new HashMap<>();
    private final Map<String, Owner> prefixes = new HashMap<>();
    private final Owner rest;

    /**
     * An empty table.
     *
     * @param rest whose everything is that nobody else names
     */
    public Owners(Owner rest) {
        this.rest = rest;
    }

    /** Gives a path, and nothing below it, to an owner. */
    public Owners exactly(Owner owner, String... paths) {
        for (String path : paths) {
            exact.put(path, owner);
        }
        return this;
    }

    /** Gives paths and everything below them to an owner. */
    public Owners below(Owner owner, String... paths) {
        for (String path : paths) {
            prefixes.put(path, owner);
        }
        return this;
    }

    /** All that have a path. */
    Set<Owner> all() {
        Set<Owner> all = Collections.newSetFromMap(new IdentityHashMap<>());
        all.addAll(exact.values());
        all.addAll(prefixes.values());
        all.add(rest);
        return all;
    }

    /** The owner of a decoded path. */
    Owner of(String path) {
        Owner owner = exact.get(path);
        String prefix = path;
        while (owner == null && !prefix.isEmpty()) {
            owner = prefixes.get(prefix);
            prefix = prefix.substring(0, Math.max(0, prefix.lastIndexOf('/')));
        }
        return owner == null ? rest : owner;
    }
}
