package dev.millrace.hub.site;

import dev.millrace.keyspace.Keyspace;
import dev.millrace.keyspace.commit.Commit;
import dev.millrace.keyspace.layout.Layout;

import java.time.Instant;
import java.util.List;
import java.util.Map;

/** What many rooms write beside their own things, in the same commits. Thread-safe. */
public interface Site {
    /**
     * Tells that something has happened: the newest of its queue, and the last of its type. A queue
     * that somebody has put something else in place of is left out, and the commit goes on.
     *
     * @param owner of the commit
     * @param type such as {@code channel}
     * @param event its members; a time is added
     */
    void event(Commit commit, String owner, String type, Map<String, Object> event, Instant at);

    /**
     * Writes how many there are into the status of the system; never added up, so it cannot drift.
     *
     * @param index of the layout, whose entries are counted
     */
    void size(Commit commit, String owner, Counted counted, Layout<?> layout, String index);

    /** The present version of all configuration. */
    Version version(Keyspace keyspace);

    /**
     * Counts a change of configuration: the commit, at the site, is refused if there was another.
     */
    void raise(Commit commit, Version from);

    /** What the doctor says about the keys that this is written to. Changes nothing. */
    List<String> advice(Keyspace keyspace);

    /** What the status of the system counts. */
    enum Counted {
        TOTAL_CHANNELS,
        ACTIVE_CHANNELS,
        TOTAL_MODELS,
        ACTIVE_ALARMS
    }

    /**
     * How often configuration was changed.
     *
     * @param stored as it stands there; empty if nothing does
     */
    record Version(String stored) {
        /** The number of the change that comes next. What is not a number counts as none. */
        public long next() {
            try {
                return Math.max(0, Long.parseLong(stored)) + 1;
            } catch (NumberFormatException e) {
                return 1;
            }
        }
    }
}
