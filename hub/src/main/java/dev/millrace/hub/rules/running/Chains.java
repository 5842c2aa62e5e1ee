package dev.millrace.hub.rules.running;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What rules have written or raised lately, and how many rules led there: whoever is woken by it
 * stands one behind. So rules that wake each other in a circle are found. Of the thread that runs
 * rules alone.
 */
final class Chains {
    private static final int MOST = 10_000;
    private static final long KEPT_MILLIS = 30_000;

    private final Map<String, Link> links =
            new LinkedHashMap<>() {
                @Override
                protected boolean removeEldestEntry(Map.Entry<String, Link> eldest) {
                    return size() > MOST;
                }
            };

    private record Link(int depth, long at) {}

    void wrote(String what, int depth, long now) {
        links.remove(what);
        links.put(what, new Link(depth, now));
    }

    /** How deep it is; 0 if no rule did it. */
    int depth(String what, long now) {
        Link link = links.get(what);
        return link == null || now - link.at > KEPT_MILLIS ? 0 : link.depth;
    }
}
