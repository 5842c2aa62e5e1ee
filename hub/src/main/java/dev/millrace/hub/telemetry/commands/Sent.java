package dev.millrace.hub.telemetry.commands;

import java.util.LinkedHashSet;
import java.util.Set;

/** The latest commands that were sent to a device from here. Thread-safe. */
final class Sent {
    /** More than wait in a queue, so none of them is forgotten before it can turn up again. */
    private static final int MOST = 2 * CommandWrites.MOST_WAITING;

    private final Set<String> ids = new LinkedHashSet<>();

    synchronized void add(String id) {
        ids.add(id);
        if (ids.size() > MOST) {
            ids.remove(ids.iterator().next());
        }
    }

    /** It was not sent after all. */
    synchronized void forget(String id) {
        ids.remove(id);
    }

    synchronized boolean has(String id) {
        return ids.contains(id);
    }
}
